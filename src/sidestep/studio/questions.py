"""Questions about results: why, what was said, and the plan itself. Results are kept packed in between."""

from __future__ import annotations

import pickle
import zlib
from itertools import islice
from typing import Any

from ..dialogue.utterance import Stage
from ..explain import Answer, Inquiry
from ..explain.answer import plain
from ..io.jsonfile import Record
from ..io.planfile import dumps_result
from ..model.errors import InputError
from ..model.result import Result
from ..solvers.parameters import changed_parameters
from ..viewer.replay import replay
from .requests import Told, asked, message_of
from .worker import Desk

MAX_UTTERANCES = 20_000


def label_of(solver: Any) -> str:
    """A solver's name, with those of its parameters that are not as usual."""
    unusual = [f"{name}={value}" for name, value in changed_parameters(solver).items()]
    return " ".join([solver.name, *unusual])


def packed(result: Result) -> bytes:
    """A result as the server keeps it, without ever looking into it."""
    return zlib.compress(pickle.dumps(result), 1)


# Questions about a result that another job has packed


def why(desk: Desk, message: Told, run: bytes) -> None:
    """Why an agent does what it does, and the plan in which it has its way; or why there is no plan."""
    request = asked(message_of(message), "do", "id", "run")
    agent, when = (request.integer(name, low=0) if request.has(name) else None for name in ("agent", "time"))
    detail = detail_of(request)
    request.done()
    show_answer(desk, Inquiry(_unpacked(run)).why(agent, when, detail=detail))


def why_not(desk: Desk, message: Told, run: bytes) -> None:
    """Why an agent is not in a place at a time, and the plan in which it is."""
    request = asked(message_of(message), "do", "id", "run")
    agent, when, detail = request.integer("agent", low=0), request.integer("time", low=0), detail_of(request)
    is_cell = isinstance(request.get("place"), list)
    place = tuple(request.integers("place")) if is_cell else request.integer("place")
    request.done()
    show_answer(desk, Inquiry(_unpacked(run)).why_not(agent, when, place, detail=detail))


def why_first(desk: Desk, message: Told, run: bytes) -> None:
    """Where one agent went before another, and why."""
    request = asked(message_of(message), "do", "id", "run")
    agent, other, detail = (
        request.integer("agent", low=0),
        request.integer("other", low=0),
        detail_of(request),
    )
    request.done()
    show_answer(desk, Inquiry(_unpacked(run)).why_first(agent, other, detail=detail))


def detail_of(request: Record) -> bool:
    """Whether the answer is for experts; for operators unless that is said."""
    return request.has("detail") and request.flag("detail")


def show_answer(desk: Desk, answer: Answer, about_times: str = "") -> None:
    """The answer, how to read its times where it has any, and the counterfactual to look at."""
    note = f"\n{about_times}" if about_times and "time " in answer.text else ""
    desk.say(why={"text": answer.text + note, "data": answer.data()})
    if answer.alternative is not None:
        desk.show(0, replay(answer.alternative, labels=["if it had its way"]).payload)


def transcript(desk: Desk, message: Told, run: bytes) -> None:
    """What the agents said to each other, each utterance with the time and the place that it is about."""
    asked(message_of(message), "do", "id", "run").done()
    said = _unpacked(run).transcript
    if said is None:
        raise InputError("the agents of this solver say nothing to each other")
    lines = []
    about: dict[int, tuple[int, int]] = {}  # place and time, as they were when the dialogue was last opened
    for moment in islice(said.replay(), MAX_UTTERANCES):
        utterance, begin = moment.utterance, said.rounds[moment.utterance.round]
        dialogue = utterance.dialogue
        if dialogue >= 0 and (dialogue not in about or utterance.stage is Stage.OPENING):
            about[dialogue] = said.conflict(said.topics[dialogue], moment.paths)
        place, time = about.get(dialogue, (-1, 0))
        lines.append(
            {
                "round": utterance.round,
                "dialogue": utterance.dialogue,
                "stage": str(utterance.stage),
                "speaker": utterance.speaker,
                "text": said.said(utterance),
                "time": begin + time,
                "place": None if dialogue < 0 else plain(said.space.place(place)),
            }
        )
    desk.say(transcript=lines, total=len(said.utterances))


def plan(desk: Desk, message: Told, run: bytes) -> None:
    """A result as one of our plan files."""
    asked(message_of(message), "do", "id", "run").done()
    result = _unpacked(run)
    desk.say(plan=dumps_result(result))


def _unpacked(run: bytes) -> Result:
    # Only a worker makes such bytes, and they never leave the server in between.
    result: Result = pickle.loads(zlib.decompress(run))
    return result
