"""A world that changes: goals, a gate that closes and opens, units that join and leave.

python examples/online_world.py
"""

import sidestep as ss

TOWN = ss.Grid.from_text("""
    . . . . # . . . .
    . . . . . . . . .
    . . . . # . . . .
    . . # # # # # . .
    . . . . # . . . .
    . . . . . . . . .
    . . . . . . . . .
""")
NORTH_GATE = (1, 4)
NODES = 100_000  # a budget per turn that gives the same run on every machine; 0.002 would be 2 ms


def draw(world: ss.World, *closed: tuple[int, int]) -> str:
    """The map with the first letter of each agent, and a cross on closed places."""
    rows = [list(row) for row in str(TOWN).splitlines()]
    for row, col in closed:
        rows[row][col] = "x"
    for name in world.names:
        if (cell := world.where(name)) is not None:
            rows[cell[0]][cell[1]] = name[0]
    return "\n".join("    " + " ".join(row) for row in rows)


def run(world: ss.World, turns: int) -> None:
    """Some turns, with a line for everybody who arrives."""
    for _ in range(turns):
        for time, kind, agent, vertex in world.step(nodes=NODES).tolist():
            if kind == ss.EventKind.ARRIVED:
                print(f"  turn {time}: {world.names[agent]} is at {TOWN.place(vertex)}")


def main() -> None:
    problem = ss.Problem.from_agents(
        TOWN,
        [
            ss.Agent(start=(0, 0), goal=(0, 8), name="hero", priority=1),
            ss.Agent(start=(2, 8), goal=(2, 0), name="merchant"),
            ss.Agent(start=(1, 3), name="idler"),  # no goal: it makes room
        ],
    )
    world = ss.World(problem, ss.WHCA(window=16), seed=0)

    print("the hero and the merchant set out")
    run(world, 3)
    print("the north gate closes; a guard joins")
    world.block(NORTH_GATE)
    world.add(ss.Agent(start=(6, 8), goal=(1, 5), name="guard"))
    run(world, 8)
    print(draw(world, NORTH_GATE))
    print("the gate opens; the merchant leaves the map, and the hero is sent where it wanted to go")
    world.free(NORTH_GATE)
    world.remove("merchant")
    world.send("hero", (2, 0))
    while not world.done and world.time < 100:
        run(world, 1)

    trace = world.trace
    faults = sum(ss.EventKind(kind).is_planner_fault for kind in trace.events[:, 1])
    print(f"{world.time} turns, {faults} faults of the planner; the judge says: {ss.validate_trace(trace)}")
    print("replayed without the planner, it is the same:", ss.replay_trace(trace) == trace)


if __name__ == "__main__":
    main()
