"""A gate shuts in front of a convoy, and opens again: a run to look at.

python examples/replay.py, then open replay.html in a browser.
"""

import sidestep as ss

YARD = """
    . . . . . # . . . . .
    . . . . . # . . . . .
    . . . . . . . . . . .
    . . . . . # . . . . .
    . . . . . # . . . . .
"""
GATE = (2, 5)


def main() -> None:
    grid = ss.Grid.from_text(YARD)
    starts = [(row, col) for row in range(5) for col in range(2)]
    goals = [(row, col) for row in range(5) for col in (9, 10)]
    world = ss.World(ss.Problem(grid, starts, goals), ss.WHCA(window=16), seed=0)
    while not world.done:
        if world.time == 8:
            world.block(GATE)
        if world.time == 16:
            world.free(GATE)
        world.step()
    ss.replay(world, title="The gate shuts from time 8 to 16").save("replay.html")
    print(f"{len(starts)} agents went through in {world.time} turns: look at replay.html")


if __name__ == "__main__":
    main()
