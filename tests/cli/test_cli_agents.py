"""`sidestep agents`."""

from __future__ import annotations

import json
from pathlib import Path

import sidestep as ss
from sidestep.agents.protocol import TALKS

from .conftest import Sidestep


def test_agents_run_in_the_simulator_and_leave_files(sidestep: Sidestep, tmp_path: Path) -> None:
    drawing = tmp_path / "crossing.txt"
    drawing.write_text("# a #\nb . B\n# A #\n")
    plan, transcript, trace = (tmp_path / name for name in ("plan.json", "talk.json", "trace.json"))
    files = ("-o", str(plan), "--transcript", str(transcript), "--trace", str(trace))
    shown = sidestep("agents", "run", str(drawing), "--loss", "0.05", "--json", *files)
    assert shown.code == 0, shown.err
    faults = ("--duplicates", "0.1", "--partitions", "1", "--crashes", "1", "--restart", "500", "--seed", "1")
    assert json.loads(sidestep("agents", "run", str(drawing), *faults, "--json").out)["collisions"] == 0
    facts = json.loads(shown.out)
    assert facts["status"] == "solved"
    assert facts["collisions"] == 0
    assert ss.validate_trace(ss.io.read_trace(trace))
    assert transcript.exists()
    assert plan.exists()


def test_agents_refuse_what_they_cannot_do(sidestep: Sidestep, tmp_path: Path) -> None:
    drawing = tmp_path / "crossing.txt"
    drawing.write_text("# a #\nb . B\n# A #\n")
    refused = sidestep("agents", "run", str(drawing), "--solver", "cbs")
    assert refused.code == 2
    assert "dpca" in refused.err
    join = ("agents", "join", str(drawing), "--run", "r", "--connect", "tcp/127.0.0.1:1", "--agent", "z")
    assert "there is no agent z" in sidestep(*join).err
    nobody = sidestep(*join[:-1], "a")
    assert nobody.code == 2
    assert "tcp/127.0.0.1:1 cannot be used" in nobody.err


def test_the_help_names_the_solvers_that_have_a_protocol(sidestep: Sidestep, tmp_path: Path) -> None:
    *names, last = (kind.name for kind in TALKS)
    for command in ("run", "join"):
        assert f"{', '.join(names)} or {last}" in " ".join(sidestep("agents", command, "--help").out.split())
    drawing = tmp_path / "crossing.txt"
    drawing.write_text("# a #\nb . B\n# A #\n")
    for solver in (("dimpp",), ("adpp", "--replan", "always"), ("dmrcp",)):
        shown = sidestep("agents", "run", str(drawing), "--solver", *solver, "--loss", "0.05", "--json")
        assert json.loads(shown.out)["status"] == "solved"
    refused = sidestep("agents", "run", str(drawing), "--solver", "adpp")
    assert refused.code == 2
    assert 'use replan="always"' in refused.err


def test_options_that_say_nothing_to_the_transport_are_refused(sidestep: Sidestep, tmp_path: Path) -> None:
    drawing = tmp_path / "crossing.txt"
    drawing.write_text("# a #\nb . B\n# A #\n")
    for given, says in (
        (("--mesh",), "--mesh goes with --transport zenoh"),
        (("--crashes", "-1"), "crashes must not be negative"),
        (("--transport", "zenoh", "--crashes", "1"), "--crashes goes with --transport simulated"),
        (("--without", "a"), "--without goes with --transport zenoh"),
        (("--transport", "zenoh", "--without", "z"), "no agent"),
        (("--transport", "zenoh", "--without", "a", "--without", "b"), "absent are some"),
        (("--page", "0"), "--page goes with --transport zenoh"),
        (("--transport", "zenoh", "--loss", "0.1"), "--loss goes with --transport simulated"),
        (("--transport", "zenoh", "--deadline", "-1"), "more than 0"),
        (("--transport", "zenoh", "--deadline", "nan"), "more than 0"),
        (("--bystanders",), "leave out bystanders"),
        (("--actions",), "leave out actions"),
    ):
        refused = sidestep("agents", "run", str(drawing), *given)
        assert refused.code == 2, given
        assert says in refused.err
