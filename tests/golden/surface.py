"""All that the cases need beside the public names: when modules move, only this file changes.

Writers return text and readers take text, whatever the library's own do.
"""

from __future__ import annotations

import gzip
import json
import struct
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import sidestep as ss
from sidestep import instances, io
from sidestep.instances import GENERATORS
from sidestep.io import planfile
from sidestep.solvers import SOLVERS
from sidestep.world.switchable import SwitchableSession

Parts = dict[str, Any]

ONLINE = tuple(name for name, solver in SOLVERS.items() if solver.info.online)

random_grid = instances.random_grid
cave_grid = instances.cave_grid
room_grid = instances.room_grid
maze_grid = instances.maze_grid
warehouse_grid = instances.warehouse_grid
random_problem = instances.random_problem
dialogue_problem = instances.dialogue_problem


def generated_grid(kind: str, seed: int, **given: Any) -> ss.Grid:
    """A map of a generator that is asked for by name."""
    return GENERATORS[kind].grid(seed, **given)


def generator_names() -> tuple[str, ...]:
    """The kinds of maps that can be asked for."""
    return tuple(GENERATORS)


def planner(name: str, **parameters: Any) -> Any:
    """A solver by name, as a planner for worlds."""
    return SOLVERS[name](**parameters)


# A session whose planner can be exchanged and whose agents can be slowed down


def exchangeable(problem: ss.Problem, first: Any, seed: int = 0) -> Any:
    """A session for a world that begins as this problem."""
    return SwitchableSession(problem, first, seed=seed)


def exchange(session: Any, new: Any) -> None:
    """From the next turn on, another planner."""
    session.switch(new)


def slow_down(session: Any, agents: Iterable[int], period: int) -> None:
    """These agents move only at times that are multiples of the period."""
    session.hold_back(agents, period)


# What is plain in things that are not


def transcript_data(transcript: Any) -> dict[str, Any]:
    """All that was said, as lists, numbers and words."""
    return transcript.data()


def payload_parts(replay: ss.Replay) -> Parts:
    """The header of what the player reads, without sentences, and the arrays behind it."""
    data = gzip.decompress(replay.payload)
    (length,) = struct.unpack_from("<I", data)
    header = json.loads(data[4 : 4 + length])
    for scene in header["scenes"]:
        scene["facts"] = [name for name, _ in scene["facts"]]
        scene["remarks"] = [caption[:3] for caption in scene["remarks"]]
        verdict = scene["verdict"]
        if verdict is not None:
            verdict["violations"] = [violation[:4] for violation in verdict["violations"]]
    return {"header": header, "arrays": data[4 + length :]}


# Files

_WRITERS: dict[str, Callable[..., None]] = {
    "problem": io.write_problem,
    "plan": io.write_plan,
    "result": io.write_result,
    "trace": io.write_trace,
    "transcript": io.write_transcript,
    "eecbs": io.write_eecbs,
    "lacam": io.write_lacam,
    "planviz": io.write_planviz,
    "map": io.write_map,
    "scen": io.write_scen,
    "text": io.write_text,
}

_READERS: dict[str, Callable[..., Any]] = {
    "problem": io.read_problem,
    "plan": io.read_plan,
    "trace": io.read_trace,
    "transcript": io.read_transcript,
    "eecbs": io.read_eecbs,
    "lacam": io.read_lacam,
    "lorr": io.read_lorr,
    "map": io.read_map,
    "scen": io.read_scen,
    "text": io.read_text,
    "multirobot": io.read_multirobot,
    "multirobot-problem": io.read_multirobot_problem,
    "tracker": io.read_tracker,
}


def written(form: str, thing: Any, *arguments: Any, **options: Any) -> str:
    """The text of a file of this format."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        _WRITERS[form](thing, path, *arguments, **options)
        return path.read_bytes().decode()


def read(form: str, text: str, *arguments: Any, **options: Any) -> Any:
    """What a reader makes of a text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(text.encode())
        return _READERS[form](path, *arguments, **options)


def detected(text: str, suffix: str = "") -> str:
    """The name of a text's format."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file{suffix}"
        path.write_bytes(text.encode())
        return io.detect(path)


def said_in_file(found: planfile.PlanFile) -> Parts:
    """What a plan file says about its result."""
    return {
        "status": found.status,
        "solver": found.solver,
        "parameters": _plain(found.parameters),
        "seed": found.seed,
        "lower_bound": found.lower_bound,
        "stats": _plain(found.stats),
    }


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return dict(values)
