"""A planner of one's own in a world, and one that misbehaves: the world stays safe and says what happened.

python examples/own_planner.py
"""

import time

import numpy as np

import sidestep as ss

HALL = ss.Problem.from_text("""
    a . . . . B
    . . . . . .
    b . . . . A
""")


class Greedy:
    """Everybody takes the step that brings it nearest to its goal, and looks at nobody else.

    A session needs nothing but `step`. Here it proposes unsafe moves now and then; the guard refuses them.
    """

    def __init__(self, grid: ss.Grid) -> None:
        self.grid = grid

    def step(self, view, *, budget):
        moves = view.positions.copy()
        for agent, (here, goal) in enumerate(zip(view.positions.tolist(), view.goals.tolist(), strict=True)):
            if here != -1 and goal not in (-1, here):
                moves[agent] = self.towards(self.grid.place(here), self.grid.place(goal))
        return moves

    def towards(self, here, goal):
        """One step along the rows first, then along the columns, through walls if need be."""
        row, col = here
        if row != goal[0]:
            row += int(np.sign(goal[0] - row))
        else:
            col += int(np.sign(goal[1] - col))
        return self.grid.vertex((row, col))


class Troublesome:
    """Sleeps through one turn, raises in the next, answers nonsense, and sends everybody to one place."""

    def step(self, view, *, budget):
        if view.time == 0:
            time.sleep(2 * budget.seconds + 0.05)
            return view.positions
        if view.time == 1:
            raise ZeroDivisionError("a bug")
        if view.time == 2:
            return "go left"
        return np.full_like(view.positions, 7)


def report(title: str, world: ss.World) -> None:
    kinds = [ss.EventKind(kind).name for kind in world.events[:, 1] if ss.EventKind(kind).is_planner_fault]
    counted = {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}
    print(f"{title}: all arrived: {world.done}, faults: {counted or 'none'}")
    assert ss.validate_trace(world.trace), "never a collision, whatever the planner does"


def main() -> None:
    for title, planner in (("WHCA*", ss.WHCA(window=8)), ("greedy", Greedy(HALL.space))):
        world = ss.World(HALL, planner)
        while not world.done and world.time < 30:
            world.step()
        report(title, world)

    world = ss.World(HALL, Troublesome())
    for _ in range(4):
        world.step(budget=0.05)
    report("troublesome", world)
    print("  the last exception:", repr(world.planner_error))


if __name__ == "__main__":
    import logging

    logging.disable()  # the world logs what a planner raises; here it is expected
    main()
