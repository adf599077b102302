"""Files of the page: what was uploaded becomes a problem, and problems become something to download.

Readers and writers of sidestep take paths. What is uploaded is put into an empty folder under names of our
own, so that no name from outside ever becomes a path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .. import io
from ..model.errors import InputError
from ..model.grid import Grid
from ..model.problem import Problem
from ..model.trace import Trace
from ..viewer.replay import replay
from .instances import MAX_NAME, agents_there, checked_size

ENDINGS = (".map", ".scen")  # these tell more than the content


class Opened:
    """What a file holds: a problem, and the run of a plan or a trace as the player reads it."""

    def __init__(self, problem: Problem, run: Any = None) -> None:
        self.problem = checked_size(problem)
        self.payload = None if run is None else replay(run).payload


def opened_texts(files: Sequence[tuple[str, str]], agents: int | None = None) -> Opened:
    """What uploaded files say: pairs of a name, of which only the ending matters, and a text."""
    with TemporaryDirectory() as folder:
        shown: dict[Path, str] = {}
        for number, (name, text) in enumerate(files):
            ending = next((end for end in ENDINGS if name.lower().endswith(end)), ".txt")
            path = Path(folder) / f"{number}{ending}"
            path.write_bytes(text.encode("utf-8", errors="replace"))
            shown[path] = name.rpartition("/")[2].rpartition("\\")[2][-MAX_NAME:] or "the file"
        try:
            return opened_paths(list(shown), agents)
        except InputError as error:
            sentence = str(error)
            for path, name in shown.items():
                sentence = sentence.replace(str(path), name)
            raise InputError(sentence) from None


def opened_paths(paths: Sequence[Path], agents: int | None = None) -> Opened:
    """What a file says, or a map and its scenario together."""
    kinds: dict[str, Path] = {io.detect(path): path for path in paths}
    if len(paths) == 2 and kinds.keys() == {"map", "scen"}:
        return Opened(io.read_scen(kinds["scen"], io.read_map(kinds["map"]), agents=agents))
    if len(paths) != 1:
        raise InputError(
            f"one file, or a map and its scenario, can be opened together, not {len(paths)} files"
        )
    ((kind, path),) = kinds.items()
    readers: dict[str, Callable[[Path], Opened]] = {
        "map": lambda path: Opened(Problem(io.read_map(path), [], [])),
        "text": lambda path: Opened(io.read_text(path)),
        "plan": _plan,
        "trace": _trace,
    }
    if kind == "scen":
        raise InputError(f"{path} is a scenario: open it together with its map")
    if kind not in readers:
        raise InputError(f"{path} is a {kind} file, which the studio does not open")
    found = readers[kind](path)
    if agents is None or found.payload is not None:
        return found
    return Opened(
        Problem.from_agents(found.problem.space, found.problem.agents[:agents], rules=found.problem.rules)
    )


def _plan(path: Path) -> Opened:
    found = io.read_plan(path)
    return Opened(found.problem, None if found.plan is None else found)


def _trace(path: Path) -> Opened:
    trace = io.read_trace(path)
    return Opened(beginning_of(trace), trace)


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


def written(write: Callable[[Path], object]) -> str:
    """The text that one of the writers of `io` puts into a file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        try:
            write(path)
        except InputError as error:
            raise InputError(str(error).replace(str(path), "the file")) from None
        return path.read_text(encoding="utf-8")
