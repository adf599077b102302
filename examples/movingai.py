"""Solve a MovingAI scenario, judge the plan and write it.

    python examples/movingai.py MAP SCEN [AGENTS] [OUT]
    python examples/movingai.py                           # makes an instance of its own

The benchmark files are at https://movingai.com/benchmarks/mapf.html.
"""

import sys
from pathlib import Path

import sidestep as ss
from sidestep import io
from sidestep.instances import random_grid, random_problem


def make_instance() -> tuple[Path, Path]:
    """A random map with a scenario, in the working directory."""
    map_file, scen_file = Path("random.map"), Path("random.scen")
    problem = random_problem(random_grid(32, 32, density=0.2, seed=7), agents=60, seed=7)
    io.write_map(problem.space, map_file)
    io.write_scen(problem, scen_file, map_file.name)
    return map_file, scen_file


def main(arguments: list[str]) -> int:
    map_file, scen_file = map(Path, arguments[:2]) if arguments else make_instance()
    agents = int(arguments[2]) if len(arguments) > 2 else None
    out = Path(arguments[3]) if len(arguments) > 3 else Path("plan.json")

    problem = io.read_scen(scen_file, io.read_map(map_file), agents=agents)
    result = ss.solve(problem, "whca", window=16, time_limit=10.0)
    if not result:
        print(f"{problem.n_agents} agents: {result.status}, {result.reason}")
        return 1
    verdict = ss.validate(problem, result.plan)
    print(f"{problem.n_agents} agents on {map_file}: {verdict}, {result.plan.makespan} steps")
    io.write_result(result, out)
    assert ss.validate(problem, io.read_plan(out).plan)
    print(f"written to {out}")
    return 0 if verdict else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except ss.SidestepError as error:  # a broken file: one sentence, with its line
        sys.exit(str(error))
