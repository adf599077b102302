"""Fleets to which everything happens: delays, stops, messages lost, late and doubled, new plans meanwhile."""

from __future__ import annotations

from random import Random

import sidestep as ss

from ..draws import any_problem, told
from ..row import Failed, Row

PATIENCE = 60
MOST_TICKS = 20_000
DELAYS = (0.0, 0.01, 0.1, 0.3)


def one(number: int) -> int:
    """One fleet, until all is done or nothing more can be done."""
    draw = Random(number)
    problem = any_problem(draw, most=8, side=7, bodies=draw.random() < 0.2)
    plan = plan_of(problem, number)
    if plan is None:
        return 0
    try:
        fleet = ss.Fleet(
            problem, plan, ahead=draw.choice([1, 2, 4, 30]), patience=PATIENCE, switch=draw.random() < 0.7
        )
    except ss.UnsupportedError as refusal:
        if not problem.rules.following or "turn in a ring" not in str(refusal):
            raise
        return 1
    robots = any_robots(draw, problem, number)
    try:
        checks = carry_out(draw, fleet, robots)
    except Failed as failure:
        raise Failed(f"{failure}: {told(problem)}") from None
    if not (report := ss.validate_execution(robots.execution())):
        raise Failed(f"{report}: {told(problem)}")
    return checks + 1


def plan_of(problem: ss.Problem, seed: int) -> ss.Plan | None:
    try:
        return ss.solve(problem, "lacam" if problem.all_unit else "hca", seed=seed, node_limit=20_000).plan
    except ss.UnsupportedError:
        return None


def any_robots(draw: Random, problem: ss.Problem, seed: int) -> ss.Simulator:
    return ss.Simulator(
        problem,
        speed=[draw.choice([0.2, 0.5, 1.0]) for _ in range(problem.n_agents)],
        acceleration=draw.choice([None, 0.1, 0.5]),
        turn=draw.choice([0, 0, 3]),
        delay=draw.choice(DELAYS),
        delays=(1, 5),
        stop=draw.choice([0.0, 0.0, 0.002, 0.01]),
        loss=draw.choice([0.0, 0.1, 0.3]),
        doubling=draw.choice([0.0, 0.3]),
        lateness=draw.choice([0, 0, 5]),
        seed=seed,
    )


def carry_out(draw: Random, fleet: ss.Fleet, robots: ss.Simulator) -> int:
    """Runs; now and then the rest is planned anew, and who is stuck is gone around."""
    quiet, checks = 0, 0
    before = -1
    commands = fleet.commands
    while not fleet.done and fleet.now < MOST_TICKS:
        commands = fleet.tick(robots.tick(commands))
        checks += 1
        progress = int(commands.first.sum())
        quiet, before = (0 if progress != before else quiet + 1), progress
        if quiet > PATIENCE + 40 and not fleet.stuck:
            raise Failed(f"nobody moves, and nobody is said to be stuck, since tick {fleet.now - quiet}")
        if quiet > PATIENCE + 40 or draw.random() < 0.005:
            broken = [one.agent for one in fleet.stuck]
            if any(fleet.why(name).origin not in broken for name in waiting(fleet)):
                raise Failed("somebody waits for one that is not said to be stuck")
            again = replanned(fleet, broken)
            if quiet > PATIENCE + 40 and not again:
                return checks  # said, and the solver says why there is no way round
            quiet, commands = 0, fleet.commands
    return checks


def waiting(fleet: ss.Fleet) -> list[str]:
    """All who wait for somebody that is said to be stuck."""
    return [name for one in fleet.stuck for name in one.waiting]


def replanned(fleet: ss.Fleet, broken: list[str]) -> bool:
    solver = "lacam" if fleet.problem.all_unit else "hca"
    try:
        return bool(fleet.replan(solver, broken=broken, node_limit=20_000))
    except ss.UnsupportedError:
        return False


ROW = Row(
    name="executions",
    what="whatever robots and messages do, the judge finds nothing in what was executed, "
    "and nobody is stuck in silence",
    full=100_000,
    weight=4,
    unit="fleets",
    one=one,
)
