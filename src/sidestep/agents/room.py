"""DMRCP between agents: who sees no farther than two cells goes its way, and makes room for those who ask.

A turn is a round of its own, in lock-steps: in each everybody tells those within two cells what it has
decided so far, and acts on what these had told in the one before. Who is before all others near it decides.
If somebody stands where it wants to go, it asks that one to make room, which decides next, in its name, and
may ask another. Two who decide at once are more than two cells apart, so that their moves cannot collide. The
rules are those of `solvers/dmrcp.py`; the turns need not be the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from .. import _core
from ..budget import Budget
from ..model.agents import IDLE
from . import messages as m
from .knowledge import Vertices
from .link import Link
from .talk import Settled
from .walk import crossing_move

if TYPE_CHECKING:
    from .agent import Brief

REACH = 2  # cells
SHOWN = 8  # places of the way that a request clears
PATIENCE = 6  # lock-steps that who is content waits for a request before it decides to stay
NOBODY = NOWHERE = -1
Standing = tuple[int, ...]  # the lowest speaks first
Known = Mapping[int, m.Stance]


class Found(Enum):
    """What comes of an option."""

    PLACE = 1
    ASKED = 2
    CORNER = 3  # there is nowhere to go but back to who asks
    NOTHING = 4


class Option(NamedTuple):
    """A place to go; the least is best: forwards, aside, along the way of who asks."""

    kind: int
    forwards: int
    is_taken: bool
    way: int
    tie: int
    place: int


class MakingRoom(Settled):
    """An agent that sees two cells far."""

    kinds = (m.Stance,)

    def __init__(self, brief: Brief, link: Link) -> None:
        super().__init__(brief, link)
        self._own: Standing = ()  # since when it is away from its goal, and a number; heads may be turned
        self._fields: tuple[frozenset[int], _core.Distances] | None = None

    def begin(self, tick: m.Tick, near: Mapping[int, int]) -> bool:
        """Says where it stands."""
        super().begin(tick, near)
        self._space = self.ground()[0]
        if self._from(self.place) is None:
            self.goal = IDLE
        self._way = self._from(self.place)
        is_content = self._way == 0
        if is_content or not self._own:
            self._own = -self.brief.priority, tick.tick, self.me
        self._standing: Standing = (int(is_content), *self._own, self.me)
        self._heard: dict[int, dict[int, m.Stance]] = {agent: {} for agent in near}
        self._phase, self._target, self._asks, self._asker = 0, NOWHERE, NOBODY, NOBODY
        self._settled = self._final = False
        self._chain: tuple[int, ...] = ()
        self._shown: Vertices = ()
        self._rival: tuple[int, ...] = ()
        self._turned: tuple[int, ...] = ()
        self._options: list[Option] | None = None
        self._cornered = True
        self._tell()
        return True

    # Hearing and saying

    def hear(self, message: m.Message) -> None:
        """Another says what it has decided so far."""
        assert isinstance(message, m.Stance)
        self.link.acknowledge(message)
        heard = self._heard[message.sender]
        if self.quiet or message.phase in heard:
            return None  # others may go on for long, and say things again
        if not self._is_sound(message):
            return self.link.report(f"the stance of {message.sender} makes no sense")
        heard[message.phase] = message
        return self.go_on()

    def _is_sound(self, said: m.Stance) -> bool:
        """Is it about places on the map and agents, and not of a lock-step that cannot have come yet?"""
        space, agents = range(self.brief.space.n), range(self.brief.agents)
        places = said.place, *said.way, *([] if said.target == NOWHERE else [said.target])
        heads = [each for each in (said.rival, said.turned) if each]
        named = *said.chain, *(each[0] for each in heads), *([] if said.asks == NOBODY else [said.asks])
        return (
            all(place in space for place in places)
            and all(agent in agents for agent in named)
            and all(len(each) == len(self._own) + 1 for each in heads)
            and (said.target != NOWHERE or not said.settled)
            and 0 <= said.phase <= self._phase + 1
        )

    def go_on(self) -> None:
        """The next lock-step, once all near have said what they do in this one."""
        while not self.quiet and (known := self._known()) is not None:
            self._phase += 1
            self._decide(known)
            others = [stance.settled for stance in known.values()]
            first = known.get(self._asker)
            self._final = self._settled and all(others) and (first is None or first.final)
            self._tell()
            if self._final:
                moves = {agent: (stance.place, stance.target) for agent, stance in known.items()}
                self.paths = {**moves, self.me: (self.place, self._target)}
                self._be_quiet()

    def _known(self) -> Known | None:
        """What all near have said in this lock-step; None if somebody has not yet."""
        known: dict[int, m.Stance] = {}
        for agent, said in self._heard.items():
            last = said[max(said)] if said else None
            stance = last if last is not None and last.final else said.get(self._phase)
            if stance is None:
                return None
            known[agent] = stance
        return known

    def _tell(self) -> None:
        self.link.send(
            m.Stance,
            self.near,
            phase=self._phase,
            place=self.place,
            standing=self._standing,
            target=self._target,
            settled=self._settled,
            asks=self._asks,
            chain=self._chain,
            way=self._shown,
            cornered=self._settled and self._cornered and self._asker != NOBODY,
            rival=self._rival if self._settled else (),
            turned=self._turned,
            final=self._final,
        )

    # Deciding

    def _decide(self, known: Known) -> None:
        if self._settled:
            return self._turn_heads(known)
        if self._asks != NOBODY:
            if not known[self._asks].settled:
                return None
            self._hear_answer(known[self._asks])
        if self._settled or self._is_asked(known) or not self._may_speak(known):
            return None
        return self._speak(known)

    def _is_asked(self, known: Known) -> bool:
        """Somebody asks it to make room, and is before who asked so far; first the others have to know."""
        asking = [one for one in known.values() if one.asks == self.me and not one.settled]
        first = min(asking, key=lambda one: one.standing, default=None)
        if first is None or first.standing >= self._standing:
            return False
        self._asker, self._standing, self._shown = first.sender, first.standing, first.way
        self._chain = (*first.chain, first.sender)
        self._options, self._cornered, self._rival = None, True, ()
        return True

    def _may_speak(self, known: Known) -> bool:
        """Is nobody near before it, but those who wait for it?"""
        if self._standing[0] and self._phase < PATIENCE:
            return False
        others = (one for one in known.values() if not one.settled and one.sender not in self._chain)
        return all(one.standing > self._standing for one in others)

    def _speak(self, known: Known) -> None:
        """It finds a place to go, or somebody to ask, or stays."""
        if self._standing[0]:  # it is where it wants to be, and nobody has asked
            return self._settle(self.place)
        if self._options is None:
            self._options = sorted(self._list_options(known))
        while self._options:
            found = self._attempt(self._options.pop(0), known)
            if found in (Found.PLACE, Found.ASKED):
                return None
            self._cornered &= found is Found.CORNER
        return self._stay(known)

    def _settle(self, target: int) -> None:
        self._target, self._settled, self._asks = target, True, NOBODY

    def _list_options(self, known: Known) -> Iterator[Option]:
        """On its own it goes forwards, or sideways where nobody is; when it is asked, anywhere."""
        is_asked = self._asker != NOBODY
        taken = {one.place for one in known.values()}
        for place in self._space.successors(self.place).tolist():
            way = self._from(place)
            if way is None:
                continue  # it would never come back
            assert self._way is not None
            forwards = way < self._way
            if not forwards and not is_asked and (way > self._way or place in taken):
                continue
            kind = 0 if forwards else 2 if is_asked and place in self._shown else 1
            tie = (7919 * self.me + 104729 * place) % 1009
            yield Option(kind, way if forwards else 0, place in taken, way, tie, place)

    def _attempt(self, option: Option, known: Known) -> Found:
        """Goes there, or asks who is there to make room."""
        place, following = option.place, self.brief.rules.following
        there = next((one for one in known.values() if one.place == place), None)
        if not self._is_clear(place, known):
            return Found.CORNER if there is not None and there.sender == self._asker else Found.NOTHING
        if there is None:
            self._settle(place)
            return Found.PLACE
        if there.target != NOWHERE:  # it leaves, if those whom it asked do
            if not following or not (there.settled or there.sender in self._chain):
                return Found.NOTHING
            self._settle(place)
            return Found.PLACE
        self._asks, self._target = there.sender, place if following else self.place
        if self._asker == NOBODY:
            self._shown = tuple(self._way_from(place))
        return Found.ASKED

    def _is_clear(self, place: int, known: Known) -> bool:
        """Does nobody go there, or come against it?"""
        beside = (
            frozenset() if self.brief.rules.crossing else crossing_move(self.brief.space, self.place, place)
        )
        return not any(
            one.target == place
            or (one.place == place and one.target == self.place)
            or (beside and {one.place, one.target} == beside)
            for one in known.values()
            if one.target != NOWHERE
        )

    def _hear_answer(self, answer: m.Stance) -> None:
        """Who was asked has decided. Where nobody may follow, one goes there in the next turn."""
        if answer.target != answer.place:
            return self._settle(self._target)
        self._asks, self._target = NOBODY, NOWHERE
        self._cornered &= answer.cornered
        self._rival = self._rival or answer.rival
        return None

    def _stay(self, known: Known) -> None:
        """There is nowhere to go. Who is cornered and wants to go where it was asked from is a rival."""
        self._settle(self.place)
        if not self._cornered:
            self._rival = ()
        elif self._asker == NOBODY:
            if self._rival:
                rival, *standing = self._rival
                self._turned, self._own = (rival, *self._own), tuple(standing)
        elif not self._rival:
            back = self._from(known[self._asker].place)
            assert self._way is not None
            if back is not None and back < self._way:
                self._rival = self.me, *self._own

    def _turn_heads(self, known: Known) -> None:
        """Who asked first and the rival swap their standing: from the next turn on the other makes room."""
        first = known.get(self._asker)
        if first is None or not first.turned or self._turned == first.turned:
            return
        self._turned = first.turned
        if first.turned[0] == self.me:
            self._own = first.turned[1:]

    # Distances

    def _from(self, place: int) -> int | None:
        """How far it is from a place to the goal; 0 for who has nowhere to go; None if there is no way."""
        if self.goal == IDLE:
            return 0
        walls = frozenset(self.walls)
        if self._fields is None or self._fields[0] != walls:
            self._fields = walls, _core.Distances(self._space)
        steps = self._fields[1].at(self.goal, self.place, place, Budget().core)
        return steps if steps >= 0 else None

    def _way_from(self, place: int) -> Iterator[int]:
        """The next places of its way."""
        for _ in range(SHOWN):
            yield place
            way = self._from(place)
            near = self._space.successors(place).tolist()
            nearer = next((one for one in near if way and self._from(one) == way - 1), None)
            if nearer is None:
                return
            place = nearer
