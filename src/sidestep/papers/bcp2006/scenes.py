"""The paper's two scenarios, drawn: pages to play, and pictures at the times of its figures 4 and 5."""

from __future__ import annotations

from pathlib import Path

from ...model.trace import Trace
from ...world import World
from .trial import GROUPS, HERO, PAIR, TURNS, Setting, Trial, instance, planner


def draw_scenes(folder: Path, seed: int) -> dict[str, bytes]:
    """Both scenarios as pages to play and as pictures at the times of the paper's figures 4 and 5.

    Returns the pictures by their titles.
    """
    from ...viewer import replay  # noqa: PLC0415  # it is only needed here

    folder.mkdir(parents=True, exist_ok=True)
    pictures = {}
    for number, scene, units in ((1, HERO, 9), (2, GROUPS, 12)):
        traces = [_trace(Trial(Setting(scene, solver, units), 0, seed)) for solver in PAIR]
        shown = replay(*traces, title=f"Biased Cost Pathfinding, scenario {number}", labels=list(PAIR))
        shown.save(folder / f"scenario{number}.html")
        for moment in (0, 1, 5, 8, 11):
            path = folder / f"scenario{number}-{moment:02}.png"
            shown.save(path, time=moment)
            pictures[f"Scenario {number} at time {moment}"] = path.read_bytes()
    return pictures


def _trace(trial: Trial) -> Trace:
    world = World(instance(trial), planner(trial.setting))
    while not world.done and world.time < TURNS:
        world.step()
    while world.time < 11:  # the last picture
        world.step()
    return world.trace
