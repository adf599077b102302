"""What PCA*, DPCA*, DPCA*+ and WDPCA* promise beyond the contract."""

from __future__ import annotations

import numpy as np
import pytest

import sidestep as ss
from sidestep.budget import Budget
from sidestep.dialogue import Act, Stage, check_protocol
from sidestep.instances import dialogue_problem, random_grid, random_problem
from sidestep.papers.dialogue_thesis.trial import loops_in
from sidestep.solvers.wdpca import ROUNDS_KEPT

OFFLINE = [ss.PCA(), ss.DPCA(), ss.DPCAPlus()]
ALL = [*OFFLINE, ss.WDPCA()]


def by_name(solver):
    return solver.name


def crowd(seed: int, size: int = 12, agents: int = 20, **options) -> ss.Problem:
    grid = random_grid(size, size, 0.2, seed, connectivity=8, corners="free")
    return random_problem(grid, agents, seed, rules=ss.Rules(cost="time_off_goal"), **options)


def small(size: int, agents: int, seed: int, connectivity: int = 4) -> ss.Problem:
    return random_problem(random_grid(size, size, 0.15, seed, connectivity=connectivity), agents, seed)


def orders_of(result: ss.Result) -> set[tuple[int, int]]:
    *_, last = result.transcript.replay()
    return last.orders


# How they end


@pytest.mark.parametrize("solver", ALL, ids=by_name)
def test_an_agent_that_can_never_be_served_is_named(solver):
    problem = ss.Problem.from_text("a . # A\nb . # .\n. B # .")
    result = solver.solve(problem, budget=Budget(1.0, 10_000))
    assert result.status is ss.Status.GAVE_UP
    assert "agent a" in result.reason


def test_no_order_helps_two_that_must_pass_each_other_in_a_corridor():
    corridor = ss.Grid.from_text("# # . # #\n. . . . .")
    problem = ss.Problem(corridor, [(1, 0), (1, 4)], [(1, 4), (1, 0)], names=["west", "east"])
    for solver in OFFLINE:
        result = ss.solve(problem, solver)
        if not result:
            assert result.status is ss.Status.GAVE_UP
            assert "west" in result.reason
            assert "east" in result.reason
        else:
            assert ss.validate(problem, result.plan)


@pytest.mark.parametrize(
    ("drawn", "why"),
    [
        ((4, 4, 14), "has no path around those it has put above itself"),
        ((4, 4, 32), "in every order an agent has no path left"),
        ((4, 5, 79), "lead back to the same paths again and again"),
    ],
    ids=["above itself", "no order", "round in circles"],
)
def test_who_gives_up_says_who_and_why(drawn, why):
    result = ss.solve(small(*drawn), "dpca", settle_circles=False, time_limit=None, node_limit=100_000)
    assert result.status is ss.Status.GAVE_UP
    assert why in result.reason
    assert result.reason.startswith("agents a")
    check_protocol(result.transcript)


DIAMOND = (4, [(0, 1), (0, 3), (1, 2), (1, 3), (2, 3)], False, [3, 0, 2, 1], [3, 1, 2, 0])
TRIANGLE = (3, [(0, 1), (0, 2), (1, 2), (2, 0), (2, 1)], True, [2, 1, 0], [0, 2, 1])


@pytest.mark.parametrize("solver", [ss.PCA(), ss.DPCA(), ss.DPCAPlus()])
@pytest.mark.parametrize(
    ("drawn", "rules"),
    [
        (DIAMOND, ss.Rules()),
        (TRIANGLE, ss.Rules(following=False, at_goal="disappear", cost="time_off_goal")),
    ],
)
def test_orders_in_a_circle_that_only_make_paths_longer_are_given_up(solver, drawn, rules):
    n, edges, directed, starts, goals = drawn
    problem = ss.Problem(ss.Graph(n, edges, directed=directed), starts, goals, rules=rules)
    result = solver.solve(problem, budget=ss.Budget(nodes=3_000_000))
    assert result.status in ("solved", "gave_up")


def test_orders_may_go_round_in_a_circle():
    """Three partial orders that no order of all agents contains, and a plan nevertheless."""

    def has_circle(orders: set[tuple[int, int]]) -> bool:
        left = set(orders)
        while True:
            tops = {above for above, _ in left} - {below for _, below in left}
            if not tops:
                return bool(left)
            left = {pair for pair in left if pair[0] not in tops}

    results = [ss.solve(crowd(seed, 8, 16), "dpca") for seed in range(40)]
    circular = [result for result in results if result and has_circle(orders_of(result))]
    assert circular
    for result in circular:
        assert ss.validate(result.problem, result.plan)


def test_the_orders_need_not_name_everybody():
    problem = ss.Problem.from_text("a . . A\n. . . .\nb . . B")
    result = ss.solve(problem, "dpca")
    assert orders_of(result) == set()
    assert result.stats["dialogues"] == 0


# How they decide


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("solver", OFFLINE, ids=by_name)
def test_two_agents_have_at_most_one_order(solver, seed):
    """Nobody was ever put both above and below another."""
    result = ss.solve(crowd(seed), solver)
    if result:
        orders = orders_of(result)
        assert not {(below, above) for above, below in orders} & orders


def test_weights_decide():
    """Agents that care for nothing but conflicts and those that care for nothing but length differ."""
    lengths, conflicts = (
        [ss.solve(crowd(seed), "dpca", length_weight=length, conflict_weight=1 - length) for seed in range(8)]
        for length in (1, 0)
    )
    assert [r.transcript for r in lengths] != [r.transcript for r in conflicts]


def test_dialogues_of_three_are_expanded_until_nobody_wants_more():
    result = ss.solve(crowd(9, 8, 16), "dpca+")
    sizes = result.stats["dialogue_sizes"]
    several = [ss.solve(crowd(seed, 8, 16), "dpca+") for seed in range(30)]
    assert "3" in {size for run in several for size in run.stats["dialogue_sizes"]}
    assert "2" in sizes
    expanded = [r for r in several for said in r.transcript.utterances if said.act is Act.EXPAND]
    assert expanded
    for run in expanded:
        check_protocol(run.transcript)


def test_dpca_never_talks_in_groups():
    for seed in range(10):
        assert set(ss.solve(crowd(seed, 8, 16), "dpca").stats["dialogue_sizes"]) <= {"2"}


@pytest.mark.parametrize("solver", ["pca", "dpca", "dpca+", "wdpca"])
def test_the_cache_spares_searches(solver):
    cached, searched = (
        sum(ss.solve(crowd(seed), solver, cache=cache).stats["expansions"] for seed in range(6))
        for cache in (True, False)
    )
    assert cached < searched


@pytest.mark.parametrize("solver", ALL, ids=by_name)
def test_the_seed_changes_nothing(solver):
    first, second = (ss.solve(crowd(2), solver, seed=seed) for seed in (0, 7))
    assert first.transcript == second.transcript
    assert np.array_equal(first.plan.vertices, second.plan.vertices)


# Parameters


@pytest.mark.parametrize(
    ("name", "params", "sentence"),
    [
        ("pca", {"cache": 1}, "cache must be True or False, not 1"),
        ("dpca", {"length_weight": -1}, "length_weight must be a number, 0 or more, not -1"),
        ("dpca", {"conflict_weight": "3"}, "conflict_weight must be a number, 0 or more, not '3'"),
        ("dpca+", {"partial_weight": float("nan")}, "partial_weight must be a number, 0 or more, not nan"),
        ("dpca+", {"partial_weight": True}, "partial_weight must be a number, 0 or more, not True"),
        ("wdpca", {"window": 1}, "window must be a whole number from 2 to 1024, not 1"),
        ("wdpca", {"length_weight": float("inf")}, "length_weight must be a number, 0 or more, not inf"),
        ("wdpca", {"max_turns": -1}, "max_turns must be a whole number"),
    ],
)
def test_bad_parameters_are_refused_in_a_sentence(name, params, sentence):
    with pytest.raises(ss.InputError, match=sentence):
        ss.solve(crowd(1), name, **params)


@pytest.mark.parametrize(
    ("window", "weights"),
    [
        (2, (3.113, 9.464)),
        (3, (8.736, 7.9143)),
        (4, (8.736, 7.9143)),
        (8, (9.352, 22.874)),
        (50, (9.352, 22.874)),
    ],
)
def test_a_window_has_the_weights_of_the_thesis(window, weights):
    solver = ss.WDPCA(window=window)
    assert (solver.weights.length, solver.weights.conflicts) == weights
    assert ss.WDPCA(window=window, length_weight=2).weights.length == 2


# Turn by turn


def test_orders_are_forgotten_after_half_a_window():
    result = ss.solve(crowd(3), "wdpca", window=4)
    assert np.diff(result.transcript.rounds).tolist() == [2] * (len(result.transcript.rounds) - 1)
    for said in result.transcript.utterances:
        if said.act is Act.NEW_PATH:
            assert len(said.path) == 5


def test_a_changed_goal_opens_a_new_round():
    problem = ss.Problem.from_text("a . . . . A")
    world = ss.World(problem, ss.WDPCA(window=8))
    world.step()
    world.send("a", (0, 0))
    while not world.done:
        world.step()
    assert world.time == 2
    assert world.session.transcript.rounds == [0, 1]


def test_whoever_is_on_its_goal_steps_aside():
    corridor = ss.Grid.from_text("# # . # #\n. . . . .")
    problem = ss.Problem(corridor, [(1, 0), (1, 2)], [(1, 4), (1, 2)])
    for window in (4, 8):
        result = ss.solve(problem, "wdpca", window=window)
        assert ss.validate(problem, result.plan)
        assert result.plan.costs.tolist() == [4, 3]


@pytest.mark.parametrize("window", [2, 4, 8])
@pytest.mark.parametrize("following", [True, False])
def test_in_a_crowd_that_changes_no_move_is_refused(window, following):
    grid = random_grid(9, 9, 0.1, 5, connectivity=8, corners="free")
    problem = random_problem(grid, 30, 5, rules=ss.Rules(following=following))
    world = ss.World(problem, ss.WDPCA(window=window))
    rng = np.random.default_rng(0)
    for turn in range(60):
        if turn % 7 == 3:
            world.send(int(rng.integers(15)), None)
        if turn == 20:
            world.add(ss.Agent(next(place for place in grid_places(grid) if is_free(world, place))))
        if turn == 30:
            world.remove(20)
        nodes = 5 if turn % 5 == 4 else None  # now and then there is hardly any time to think
        world.step(nodes=nodes)
        assert world.planner_error is None
    assert ss.validate_trace(world.trace)
    assert not [kind for kind in world.events[:, 1] if ss.EventKind(kind).is_planner_fault]


def grid_places(grid):
    return [tuple(place) for place in np.argwhere(grid.passable).tolist()]


def is_free(world, place) -> bool:
    return world.space.vertex(place) not in world.positions.tolist()


def test_a_snapshot_goes_on_as_the_original():
    world = ss.World(crowd(4), ss.WDPCA(window=4))
    for _ in range(3):
        world.step()
    snapshot = world.snapshot()
    futures = []
    for _ in range(2):
        while not world.done and world.time < 60:
            world.step()
        futures.append(world.trace.positions.tolist())
        world.restore(snapshot)
    assert futures[0] == futures[1]


def test_what_repeats_itself_is_given_up_at_once():
    dead_end = ss.Grid.from_text(". . # # #\n. . . . .\n. . # # #")
    swap = ss.Problem(dead_end, [(1, 3), (1, 4)], [(1, 4), (1, 3)], names=["outer", "inner"])
    result = ss.solve(swap, "wdpca", window=4, widen=False, max_turns=500)
    assert result.status is ss.Status.GAVE_UP
    assert result.reason.endswith("everything repeats itself")
    assert "outer" in result.reason
    assert result.stats["turns"] < 20


def test_where_everything_repeats_itself_agents_look_further_ahead():
    """Two that would retreat from each other for ever see beyond the pocket."""
    problems = [small(12, 16, seed) for seed in range(12)]
    thesis = [bool(ss.solve(problem, "wdpca", window=2, widen=False)) for problem in problems]
    results = [ss.solve(problem, "wdpca", window=2) for problem in problems]
    assert all(results)
    assert all(ss.validate(result.problem, result.plan) for result in results)
    assert sum(thesis) < len(problems) / 2


def test_a_change_narrows_the_window_again():
    stuck = (small(12, 16, seed) for seed in range(12))
    problem = next(problem for problem in stuck if not ss.solve(problem, "wdpca", window=2, widen=False))
    world = ss.World(problem, ss.WDPCA(window=2))
    while world.session.window == 2:
        world.step()
    world.send(0, problem.space.place(int(world.positions[0])))
    world.step()
    assert world.session.window == 2


def test_on_their_goals_agents_do_not_look_further_ahead():
    world = ss.World(crowd(1), ss.WDPCA(window=4))
    while not world.done:
        world.step()
    window = world.session.window
    for _ in range(20):
        world.step()
    assert world.session.window == window


def test_a_repetition_ends_with_the_next_change():
    dead_end = ss.Grid.from_text(". . # # #\n. . . . .\n. . # # #")
    swap = ss.Problem(dead_end, [(1, 3), (1, 4)], [(1, 4), (1, 3)])
    world = ss.World(swap, ss.WDPCA(window=4, widen=False))
    for _ in range(20):
        world.step()
    assert world.session.repeats
    world.send(1, (0, 0))
    world.send(0, (2, 0))
    while not world.done and world.time < 60:
        world.step()
    assert world.done
    assert not world.session.repeats


def test_a_world_goes_on_when_everybody_is_gone():
    problem = ss.Problem.from_text("a A . .\nb . . B", rules=ss.Rules(at_goal="disappear"))
    world = ss.World(problem, ss.WDPCA(window=8))
    for _ in range(12):
        world.step()
    assert world.planner_error is None
    world.add(ss.Agent((0, 0), (1, 3)))
    for _ in range(4):
        world.step()
    assert world.done
    assert ss.validate_trace(world.trace)


def test_the_transcript_of_a_world_does_not_grow_without_end():
    problem = ss.Problem.from_text("a . .\n. . .\nb . .")
    world = ss.World(problem, ss.WDPCA(window=2))
    for _ in range(3 * ROUNDS_KEPT):
        world.step()
    assert len(world.session.transcript.rounds) <= ROUNDS_KEPT


def test_paths_told_in_a_round_begin_where_the_agents_are():
    result = ss.solve(crowd(5), "wdpca", window=4)
    begins = result.transcript.rounds
    for said in result.transcript.utterances:
        if said.stage is Stage.EXCHANGE:
            assert said.path[0] == result.plan.vertices[begins[said.round], said.speaker]


@pytest.mark.parametrize("solver", OFFLINE, ids=by_name)
def test_planned_ahead_hardly_anybody_comes_back_to_a_place(solver):
    loops = {}
    for seed in range(60):
        problem = dialogue_problem(seed, fewest=30, most=40)
        result = ss.solve(problem, solver, time_limit=None, node_limit=100_000)
        if result:
            assert ss.validate(problem, result.plan)
            loops[seed] = loops_in(result.plan)
    assert len(loops) > 40
    assert sum(loops.values()) <= 3
