"""`sidestep explain`, and the transcripts that it reads."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

import sidestep as ss
from sidestep import io

from .conftest import Sidestep
from .test_cli_view import shown

CROSSROAD = "# a #\nb . B\n# A #\n"
WAITS = "b waits at (1, 0) for a, which takes (1, 1) first."
FOREIGN = (
    "agents=1\nsolver=planner\nsolved=1\nsoc=3\nstarts=(0,0),\ngoals=(2,0),\nsolution=\n"
    "0:(0,0),\n1:(0,0),\n2:(1,0),\n3:(2,0),\n"
)


@pytest.fixture
def plan(sidestep: Sidestep, folder: Path) -> Path:
    """A plan of two that meet at a crossroad, and what they said."""
    (folder / "crossroad.txt").write_text(CROSSROAD)
    arguments = ("crossroad.txt", "--solver", "dpca", "-o", "plan.json", "--transcript", "talks.json")
    done = sidestep("solve", *arguments)
    assert done.code == 0, done.err
    return folder / "plan.json"


def test_one_answer(sidestep: Sidestep, plan: Path) -> None:
    done = sidestep("explain", plan, "--agent", "b", "--time", 0)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        WAITS,
        "Had it gone on, a would have arrived 1 step later and b 1 step earlier: "
        "the plan would cost the same.",
    ]
    by_number = sidestep("explain", plan, "--agent", 1, "--time", 0)
    assert by_number.out == done.out


@pytest.mark.parametrize("agent", ["2", "-1", "9" * 30, "9" * 900, "\u0661"])
def test_an_agent_that_is_not_there(sidestep: Sidestep, plan: Path, agent: str) -> None:
    done = sidestep("explain", plan, f"--agent={agent}")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("sidestep: there is no agent")


def test_one_answer_for_machines(sidestep: Sidestep, plan: Path) -> None:
    data = sidestep("explain", plan, "--agent", "b", "--time", 0, "--json", "--transcript", "talks.json").json
    assert data["because"] == [{"agent": "a", "place": [1, 1], "time": 1, "kind": "vertex"}]
    assert data["cost_change"] == {"a": 1, "b": -1}
    assert data["verified"] is True
    assert data["dialogue"] == 0
    (decided,) = [claim for claim in data["claims"] if claim["kind"] == "decided"]
    assert (decided["order"], decided["by"]) == ("a > b", "number")


def test_the_transcript_adds_the_dialogue(sidestep: Sidestep, plan: Path) -> None:
    plain = sidestep("explain", plan, "--agent", "b", "--time", 0, "--transcript", "talks.json")
    assert "to let a pass: both would have come to (1, 1) at time 1." in plain.out
    assert "vote" not in plain.out
    done = sidestep("explain", plan, "--agent", "b", "--time", 0, "--transcript", "talks.json", "--detail")
    assert "Dialogue 0: a and b would have collided at (1, 1), time 1." in done.out
    assert "of equal lowest sums" in done.out


def test_the_transcript_is_read_with_the_parameters_in_the_plan_file(sidestep: Sidestep, plan: Path) -> None:
    """Experts read what a vote is made of, and a vote that is not made of it is found out."""
    asking = ("explain", plan, "--agent", "b", "--time", 0, "--transcript", "talks.json")
    result = ss.solve(ss.Problem.from_text(CROSSROAD), "dpca")
    assert sidestep(*asking, "--detail").out == f"{result.why('b', 0, detail=True)}\n"
    assert sidestep(*asking, "--json").json["verified"] is True
    talks = plan.with_name("talks.json")
    data = json.loads(talks.read_text())
    for said in data["utterances"]:
        if said.get("vote") is not None:
            said["vote"] += 1
    talks.write_text(json.dumps(data))
    assert sidestep(*asking, "--json").json["verified"] is False


@pytest.mark.parametrize("parameters", [{"length_weight": "heavy"}, {"voter": {"name": "x"}}, {"speed": []}])
def test_parameters_that_make_no_sense_are_not_known(
    sidestep: Sidestep, plan: Path, parameters: dict[str, object]
) -> None:
    data = json.loads(plan.read_text())
    data["result"]["solver"]["parameters"] = parameters
    plan.write_text(json.dumps(data))
    done = sidestep("explain", plan, "--agent", "b", "--time", 0, "--detail", "--transcript", "talks.json")
    assert done.code == 0
    assert "a > b was adopted" in done.out
    assert "per step more" not in done.out


def test_all_steps_of_an_agent(sidestep: Sidestep, plan: Path) -> None:
    done = sidestep("explain", plan, "--agent", "b")
    assert done.out.startswith("b waited 1 step in all: 1 for a at (1, 1).")
    assert WAITS in done.out
    assert sidestep("explain", plan, "--agent", "a").out == "a always went on.\n"
    data = sidestep("explain", plan, "--agent", "b", "--json").json
    assert data["summary"]["waits"] == [{"steps": 1, "agent": "a", "place": [1, 1]}]
    assert [answer["time"] for answer in data["answers"]] == [0]


def test_everybody_at_one_time(sidestep: Sidestep, plan: Path) -> None:
    assert WAITS in sidestep("explain", plan, "--time", 0).out
    assert "everybody goes on" in sidestep("explain", plan, "--time", 2).out
    assert sidestep("explain", plan, "--time", 2, "--json").json == {"answers": []}


def test_a_table_of_all_agents(sidestep: Sidestep, plan: Path) -> None:
    done = sidestep("explain", plan)
    assert "1: 1 for a at (1, 1)" in done.out
    assert "1 of 2 agents always went on." in done.out
    data = sidestep("explain", plan, "--json").json
    assert [summary["agent"] for summary in data["agents"]] == ["a", "b"]


def test_a_trace_is_asked_about_whatever_changed_in_it(sidestep: Sidestep, folder: Path) -> None:
    world = ss.World(ss.Problem.from_text(CROSSROAD), ss.WHCA())
    while not world.done:
        world.step()
    io.write_trace(world.trace, "trace.json")
    assert "agents always went on." in sidestep("explain", "trace.json").out
    world.send("a", goal=(0, 1))
    world.step()
    io.write_trace(world.trace, "trace.json")
    answer = sidestep("explain", "trace.json", "--agent", "a", "--time", 3, "--json").json
    assert answer["verified"] is True


def test_a_plan_of_another_program(sidestep: Sidestep, folder: Path) -> None:
    Path("result.txt").write_text(FOREIGN)
    done = sidestep("explain", "result.txt", "--map", "small.map", "--agent", 0, "--time", 0)
    assert "a0 waits at (0, 0) although nobody is in its way." in done.out


def test_what_is_refused(sidestep: Sidestep, plan: Path, folder: Path) -> None:
    sidestep("explain", plan, "--agent", "c").refused("no agent named 'c'")
    sidestep("explain", plan, "--agent", 7).refused("no agent 7")
    sidestep("explain", plan, "--agent", "a", "--time", 9).refused("from 0 to 3")
    sidestep("explain", plan, "--time", -1).refused("from 0 to 3")
    sidestep("explain", "crossroad.txt").refused("there is no plan in it")
    sidestep("explain", "talks.json").refused("is a transcript file: there is no plan in it")
    sidestep("explain", plan, "--transcript", plan).refused("sidestep-transcript")
    sidestep("explain", plan, "--transcript", "none.json").refused("none.json")
    broken = json.loads(plan.read_text())
    broken["plan"]["paths"][1] = broken["plan"]["paths"][1][1:]
    Path("broken.json").write_text(json.dumps(broken))
    sidestep("explain", "broken.json").refused("not valid", "a and b are both on (1, 1)")


def test_the_transcript_of_another_plan_is_refused(sidestep: Sidestep, plan: Path, folder: Path) -> None:
    (folder / "other.txt").write_text("# a #\nB . b\n# A #\n")
    assert sidestep("solve", "other.txt", "--solver", "dpca", "--transcript", "other.json").code == 0
    sidestep("explain", plan, "--transcript", "other.json").refused("not this plan's")


def test_a_transcript_against_the_protocol_is_refused(sidestep: Sidestep, plan: Path) -> None:
    said = json.loads(Path("talks.json").read_text())
    said["utterances"] = [one for one in said["utterances"] if one["act"] != "propose"]
    Path("mute.json").write_text(json.dumps(said))
    sidestep("explain", plan, "--transcript", "mute.json").refused("utterance")
    done = sidestep("validate", "mute.json")
    assert done.code == 1
    assert "not valid: mute.json" in done.out
    assert sidestep("validate", "mute.json", "--json").json["valid"] is False


def test_a_transcript_is_judged(sidestep: Sidestep, plan: Path) -> None:
    done = sidestep("validate", "talks.json")
    assert (done.code, done.out) == (0, "valid: talks.json: 20 utterances of 2 agents\n")
    assert sidestep("validate", "talks.json", "--json").json == {
        "valid": True,
        "utterances": 20,
        "sentence": "",
    }


def test_a_transcript_is_no_plan_and_no_problem(sidestep: Sidestep, plan: Path) -> None:
    sidestep("view", "talks.json").refused("is a transcript file")
    sidestep("solve", "talks.json").refused("is a transcript file")
    sidestep("convert", "talks.json", "out.map").refused("is a transcript file")


def test_who_does_not_talk_has_no_transcript(sidestep: Sidestep, folder: Path) -> None:
    done = sidestep("solve", "drawing.txt", "--transcript", "talks.json")
    done.refused("the agents of auto say nothing to each other")
    assert not Path("talks.json").exists()
    sidestep("solve", "drawing.txt", "--transcript", "nowhere/talks.json").refused("no folder")
    sidestep("solve", "drawing.txt", "-o", "x.json", "--transcript", "x.json").refused("cannot be both")


def test_talks_that_lead_nowhere_are_kept(sidestep: Sidestep, folder: Path) -> None:
    grid = ss.Grid.from_text(". . . . .\n# # . # #")
    io.write_problem(ss.Problem(grid, [(0, 0), (0, 4)], [(0, 4), (0, 0)]), "corridor.json")
    done = sidestep("solve", "corridor.json", "--solver", "dpca", "--transcript", "talks.json")
    assert done.code == 1
    assert len(io.read_transcript("talks.json")) > 5


def test_a_page_says_why(sidestep: Sidestep, plan: Path) -> None:
    assert sidestep("view", plan, "--why", "-o", "why.html").code == 0
    (scene,) = shown(Path("why.html"))["scenes"]
    why, first = scene["remarks"]
    assert why[:3] == [0, "why", [1, 0]]
    assert why[3].startswith(WAITS)
    assert first == [2, "first", [0, 1], "a comes to (1, 1) at time 1, b at time 2."]
    sidestep("view", plan, plan, "--why").refused("a single plan")


def test_a_page_says_what_to_ask_of_the_plan_as_it_was_read(sidestep: Sidestep, folder: Path) -> None:
    Path("result.txt").write_text(FOREIGN)
    read = ("result.txt", "--map", "small.map", "--no-following", "--connectivity", "8")
    assert sidestep("view", *read, "--why", "-o", "why.html").code == 0
    (scene,) = shown(Path("why.html"))["scenes"]
    name, *asked = shlex.split(scene["question"])
    assert name == "sidestep"
    assert asked[:2] == ["explain", "result.txt"]
    assert set(asked[2:]) == set(read[1:])
    assert sidestep(*asked, "--agent", 0, "--time", 1, "--not", "0,1").code == 0
    assert sidestep("view", *read, "-o", "plain.html").code == 0
    assert "question" not in shown(Path("plain.html"))["scenes"][0]


def test_why_not(sidestep: Sidestep, plan: Path) -> None:
    arguments = ("explain", plan, "--agent", "b", "--time", 1, "--not", "1,1")
    done = sidestep(*arguments)
    assert (done.code, done.err) == (0, "")
    expected = ss.why_not(io.read_plan(plan), "b", 1, (1, 1))
    assert done.out.split() == expected.text.split()
    assert sidestep(*arguments, "--json").json == json.loads(json.dumps(expected.data()))
    assert sidestep(*arguments[:-1], "(1, 1)").out == done.out


def test_why_first(sidestep: Sidestep, plan: Path) -> None:
    done = sidestep("explain", plan, "--agent", "a", "--before", "b", "--transcript", "talks.json")
    assert done.out == "a comes to (1, 1) at time 1, b at time 2.\n"
    detail = ("--transcript", "talks.json", "--detail")
    assert "a > b was adopted" in sidestep("explain", plan, "--agent", "a", "--before", 1, *detail).out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--not", "1,1"), "goes with --agent and --time"),
        (("--agent", "b", "--time", 1, "--not", "here"), "ROW,COL"),
        (("--agent", "b", "--time", 1, "--not", "9,9"), "9"),
        (("--before", "b"), "goes with --agent"),
        (("--agent", "a", "--time", 0, "--before", "b"), "without --time"),
        (("--agent", "a", "--before", "b", "--not", "1,1"), "one at a time"),
    ],
)
def test_questions_that_do_not_fit_are_refused(
    sidestep: Sidestep, plan: Path, arguments: tuple[object, ...], says: str
) -> None:
    done = sidestep("explain", plan, *arguments)
    assert done.code == 2
    assert says in done.err
