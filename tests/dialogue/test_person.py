"""A person votes: proposals as sentences, a deadline, a default, and a mark in the transcript."""

from __future__ import annotations

import io
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sidestep as ss
from sidestep.cli import main
from sidestep.dialogue import Act, Person, check_protocol
from sidestep.dialogue.person import Terminal

CROSSING = ss.Problem.from_text("""
    # a #
    b . B
    # A #
""")


def asked(*answers: str | None) -> tuple[ss.Result, list[str]]:
    """A run in which a person answers for b, in this order."""
    questions: list[str] = []
    left = list(answers)

    def answer(question: str, seconds: float) -> str | None:
        questions.append(question)
        return left.pop(0)

    person = Person(["b"], CROSSING.names, CROSSING.space, deadline=5, answer=answer)
    return ss.solve(CROSSING, "dpca", voter=person), questions


def first(result: ss.Result) -> int:
    return next(said.order[0][0] for said in result.transcript.utterances if said.act is Act.ADOPT)


def test_proposals_are_sentences_and_the_answer_counts() -> None:
    result, questions = asked("no", "y")
    assert questions[0].startswith(
        "b and a would collide at (1, 1), time 1. a proposes a > b. For b the way would be 1 step longer, "
        "arriving at time 3, with 1 conflict fewer. Shall it be so?"
    )
    assert "b proposes b > a. For b the way stays as long as it is" in questions[1]
    assert first(result) == 1
    assert ss.validate(CROSSING, result.plan)
    check_protocol(result.transcript)
    assert "because a person is against it" in result.transcript.text()


def test_enter_leaves_it_to_the_agent_and_a_veto_forbids() -> None:
    assert first(asked("", "")[0]) == 0
    result, _ = asked("veto", "")
    assert first(result) == 1
    assert "veto a > b, because a person forbids it" in result.transcript.text()
    assert first(asked("100", "-100")[0]) == 1


def test_what_is_not_understood_is_asked_again() -> None:
    result, questions = asked("perhaps", "nan", "n", "")
    assert [question.startswith("I did not understand") for question in questions] == [
        False,
        True,
        True,
        False,
    ]
    assert first(result) == 1


def test_nobody_answers_and_the_agent_votes_as_usual() -> None:
    result, _ = asked(None, None)
    assert first(result) == 0
    kinds = {reason.kind for _, reason in result.transcript.reasons(0)}
    assert kinds == {"unanswered"}
    assert "nobody answered for it within 5 s" in result.transcript.text()


def test_the_terminal_waits_no_longer_than_it_was_told() -> None:
    class Silent(io.StringIO):
        def __iter__(self):
            time.sleep(60)
            return iter(())

    begin = time.monotonic()
    assert Terminal(Silent(), io.StringIO()).ask("?", 0.05) is None
    assert time.monotonic() - begin < 30
    said = io.StringIO()
    assert Terminal(io.StringIO("yes\n"), said).ask("Shall it be so?", 60) == "yes\n"
    assert said.getvalue() == "Shall it be so?\n"


def test_wrong_agents_and_deadlines_are_refused() -> None:
    with pytest.raises(ss.InputError, match="there is no agent 'x': there are a, b"):
        Person(["x"], CROSSING.names, CROSSING.space)
    with pytest.raises(ss.InputError, match="seconds above 0"):
        Person(["a"], CROSSING.names, CROSSING.space, deadline=0)


def test_the_command_asks_in_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "crossing.txt").write_text("# a #\nb . B\n# A #\n")
    command = [sys.executable, "-m", "sidestep", "solve", "crossing.txt", "--solver", "dpca", "--ask", "b"]
    kept = ["--transcript", "said.json", "-o", "plan.json", "--json", "--deadline", "60"]
    run = subprocess.run(
        [*command, *kept],
        cwd=tmp_path,
        input="n\ny\n",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "b and a would collide at (1, 1), time 1" in run.stderr
    assert '"voter": "Person(' in run.stdout
    assert "a person is against it" in (tmp_path / "said.json").read_text()
    assert "Person" in (tmp_path / "plan.json").read_text()


def test_only_those_who_vote_can_be_asked(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "crossing.txt").write_text("# a #\nb . B\n# A #\n")
    assert main(["solve", str(tmp_path / "crossing.txt"), "--solver", "cbs", "--ask", "b"]) == 2
    assert "do not vote: --ask needs dpca, dpca+ or wdpca" in capfd.readouterr().err
