"""Files in and out. Nothing else in sidestep's model or solvers touches a file."""

from .eecbs import read_eecbs, write_eecbs
from .files import Document, load
from .format import Format
from .formats import FORMATS, detect, format_of
from .lacam import read_lacam, write_lacam
from .lorr import read_lorr, write_planviz
from .movingai import read_map, read_scen, write_map, write_scen
from .multirobot import read_multirobot, read_multirobot_problem
from .planfile import PlanFile, read_plan, read_problem, write_plan, write_problem, write_result
from .savefile import read_save, write_save
from .taskfile import read_tasks
from .text import read_text, write_text
from .tracefile import read_trace, write_trace
from .tracker import read_tracker
from .transcriptfile import read_transcript, write_transcript

__all__ = [
    "FORMATS",
    "Document",
    "Format",
    "PlanFile",
    "detect",
    "format_of",
    "load",
    "read_eecbs",
    "read_lacam",
    "read_lorr",
    "read_map",
    "read_multirobot",
    "read_multirobot_problem",
    "read_plan",
    "read_problem",
    "read_save",
    "read_scen",
    "read_tasks",
    "read_text",
    "read_trace",
    "read_tracker",
    "read_transcript",
    "write_eecbs",
    "write_lacam",
    "write_map",
    "write_plan",
    "write_planviz",
    "write_problem",
    "write_result",
    "write_save",
    "write_scen",
    "write_text",
    "write_trace",
    "write_transcript",
]
