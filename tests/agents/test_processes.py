"""A process per agent over zenoh: the same words, and what happens when processes die, stop and come back."""

from __future__ import annotations

import shutil
import signal
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import sidestep as ss
from sidestep import agents
from sidestep.agents.fleet import Fleet
from sidestep.agents.network import Tls, runs_at
from sidestep.agents.process import join

from .problems import crowd

SOLVERS = [ss.DPCA(schedule="steps"), ss.DPCAPlus(schedule="steps"), ss.WDPCA(schedule="steps", widen=False)]
OTHERS = [ss.DiMPP(), ss.ADPP(replan="always"), ss.DMRCP()]
DEADLINE = 60.0  # seconds for a tick that only has to happen
LANES = """
    a . . . . . A
    . . . # . . .
    b . . . . . B
    . . . # . . .
    c . . . . . C
"""


CROSSING = """
    # # a # #
    # b . B #
    # # . # #
    # # A # #
"""


def compare(problem: ss.Problem, solver: object, *, mesh: bool = False) -> None:
    with Fleet(problem, solver, deadline=DEADLINE, mesh=mesh) as fleet:
        run = fleet.run()
    simulated = agents.run(problem, solver)
    assert run.result.transcript == simulated.result.transcript
    assert (run.moves.vertices == simulated.moves.vertices).all()
    assert not run.refusals
    assert not run.deaths
    assert not run.reports


def test_processes_say_what_the_simulator_says() -> None:
    compare(crowd(2, most=5), SOLVERS[2])


def test_processes_that_are_connected_to_each_other_say_the_same() -> None:
    compare(crowd(2, most=5), SOLVERS[2], mesh=True)


@pytest.mark.parametrize("solver", OTHERS, ids=lambda one: one.name)
def test_processes_go_as_the_simulator_goes(solver: object) -> None:
    compare(ss.Problem.from_text(LANES), solver)


@pytest.mark.slow
@pytest.mark.parametrize("solver", OTHERS, ids=lambda one: one.name)
@pytest.mark.parametrize("seed", range(10))
def test_processes_go_as_the_simulator_goes_on_20_problems(solver: object, seed: int) -> None:
    compare(next(one for one in map(crowd, range(seed * 7, 1000)) if ss.solve(one, solver)), solver)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_processes_say_what_the_simulator_says_on_20_problems(seed: int) -> None:
    solver = SOLVERS[seed % 3]
    problem = next(one for one in map(crowd, range(seed * 7, 1000)) if ss.solve(one, solver))
    compare(problem, solver)


def test_a_killed_agent_is_noticed_and_taken_over() -> None:
    """Killed as soon as it walks; the others finish, another takes its place, and everybody arrives."""
    state = {"killed": False, "joined": False}

    def interfere(fleet: Fleet) -> None:
        if fleet.ground.tick >= 2 and not state["killed"]:
            state["killed"] = True
            fleet.kill(1)
        if fleet.ground.deaths and not state["joined"]:
            state["joined"] = True
            fleet.join(1)

    with Fleet(ss.Problem.from_text(LANES), "wdpca", deadline=20.0, linger=5) as fleet:
        run = fleet.run(interfere)
    assert run, run.result.reason
    assert [one.agent for one in run.deaths] == [1]
    assert [agent for _, agent, _ in fleet.died] == [1]
    assert run.collisions == 0
    assert fleet.ground.presence[1].incarnation == 2


def test_an_absent_agent_is_a_wall_until_somebody_joins_as_it() -> None:
    problem = ss.Problem.from_text("a . b . A B")
    joined = []

    def interfere(fleet: Fleet) -> None:
        if not joined and fleet.ground.cut_off_by(0) == (1,):
            joined.append(fleet.ground.tick)
            fleet.join(1)

    with Fleet(problem, "wdpca", deadline=20.0, linger=5, absent=[1]) as fleet:
        assert set(fleet.pids) == {0}
        run = fleet.run(interfere)
    assert joined
    assert run, run.result.reason
    assert run.moves.vertices[joined[0], 1] == 2
    assert not run.deaths
    assert run.collisions == 0


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP], ids=lambda one: one.name)
@pytest.mark.parametrize("stage", ["exchange", "opening", "proposal", "evaluation", "closing", "walking"])
@pytest.mark.parametrize("solver", ["dpca", "wdpca"])
def test_an_agent_that_ends_in_any_stage(solver: str, stage: str, how: signal.Signals) -> None:
    """The others finish, or say whom the dead one cuts off; then somebody takes over, and all arrive."""
    problem = ss.Problem.from_text(CROSSING)
    state = {"hit": False, "joined": False, "tick": -1}

    def interfere(fleet: Fleet) -> None:
        said = [one.stage for _, one in fleet.recorder._said if getattr(one, "stage", None)]
        reached = fleet.ground.tick >= 1 if stage == "walking" else stage == "exchange" or stage in said
        if reached and not state["hit"]:
            state["hit"], state["tick"] = True, fleet.ground.tick
            fleet.kill(0, how)
        finished = fleet.ground.rows[-1][1] == problem.goals[1]
        if fleet.ground.deaths and not state["joined"] and (finished or fleet.ground.cut_off_by(1) == (0,)):
            state["joined"] = True
            fleet.join(0)

    with Fleet(problem, solver, deadline=10.0, patience=1, linger=30) as fleet:
        run = fleet.run(interfere)
    assert state["hit"]
    assert state["joined"]
    assert run, run.result.reason
    assert run.collisions == 0
    assert [one.agent for one in run.deaths] == [0]
    assert (
        state["tick"] <= run.deaths[0].tick <= state["tick"] + 3
    )  # within the patience, and a tick each side
    assert fleet.ground.presence[0].incarnation == 2
    if how is signal.SIGKILL:
        assert [agent for _, agent, _ in fleet.died] == [0]


def certificates(folder: Path) -> tuple[Tls, Tls]:
    """One for who belongs to the run, and one that another authority has signed."""

    def made(name: str) -> Tls:
        ca, key, certificate = (str(folder / f"{name}{end}") for end in (".ca", ".key", ".pem"))
        about = ["-days", "2", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        subject = ["-addext", "subjectAltName=DNS:localhost", "-subj", "/CN=localhost"]
        authority = ["-keyout", ca + ".key", "-out", ca, "-subj", f"/CN={name}"]
        subprocess.run(["openssl", "req", "-x509", *about, *authority], check=True, capture_output=True)
        signed = ["-CA", ca, "-CAkey", ca + ".key", "-keyout", key, "-out", certificate]
        usage = ["-addext", "basicConstraints=critical,CA:FALSE"]
        request = ["openssl", "req", "-x509", *about, *subject, *usage, *signed]
        subprocess.run(request, check=True, capture_output=True)
        return Tls(ca, certificate, key)

    return made("ours"), made("theirs")


def test_who_joins_a_run_that_is_not_there_is_told_which_are() -> None:
    """It does not wait for the minute after which a silent world is given up."""
    problem = ss.Problem.from_text("a . A")
    with Fleet(problem, "dpca", deadline=DEADLINE) as fleet:
        theirs = fleet.place.run
        refused = join(problem, "dpca", 0, replace(fleet.place, run="another"))
        assert refused == f"nobody at {fleet.place.endpoint} speaks in a run 'another': use one of {theirs}"
        assert runs_at(fleet.place) == [theirs]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificates")
def test_certificates_on_both_sides(tmp_path: Path) -> None:
    ours, theirs = certificates(tmp_path)
    problem = ss.Problem.from_text("""
        a . B
        b . A
    """)
    with Fleet(problem, "dpca", tls=ours, deadline=DEADLINE) as fleet:
        stranger = agents_join(fleet, theirs)
        assert "Unable to connect" in stranger or "error" in stranger.lower()
        assert fleet.run()


def agents_join(fleet: Fleet, tls: Tls) -> str:
    """What somebody with other certificates is told when it wants to take part."""
    from sidestep.agents.network import Network

    try:
        Network(replace(fleet.place, tls=tls), 0)
    except Exception as error:
        return str(error)
    return ""
