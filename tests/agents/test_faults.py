"""Messages that are lost, late, doubled or cut off, and agents that crash: nobody collides."""

from __future__ import annotations

import numpy as np
import pytest

import sidestep as ss
from sidestep import agents
from tests.sizing import examples

from .faulty import attack, attack_without_guard
from .problems import crowd


def test_nobody_collides_and_every_refusal_has_a_fault() -> None:
    runs = [attack(number, most=5) for number in range(examples(100))]
    assert sum(map(bool, runs)) >= examples(30)


def test_nobody_collides_without_a_guard() -> None:
    runs = [attack_without_guard(number, most=5) for number in range(examples(100))]
    assert sum(map(bool, runs)) >= examples(40)


def test_who_is_told_to_hold_waits_for_the_others_too() -> None:
    """Else these could end the step before they are asked, and would not be heard in the dialogue."""
    problem, solver = crowd(979, rules=ss.Rules(following=False)), ss.DPCAPlus(schedule="steps")
    run = agents.run(problem, solver, faults=agents.Faults(loss=0.1), seed=979)
    assert run.result.transcript == ss.solve(problem, solver, time_limit=None).transcript


def test_the_judge_would_see_a_collision() -> None:
    problem = ss.Problem.from_text("""
        a . b
        A . B
    """)
    run = agents.run(problem, "dpca", guard=False)
    rows = np.array(run.moves.vertices)
    rows[1:, 1] = rows[1:, 0]
    run.moves = ss.Plan(problem, rows)
    assert run.collisions > 0


def test_dialogues_end_if_messages_arrive_in_the_end() -> None:
    for solver in ("dpca", "dpca+"):
        calm = agents.run(crowd(7), solver)
        stormy = agents.run(
            crowd(7), solver, faults=agents.Faults(loss=0.4, delay=50, duplicates=0.3), seed=1
        )
        assert stormy.result.transcript == calm.result.transcript


def test_a_run_can_be_had_again() -> None:
    faults = agents.Faults(loss=0.1, delay=20, duplicates=0.1, crashes=1, restart=1000)
    one, other = (agents.run(crowd(4), "wdpca", faults=faults, seed=9) for _ in range(2))
    assert one.result.stats == other.result.stats
    assert (one.moves.vertices == other.moves.vertices).all()


OTHERS = (ss.DiMPP(), ss.ADPP(replan="always"), ss.DMRCP())
CORRIDOR = """
    a . . . A
    # # . # #
    b . . . B
"""


def test_who_is_cut_off_by_a_dead_agent_is_named() -> None:
    corridor = ss.Problem.from_text("""
        a . b . A B
    """)
    for solver in ("dpca", "wdpca", *OTHERS):
        run = agents.run(corridor, solver, faults=agents.Faults(crash_at=((1, 2),)))
        assert not run
        assert [(one.agent, one.place) for one in run.deaths] == [(1, 2)]
        assert run.cut_off == {0: (1,)}
        assert run.collisions == 0


def test_another_takes_over_from_a_crashed_agent() -> None:
    problem = ss.Problem.from_text(CORRIDOR)
    for solver in ("dpca", "wdpca", *OTHERS):
        run = agents.run(problem, solver, faults=agents.Faults(crash_at=((1, 5),), restart=3000))
        assert run, run.result.reason
        assert [log.brief.incarnation for log in run.logs] == [0, 1]
        assert len(run.deaths) == 1
        assert run.collisions == 0


@pytest.mark.parametrize("wrong", [{"loss": 1.0}, {"loss": -0.1}, {"delay": -1}, {"crashes": -1}])
def test_impossible_faults_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ss.InputError):
        agents.Faults(**wrong)  # type: ignore[arg-type]


def test_solvers_without_a_protocol_are_refused() -> None:
    with pytest.raises(ss.UnsupportedError, match=r"dpca\+, wdpca, dimpp, adpp or dmrcp do, not as cbs$"):
        agents.run(crowd(0), "cbs")
    with pytest.raises(ss.UnsupportedError, match='use replan="always"'):
        agents.run(crowd(0), "adpp")
    with pytest.raises(ss.UnsupportedError, match="keep_orders"):
        agents.run(crowd(0), "dpca", keep_orders=False)
    lanes = ss.Problem(ss.Graph(3, [(0, 1), (1, 2)], directed=True), [0], [2])
    with pytest.raises(ss.UnsupportedError, match="directed"):
        agents.run(lanes, "dmrcp")
