"""Python code that does again what was done on the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..model.grid import Grid
from ..model.problem import Problem
from ..solvers.parameters import parameters_of

Line = tuple[int, str]  # the time at which a line of code was carried out


def problem_code(problem: Problem) -> str:
    """Code that makes the problem."""
    grid = problem.space
    assert isinstance(grid, Grid)
    agents = "".join(f"    ss.{agent!r},\n" for agent in problem.agents)
    return (
        "import sidestep as ss\n\n"
        f'grid = ss.Grid.from_text("""\n{grid}\n""", connectivity={grid.connectivity}, '
        f'corners="{grid.corners}")\n'
        f"agents = [\n{agents}]\n"
        f"problem = ss.Problem.from_agents(grid, agents, rules=ss.{problem.rules!r})\n"
    )


def solve_code(
    problem: Problem, solver: Any, seed: int, seconds: float, teams: Sequence[str] | None = None
) -> str:
    """Code that solves the problem and shows the result, in the colours of teams if there are any."""
    shown = "result" if teams is None else f"result, teams={list(teams)!r}"
    named = "".join(f", {name}={getattr(solver, name)!r}" for name in parameters_of(type(solver)))
    return (
        f"{problem_code(problem)}\n"
        f'result = ss.solve(problem, "{solver.name}", seed={seed}, time_limit={seconds!r}{named})\n'
        "print(result)\n"
        "if result:\n"
        f'    ss.replay({shown}).save("replay.html")\n'
    )


def world_code(
    problem: Problem,
    solver: Any,
    lines: Sequence[Line],
    *,
    seed: int,
    nodes: int,
    turns: int,
    hurried: int = 0,
    tasks: str = "",
) -> str:
    """Code that runs a world again: its commands, each at its time, and all turns up to now.

    `tasks` is the argument of `World` that says where tasks come from, as code.
    """
    switches = any(line.startswith("planners.") for _, line in lines)
    planner = f"ss.{solver!r}, seed={seed}"
    begin = f"world = ss.World(problem, {planner}{tasks})\n"
    if switches:
        begin = (
            f"planners = SwitchableSession(problem, {planner})\nworld = ss.World(problem, planners{tasks})\n"
        )
    code = problem_code(problem)
    if switches:
        code = code.replace("\n\n", "\nfrom sidestep.world.switchable import SwitchableSession\n\n", 1)
    body, now = [], 0
    for time, line in [*lines, (turns, "")]:
        if time > now:
            body.append(f"run({time - now})\n")
            now = time
        body.append(f"{line}\n" if line else "")
    warning = (
        f"# The clock ended {hurried} of the turns, which may go on differently here.\n" if hurried else ""
    )
    return (
        f"{code}{warning}{begin}\n\n"
        "def run(turns):\n"
        "    for _ in range(turns):\n"
        f"        world.step(nodes={nodes})\n\n\n"
        f"{''.join(body)}"
        "assert ss.validate_trace(world.trace)\n"
        'ss.replay(world).save("world.html")\n'
    )
