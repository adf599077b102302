"""The transcript: everything that was said, to be read, stored, replayed and checked.

While a solver runs, the core takes minutes; the utterances are made of them when somebody asks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from .. import _core
from ..model.arrays import is_number, is_whole
from ..model.errors import InputError
from ..model.grid import Grid
from ..model.space import Space
from .utterance import NO_DIALOGUE, Act, Action, Order, Reason, Stage, Topic, Utterance, order_text

DIRECTIONS = {
    **{(0, 0): "wait", (-1, 0): "north", (1, 0): "south", (0, -1): "west", (0, 1): "east"},
    **{(-1, -1): "north west", (-1, 1): "north east", (1, -1): "south west", (1, 1): "south east"},
}


@dataclass(frozen=True, slots=True)
class Moment:
    """What everybody knows after an utterance: the paths told in this round and the orders adopted in it."""

    utterance: Utterance
    paths: dict[int, tuple[int, ...]]
    orders: set[tuple[int, int]]


class Transcript:
    """Utterances in the order in which they were made.

    A *round* is one time of planning: an offline solver has one, a windowed one plans again and again, and
    orders hold only for their round. `rounds` has the time at which each begins, `topics` the conflict that
    each dialogue is about. Where something has changed near some agents, only those in reach of it talk, and
    all others go on as they said: `among` has the agents of such rounds by the number of the round.
    """

    def __init__(
        self, space: Space, names: tuple[str, ...], *, silent: bool = False, keep_orders: bool = True
    ) -> None:
        self.space, self.names = space, names
        self.silent = silent  # orders are adopted without a dialogue (PCA*)
        self.keep_orders = keep_orders  # two agents agree on an order once; as printed, they may again
        self.rounds: list[int] = []
        self.among: dict[int, tuple[int, ...]] = {}
        self.topics: list[Topic] = []
        self.held_topics: dict[int, Topic] = {}  # of dialogues whose conflict moved while they were on hold
        self._minutes: list[tuple[int, int, _core.Minutes]] = []  # with their round and step
        self._reasons: dict[tuple[int, Order, int], tuple[Reason, ...]] = {}  # of votes still in minutes
        self._made: list[Utterance] = []

    # Writing

    def begin_round(self, time: int, among: tuple[int, ...] | None = None) -> int:
        """Everything is open again, between all or only among these; returns the number of the new round."""
        self.rounds.append(time)
        number = len(self.rounds) - 1
        if among is not None:
            self.among[number] = among
        return number

    def begin_dialogue(self, topic: Topic) -> int:
        """Returns the number of the new dialogue."""
        self.topics.append(topic)
        return len(self.topics) - 1

    def take_up(self, number: int, topic: Topic) -> None:
        """A dialogue that was on hold goes on; its conflict may have moved meanwhile."""
        if self.topics[number] != topic:
            self.held_topics[number] = self.topics[number]
            self.topics[number] = topic

    def note(self, number: int, minutes: _core.Minutes, step: int = 0) -> None:
        """Takes down what was said in a round, in one of its lock-steps if it has any."""
        self._minutes.append((number, step, minutes))

    def add(self, said: Iterable[Utterance]) -> None:
        """Takes down utterances that were not made in the core."""
        self._made = [*self.utterances, *said]

    def note_said(self, said: list[Utterance]) -> None:
        """Takes down what was not said through the core."""
        self.utterances  # noqa: B018  # makes what was said before
        self._made.extend(said)

    def give_reasons(self, dialogue: int, order: Order, speaker: int, reasons: tuple[Reason, ...]) -> None:
        """Keeps the reasons that come with an agent's vote on an order in a dialogue."""
        self._reasons[dialogue, order, speaker] = reasons

    def taken_reasons(self, dialogue: int, order: Order, speaker: int) -> tuple[Reason, ...]:
        """The reasons that were kept for a vote, which has them from now on."""
        return self._reasons.pop((dialogue, order, speaker), ())

    # Reading

    @property
    def utterances(self) -> tuple[Utterance, ...]:
        """All of them."""
        for number, step, minutes in self._minutes:
            self._made.extend(map(self._with_reasons, _utterances(number, minutes, step)))
        self._minutes.clear()
        self._reasons.clear()  # what is left came before another's veto, and was never said
        return tuple(self._made)

    def _with_reasons(self, said: Utterance) -> Utterance:
        if not self._reasons or said.act not in (Act.VOTE, Act.VETO):
            return said
        reasons = self.taken_reasons(said.dialogue, said.order, said.speaker)
        return replace(said, reasons=reasons) if reasons else said

    def reasons(self, dialogue: int) -> tuple[tuple[int, Reason], ...]:
        """What was argued in a dialogue: who gave which reason, each once, in the order of what was said."""
        return tuple(
            dict.fromkeys((said.speaker, one) for said in self.dialogue(dialogue) for one in said.reasons)
        )

    def dialogue(self, number: int) -> tuple[Utterance, ...]:
        """What was said in one dialogue, in all its stages, before and after it was on hold."""
        return tuple(said for said in self.utterances if said.dialogue == number)

    def replay(self) -> Iterator[Moment]:
        """The utterances again, one by one, with what everybody knows after each."""
        paths: dict[int, tuple[int, ...]] = {}
        orders: set[tuple[int, int]] = set()
        number = -1
        for said in self.utterances:
            if said.round != number:
                number, paths, orders = said.round, self._still_told(number, said.round, paths), set()
            if said.act is Act.NEW_PATH and said.stage in (Stage.EXCHANGE, Stage.CLOSING):
                paths = {**paths, said.speaker: said.path}
            if said.act is Act.ADOPT:
                orders = orders | set(said.order)
            if said.act is Act.GO_FIRST:
                orders = went_first(said, orders)
            yield Moment(said, paths, orders)

    def _still_told(
        self, before: int, now: int, paths: dict[int, tuple[int, ...]]
    ) -> dict[int, tuple[int, ...]]:
        """What is left of the paths of those who do not talk in a round, from its beginning on."""
        if now not in self.among or before == -1:
            return {}
        gone = self.rounds[now] - self.rounds[before]
        return {a: path[gone:] for a, path in paths.items() if a not in self.among[now] and path[gone:]}

    def __len__(self) -> int:
        return len(self.utterances)

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles: minutes are the core's own, utterances are data."""
        self.utterances  # noqa: B018  # makes them
        return self.__dict__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Transcript) and self.data() == other.data() and self.space == other.space

    __hash__ = None  # type: ignore[assignment]  # it grows

    # As text

    def text(self, dialogue: int | None = None) -> str:
        """What was said, or one dialogue, as people read it: in the order in which it was said."""
        chosen = [moment for moment in self.replay() if dialogue in (None, moment.utterance.dialogue)]
        last = {moment.utterance.dialogue: place for place, moment in enumerate(chosen)}
        begun: set[int] = set()
        lines: list[str] = []
        scene: tuple[int, int] | None = None
        stage: Stage | None = None
        for place, moment in enumerate(chosen):
            said = moment.utterance
            if (said.round, said.dialogue) != scene:
                scene, stage = (said.round, said.dialogue), None
                lines.append(self._heading(moment, said.dialogue in begun))
                begun.add(said.dialogue)
            if said.stage is not stage and said.dialogue != NO_DIALOGUE:
                stage = said.stage
                lines.append(f"{stage.capitalize()} stage")
            lines.append(f"  {self.names[said.speaker]}: {self.said(said)}")
            if last[said.dialogue] == place and (end := self._end_without_order(said)):
                lines.append(end)
        return "\n".join(lines)

    def _heading(self, moment: Moment, again: bool) -> str:
        said, begin = moment.utterance, self.rounds[moment.utterance.round]
        if said.dialogue == NO_DIALOGUE:
            return f"Told to everybody, planning from time {begin} on"
        topic = self.topics[said.dialogue]
        if not again and said.act in (Act.HOLD, Act.NO_EARLIER):
            topic = self.held_topics.get(said.dialogue, topic)
        *others, last = (self.names[agent] for agent in topic.agents)
        who = f"{', '.join(others)} and {last}"
        place, time = self.conflict(topic, moment.paths)
        where = f"would collide at {self.space.place(place)}, time {begin + time}"
        return f"{who} go on: they {where}" if again else f"{who} {where}"

    @staticmethod
    def conflict(topic: Topic, paths: dict[int, tuple[int, ...]]) -> tuple[int, int]:
        """Where and when a conflict of these paths is; one on the way is dated by its end."""

        def at(agent: int, time: int) -> int:
            path = paths.get(agent, (topic.place,))
            return path[min(time, len(path) - 1)]

        if len({at(agent, topic.time) for agent in topic.agents}) == 1:
            return topic.place, topic.time
        return at(topic.agents[0], topic.time + 1), topic.time + 1

    def _end_without_order(self, said: Utterance) -> str:
        """How a dialogue ended whose last utterance this is; nothing if an order was adopted."""
        if said.dialogue == NO_DIALOGUE or said.stage is Stage.CLOSING:
            return ""
        if said.stage is Stage.OPENING:
            return "It stays on hold, and is not taken up again"
        return "It ends without an order"

    def said(self, utterance: Utterance) -> str:
        """One utterance in words."""
        order = self._about(utterance)
        match utterance.act:
            case Act.NEW_PATH:
                return f"new path {{{', '.join(self._steps(utterance.path))}}}"
            case Act.VOTE:
                number = math.nan if utterance.vote is None else utterance.vote
                return f"vote({order}) = {number:g}{because(utterance.reasons)}"
            case Act.ASK:
                *others, last = (self.names[agent] for agent in utterance.hearers)
                who = f"{', '.join(others)} and {last}" if others else last
                return f"{utterance.act} {who} about {order}"
            case Act.PROPOSE | Act.VETO | Act.EXPAND | Act.ADOPT:
                return f"{utterance.act} {order}{because(utterance.reasons)}"
        return str(utterance.act)

    def _about(self, utterance: Utterance) -> str:
        """The order that an utterance is about, or the actions that are given up."""
        if not utterance.gives_up:
            return order_text(utterance.order, self.names)
        return "; ".join(
            self._given_up(action, self.rounds[utterance.round]) for action in utterance.gives_up
        )

    def _given_up(self, action: Action, begins: int) -> str:
        """A move is dated by its end, like every step."""
        where = f"{self.space.place(action.place)}, time {begins + action.time + (action.origin != -1)}"
        if action.origin == -1:
            return f"{self.names[action.agent]} is not at {where}"
        return f"{self.names[action.agent]} does not go from {self.space.place(action.origin)} to {where}"

    def _steps(self, path: tuple[int, ...]) -> list[str]:
        if not isinstance(self.space, Grid):
            return [str(vertex) for vertex in path]
        cells = [divmod(vertex, self.space.width) for vertex in path]
        return [DIRECTIONS[after[0] - before[0], after[1] - before[1]] for before, after in pairwise(cells)]

    # As plain data, for files

    def data(self) -> dict[str, Any]:
        """Lists, numbers and words only; the space is not part of it."""
        return {
            "names": list(self.names),
            "silent": self.silent,
            **({} if self.keep_orders else {"keep_orders": False}),
            **({"among": [[one, list(agents)] for one, agents in self.among.items()]} if self.among else {}),
            "rounds": list(self.rounds),
            "topics": [_topic_entry(topic) for topic in self.topics],
            **({} if not self.held_topics else {"held_topics": self._held_entries()}),
            "utterances": [_entry(utterance) for utterance in self.utterances],
        }

    @classmethod
    def from_data(cls, space: Space, data: dict[str, Any]) -> Transcript:
        """The transcript that `data` came from; an InputError if it came from none."""
        try:
            names = tuple(data["names"])
            keep_orders = bool(data.get("keep_orders", True))
            transcript = cls(space, names, silent=bool(data["silent"]), keep_orders=keep_orders)
            transcript.rounds = [_whole(time) for time in data["rounds"]]
            transcript.among = {
                _whole(one, len(transcript.rounds)): tuple(_whole(agent, len(names)) for agent in agents)
                for one, agents in data.get("among", [])
            }
            transcript.topics = [transcript._topic(*entry) for entry in data["topics"]]
            held = data.get("held_topics", [])
            transcript.held_topics = {
                _whole(k, len(transcript.topics)): transcript._topic(*topic) for k, topic in held
            }
            transcript._made = [transcript._from_entry(entry) for entry in data["utterances"]]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"this is no transcript: {error}") from None
        return transcript

    def _held_entries(self) -> list[Any]:
        return [[number, _topic_entry(topic)] for number, topic in sorted(self.held_topics.items())]

    def _topic(self, time: Any, place: Any, agents: Any) -> Topic:
        if len(set(agents)) < 2 or len(set(agents)) < len(agents):
            raise ValueError(f"{agents!r} are not two or more agents")
        who = tuple(_whole(agent, len(self.names)) for agent in agents)
        return Topic(_whole(time), _whole(place, self.space.n), who)

    def _from_entry(self, entry: dict[str, Any]) -> Utterance:
        agents, places = len(self.names), self.space.n
        dialogue = entry["dialogue"]
        if (Act(entry["act"]) is Act.NEW_PATH) != bool(entry.get("path")):
            raise ValueError("a path belongs to what says that it is new, and to nothing else")
        return Utterance(
            _whole(entry["round"], len(self.rounds)),
            NO_DIALOGUE if dialogue == NO_DIALOGUE else _whole(dialogue, len(self.topics)),
            Stage(entry["stage"]),
            _whole(entry["speaker"], agents),
            tuple(_whole(hearer, agents) for hearer in entry["hearers"]),
            Act(entry["act"]),
            tuple((_whole(above, agents), _whole(below, agents)) for above, below in entry.get("order", [])),
            tuple(_whole(vertex, places) for vertex in entry.get("path", [])),
            None if entry.get("vote") is None else float(entry["vote"]),
            _whole(entry.get("step", 0)),
            tuple(_reason(*reason) for reason in entry.get("reasons", [])),
            tuple(self._action(*action) for action in entry.get("gives_up", [])),
        )

    def _action(self, agent: Any, origin: Any, place: Any, time: Any) -> Action:
        start = -1 if origin == -1 else _whole(origin, self.space.n)
        return Action(_whole(agent, len(self.names)), start, _whole(place, self.space.n), _whole(time))


def because(reasons: tuple[Reason, ...]) -> str:
    """The reasons of a vote as the rest of its sentence; nothing if there are none."""
    return f", because {' and '.join(reason.says for reason in reasons)}" if reasons else ""


def went_first(said: Utterance, orders: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The orders after an agent has gone before all others."""
    kept = {(above, below) for above, below in orders if below != said.speaker}
    return kept | {(said.speaker, hearer) for hearer in said.hearers}


def _reason(kind: Any, says: Any, amount: Any = None) -> Reason:
    """The reason itself, if that is one."""
    if not isinstance(kind, str) or not isinstance(says, str) or not (amount is None or is_number(amount)):
        raise ValueError(f"{[kind, says, amount]!r} is not a reason: a word, a sentence and a number or null")
    return Reason(kind, says, amount)


def _whole(value: Any, below: int = 2**31) -> int:
    """The value itself, if it is a whole number in range."""
    if not is_whole(value) or not 0 <= value < below:
        raise ValueError(f"{value!r} is not a whole number from 0 to {below - 1}")
    return int(value)


def _utterances(number: int, minutes: _core.Minutes, step: int) -> Iterator[Utterance]:
    stages, acts = tuple(Stage), tuple(Act)
    for dialogue, stage, speaker, hearers, act, order, path, vote in minutes.utterances():
        yield Utterance(number, dialogue, stages[stage], speaker, hearers, acts[act], order, path, vote, step)


def _topic_entry(topic: Topic) -> list[Any]:
    return [topic.time, topic.place, list(topic.agents)]


def _entry(said: Utterance) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "round": said.round,
        "dialogue": said.dialogue,
        "stage": str(said.stage),
        "speaker": said.speaker,
        "hearers": list(said.hearers),
        "act": str(said.act),
    }
    if said.order:
        entry["order"] = [list(pair) for pair in said.order]
    if said.path:
        entry["path"] = list(said.path)
    if said.vote is not None:
        entry["vote"] = said.vote
    if said.step:
        entry["step"] = said.step
    if said.reasons:
        entry["reasons"] = [[reason.kind, reason.says, reason.amount] for reason in said.reasons]
    if said.gives_up:
        entry["gives_up"] = [list(action) for action in said.gives_up]
    return entry
