"""DiMPP between agents: a token goes round a ring, and each hears only the one before it.

On its first way round the token collects where everybody stands, which matters where nobody may enter a place
that is just being left. Then it goes as in `solvers/dimpp.py`. When everybody is in it, it goes round once
more, so that all know all paths.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.agents import AgentTable
from ..model.arrays import IntArray
from ..model.to_core import core_agents
from ..solvers.dimpp import Planner, Token
from . import messages as m
from .talk import Ranked


@dataclass
class Held(Token):
    """The token with what agents have to say besides.

    Attributes:
        places: where everybody stands, as far as it has come.
        stays: who stays at the end of its path.
    """

    places: dict[int, int] = field(default_factory=dict)
    stays: dict[int, bool] = field(default_factory=dict)

    @classmethod
    def of(cls, message: m.Token) -> Held:
        """The token that somebody has passed on."""
        paths = {agent: np.array(path, dtype=np.int32) for agent, path, _ in message.paths}
        stays = {agent: stays for agent, _, stays in message.paths}
        return cls(paths, set(message.begun), places=dict(message.places), stays=stays)


class InRing(Ranked):
    """An agent in the ring."""

    kinds = (m.Token,)

    def begin(self, tick: m.Tick, near: Mapping[int, int]) -> bool:
        """The first of the ring has the token."""
        super().begin(tick, near)
        index = self.members.index(self.me)
        self.before, self.next = self.members[index - 1], self.members[(index + 1) % len(self.members)]
        self._last = -1
        self._planner: LocalPlanner | None = None
        self._held = Held() if index == 0 else None
        return True

    def hear(self, message: m.Message) -> None:
        """The one before passes the token on; whatever else comes is old, or odd."""
        assert isinstance(message, m.Token)
        self.link.acknowledge(message)
        if message.number <= self._last:
            return None
        held = Held.of(message)
        if message.sender != self.before or self._is_odd(held):
            return self.link.report(f"the token of {message.sender} is of another ring")
        if self.me in held.places:
            try:
                self._among(held)
            except ValueError as error:
                return self.link.report(f"the token of {message.sender}: {error}")
        self._last, self._held = message.number, held
        return self.go_on()

    def _is_odd(self, held: Held) -> bool:
        """Can this ring have no such token now? On its first way round it has nothing but places."""
        everybody, places = {*self.members}, held.places
        if not {*places, *held.paths, *held.begun} <= everybody:
            return True
        if not all(0 <= place < self.brief.space.n for place in places.values()):
            return True
        if self.me not in places:
            return bool(held.paths or held.begun) or self._planner is not None
        is_short = self.quiet and held.paths.keys() != everybody
        return places.keys() != everybody or places[self.me] != self.place or is_short

    def go_on(self) -> None:
        """Who holds the token does its part, and passes it on."""
        while self._held is not None:
            held, self._held = self._held, None
            if self.me not in held.places:
                held.places[self.me] = self.place
            elif not self._take_part(held):
                return
            if self.quiet and self.next == next(reversed(held.paths)):
                return  # who came into it last has known that all are in it since then
            if self.next == self.me:
                self._held = held
            else:
                self._pass_on(held)

    def _take_part(self, held: Held) -> bool:
        """Adds its path, or begins another token; False: the token goes no further."""
        planner = self._planner or self._among(held)  # who is alone has heard of no token
        protocol, everybody = self.brief.protocol, len(self.members)
        if len(held.paths) < everybody:
            why = held.hold(self.me, planner, everybody=everybody, begin_once=protocol.solver.begin_once)
            if why:
                self._give_up(why)
                return False
            held.stays[self.me] = self.stays
        if len(held.paths) == everybody and not self.quiet:
            self.paths = {agent: tuple(path.tolist()) for agent, path in held.paths.items()}
            self._stays = held.stays
            self._be_quiet()
        return True

    def _among(self, held: Held) -> LocalPlanner:
        """What finds paths around those in the token; a ValueError if these make no sense."""
        if self._planner is None:
            self._planner = LocalPlanner(self, held.places)
        self._planner.take(held)
        return self._planner

    def _pass_on(self, held: Held) -> None:
        paths = tuple((agent, tuple(path.tolist()), held.stays[agent]) for agent, path in held.paths.items())
        places, begun = tuple(held.places.items()), tuple(sorted(held.begun))
        self.link.send(m.Token, (self.next,), places=places, paths=paths, begun=begun)


class LocalPlanner(Planner):
    """Finds the paths of one agent, which knows of the others what is in the token."""

    def __init__(self, talk: InRing, places: Mapping[int, int]) -> None:
        space, rules = talk.ground()
        starts, goals = talk.lineup(places)
        table = AgentTable(talk.brief.space, ("",) * len(starts), starts, goals)
        agents = _core.Cooperation(
            space, rules, core_agents(space, table), window=0, exact=True, hold_goals=True
        )
        super().__init__(agents, goals, Budget(), shortcuts=talk.brief.protocol.solver.shortcuts)
        self.numbers = {agent: number for number, agent in enumerate(talk.members)}

    def find(self, agent: int) -> IntArray | None:
        """The agent's path to its goal; None if there is none."""
        return super().find(self.numbers[agent])

    def take(self, held: Held) -> None:
        """From now on these paths are taken, and no others."""
        self.clear()
        for agent, path in held.paths.items():
            if not self.agents.take(self.numbers[agent], path, held.stays[agent]):
                raise ValueError("its paths collide")
