"""Describe a map and agents, plan, judge the plan, look at it.

python examples/quickstart.py
"""

import sidestep as ss

# Lower-case letters start, the upper-case ones are their goals. The doors are one cell wide.
problem = ss.Problem.from_text("""
    a . . # . . C
    . . . . . . .
    b . . # . . D
    # . # # # . #
    c . . # . . A
    . . . . . . .
    d . . # . . B
""")


def main() -> None:
    for name in ss.solvers():
        result = ss.solve(problem, name, time_limit=1.0)
        if result:
            assert ss.validate(problem, result.plan)
            print(f"{name:5} cost {result.plan.cost} (no plan costs less than {result.lower_bound})")
        else:
            print(f"{name:5} {result.status}: {result.reason}")

    plan = ss.solve(problem, "whca", window=16).plan
    print(f"\nthe plan of whca, {plan.makespan} steps:")
    for agent, name in enumerate(problem.names):
        print(f"  {name}:", " ".join(f"{row},{col}" for row, col in plan.cells[:, agent].tolist()))


if __name__ == "__main__":
    main()
