"""WHCA* turn by turn: what a turn costs, the worst one too, and what it keeps in memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeVar

import numpy as np

from sidestep import WHCA, EventKind, Grid, Problem, World
from sidestep.model.arrays import IntArray
from sidestep.model.random import shuffled
from sidestep.papers.timing import Spent, timed
from sidestep.solvers.cooperative import CooperativeSession

from .measurements import Column, Measurements, Row, Say, Table, Target
from .scenes import RandomScene

WINDOW = 16
MIB = 2**20

P = ParamSpec("P")
Answer = TypeVar("Answer")

INITIAL = Target("WHCA*(16), 100 agents on 32x32: all initial plans, CPU", 5, "ms")
LATER = Target("WHCA*(16), 100 agents on 32x32: worst later turn, CPU", 3, "ms")
MEDIAN = Target("WHCA*(16), 1,000 agents on 256x256: median turn, CPU", 10, "ms")
NEW_GOALS = Target("1,000 new goals under a budget of 10 ms: worst turn, CPU", 15, "ms")
CAP = "the design: the cap on distances in memory, by default"
MEMORY = Target("1,000 agents on 256x256: distances in memory", 256, "MiB", source=CAP)


@dataclass(frozen=True)
class Scene(RandomScene):
    """Random maps with agents. Runs without a limit repeat exactly, so every turn's least time counts."""

    instances: int
    repeats: int
    most_turns: int  # after which most agents of a large map are still under way

    @property
    def title(self) -> str:
        return f"{self.agents:,} agents on {self.side}x{self.side}, {self.density:.0%} blocked"


@dataclass(frozen=True)
class NewGoals:
    """All agents of a scene get new goals at once, again and again, under a budget per turn."""

    rounds: int
    turns: int  # after each change
    budget: float  # seconds


@dataclass(frozen=True)
class Settings:
    """What is measured."""

    small: Scene
    large: Scene
    new_goals: NewGoals


FULL = Settings(
    small=Scene(32, 0.2, 100, instances=20, repeats=5, most_turns=200),
    large=Scene(256, 0.1, 1000, instances=3, repeats=3, most_turns=150),
    new_goals=NewGoals(rounds=10, turns=50, budget=0.010),
)
QUICK = Settings(
    small=Scene(32, 0.2, 100, instances=10, repeats=3, most_turns=200),
    large=Scene(256, 0.1, 1000, instances=1, repeats=2, most_turns=150),
    new_goals=NewGoals(rounds=4, turns=40, budget=0.010),
)


def measure(settings: Settings, seed: int, say: Say) -> Measurements:
    """A crowd on a small map, a large army, and the army sent elsewhere."""
    small, large, sent = settings.small, settings.large, settings.new_goals
    say(small.title)
    crowd = [turns_of(small, seed + number) for number in range(small.instances)]
    say(large.title)
    army = [in_fresh_process(turns_of, large, seed + number) for number in range(large.instances)]
    say(f"{large.title}: new goals")
    orders = in_fresh_process(give_new_goals, large, sent, seed)
    crowd_rows, army_rows = turn_rows(small, crowd), turn_rows(large, army)
    order_rows = orders.rows(large, sent)
    memory = [
        memory_row(large, "without new goals", army[-1]),
        memory_row(large, f"after {sent.rounds} rounds of new goals", orders.turns),
    ]
    verdicts = (
        INITIAL.judge(crowd_rows[0]["worst cpu"]),
        LATER.judge(crowd_rows[1]["worst cpu"]),
        MEDIAN.judge(army_rows[1]["median cpu"]),
        NEW_GOALS.judge(order_rows[0]["worst cpu"]),
        MEMORY.judge(max(row["distances"] for row in memory)),
    )
    return Measurements(
        (_turn_table([*crowd_rows, *army_rows, *order_rows]), _memory_table(memory)), verdicts
    )


def in_fresh_process(call: Callable[P, Answer], *args: P.args, **kwargs: P.kwargs) -> Answer:
    """Runs a call where nothing has been run before, so that its memory can be told from others'."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(call, *args, **kwargs).result()


@dataclass(frozen=True)
class Turns:
    """What the turns of one run took, and what was in memory before and after it, in bytes."""

    spent: tuple[Spent, ...]
    distances: int
    before: int | None
    after: int | None


def turns_of(scene: Scene, seed: int) -> Turns:
    """The least that every turn of a run takes in several repetitions."""
    problem = scene.problem(seed)
    runs = [run(problem, scene.most_turns) for _ in range(scene.repeats)]
    least = [_least(same_turn) for same_turn in zip(*(turns.spent for turns in runs), strict=True)]
    return replace(runs[0], spent=tuple(least))


def run(problem: Problem, most_turns: int) -> Turns:
    """A world without a limit, until all have arrived or the turns are over."""
    before = resident()
    world = _world(problem)
    spent = []
    while not world.done and world.time < most_turns:
        spent.append(timed(world.step)[1])
    return _finished(world, spent, before)


def _world(problem: Problem) -> World:
    return World(problem, WHCA(window=WINDOW), seed=0)


def _finished(world: World, spent: Sequence[Spent], before: int | None) -> Turns:
    session = world.session
    assert isinstance(session, CooperativeSession)
    return Turns(tuple(spent), session.core.distance_bytes, before, resident())


def _least(measurements: Sequence[Spent]) -> Spent:
    best = measurements[0]
    for other in measurements[1:]:
        best = best.least(other)
    return best


@dataclass(frozen=True)
class Orders:
    """A run in which everybody was sent elsewhere several times."""

    turns: Turns
    sends: tuple[Spent, ...]  # one for all agents together
    late: int

    def rows(self, scene: Scene, plan: NewGoals) -> list[Row]:
        """The turns, and the sending itself, which happens between turns."""
        what = f"new goals for all, budget {plan.budget * 1e3:g} ms"
        used_up = sum(spent.wall >= 0.95 * plan.budget for spent in self.turns.spent)
        turns = {**_row(scene, what, self.turns.spent), "used up": used_up, "late": self.late}
        return [turns, _row(scene, "calls of send() for all", self.sends)]


def give_new_goals(scene: Scene, plan: NewGoals, seed: int) -> Orders:
    """The first round begins with nothing planned; before every later one all agents are sent elsewhere."""
    problem, before = scene.problem(seed), resident()
    world = _world(problem)
    spent: list[Spent] = []
    sends: list[Spent] = []
    for number in range(plan.rounds):
        if number:
            sends.append(_send_all(world, other_goals(world, seed, number)))
        spent += [timed(lambda: world.step(plan.budget))[1] for _ in range(plan.turns)]
    late = int(np.count_nonzero(world.events[:, 1] == EventKind.LATE))
    return Orders(_finished(world, spent, before), tuple(sends), late)


def other_goals(world: World, seed: int, draw: int) -> IntArray:
    """A goal per agent that is nobody's goal now; the map is one connected region."""
    grid = world.space
    assert isinstance(grid, Grid)
    candidates = np.setdiff1d(np.flatnonzero(grid.open), world.goals)
    chosen: IntArray = candidates[shuffled(len(candidates), seed, draw)[: len(world.goals)]].astype(np.int32)
    return chosen


def _send_all(world: World, goals: IntArray) -> Spent:
    places = [world.space.place(goal) for goal in goals.tolist()]

    def send() -> None:
        for agent, place in enumerate(places):
            world.send(agent, place)

    return timed(send)[1]


def resident() -> int | None:
    """The resident set of this process in bytes, where the system tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def turn_rows(scene: Scene, runs: Sequence[Turns]) -> list[Row]:
    """The first turn, in which all plan, apart from the later ones."""
    return [
        _row(scene, "initial plans", [turns.spent[0] for turns in runs]),
        _row(scene, "later turns", [spent for turns in runs for spent in turns.spent[1:]]),
    ]


def _row(scene: Scene, what: str, spent: Sequence[Spent]) -> Row:
    """Milliseconds."""
    cpu = np.array([one.cpu for one in spent]) * 1e3
    wall = np.array([one.wall for one in spent]) * 1e3
    return {
        "scene": scene.title,
        "what": what,
        "count": len(spent),
        "median cpu": float(np.median(cpu)),
        "worst cpu": float(cpu.max()),
        "median wall": float(np.median(wall)),
        "worst wall": float(wall.max()),
    }


def memory_row(scene: Scene, when: str, run: Turns) -> Row:
    """Mebibytes. Complete tables would take two bytes per cell and goal."""
    row = {
        "scene": scene.title,
        "when": when,
        "distances": run.distances / MIB,
        "complete": scene.agents * scene.side**2 * 2 / MIB,
    }
    if run.before is None or run.after is None:
        return row
    others = run.after - run.before - run.distances
    return row | {"before": run.before / MIB, "after": run.after / MIB, "others": others / MIB}


def _turn_table(rows: Sequence[Row]) -> Table:
    columns = (
        Column("scene"),
        Column("what"),
        Column("count", "measured", ","),
        *(
            Column(f"{which} {clock.lower()}", f"{which}\n{clock}", ".3f")
            for clock in ("CPU", "wall")
            for which in ("median", "worst")
        ),
        Column("used up", "used up\nthe budget"),
        Column("late"),
    )
    notes = ("Every turn counts with its least time in several repetitions; turns with a budget run once.",)
    return Table(f"WHCA*({WINDOW}) turn by turn, ms", columns, tuple(rows), notes)


def _memory_table(rows: Sequence[Row]) -> Table:
    headings = {
        "distances": "distances",
        "complete": "complete tables\nof all goals",
        "before": "process\nbefore",
        "after": "process\nafter",
        "others": "growth beyond\ndistances",
    }
    numbers = (Column(key, heading, ".1f") for key, heading in headings.items())
    columns = (Column("scene"), Column("when"), *numbers)
    return Table("Memory, MiB", columns, tuple(rows))
