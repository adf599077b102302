"""A transcript is data: it can be kept, read again, replayed and shown."""

from __future__ import annotations

import json
import pickle

import pytest

import sidestep as ss
from sidestep.dialogue import Act, Stage, Transcript, check_protocol
from sidestep.dialogue.utterance import order_text
from sidestep.instances import random_grid, random_problem
from sidestep.io import read_transcript, write_transcript


def run(solver: str, seed: int = 1, **params) -> ss.Result:
    grid = random_grid(8, 8, 0.15, seed, connectivity=8, corners="free")
    return ss.solve(random_problem(grid, 12, seed), solver, **params)


@pytest.mark.parametrize("solver", ["pca", "dpca", "dpca+", "wdpca"])
def test_a_transcript_survives_json(solver):
    transcript = run(solver).transcript
    data = json.loads(json.dumps(transcript.data()))
    again = Transcript.from_data(transcript.space, data)
    assert again == transcript
    assert again.utterances == transcript.utterances
    assert again.text() == transcript.text()
    check_protocol(again)


@pytest.mark.parametrize("solver", ["dpca", "wdpca"])
def test_a_transcript_survives_a_file(solver, tmp_path):
    transcript = run(solver).transcript
    write_transcript(transcript, tmp_path / "talks.json")
    assert read_transcript(tmp_path / "talks.json") == transcript


def test_a_file_that_is_no_transcript_is_refused(tmp_path):
    path = tmp_path / "talks.json"
    write_transcript(run("dpca").transcript, path)
    data = json.loads(path.read_text())
    data["utterances"][0]["act"] = "shout"
    path.write_text(json.dumps(data))
    with pytest.raises(ss.FormatError, match="shout"):
        read_transcript(path)


@pytest.mark.parametrize("data", [{}, {"names": ["a"], "silent": False, "rounds": [0], "topics": [[1]]}])
def test_nonsense_is_no_transcript(data):
    with pytest.raises(ss.InputError, match="no transcript"):
        Transcript.from_data(ss.Grid.from_text(". ."), data)


def test_a_result_with_its_transcript_can_be_pickled():
    result = run("wdpca")
    again = pickle.loads(pickle.dumps(result))
    assert again.transcript == result.transcript


def test_the_same_run_says_the_same():
    assert run("dpca").transcript == run("dpca").transcript
    assert run("dpca").transcript != run("dpca", seed=2).transcript


def test_messages_and_bytes_are_counted_as_the_transcript_has_them():
    for solver in ("pca", "dpca", "dpca+", "wdpca"):
        result = run(solver)
        said = result.transcript.utterances
        assert result.stats["messages"] == sum(len(one.hearers) for one in said)
        assert result.stats["bytes"] == sum(
            len(one.hearers)
            * (4 + 8 * len(one.order) + 4 * len(one.path) + (8 if one.vote is not None else 0))
            for one in said
        )


def test_whoever_has_an_earlier_conflict_puts_later_ones_on_hold():
    said = run("dpca").transcript.utterances
    held = {one.dialogue for one in said if one.act is Act.HOLD}
    assert held
    opened_again = {one.dialogue for one in said if one.stage is Stage.PROPOSAL}
    assert held & opened_again  # some are settled by an earlier one, not all


def test_orders_in_words():
    names = ("a", "b", "c", "d")
    assert order_text(((0, 1),), names) == "a > b"
    assert order_text(((0, 1), (0, 2)), names) == "a > b, c"
    assert order_text(((2, 1), (2, 0), (1, 0)), names) == "c > b > a"
    assert order_text(((0, 1), (0, 2), (0, 3), (1, 2)), names) == "a > b, c, d; b > c"
    assert order_text((), names) == ""


def test_on_a_graph_paths_are_vertices():
    ring = ss.Graph(6, [(k, (k + 1) % 6) for k in range(6)])
    result = ss.solve(ss.Problem(ring, [0, 2], [2, 0]), "dpca")
    assert "new path {0, " in result.transcript.text()


@pytest.mark.parametrize("solver", ["pca", "dpca", "dpca+", "wdpca"])
def test_the_text_is_in_the_order_in_which_things_were_said(solver):
    transcript = run(solver, seed=3).transcript
    spoken = [line.strip() for line in transcript.text().splitlines() if line.startswith("  ")]
    assert spoken == [
        f"{transcript.names[said.speaker]}: {transcript.said(said)}" for said in transcript.utterances
    ]


def test_a_dialogue_that_was_on_hold_goes_on_or_is_said_not_to():
    """Every dialogue has a heading each time that it is taken up, and one without an order has an end."""
    transcript = next(
        found
        for seed in range(20)
        if "hold" in (found := run("dpca", seed, settle_circles=True).transcript).text()
    )
    lines = transcript.text().splitlines()
    adopted = {said.dialogue for said in transcript.utterances if said.act is Act.ADOPT}
    held = {said.dialogue for said in transcript.utterances if said.act is Act.HOLD}
    assert sum(" go on: they would collide at " in line for line in lines) == len(held & adopted)
    assert lines.count("It stays on hold, and is not taken up again") == len(held - adopted)
    assert not [line for line in lines if line == "It ends without an order"]
