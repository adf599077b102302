"""`python -m benchmarks.figures [NAME]...`: single numbers that pages and tests go back to, measured again.

Each is a line: its name, what was counted, and what came out. Solves are given a second of computing, which a
busy machine makes longer but no less.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from statistics import fmean, median
from time import process_time
from typing import Any

import numpy as np

from sidestep import BCP, LRA, SID, WHCA, Agent, Budget, Finder, Grid, Result, World, solve
from sidestep.instances import maze_grid, random_grid, random_problem
from sidestep.papers.bcp2006 import trial as bcp2006
from sidestep.papers.design import OURS, PRINTED, InstanceTrial
from sidestep.papers.silver2005 import trial as silver2005
from sidestep.papers.standley2010 import trial as standley2010
from sidestep.papers.timing import solve_within, thread_milliseconds
from sidestep.solvers.ca import plan_in_order
from sidestep.solvers.cooperative import cooperating_agents
from sidestep.solvers.independence import ODID
from sidestep.solvers.solver import planning_order

SECONDS = 1.0


def lra() -> str:
    """LRA* as printed, 100 agents on 20 of Silver's maps."""
    words = []
    for following in (True, False):
        setting = silver2005.Setting("LRA*", 100, following)
        outcomes = [silver2005.run_trial(silver2005.Trial(setting, number, 0)) for number in range(20)]
        success, cycles = fmean(one.success for one in outcomes), fmean(one.cycles for one in outcomes)
        ratio = fmean(one.length for one in outcomes) / fmean(one.shortest for one in outcomes)
        rule = "following" if following else "following forbidden"
        words.append(f"{rule}: {success:.1f}% arrive, {ratio:.2f} times the shortest, {cycles:.1f} cycles")
    return "; ".join(words)


def _standley_instances(solver: Any, count: int) -> str:
    results = [
        solve_within(SECONDS, standley2010.instance(InstanceTrial(number, 0, SECONDS)), solver)
        for number in range(count)
    ]
    found = [result.stats for result in results if "in_largest_group" in result.stats]
    groups = [len(stats["in_largest_group"]) for stats in found]
    return f"{sum(map(bool, results))} of {count} solved, groups of {fmean(groups):.1f}"


def sid() -> str:
    """SID on 100 of Standley's instances, as printed and ours."""
    return f"as printed {_standley_instances(SID.as_printed(), 100)}; ours {_standley_instances(SID(), 100)}"


def identity() -> str:
    """OD+ID as printed on 200 of Standley's instances."""
    return _standley_instances(ODID.as_printed(), 200)


def fairness() -> str:
    """WHCA*, 16x16 cells, 60 agents, 150 maps: when the last third of the indices arrives."""
    later, mean = [], []
    for seed in range(150):
        problem = random_problem(random_grid(16, 16, 0.2, seed), 60, seed)
        world = World(problem, WHCA(), seed=seed, stuck_after=None)
        for _ in range(100):
            world.step()
        arrivals = silver2005.path_lengths(silver2005.arrival_turns(world.trace.positions, problem.goals))
        later.append(float(arrivals[40:].mean() - arrivals[:20].mean()))
        mean.append(float(arrivals.mean()))
    error = float(np.std(later, ddof=1)) / len(later) ** 0.5
    return f"the last third {fmean(later):+.2f} +- {error:.2f} turns after the first; mean {fmean(mean):.2f}"


def first_plans() -> str:
    """`anytime`, 32x32, 8-connected, 250 agents, 50 instances: CPU time of the first plan."""
    spent = []
    for seed in range(50):
        problem = random_problem(random_grid(32, 32, 0.2, seed, connectivity=8), 250, seed)
        found: list[float] = []
        began = process_time()
        solve(problem, "anytime", seed=seed, stop=partial(bool, found), on_plan=partial(_note_time, found))
        spent.append(1000 * (found[0] - began) if found else float("inf"))
    return f"p90 {float(np.percentile(spent, 90)):.0f} ms, median {median(spent):.0f} ms"


def _note_time(found: list[float], _: Result) -> None:
    found.append(process_time())


def strict_scene() -> str:
    """BCP, scenario one with following forbidden: 90 runs, and how many never end."""
    words = []
    for form in (PRINTED, OURS):
        sizes = bcp2006.HERO_SIZES
        settings = [bcp2006.Setting(bcp2006.HERO, bcp2006.BIASED, units, False, form=form) for units in sizes]
        outcomes = [bcp2006.run_trial(bcp2006.Trial(s, number, 0)) for s in settings for number in range(10)]
        open_ended = [outcome for outcome in outcomes if not outcome.arrived]
        walled_in = sum(outcome.walled_in for outcome in open_ended)
        words.append(f"{form}: {len(open_ended)} of {len(outcomes)} never end, {walled_in} of them walled in")
    return "; ".join(words)


def discarded_rest() -> str:
    """BCP: how many of 400 plans differ where the rest of each path is discarded."""
    differ = 0
    for seed in range(400):
        problem = random_problem(random_grid(12, 12, 0.1, seed, connectivity=8), 12, seed)
        plans = [solve(problem, BCP(discard_rest=rest), node_limit=10**6).plan for rest in (False, True)]
        one, other = (plan.vertices if plan is not None else np.empty(0) for plan in plans)
        differ += not np.array_equal(one, other)
    return f"{differ} of 400"


def narrow_budget() -> str:
    """BCP, 20 units on 40x40 under `step(nodes=1352)`, 200 turns."""
    problem = random_problem(random_grid(40, 40, 0.1, 1, connectivity=8), 20, 1)
    world = World(problem, BCP(), stuck_after=None)
    moves = 0
    while not world.done and world.time < 200:
        before = world.positions.copy()
        world.step(nodes=1352)
        moves += int((world.positions != before).sum())
    return f"{'all' if world.done else 'not all'} have arrived at time {world.time}, {moves} moves"


def short_paths() -> str:
    """BCP with paths of 5 steps: lone units in 20 mazes that arrive."""
    problems = [random_problem(maze_grid(21, 21, 1, seed), 1, seed) for seed in range(20)]
    return f"{sum(bool(solve(problem, 'bcp', path_length=5)) for problem in problems)} of 20"


def interrupted() -> str:
    """300 searches of 1,000 nodes on 1024x1024 cells: what they keep."""
    finder = Finder(Grid(random_grid(1024, 1024, 0.1, 1).passable, 8))
    cells = np.argwhere(finder.space.passable)  # type: ignore[union-attr]
    searches = [finder.search(cells[2999 * k].tolist(), cells[-1 - k].tolist()) for k in range(300)]
    for search in searches:
        search.run(nodes=1000)
    return (
        f"{sum(search.memory for search in searches) / 1e6:.1f} MB, {sum(not s.done for s in searches)} open"
    )


def removals() -> str:
    """A turn of LRA* with 60 agents, before and after 20,000 others came and went."""

    def milliseconds(world: World) -> float:
        return median(thread_milliseconds(world.step) for _ in range(200))

    problem = random_problem(random_grid(40, 40, 0.1, 3), 60, 3)
    world = World(problem, LRA(), trace_limit=10)
    before = milliseconds(world)
    taken = set(world.positions.tolist())
    place = next(v for v in np.flatnonzero(problem.space.open).tolist() if v not in taken)
    for number in range(20_000):
        world.remove(world.add(Agent(problem.space.place(place))))
        if number % 100 == 0:
            world.step()
            taken = set(world.positions.tolist())
            place = next(v for v in np.flatnonzero(problem.space.open).tolist() if v not in taken)
    after = milliseconds(world)
    more = 1e6 * (after - before) / 20_000
    return f"{after / before:.2f} times as long: {before:.3f} and {after:.3f} ms, {more:.1f} ns for each"


def distance_work() -> str:
    """CA* and HCA* on 40 of Silver's maps, 100 agents: CPU time of first paths, distances known or not."""
    spent: dict[str, list[float]] = {"CA*": [0.0, 0.0], "HCA*": [0.0, 0.0]}
    for number in range(40):
        problem = silver2005.instance(silver2005.Trial(silver2005.Setting("CA*", 100), number, 0))
        order = planning_order(problem, number)
        for name, exact in (("CA*", False), ("HCA*", True)):
            agents = cooperating_agents(problem, exact=exact, hold_goals=False)
            for time in (0, 1):  # distances are kept
                plan = partial(plan_in_order, agents, order, problem, Budget())
                spent[name][time] += thread_milliseconds(plan) / 40
                agents.clear()
    return "; ".join(f"{name} {one:.2f} ms, known {other:.2f}" for name, (one, other) in spent.items())


def weighted() -> str:
    """A* over uneven ground, from corner to corner of a map of 1500x1500 cells."""
    side = 1500
    finder = Finder(Grid(np.ones((side, side), dtype=bool), 8), factors=np.full((side, side), 3))
    return f"a path of {len(finder.path((0, 0), (side - 1, side - 1)).places)} cells"


FIGURES: Mapping[str, Callable[[], str]] = {
    "lra": lra,
    "sid": sid,
    "id": identity,
    "whca-fairness": fairness,
    "anytime": first_plans,
    "bcp-strict": strict_scene,
    "bcp-rest": discarded_rest,
    "bcp-budget": narrow_budget,
    "bcp-k": short_paths,
    "interrupted": interrupted,
    "removals": removals,
    "distances": distance_work,
    "weighted": weighted,
}


def main() -> None:
    """Prints a line per number."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", choices=[[], *FIGURES], metavar="NAME")
    for name in parser.parse_args().names or FIGURES:
        print(f"{name}: {FIGURES[name].__doc__} {FIGURES[name]()}", flush=True)


if __name__ == "__main__":
    main()
