"""Files in and out. Nothing else in sidestep's model or solvers touches a file."""

from .eecbs import read_eecbs, write_eecbs
from .files import Document, load
from .format import Format
from .formats import FORMATS, detect, format_of
from .godot import read_godot
from .lacam import read_lacam, write_lacam
from .layout import Layout
from .lif import read_lif, write_lif
from .lorr import read_lorr, write_planviz
from .lorr_input import Workload, read_lorr_input, read_tasks, write_lorr_input
from .movingai import read_map, read_scen, write_map, write_scen
from .multirobot import read_multirobot, read_multirobot_problem
from .nav2map import read_nav2_map, write_nav2_map
from .planfile import PlanFile, read_plan, read_problem, write_plan, write_problem, write_result
from .rmf import read_rmf, write_rmf
from .routegraph import read_route_graph, write_route_graph
from .savefile import read_save, write_save
from .text import read_text, write_text
from .tiled import read_tiled, write_tiled
from .tracefile import read_trace, write_trace
from .tracker import read_tracker
from .transcriptfile import read_transcript, write_transcript

__all__ = [
    "FORMATS",
    "Document",
    "Format",
    "Layout",
    "PlanFile",
    "Workload",
    "detect",
    "format_of",
    "load",
    "read_eecbs",
    "read_godot",
    "read_lacam",
    "read_lif",
    "read_lorr",
    "read_lorr_input",
    "read_map",
    "read_multirobot",
    "read_multirobot_problem",
    "read_nav2_map",
    "read_plan",
    "read_problem",
    "read_rmf",
    "read_route_graph",
    "read_save",
    "read_scen",
    "read_tasks",
    "read_text",
    "read_tiled",
    "read_trace",
    "read_tracker",
    "read_transcript",
    "write_eecbs",
    "write_lacam",
    "write_lif",
    "write_lorr_input",
    "write_map",
    "write_nav2_map",
    "write_plan",
    "write_planviz",
    "write_problem",
    "write_result",
    "write_rmf",
    "write_route_graph",
    "write_save",
    "write_scen",
    "write_text",
    "write_tiled",
    "write_trace",
    "write_transcript",
]
