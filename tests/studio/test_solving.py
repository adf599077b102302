"""Solving over the socket: progress, verdicts, payloads, cancelling, and workers that die."""

from __future__ import annotations

import gzip
import json
import os
import signal
import struct
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from typing import Any

import httpx
import numpy as np
import pytest

import sidestep as ss
from sidestep import io
from sidestep.io.files import Document
from sidestep.solvers import SOLVERS
from sidestep.studio.shelf import Shelf
from sidestep.studio.worker import KEEP
from sidestep.viewer.payload import VERSION

from .conftest import Studio, cpu_seconds, crowd, eventually, hard, instance, running

pytestmark = pytest.mark.bounds

TOLD = (
    *("status", "reason", "cost", "makespan", "seconds", "nodes", "messages", "bytes", "valid"),
    *("lower_bound", "has_transcript", "cut_off"),
)
ENDLESS = {"do": "solve", "id": 1, "runs": [{"solver": "od"}], "seconds": 60}


def header_of(message: bytes) -> dict[str, Any]:
    """The header of a payload, as the player would read it."""
    data = gzip.decompress(message[8:])
    (length,) = struct.unpack_from("<I", data)
    header: dict[str, Any] = json.loads(data[4 : 4 + length])
    assert header["version"] == VERSION
    return header


def hues_in(message: bytes) -> bytes:
    """The colours of the agents of the first scene."""
    data = gzip.decompress(message[8:])
    (length,) = struct.unpack_from("<I", data)
    begin, _, count = json.loads(data[4 : 4 + length])["scenes"][0]["hues"]
    return data[4 + length + begin :][:count]


def paths_in(message: bytes, scene: int = 0) -> np.ndarray[Any, Any]:
    """The positions of a scene, decoded: a row per time."""
    data = gzip.decompress(message[8:])
    (length,) = struct.unpack_from("<I", data)
    entry = json.loads(data[4 : 4 + length])["scenes"][scene]
    kinds = {"u1": np.uint8, "i4": np.int32}

    def array(name: str) -> np.ndarray[Any, Any]:
        begin, kind, count = entry[name]
        return np.frombuffer(data, kinds[kind], count, 4 + length + begin)

    codes = array("codes").reshape(entry["agents"], entry["steps"])
    moves = array("deltas")[np.minimum(codes, len(array("deltas")) - 1)]
    assert not (codes == 255).any()  # nobody jumps in a plan in which all stay
    first = array("first")[:, None]
    return np.concatenate([first, first + np.cumsum(moves, axis=1)], axis=1).T


def test_a_solve_ends_with_a_verdict_and_something_to_look_at(studio):
    with studio.page() as page:
        result, payload, done = page.answers(
            do="solve", id=7, instance=instance(), runs=[{"solver": "cbs"}], seconds=5, seed=3
        )
    told = result["result"]
    assert (result["id"], result["index"]) == (7, 0)
    assert (told["status"], told["valid"], told["cost"], told["lower_bound"]) == ("optimal", True, 13, 13)
    assert told["seconds"] > 0
    assert told["nodes"] > 0
    assert told["has_transcript"] is False
    assert struct.unpack_from("<II", payload) == (7, 0)
    assert done == {"id": 7, "done": True}
    problem = ss.Problem.from_text("a . . B\n# # . #\nb . . A")
    plan = ss.Plan(problem, paths_in(payload).astype(np.int32))
    report = ss.validate(problem, plan)
    assert report
    assert report.cost == 13


def test_several_solvers_are_compared(studio):
    runs = [{"solver": "whca", "params": {"window": 8}}, {"solver": "lra"}, {"solver": "dpca"}]
    with studio.page() as page:
        heard = page.all(do="solve", id=1, instance=crowd(12), runs=runs, seconds=10)
    results = [message["result"] for message in heard if isinstance(message, dict) and "result" in message]
    assert [result["valid"] for result in results] == [True] * 3
    assert results[2]["messages"] > 0
    assert results[2]["has_transcript"]
    payloads = {
        struct.unpack_from("<II", message)[1]: message for message in heard if isinstance(message, bytes)
    }
    assert set(payloads) == {0, 1, 2, 255}
    assert [scene["label"] for scene in header_of(payloads[255])["scenes"]] == [
        "whca window=8",
        "lra",
        "dpca",
    ]
    for index in range(3):
        assert np.array_equal(paths_in(payloads[255], index), paths_in(payloads[index]))


def test_what_has_no_plan_says_why(studio):
    with studio.page() as page:
        (result, done) = page.answers(
            do="solve", id=1, instance=instance("a b B A"), runs=[{"solver": "whca"}], seconds=5
        )
    assert result["result"]["status"] == "infeasible"
    assert result["result"]["reason"]
    assert result["result"]["valid"] is False
    assert done["done"]


def test_a_run_without_a_plan_can_be_asked_why(studio):
    text = "# # . # #\na B . A b"
    with studio.page() as page:
        page.all(do="solve", id=1, instance=instance(text), runs=[{"solver": "dpca"}], seconds=5)
        why = page.all(do="why", id=2, run=[1, 0])[0]["why"]
        detailed = page.all(do="why", id=3, run=[1, 0], detail=True)[0]["why"]
        assert "an agent and a time" in page.refused(do="why", id=4, run=[1, 0], agent=0)
    wanted = ss.solve(ss.Problem.from_text(text), "dpca")
    assert (why["text"], detailed["text"]) == (wanted.why().text, wanted.why(detail=True).text)
    assert why["data"]["verified"]


def test_a_solver_that_refuses_does_not_spoil_the_others(studio):
    large = instance()
    large["agents"][0]["period"] = 2
    with studio.page() as page:
        runs = [{"solver": "lra"}, {"solver": "cbs"}]
        first, second, done = page.all(do="solve", id=1, instance=large, runs=runs, seconds=5)
    assert [message["result"]["status"] for message in (first, second)] == ["refused", "refused"]
    assert "period 1" in first["result"]["reason"]
    assert done == {"id": 1, "done": True}


def test_progress_is_told_while_it_runs_and_a_time_limit_holds(studio):
    with studio.page() as page:
        begin = time.monotonic()
        heard = page.all(**{**ENDLESS, "instance": hard(), "seconds": 1.5})
        took = time.monotonic() - begin
    told = [message["progress"] for message in heard if "progress" in message]
    assert len(told) >= 2
    assert all(
        one["nodes"] <= two["nodes"] and one["seconds"] < two["seconds"] for one, two in pairwise(told)
    )
    assert heard[-2]["result"]["status"] == "timeout"
    # It may end a little early, rather than begin a copy that would end late: see the tests of limits.
    assert 0.75 < took < 30


def test_cancelling_takes_less_than_200_milliseconds(studio):
    """Of the worker's time, and of that of the server and the page together."""
    took = []
    with studio.page() as page:
        for number in range(5):
            page.send(**{**ENDLESS, "id": number, "instance": hard()})
            page.until("progress")
            (worker,) = studio.pool.working
            begin = cpu_seconds(worker.pid), time.process_time()
            page.send(do="cancel", id=number)
            assert page.until("done") == {"id": number, "cancelled": True, "done": True}
            took.append((cpu_seconds(worker.pid) - begin[0], time.process_time() - begin[1]))
    for spent in zip(*took, strict=True):
        assert sorted(spent)[2] < 0.2, took
    assert studio.quiet()


def test_a_worker_that_does_not_heed_is_killed(studio):
    """A stopped process stands for one that is caught in an endless loop."""
    with studio.page() as page:
        page.send(**{**ENDLESS, "instance": hard()})
        page.until("progress")
        (worker,) = studio.pool.working
        os.kill(worker.pid, signal.SIGSTOP)
        page.send(do="cancel", id=1)
        assert page.until("done")["cancelled"]
        assert studio.quiet()
        assert eventually(lambda: not is_running(worker.pid))
        assert page.all(do="solve", id=2, instance=instance(), runs=[{"solver": "cbs"}], seconds=5)[0][
            "result"
        ]


def test_a_queued_solve_can_be_cancelled(studio):
    with studio.page() as page:
        for number in range(3):
            page.send(**{**ENDLESS, "id": number, "instance": hard()})
        page.until("progress")
        page.send(do="cancel", id=2)
        assert page.until("done")["id"] == 2
        for number in range(2):
            page.send(do="cancel", id=number)
        assert {page.until("done")["id"] for _ in range(2)} == {0, 1}
    assert all(lane.busy == 0 for lane in studio.pool.lanes.values())


def test_a_solve_ends_when_its_page_goes_away(studio):
    with studio.page() as page:
        page.send(**{**ENDLESS, "instance": hard()})
        page.until("progress")
        (worker,) = studio.pool.working
        begin = cpu_seconds(worker.pid)
    assert studio.quiet()
    assert cpu_seconds(worker.pid) - begin < 1.0
    assert eventually(lambda: studio.server.guard.sockets == 0)


def test_a_solve_ends_when_its_page_is_cut_off(studio):
    with studio.page() as page:
        page.send(**{**ENDLESS, "instance": hard()})
        page.until("progress")
        (worker,) = studio.pool.working
        begin = cpu_seconds(worker.pid)
        page.connection.socket.shutdown(2)
        assert studio.quiet()
        assert cpu_seconds(worker.pid) - begin < 1.0


def test_a_worker_that_is_killed_ends_only_its_job(studio):
    with studio.page() as page, studio.page() as other:
        page.send(**{**ENDLESS, "instance": hard()})
        page.until("progress")
        (worker,) = studio.pool.working
        other.send(**{**ENDLESS, "instance": hard()})
        other.until("progress")
        os.kill(worker.pid, signal.SIGKILL)
        ended = page.until("done")
        assert "SIGKILL" in ended["error"]
        assert other.until("progress")
        assert page.all(do="solve", id=2, instance=instance(), runs=[{"solver": "cbs"}], seconds=5)[0][
            "result"
        ]


def test_a_request_ends_when_whoever_sent_it_goes_away(studio):
    size = {"height": 1000, "width": 1000}
    body = json.dumps({"generator": "maze", "params": size, "agents": 5000}).encode()
    head = f"POST /api/generate HTTP/1.1\r\nHost: {studio.host}\r\n{studio.origin}\r\n{studio.bearer}\r\n"
    with studio.plug() as plug:
        plug.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        assert eventually(lambda: len(studio.pool.working) == 1)
        (worker,) = studio.pool.working
        begin = cpu_seconds(worker.pid)
    assert studio.quiet()
    assert cpu_seconds(worker.pid) - begin < 1.0


def test_an_idle_worker_that_is_killed_is_replaced(studio):
    assert studio.quiet()
    idle = list(studio.pool.idle)
    for worker in idle:
        with suppress(ProcessLookupError):  # killed by another test before
            os.kill(worker.pid, signal.SIGKILL)
    assert eventually(lambda: not any(worker.is_alive for worker in idle))
    answer = studio.client.post("/api/generate", json={"generator": "empty"})
    assert answer.status_code == 200


def test_no_worker_outlives_the_studio():
    with running() as studio, studio.page() as page:
        page.send(**{**ENDLESS, "instance": hard()})
        page.until("progress")
        pids = [worker.pid for worker in (*studio.pool.working, *studio.pool.idle)]
        assert pids
    assert eventually(lambda: not any(map(is_running, pids)))


def test_no_worker_outlives_a_studio_that_is_asked_for_a_map():
    """The request was under way when the studio was closed."""
    body = {"generator": "maze", "params": {"height": 1000, "width": 1000}, "agents": 5000}
    with ThreadPoolExecutor(1) as elsewhere, running() as studio:
        asked = elsewhere.submit(studio.client.post, "/api/generate", json=body)
        assert eventually(lambda: len(studio.pool.working) == 1)
        pids = [worker.pid for worker in (*studio.pool.working, *studio.pool.idle)]
        studio.server.stop()
        with suppress(httpx.HTTPError):
            asked.result(30)  # it is refused, or was answered just before the end
    assert eventually(lambda: not any(map(is_running, pids)))


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("name", SOLVERS)
def test_every_solver_is_told_in_the_same_words(studio, name):
    with studio.page() as page:
        heard = page.answers(do="solve", id=1, instance=instance(), runs=[{"solver": name}], seconds=10)
    told = heard[0]["result"]
    assert set(told) == set(TOLD)
    assert told["valid"] == (told["status"] in ("optimal", "solved"))
    if told["valid"]:
        assert told["cost"] >= 13
        assert header_of(heard[1])["scenes"][0]["verdict"]["valid"]


# Questions


def test_why_and_the_plan_in_which_it_has_its_way(studio):
    with studio.page() as page:
        page.all(do="solve", id=1, instance=instance(), runs=[{"solver": "cbs"}], seconds=5)
        waiting = None
        for agent in range(2):
            for moment in range(4):
                heard = page.all(do="why", id=10, run=[1, 0], agent=agent, time=moment)
                if heard[0]["why"]["data"]["because"]:
                    waiting = heard
        assert waiting is not None
    answer, payload, done = waiting
    assert answer["why"]["text"]
    assert answer["why"]["data"]["verified"]
    assert answer["why"]["data"]["alternative"]
    assert header_of(payload)["scenes"][0]["verdict"]["valid"]
    assert done == {"id": 10, "done": True}


def test_why_not_there_and_why_first_are_those_of_the_library(studio):
    with studio.page() as page:
        page.all(do="solve", id=1, instance=instance(), runs=[{"solver": "dpca"}], seconds=5)
        found = page.all(do="plan", id=2, run=[1, 0])[0]["plan"]
        said = [
            page.all(do="why_not", id=3, run=[1, 0], agent=0, time=1, place=[1, 1])[0]["why"],
            page.all(do="why_first", id=3, run=[1, 0], agent=0, other=1, detail=True)[0]["why"],
        ]
        assert "no agent" in page.refused(do="why_first", id=4, run=[1, 0], agent=0, other=9)
        assert "outside" in page.refused(do="why_not", id=4, run=[1, 0], agent=0, time=1, place=[99, 0])
        assert "(row, col)" in page.refused(do="why_not", id=4, run=[1, 0], agent=0, time=1, place=3)
        assert "true or false" in page.refused(do="why", id=4, run=[1, 0], agent=0, time=1, detail=2)
    result = ss.solve(io.read_plan(Document(found)).problem, "dpca")
    wanted = [ss.why_not(result, 0, 1, (1, 1)), ss.why_first(result, 0, 1, detail=True)]
    assert [one["text"] for one in said] == [one.text for one in wanted]
    assert all(one["data"]["verified"] for one in said)


def test_questions_that_have_no_answer(studio):
    with studio.page() as page:
        page.all(do="solve", id=1, instance=instance(), runs=[{"solver": "cbs"}], seconds=5)
        assert "no agent" in page.refused(do="why", id=2, run=[1, 0], agent=9, time=0)
        assert "a time is from 0" in page.refused(do="why", id=2, run=[1, 0], agent=0, time=99)
        assert "say nothing" in page.refused(do="transcript", id=2, run=[1, 0])
        assert "no such run" in page.refused(do="plan", id=2, run=[1, 1])


def test_results_of_one_page_are_not_those_of_another(studio):
    with studio.page() as page, studio.page() as other:
        page.all(do="solve", id=1, instance=instance(), runs=[{"solver": "cbs"}], seconds=5)
        assert "no such run" in other.refused(do="why", id=2, run=[1, 0], agent=0, time=0)


def test_old_results_are_forgotten(studio):
    runs = [{"solver": "whca"}] * 6
    with studio.page() as page:
        for number in range(5):
            page.all(do="solve", id=number, instance=instance(), runs=runs, seconds=5)
        assert "forgotten" in page.refused(do="plan", id=9, run=[0, 5])
        assert page.all(do="plan", id=9, run=[1, 0])[0]["plan"]


def test_teams_have_the_colours_of_the_replay(studio):
    """In the player and in the exported code; teams that are no names, one per agent, are refused."""
    drawn = {**instance(), "teams": ["red", "red"]}
    with studio.page() as page:
        messages = page.answers(do="solve", id=1, instance=drawn, runs=[{"solver": "cbs"}], seconds=5)
        assert hues_in(next(one for one in messages if isinstance(one, bytes))) == b"\0\0"
        for teams in (["red"], ["red", 3], "red", ["x" * 101, ""]):
            bad = {**instance(), "teams": teams}
            said = page.all(do="solve", id=2, instance=bad, runs=[{"solver": "cbs"}], seconds=5)[-1]["error"]
            assert "teams" in said
    answer = studio.client.post("/api/write", json={"instance": drawn, "what": "python", "solver": "cbs"})
    assert "ss.replay(result, teams=['red', 'red'])" in answer.json()["text"]


def test_a_page_that_comes_again_is_told_what_came_of_its_latest_solve(studio):
    """By the name that it gave itself; it can ask about all that is kept. Nobody else is told."""
    name = "1" * 32
    runs = [{"solver": "cbs"}, {"solver": "whca"}]
    with studio.page(name) as page:
        page.all(do="solve", id=1, instance=instance(), runs=runs, seconds=5)
        first = page.answers(do="solve", id=2, instance=instance(), runs=runs, seconds=5)
        with studio.page(name) as copy:  # of the same name, while the first is still there
            assert "nothing is kept" in copy.all(do="again", id=2)[-1]["error"]
    with studio.page(name) as page:
        assert page.answers(do="again", id=2) == first
        assert "nothing is kept" in page.all(do="again", id=1)[-1]["error"]
        for solve in (1, 2):
            assert page.all(do="plan", id=5, run=[solve, 1])[0]["plan"]
    with studio.page("2" * 32) as other, studio.page() as nameless:
        for page in (other, nameless):
            assert "nothing is kept" in page.all(do="again", id=2)[-1]["error"]
    assert studio.handshake(studio.bearer, studio.origin, path="/socket?page=../../etc") == 403


def test_what_is_kept_for_pages_that_are_gone_is_limited():
    """The oldest goes first: of one page, and of all pages that are gone."""
    shelf = Shelf(100)
    one = shelf.take("a" * 32)
    for solve in range(3):
        one.keep(solve, 0, KEEP, bytes(40))
    assert one.size == 80
    with pytest.raises(ss.InputError, match="forgotten"):
        one.result(0, 0)
    shelf.give_back(one)
    assert shelf.take("a" * 32).result(2, 0) == bytes(40)
    shelf.give_back(one)
    other = shelf.take("b" * 32)
    other.keep(1, 0, KEEP, bytes(40))
    shelf.give_back(other)
    assert shelf.take("a" * 32).size == 0
    assert shelf.take("b" * 32).size == 40


def test_the_transcript_has_times_and_places(studio):
    with studio.page() as page:
        page.all(do="solve", id=1, instance=crowd(12), runs=[{"solver": "dpca"}], seconds=10)
        said, done = page.all(do="transcript", id=2, run=[1, 0])
    lines = said["transcript"]
    assert said["total"] == len(lines)
    assert {"opening", "proposal", "closing"} <= {line["stage"] for line in lines}
    assert all(0 <= line["speaker"] < 12 and line["text"] and line["time"] >= 0 for line in lines)
    assert all((line["place"] is None) == (line["dialogue"] == -1) for line in lines)
    assert done["done"]


def test_every_agent_of_a_talkative_solver_can_be_asked(studio):
    with studio.page() as page:
        page.all(do="solve", id=1, instance=crowd(12), runs=[{"solver": "dpca"}], seconds=10)
        answers = [page.all(do="why", id=2, run=[1, 0], agent=agent, time=1)[0]["why"] for agent in range(12)]
    assert all(answer["data"]["verified"] for answer in answers)


def test_a_result_becomes_a_plan_file(studio, tmp_path):
    with studio.page() as page:
        page.all(do="solve", id=1, instance=instance(), runs=[{"solver": "cbs"}], seconds=5)
        said, _ = page.all(do="plan", id=2, run=[1, 0])
    path = tmp_path / "plan.json"
    path.write_text(said["plan"])
    found = io.read_plan(path)
    assert found.plan is not None
    assert ss.validate(found.problem, found.plan)
    assert found.plan.cost == 13


@pytest.mark.slow
def test_a_hundred_agents_and_three_solvers(studio: Studio) -> None:
    runs = [{"solver": "whca"}, {"solver": "hca"}, {"solver": "ca"}]
    with studio.page() as page:
        heard = page.all(do="solve", id=1, instance=crowd(100, 32), runs=runs, seconds=20)
    results = [message["result"] for message in heard if isinstance(message, dict) and "result" in message]
    assert [result["valid"] for result in results] == [True] * 3
