"""What BCP promises beyond the contract: biased places, priorities, enhancements, the rule for the rest."""

from __future__ import annotations

import numpy as np
import pytest

import sidestep as ss
from sidestep.instances import maze_grid, random_grid, random_problem
from sidestep.model.events import EventKind

OPEN = np.ones((7, 9), dtype=bool)
PAPER = ss.Rules(following=True, crossing=True)  # but for following, see the page


def two_that_meet(priorities, rules=PAPER):
    """Two that would meet in the middle of open ground."""
    return ss.Problem(
        ss.Grid(OPEN, 8, "free"), [(3, 0), (3, 8)], [(3, 8), (3, 0)], rules=rules, priorities=priorities
    )


def straight(plan, agent):
    return set(plan.cells[:, agent, 0].tolist()) == {3}


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(
    "parameters", [{}, {"bias": "cost"}, {"trimmed": False}, {"first_collisions": False}]
)
def test_whoever_has_priority_goes_straight_and_the_other_around(first, parameters):
    problem = two_that_meet([int(first == 0), int(first == 1)])
    result = ss.solve(problem, "bcp", **parameters)
    assert ss.validate(problem, result.plan)
    assert straight(result.plan, first)
    assert not straight(result.plan, 1 - first)
    assert result.plan.cost == 16  # a way around costs nothing where diagonals are cheap


def test_the_first_iteration_is_plain_a_star_and_more_resolve_collisions():
    problem = two_that_meet([0, 1])
    one, many = (ss.World(problem, ss.BCP(iterations=m)) for m in (1, 30))
    for world in (one, many):
        world.step()
    assert (one.session.iterations, one.session.core.collisions) == (1, 1)
    assert many.session.iterations > 1
    assert many.session.core.collisions == 0


def test_a_collision_that_remains_costs_the_less_important_a_turn():
    """Both want the middle at once: the one with priority enters, the other stays and plans anew."""
    problem = ss.Problem(
        ss.Grid(OPEN, 8, "free"), [(3, 3), (3, 5)], [(3, 8), (3, 0)], rules=PAPER, priorities=[0, 1]
    )
    world = ss.World(problem, ss.BCP(iterations=1))
    world.step()
    assert [world.where(0), world.where(1)] == [(3, 3), (3, 4)]
    assert world.trace.count(EventKind.REFUSED) == 0  # the session settles it, not the world
    while not world.done and world.time < 40:
        world.step()
    assert world.done
    assert ss.validate_trace(world.trace)


def test_priorities_change_during_a_run():
    def middle_rows(change):
        problem = two_that_meet([1, 0])
        world = ss.World(problem, ss.BCP())
        world.step()
        if change:
            world.set_priority(0, 0)
            world.set_priority(1, 5)
        while not world.done:
            world.step()
        rows = problem.space.cells(world.trace.positions)[1:, :, 0]
        return [set(rows[:, agent].tolist()) == {3} for agent in range(2)]

    assert middle_rows(False)[0] is True
    assert middle_rows(True)[0] is False  # now it is the one that goes around


def test_one_who_is_taken_away_under_way_stays_away():
    world = ss.World(two_that_meet([0, 1]), ss.BCP())
    world.step()
    world.remove(0)
    while not world.done and world.time < 20:
        world.step()
    assert (world.positions == [-1, 27]).all()
    assert world.trace.count(EventKind.REFUSED) == world.trace.count(EventKind.RAISED) == 0
    assert ss.validate_trace(world.trace)


def test_a_limited_path_is_continued_when_it_ends():
    problem = two_that_meet([0, 1])
    world = ss.World(problem, ss.BCP(path_length=3))
    while not world.done and world.time < 40:
        world.step()
    assert world.done
    assert world.session.core.plannings >= 3
    assert ss.validate_trace(world.trace)


def test_a_time_cap_ends_the_iterations_and_not_the_run():
    problem = random_problem(random_grid(20, 20, 0.1, 3, connectivity=8, corners="none"), 40, 3)
    world = ss.World(problem, ss.BCP(iterations=10**6, time_cap=0.001))
    world.step()
    assert world.session.slowest_planning < 1.0
    assert ss.validate_trace(world.trace)


def test_no_time_for_iterations_leaves_the_first():
    world = ss.World(two_that_meet([0, 1]), ss.BCP(time_cap=0))
    world.step()
    assert world.session.iterations == 1


@pytest.mark.parametrize(
    "parameters", [{}, {"bias": "cost"}, {"inner": "best-first"}, {"first_collisions": False}]
)
@pytest.mark.parametrize("following", [True, False])
def test_crowds_are_valid_or_given_up(parameters, following):
    solved = 0
    for seed in range(6):
        grid = random_grid(12, 12, 0.1, seed, connectivity=8, corners="none")
        problem = random_problem(grid, 8, seed, rules=ss.Rules(following=following))
        result = ss.solve(problem, "bcp", time_limit=5, **parameters)
        assert result.status in (ss.Status.SOLVED, ss.Status.GAVE_UP)
        if result:
            assert ss.validate(problem, result.plan)
            solved += 1
    assert solved >= 3


def breadth_first(problem, calls):
    """A search that knows of hills only whether they are high."""

    width = problem.space.width

    def search(start, goal, bias):
        calls.append((start, goal))
        parents, ring = {start: start}, [start]
        for v in ring:
            for u in (v + 1, v - 1, v + width, v - width):
                beside = 0 <= u < len(bias) and (u // width == v // width or abs(u - v) == width)
                if beside and u not in parents and bias[u] < 0.9:
                    parents[u] = v
                    ring.append(u)
        path = [goal] if goal in parents else []
        while path and path[-1] != start:
            path.append(parents[path[-1]])
        return path[::-1]

    return search


def test_any_search_can_be_the_inner_one():
    problem, calls = two_that_meet([1, 0]), []
    world = ss.World(problem, ss.BCP(inner=breadth_first(problem, calls)))
    snapshot = world.snapshot()
    world.block((3, 4))  # where nobody may go the bias is infinite
    while not world.done and world.time < 40:
        world.step()
    assert world.done
    assert len(calls) > 2  # both planned, and not only once
    assert ss.validate_trace(world.trace)
    world.restore(snapshot)
    world.step()
    assert world.trace.count(EventKind.RAISED) == 0


@pytest.mark.parametrize("path", [[27], [27, 35], [35, 27], ["a"], 3, [0.5], [-1], [[27]]])
def test_an_inner_search_that_returns_no_path_is_refused(path):
    with pytest.raises((ValueError, TypeError)):
        ss.solve(two_that_meet([0, 1]), "bcp", inner=lambda *_: path)
    assert ss.solve(two_that_meet([0, 1]), "bcp", inner=lambda *_: None).status is ss.Status.GAVE_UP


def test_graphs_have_hills_too():
    """A ring with a bridge: whoever has no priority takes the other side."""
    graph = ss.Graph(6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)])
    problem = ss.Problem(graph, [0, 3], [3, 0], priorities=[1, 0], rules=PAPER)
    result = ss.solve(problem, "bcp", height=4.0)
    assert ss.validate(problem, result.plan)
    assert result.plan.cost == 6


def test_nothing_is_random():
    problem = random_problem(random_grid(16, 16, 0.1, 5, connectivity=8, corners="none"), 20, 5)
    runs = {ss.solve(problem, "bcp", seed=seed, max_turns=60).stats["expansions"] for seed in range(3)}
    assert len(runs) == 1


def twenty():
    """20 units on 40x40; one set of their paths takes several thousand nodes."""
    return random_problem(random_grid(40, 40, 0.1, 1, connectivity=8, corners="none"), 20, 1)


def stepped(world, most=200, **limits):
    """Steps to the end; how many turns passed in which nobody moved."""
    still = 0
    while not world.done and world.time < most:
        before = world.positions.copy()
        world.step(**limits)
        still += bool((before == world.positions).all())
    assert ss.validate_trace(world.trace)
    assert world.trace.count(EventKind.REFUSED) == world.trace.count(EventKind.RAISED) == 0
    return still


@pytest.mark.parametrize("nodes", [40, 300, 1352])
@pytest.mark.parametrize("parameters", [{}, {"first_collisions": False}, {"path_length": 4}])
def test_a_planning_goes_on_in_the_next_turn(nodes, parameters):
    """Also a single search that takes more nodes than a turn has."""
    whole, spread = (ss.World(twenty(), ss.BCP(**parameters)) for _ in range(2))
    stepped(whole)
    still = stepped(spread, nodes=nodes)
    assert whole.done
    assert spread.done
    assert still < 60
    if "path_length" not in parameters:
        assert spread.time < whole.time + still + 20


def test_a_turn_without_time_moves_by_the_last_whole_set_of_paths():
    world = ss.World(twenty(), ss.BCP())
    world.step()
    paths = ss.World(twenty(), ss.BCP())
    for _ in range(6):
        paths.step()
    world.set_priority(0, 5)  # everybody has to plan, and nobody can
    for _ in range(5):
        world.step(nodes=0)
    assert (world.positions == paths.positions).all()


def test_who_is_not_concerned_by_a_change_keeps_its_path():
    hall = ss.Grid(np.ones((9, 30), dtype=bool), 4)
    problem = ss.Problem(hall, [(0, 0), (4, 0)], [(0, 29), (4, 29)])
    world = ss.World(problem, ss.BCP())
    world.step()
    world.block((8, 15))  # nobody wants to go there
    world.step(nodes=0)
    assert world.session.core.plannings == 1
    world.block((4, 20))  # the second has to go around it; it walks on while it cannot plan
    for _ in range(4):
        world.step(nodes=0)
    assert [world.where(0), world.where(1)] == [(0, 6), (4, 6)]
    stepped(world)
    assert world.session.core.plannings == 2
    assert world.time == 31  # two steps to the side
    assert set(hall.cells(world.trace.positions)[:, 0, 0].tolist()) == {0}


def test_a_unit_at_a_wall_that_has_closed_waits_for_its_path():
    hall = ss.Grid(np.ones((3, 12), dtype=bool), 4)
    world = ss.World(ss.Problem(hall, [(1, 0)], [(1, 11)]), ss.BCP())
    world.step()
    world.block((1, 4))
    for _ in range(6):
        world.step(nodes=0)
    assert world.where(0) == (1, 3)
    stepped(world)
    assert world.done


def test_a_way_that_opens_is_taken_by_those_for_whom_it_is_shorter():
    ground = ss.Grid.from_text(". . . . . .\n. # # # # .\n. . . . . .")
    problem = ss.Problem(ground, [(0, 0), (2, 0)], [(0, 5), (0, 2)])
    world = ss.World(problem, ss.BCP())
    world.block((0, 1))
    world.step()
    assert world.where(0) == (1, 0)  # around, behind the other
    world.free((0, 1))
    stepped(world)
    assert world.done


def test_a_new_goal_is_planned_for_and_the_others_go_on():
    hall = ss.Grid(np.ones((9, 30), dtype=bool), 4)
    world = ss.World(ss.Problem(hall, [(0, 0), (4, 0)], [(0, 29), (4, 29)]), ss.BCP())
    world.step()
    world.send(0, goal=(8, 0))
    for _ in range(3):
        world.step(nodes=2)
    assert world.where(1) == (4, 4)
    stepped(world)
    assert world.where(0) == (8, 0)


@pytest.mark.parametrize("inner", ["astar", "best-first"])
def test_a_lone_unit_arrives_however_short_its_paths_are(inner):
    """Best-first search does not care for the length of ways: planned anew it might go back and forth."""
    for seed in range(40):
        maze = random_grid(24, 24, 0.3, seed) if seed % 2 else maze_grid(21, 21, 1, seed)
        problem = random_problem(maze, 1, seed)
        assert ss.solve(problem, "bcp", path_length=3 + seed % 4, inner=inner, max_turns=2000)


@pytest.mark.parametrize("heuristic", ["none", "octile", "true", "alt", "altbestp", "dead-end", "gateway"])
def test_a_finder_with_any_heuristic_can_be_the_inner_search(heuristic):
    """The one without priority is biased out of the other's way, and all arrive."""
    problem = ss.Problem(
        ss.Grid(OPEN, 8, "none"), [(3, 0), (3, 8)], [(3, 8), (3, 0)], rules=PAPER, priorities=[1, 0]
    )
    result = ss.solve(problem, ss.BCP(inner=ss.Finder(problem.space, heuristic=heuristic)))
    assert ss.validate(problem, result.plan)
    assert straight(result.plan, 0)
    assert not straight(result.plan, 1)


def test_a_finder_knows_of_walls_that_close_in_the_world():
    problem = two_that_meet([1, 0])
    world = ss.World(problem, ss.BCP(inner=ss.Finder(problem.space, steps="unit")))
    world.block((3, 4))
    stepped(world, most=40)
    assert world.done


def test_a_finder_of_another_space_is_refused():
    with pytest.raises(ss.InputError, match="the problem's own space"):
        ss.solve(two_that_meet([0, 1]), ss.BCP(inner=ss.Finder(ss.Grid(np.ones((3, 3), dtype=bool)))))
    with pytest.raises(ss.InputError, match="'best-first', a function or a Finder, not 3"):
        ss.BCP(inner=3)
