"""The printed form of a solver: what `as_printed` makes, what it says where there is none, and its table."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import sidestep as ss
from sidestep.budget import Budget
from sidestep.instances import maze_grid, random_grid, random_problem
from sidestep.model.rules import PRINTED_RULES
from sidestep.solvers import SOLVERS
from sidestep.solvers.parameters import parameters_of
from sidestep.solvers.printed import deviations_of, other_rules

PAGES = Path(__file__).parents[2] / "docs" / "algorithms"
OF_A_PAPER = {name: solver for name, solver in SOLVERS.items() if solver.info.paper in PRINTED_RULES}
WITHOUT = [name for name in SOLVERS if name not in OF_A_PAPER]


def test_every_solver_of_a_paper_here_has_a_printed_form():
    assert {"lra", "whca", "id", "dpca", "bcp"} <= OF_A_PAPER.keys()
    for name, solver in OF_A_PAPER.items():
        form = solver.as_printed()
        assert type(form) is solver, name
        for one in parameters_of(solver).values():
            assert getattr(form, one.name) == (one.default if one.printed is ... else one.printed)


@pytest.mark.parametrize("name", WITHOUT)
def test_a_solver_without_a_paper_here_is_refused_in_a_sentence(name):
    with pytest.raises(ss.InputError, match=rf"^{name} has no printed form, since its paper \("):
        SOLVERS[name].as_printed()


def test_where_the_usual_form_is_the_printed_one_it_is_the_same():
    assert ss.WHCA.as_printed() == ss.WHCA()
    assert ss.Standard.as_printed() == ss.Standard()


def test_what_is_chosen_stays_as_chosen():
    assert ss.WHCA.as_printed(window=8) == ss.WHCA(window=8)
    assert ss.LRA.as_printed(noise=2.0) == ss.LRA(
        noise=2.0, moves_after_repair=False, agitated_when_boxed_in=True
    )
    assert ss.LRA.as_printed(moves_after_repair=True).moves_after_repair
    assert ss.LRA().as_printed() == ss.LRA.as_printed()  # of an instance, it is that of its class
    with pytest.raises(ss.InputError, match="whca has no parameter 'windw'"):
        ss.WHCA.as_printed(windw=8)
    with pytest.raises(ss.InputError, match="window must be"):
        ss.WHCA.as_printed(window=1)


@pytest.mark.parametrize("name", OF_A_PAPER)
def test_every_deviation_has_a_reason_and_a_measured_gain(name):
    """`python -m benchmarks.gains --write` measures them, `--check` does so again; kinds of ID are ID."""
    deviations = deviations_of(OF_A_PAPER[name])
    gains = json.loads((PAGES.parent / "gains.json").read_text(encoding="utf-8"))
    measured = "id" if issubclass(OF_A_PAPER[name], ss.ID) else name
    assert gains.get(measured, {}).keys() == deviations.keys()
    for one in deviations.values():
        assert one.checked(one.printed) == one.printed
        assert one.why, one.name
        assert not one.why.endswith(".")


def test_every_deviation_stands_in_a_table_of_a_page():
    pages = "\n".join(page.read_text(encoding="utf-8") for page in PAGES.glob("*.md"))
    shown = [
        name for names in re.findall(r"<!-- printed form of (.+) -->", pages) for name in names.split(", ")
    ]
    assert len(shown) == len({*shown})
    assert {name for name, solver in OF_A_PAPER.items() if deviations_of(solver)} <= {*shown} <= {*OF_A_PAPER}


def test_the_rules_of_the_papers():
    assert ss.Rules.printed("bcp2006") == ss.Rules(following=False, crossing=True)
    assert {ss.Rules.printed(paper).cost for paper in ("silver2005", "standley2010", "dialogue-thesis")} == {
        "time_off_goal"
    }
    with pytest.raises(ss.InputError, match=r"there are no rules of 'silver2004': known are silver2005"):
        ss.Rules.printed("silver2004")


def test_rules_that_are_not_the_papers_are_named():
    assert other_rules(ss.BCP(), ss.Rules.printed("bcp2006")) == ""
    assert other_rules(ss.BCP(), ss.Rules(crossing=True)) == (
        "the rules are not those of bcp2006, which has following=False"
    )


# Silver 2005


def boxed_in():
    """Agent `a` cannot leave its corner before `b`, without a goal, goes away: it never does."""
    return ss.Problem.from_agents(
        ss.Grid.from_text(". . . . ."), [ss.Agent((0, 0), (0, 4), name="a"), ss.Agent((0, 1), name="b")]
    )


def test_lra_as_printed_repairs_instead_of_moving():
    """`b` stands on its goal in the middle: `a` walks up to it, repairs its route, and then goes around."""
    room = ss.Grid.from_text(". . . . .\n. . . . .")
    problem = ss.Problem(room, [(0, 0), (0, 2)], [(0, 4), (0, 2)])
    ways = {}
    for solver in (ss.LRA(), ss.LRA.as_printed()):
        ways[solver] = [tuple(cell) for cell in ss.solve(problem, solver).plan.cells[:, 0].tolist()]
    usual, printed = ways.values()
    assert len(printed) == len(usual) + 1
    waits = [time for time in range(1, len(printed)) if printed[time] == printed[time - 1]]
    assert len(waits) == 1
    assert [cell for time, cell in enumerate(printed) if time not in waits] == usual


def test_lra_as_printed_becomes_agitated_while_it_is_boxed_in():
    replans = {}
    for solver in (ss.LRA(), ss.LRA.as_printed()):
        world = ss.World(boxed_in(), solver)
        for _ in range(60):
            world.step()
        replans[solver] = world.session.replans
    usual, printed = replans.values()
    assert usual <= 1
    assert printed >= 58  # one a turn, but for the first plan


def test_ca_as_printed_reroutes_around_those_who_have_arrived():
    """`b` arrives in the way of `a`, which learns of it only then, and is not solved by one order."""
    problem = ss.Problem(
        ss.Grid.from_text(". . . . .\n. # . # .\n. . . . ."), [(0, 0), (2, 2)], [(0, 4), (0, 2)]
    )
    result = ss.solve(problem, ss.HCA.as_printed())
    assert ss.validate(problem, result.plan)
    assert "turns" in result.stats


# Geramifard, Chubak and Bulitko 2006


def figure_1():
    """A goes east, B and C south. B crosses A's way when A has passed; A and C would meet in the middle."""
    hall = ss.Grid(np.ones((9, 9), dtype=bool), connectivity=8, corners="free")
    a, b, c = ss.Agent((4, 0), (4, 8)), ss.Agent((0, 1), (8, 1)), ss.Agent((0, 4), (8, 4), priority=1)
    return ss.Problem.from_agents(hall, [a, b, c], rules=ss.Rules.printed("bcp2006"))


def test_figure_1_of_the_paper_on_biased_costs():
    alone = ss.World(figure_1(), ss.BCP.as_printed(iterations=1))
    alone.step()
    assert alone.session.core.collisions == 2  # of A and C, who hold the middle at times 4 and 5
    result = ss.solve(figure_1(), ss.BCP.as_printed())
    a, b, c = result.plan.cells.transpose(1, 0, 2).tolist()
    assert b == [[row, 1] for row in range(9)]
    assert c == [[row, 4] for row in range(9)]
    assert a[4] != [4, 4]
    assert result.plan.costs.tolist() == [8, 8, 8]
    assert ss.validate(figure_1(), result.plan)


def test_a_lone_unit_arrives_however_little_of_its_path_is_kept():
    """Its path is found to the goal and then cut; one that ended after k steps would stay in dead ends."""
    for seed in range(20):
        problem = random_problem(maze_grid(21, 21, 1, seed), 1, seed, rules=ss.Rules.printed("bcp2006"))
        usual, cut = (ss.solve(problem, ss.BCP.as_printed(path_length=k)) for k in (None, 5))
        assert cut, seed
        assert cut.plan.cost == usual.plan.cost


def test_as_printed_nobody_collides_after_its_first_collision():
    """`a` first meets `b`, which gives way, and then `c`, which as printed hears of it later."""
    hall = ss.Grid(np.ones((7, 9), dtype=bool), connectivity=8, corners="free")
    a = ss.Agent((3, 0), (3, 8), priority=2)
    b, c = ss.Agent((1, 2), (5, 2), priority=1), ss.Agent((3, 8), (3, 0))
    problem = ss.Problem.from_agents(hall, [a, b, c], rules=ss.Rules(crossing=True))
    left = {}
    for rest in (False, True):
        world = ss.World(problem, ss.BCP(discard_rest=rest, iterations=3))
        world.step()
        left[rest] = world.session.core.collisions
    assert left == {False: 0, True: 1}


# Standley 2010


def crowd(seed, agents=7):
    grid = random_grid(10, 10, 0.2, seed, connectivity=8, corners="free")
    return random_problem(grid, agents, seed, rules=ss.Rules.printed("standley2010"))


def test_the_printed_forms_of_standley_are_what_they_say():
    assert ss.OD.as_printed() == ss.OD(pairs=False, partial=False)
    assert ss.SID.as_printed().avoidance == "none"
    assert ss.ID.as_printed().avoidance == "all"
    assert ss.StandardID.as_printed().inner == "standard"
    assert ss.ODID.as_printed() == ss.ODID(**vars(ss.ID.as_printed()))


@pytest.mark.parametrize("solver", [ss.SID, ss.ID, ss.ODID])
def test_the_first_conflict_in_time_is_dealt_with_first(solver):
    """What collides first in the plans of single agents, the judge knows too."""
    for seed in range(6):
        problem = crowd(seed)
        run = solver.as_printed(avoidance="none").detection(problem, Budget())
        run._plan_singles()
        judged = ss.validate(problem, ss.Plan(problem, run.matrix()))
        collisions = [one for one in judged.violations if len(one.agents) == 2]
        pair = run._colliding()
        if not collisions:
            assert pair is None
            continue
        first = min(one.time for one in collisions)
        together = tuple(int(group.agents[0]) for group in pair)
        assert together in [tuple(sorted(one.agents)) for one in collisions if one.time == first]
        assert together[0] < together[1]


def test_sid_as_printed_does_not_look_at_the_others_and_merges_more():
    merges = {
        solver: sum(ss.solve(crowd(seed), solver).stats["merges"] for seed in range(12))
        for solver in (ss.SID(), ss.SID.as_printed(), ss.ID.as_printed(), ss.ID())
    }
    ours, printed, evading, best = merges.values()
    assert printed > ours > best
    assert printed > evading >= best


def test_id_as_printed_merges_what_cannot_evade_at_once():
    """Head-on in a corridor with a bay: both alone cost 4, together more, so they are merged either way."""
    problem = ss.Problem(
        ss.Grid.from_text("# # . # #\n. . . . ."),
        [(1, 0), (1, 4)],
        [(1, 4), (1, 0)],
        rules=ss.Rules.printed("standley2010"),
    )
    for solver in (ss.ID(), ss.ID.as_printed()):
        result = ss.solve(problem, solver)
        assert (result.stats["merges"], result.stats["resolved"]) == (1, 0)
        assert result.plan.cost == ss.solve(problem, "standard").plan.cost


# The dialogue thesis


def test_dimpp_as_printed_always_searches_and_ends_where_all_would_repeat_itself():
    """`a` and `b` fail because of each other; `c`, in a room of its own, never gets to begin."""
    space = ss.Grid.from_text("# # . # # #\n. . . . . #\n# # # # # .")
    problem = ss.Problem(space, [(1, 0), (1, 4), (2, 5)], [(1, 4), (1, 0), (2, 5)])
    usual, printed = (ss.solve(problem, solver) for solver in (ss.DiMPP(), ss.DiMPP.as_printed()))
    assert (usual.stats["tokens"], printed.stats["tokens"]) == (3, 2)
    assert printed.status == ss.Status.GAVE_UP
    assert "would begin a second token" in printed.reason
