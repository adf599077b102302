"""Who overhears everything: makes the canonical transcript of messages, in whatever order they came.

The transcript is sorted by round, step, conflict (time, place, agents) and turn; dialogues are numbered in
that order, and what was said outside of them comes last in its step, by speaker. So the same run has the same
transcript in the core, in the simulator and between processes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..dialogue.steps import Numbers
from ..dialogue.transcript import Transcript
from ..dialogue.utterance import NO_DIALOGUE, Act, Stage, Topic, Utterance
from ..model.errors import InputError
from ..model.problem import Problem
from . import messages as m

LATER = 4096  # numbers of one sender that may come before some of lower ones
LAST = (1 << 31, 0, ())  # after all conflicts of a step
Key = tuple[int, int, tuple[int, int, tuple[int, ...]], int, int]


class Recorder:
    """Collects messages; every one counts once, however often it was sent.

    Args:
        problem: What is asked: space and names.
        rounds: Of how many rounds, the last ones, what was said is kept; None: of all. Without a limit it
            grows with all that is said.

    Attributes:
        messages: how many messages were sent for the first time, one per hearer.
        again: how many were sent again.
        talks: per pair of agents how many messages went from one to the other.
        bytes: what all messages take, one per hearer, where they were encoded.
    """

    def __init__(self, problem: Problem, rounds: int | None = None) -> None:
        if rounds is not None and rounds < 1:
            raise InputError(f"a recorder keeps at least one round, not {rounds}")
        self.problem, self._kept_rounds = problem, rounds
        self.messages = self.again = self.bytes = 0
        self.talks: Counter[tuple[int, int]] = Counter()
        self.rounds: dict[int, int] = {}
        self._heard: dict[tuple[int, int], Heard] = {}
        self._first = 0  # the first round of which what was said is kept
        self._said: list[tuple[Key, m.Said | m.Done]] = []

    def hear(self, message: m.Message, size: int = 0, *, copy: bool = False) -> None:
        """Takes down one message.

        Args:
            message: What was sent.
            size: Its bytes, if it was encoded.
            copy: It may be heard several times although it was sent once.
        """
        sender, hearers = message.sender, message.hearers
        heard = self._heard.get((sender, message.incarnation))
        if heard is None:
            heard = self._heard[sender, message.incarnation] = Heard()
        is_new = heard.add(message.number)
        if copy and not is_new:
            return
        self.bytes += size * len(hearers)
        if not is_new:
            self.again += len(hearers)
            return
        self.messages += len(hearers)
        for hearer in hearers:
            self.talks[sender, hearer] += 1
        self._take_down(message)

    def _take_down(self, message: m.Message) -> None:
        """Keeps what belongs into the transcript."""
        if type(message) is m.Tick:
            if message.round not in self.rounds:
                self.rounds[message.round] = message.begun
                self._forget(message.round)
        elif message.round < self._first:
            return
        elif type(message) is m.Said or (type(message) is m.Done and message.path):
            self._said.append((_key(message, message.topic, message.turn), message))

    def _forget(self, now: int) -> None:
        """What was said in rounds that are not kept any more."""
        if self._kept_rounds is not None:
            self._first = max(self._first, now - self._kept_rounds + 1)
            self._said = [entry for entry in self._said if entry[0][0] >= self._first]

    def transcript(self) -> Transcript:
        """What was said, in canonical order; of the rounds that are kept.

        Returns:
            The transcript.
        """
        transcript = Transcript(self.problem.space, self.problem.names)
        transcript.rounds = [self.rounds[number] for number in sorted(self.rounds)]
        self._said.sort(key=lambda entry: entry[0])
        transcript.add(list(self._utterances(transcript)))
        return transcript

    def _utterances(self, transcript: Transcript) -> Iterator[Utterance]:
        numbers, number, scene = Numbers(transcript), NO_DIALOGUE, None
        held = {key[:3] for key, said in self._said if isinstance(said, m.Said) and said.act == Act.HOLD}
        for key, said in self._said:
            if key[:3] != scene:
                if scene is None or scene[0] != key[0]:
                    numbers = Numbers(transcript)
                scene, number = key[:3], NO_DIALOGUE
                if said.topic is not None:
                    number = numbers.of(Topic(*said.topic), held=scene in held)
            yield from _as_utterances(said, number)


class Heard:
    """Which numbers of one sender were heard: all below one, and some from there on.

    Of numbers far behind the latest those that never came are taken for heard, so that it stays small.
    """

    def __init__(self) -> None:
        self._below = 0
        self._later: set[int] = set()

    def add(self, number: int) -> bool:
        """Takes down one number; says whether it is new."""
        if number == self._below and not self._later:
            self._below += 1
            return True
        if number < self._below or number in self._later:
            return False
        self._later.add(number)
        if len(self._later) > LATER:
            self._below = sorted(self._later)[LATER // 2]
            self._later = {one for one in self._later if one >= self._below}
        while self._below in self._later:
            self._later.remove(self._below)
            self._below += 1
        return True


def _key(message: m.Message, topic: m.TopicData | None, turn: int) -> Key:
    return message.round, message.step, topic or LAST, turn, message.sender


def _as_utterances(said: m.Said | m.Done, dialogue: int) -> Iterator[Utterance]:
    if isinstance(said, m.Said):
        words = (Act(said.act), said.order, said.path, said.vote, said.step)
        yield Utterance(said.round, dialogue, Stage(said.stage), said.sender, said.hearers, *words)
        return
    stage, hearers = Stage.EXCHANGE, said.hearers
    if said.topic is not None:
        stage, hearers = Stage.CLOSING, tuple(one for one in hearers if one not in said.topic[2])
    if said.first:
        yield Utterance(said.round, dialogue, stage, said.sender, hearers, Act.GO_FIRST, step=said.step)
    about = {"path": said.path, "step": said.step}
    yield Utterance(said.round, dialogue, stage, said.sender, hearers, Act.NEW_PATH, **about)  # type: ignore[arg-type]
