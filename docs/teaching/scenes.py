"""Pictures and replays of a page: a few lines of Python that call `show`.

The lines know `ss`, `show(run, label, time)` and `alone(problem)`. A run is what `ss.replay` takes; several
are shown side by side. With a time, a picture is of that moment. The same lines are run by the tests.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sidestep as ss
from sidestep.viewer.sketch import still_of_scene


@dataclass(frozen=True)
class Shown:
    """What the lines of a block show, with the labels they gave."""

    runs: tuple[Any, ...]
    labels: tuple[str, ...]
    times: tuple[int | None, ...]  # of pictures: a moment, or None for the whole of it

    def replay(self, title: str = "") -> ss.Replay:
        """The replay of all of it."""
        return ss.replay(*self.runs, labels=self.labels, title=title or None)


def shown(code: str, page: str, line: int = 1) -> Shown:
    """Runs the lines of a block; an error points to the line of the page."""
    runs: list[Any] = []
    labels: list[str] = []
    times: list[int | None] = []

    def show(run: Any, label: str = "", time: int | None = None) -> None:
        runs.append(run)
        labels.append(label)
        times.append(time)

    exec(compile("\n" * (line - 1) + code, page, "exec"), {"ss": ss, "show": show, "alone": alone})
    if not runs:
        raise ValueError(f"{page}:{line}: nothing is shown; call show(run)")
    return Shown(tuple(runs), tuple(labels), tuple(times))


def alone(problem: ss.Problem) -> ss.Plan:
    """Everybody by the shortest way, as if nobody else were there; the judge marks where they collide."""
    ends = zip(problem.starts.tolist(), problem.goals.tolist(), strict=True)
    space = problem.space
    ways = [ss.shortest_path(space, space.place(start), space.place(goal)).vertices for start, goal in ends]
    steps = max(map(len, ways))
    return ss.Plan(problem, [[int(way[min(step, len(way) - 1)]) for way in ways] for step in range(steps)])


def pictures(what: Shown) -> list[str]:
    """Each run, the whole of it or a moment, as SVG."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}.svg" for number in range(len(what.runs))]
        for run, time, file in zip(what.runs, what.times, files, strict=True):
            ss.replay(run).save(file, time=time)
        return [file.read_text(encoding="utf-8") for file in files]


def stills(what: Shown) -> list[str]:
    """What a reader sees who has no script: a small picture per run."""
    return [still_of_scene(scene) or "" for scene in what.replay().scenes]
