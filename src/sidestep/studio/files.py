"""Files of the page: what was uploaded becomes a problem, and problems become something to download.

Formats are those of `sidestep.io`, as texts: no name from outside ever becomes a path.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import io
from ..model.errors import InputError
from ..model.grid import Grid
from ..model.problem import Problem
from ..model.trace import Trace
from ..viewer.replay import replay
from .instances import MAX_NAME, MAX_POSITIONS, agents_there, checked_size

FORMATS = {form.name: form for form in io.FORMATS}


# Opening


class Opened:
    """What a file holds: a problem, and the run of a plan or a trace as the player reads it."""

    def __init__(self, problem: Problem, run: Any = None) -> None:
        self.problem = checked_size(problem)
        self.payload = None if run is None else replay(run).payload


def opened_texts(files: Sequence[tuple[str, str]], agents: int | None = None) -> Opened:
    """What uploaded files say: pairs of a name, of which only the ending matters, and a text."""
    return opened([_upload(name, text) for name, text in files], agents)


def _upload(name: str, text: str) -> io.Document:
    shown = name.rpartition("/")[2].rpartition("\\")[2][-MAX_NAME:] or "the file"
    return io.Document(text.encode("utf-8", errors="replace").decode(), shown, max_positions=MAX_POSITIONS)


def opened_paths(paths: Sequence[Path], agents: int | None = None) -> Opened:
    """The same for files of this machine, which the user of the command named."""
    return opened([io.load(path, max_positions=MAX_POSITIONS) for path in paths], agents)


def opened(documents: Sequence[io.Document], agents: int | None = None) -> Opened:
    """What a file says, or a map and its scenario together."""
    found = {io.detect(document): document for document in documents}
    if len(documents) == 2 and found.keys() == {"map", "scen"}:
        return Opened(io.read_scen(found["scen"], io.read_map(found["map"]), agents=agents))
    if len(documents) != 1:
        raise InputError(
            f"one file, or a map and its scenario, can be opened together, not {len(documents)} files"
        )
    ((name, document),) = found.items()
    if name == "scen":
        raise InputError(f"{document.source} is a scenario: open it together with its map")
    if not can_open(FORMATS[name]):
        raise InputError(f"{document.source} is a {name} file, which the studio does not open")
    return _opened(next(iter(FORMATS[name].loads.values()))(document), agents)


def can_open(form: io.Format) -> bool:
    """Does a file of this format show something, without another file?"""
    return not form.needs and bool({Grid, Problem, io.PlanFile, Trace} & form.loads.keys())


def _opened(thing: Grid | Problem | io.PlanFile | Trace, agents: int | None) -> Opened:
    if isinstance(thing, Trace):
        return Opened(beginning_of(thing), thing)
    if isinstance(thing, io.PlanFile) and thing.plan is not None:
        return Opened(thing.problem, thing)
    if isinstance(thing, Grid):
        return Opened(Problem(thing, [], []))
    problem = checked_size(thing.problem if isinstance(thing, io.PlanFile) else thing)
    if agents is None:
        return Opened(problem)
    return Opened(Problem.from_agents(problem.space, problem.agents[:agents], rules=problem.rules))


def beginning_of(trace: Trace) -> Problem:
    """The problem that a world began as: the walls and the agents of its first moment."""
    grid = trace.space
    if not isinstance(grid, Grid):
        raise InputError("the studio shows grids: this is about a graph")
    return Problem.from_agents(
        Grid(trace.open.reshape(grid.passable.shape), grid.connectivity, grid.corners),
        agents_there(trace, trace.starts).values(),
        rules=trace.rules,
    )


# Saving


@dataclass(frozen=True)
class Save:
    """A way to save an instance: its word, what the page calls it, the format, and the name of its file."""

    what: str
    label: str
    form: str
    stem: str


SAVES = (
    Save("problem", "Problem (our JSON)", "plan", "problem"),
    Save("text", "Drawing (text)", "text", "drawing"),
    Save("map", "Map (MovingAI)", "map", "map"),
    Save("scen", "Scenario (MovingAI)", "scen", "map"),
)


def saved(problem: Problem, save: Save) -> tuple[str, str]:
    """The name of a file and its text."""
    form = FORMATS[save.form]
    thing = problem.space if Grid in form.dumps else problem
    return save.stem + form.suffixes[0], form.text_of(thing)


def format_forms() -> dict[str, Any]:
    """What a page has to know of formats: how names of maps and scenarios end, and what it can save."""
    return {
        "suffixes": {form.name: list(form.suffixes) for form in io.FORMATS if form.is_named},
        "save": [{"what": save.what, "label": save.label} for save in SAVES],
    }
