"""The world that ticks: where agents really are, who is in reach, who is dead, and when everybody may go.

Like an agent it is a state machine: messages and deadlines in, messages out. A round begins with a tick. When
all agents that can meet in it have been quiet in the same step, they may go. The world ticks when every agent
has said where it goes, or at its deadline: an agent that is silent stands. Behind it is the guard of
`World`, which refuses what would collide; without the guard, moves happen as they are proposed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from ..budget import Budget
from ..dialogue.channel import Channel
from ..model.arrays import IntArray
from ..model.events import EventKind
from ..model.problem import Problem
from ..model.to_core import compiled_space
from ..world.session import View
from ..world.world import World
from . import messages as m
from .protocol import WIDEST, Protocol
from .talk import is_way

NEWCOMER = -1  # the incarnation of one that asks for a place and has none yet
ROUNDS_PER_LEAVE = 4  # a round in which not everybody could go yet may take this many times its length


class Proposals:
    """A session that proposes what the agents have said."""

    def __init__(self) -> None:
        self.moves: dict[int, int] = {}

    def step(self, view: View, *, budget: Budget) -> IntArray:
        """Who has said nothing stands."""
        targets = view.positions.copy()
        for agent, target in self.moves.items():
            targets[agent] = target
        return targets


@dataclass
class Death:
    """An agent that was not heard of any more.

    Attributes:
        agent: who.
        incarnation: which of those in its place.
        tick: when it was given up.
        place: where it stands.
        last_heard: the last tick at which it was heard.
    """

    agent: int
    incarnation: int
    tick: int
    place: int
    last_heard: int


@dataclass
class Refusal:
    """A move that the guard refused."""

    tick: int
    agent: int
    target: int


@dataclass
class Presence:
    """What the world knows of one agent."""

    incarnation: int = -1  # it has not said hello yet
    is_alive: bool = False
    last_heard: int = 0
    missed: int = 0  # deadlines in a row at which it had not been heard in their tick


class Ground:
    """The world of a run.

    Args:
        problem: What is asked.
        run: The name of the run.
        protocol: How agents plan and talk.
        limit: Ticks after which the run is over.
        guard: Refuse what would collide?
        patience: Deadlines without a sign of life after which an agent is dead. Ticks that came early do not
            count: nobody had the time to answer them.
        linger: Deadlines for which the run goes on though nobody but the dead has anything to do, so that
            somebody can take over.
        absent: Agents that nobody is for at first; their places are walls until somebody joins as them.
        lossy: Messages may get lost, so that the same places do not mean that all repeats itself.
    """

    def __init__(
        self,
        problem: Problem,
        run: str,
        protocol: Protocol,
        *,
        limit: int,
        guard: bool = True,
        patience: int = 3,
        linger: int = 0,
        lossy: bool = False,
        absent: Collection[int] = (),
    ) -> None:
        self.problem, self.run, self.protocol = problem, run, protocol
        self.window, self.limit, self.patience = protocol.window, limit, patience
        self.proposals = Proposals()
        self.world = World(problem, self.proposals, stuck_after=None)
        self.guard, self.lossy, self.linger, self.absent = guard, lossy, linger, frozenset(absent)
        self.goals = problem.goals.copy()
        self.presence = [Presence() for _ in range(problem.n_agents)]
        self.tick, self.round, self.begun = 0, -1, 0
        self.rows = [problem.starts.copy()]
        self.moves: dict[int, m.Move] = {}
        self.deaths: list[Death] = []
        self.refusals: list[Refusal] = []
        self.stood: dict[tuple[int, int], int] = {}  # who stood at which tick although it could go; for whom
        self.silent: dict[int, tuple[int, ...]] = {}  # who was not heard in time, by tick
        self.reports: list[tuple[int, int, str]] = []
        self.stuck: dict[int, str] = {}
        self.over, self.reason = False, ""
        self._changed = False
        self._waited = 0  # deadlines since nobody but the dead had anything to do
        self._been: set[bytes] = set()
        self._repeats = False
        self._number = 0
        self._quiet: dict[int, int] = {}
        self._granted: dict[int, int] = {}
        self._last_leave = 0  # the tick at which the last ones could go: until then they only talked
        self._near: list[tuple[int, ...]] = []
        self._components: list[list[int]] = []

    # Hearing

    def hear(self, message: m.Message) -> list[m.Message]:
        """Takes in what an agent says to the world.

        Args:
            message: Whatever arrived.

        Returns:
            Messages to send, in this order.
        """
        if self.over or m.WORLD not in message.hearers or message.run != self.run:
            return []
        if not 0 <= message.sender < len(self.presence):
            return []
        known = self.presence[message.sender]
        if type(message) is m.Hello:
            return self._welcome(message)
        if message.incarnation == known.incarnation and known.is_alive:
            known.last_heard, known.missed = self.tick, 0
            return self._hear_member(message)
        if message.incarnation > known.incarnation:
            return []
        return [self._to(message.sender, m.Fenced, incarnation=max(known.incarnation, 0))]

    def _hear_member(self, message: m.Message) -> list[m.Message]:
        """One who takes part says something."""
        if type(message) is m.Move:
            return self._hear_move(message)
        if type(message) is m.Quiet and message.round == self.round:
            return self._hear_quiet(message)
        if type(message) is m.Stuck and message.round == self.round:
            self.stuck[message.sender] = message.why  # the others end this step, and wait for it
        elif type(message) is m.Report:
            self.reports.append((self.tick, message.sender, message.what))
        return []

    def deadline(self, tick: int) -> list[m.Message]:
        """The time for a tick is over: who has said nothing stands.

        Args:
            tick: Which one; that it is over already is no news.

        Returns:
            Messages to send.
        """
        if self.over or tick != self.tick:
            return []
        if self.stuck:
            agent = min(self.stuck)
            return self.stop(f"agent {self.problem.names[agent]}: {self.stuck[agent]}")
        if self.round < 0:
            return self._begin() if any(one.is_alive for one in self.presence) else []
        self._waited += self._lingers()
        for one in self.presence:
            one.missed += one.last_heard < self.tick
        return self._advance()

    def _welcome(self, message: m.Hello) -> list[m.Message]:
        """Somebody is new, is there again, or comes in place of a dead one."""
        known = self.presence[message.sender]
        if known.is_alive:  # the place is taken; who comes again is let in when that is over
            newcomer = message.incarnation == NEWCOMER
            return [self._to(message.sender, m.Stop, incarnation=NEWCOMER)] if newcomer else []
        if message.incarnation <= known.incarnation:
            return [self._to(message.sender, m.Fenced, incarnation=max(known.incarnation, 0))]
        known.incarnation, known.is_alive = message.incarnation, True
        known.last_heard, known.missed = self.tick, 0
        self._changed = True
        if self.round < 0:
            there = {agent for agent, one in enumerate(self.presence) if one.is_alive}
            return self._begin() if there | self.absent == set(range(len(self.presence))) else []
        return self._begin_anew()

    def _hear_quiet(self, message: m.Quiet) -> list[m.Message]:
        """If all that can meet were quiet in the same step, they may go."""
        agent = message.sender
        self._quiet[agent] = max(message.step, self._quiet.get(agent, -1))
        together = next((all_ for all_ in self._components if agent in all_), [])
        steps = {self._quiet.get(other, -1) for other in together}
        if agent in self._granted or len(steps) != 1:
            return []
        self._last_leave = self.tick
        self._granted |= dict.fromkeys(together, message.step)
        return [self._to(other, m.Go, step=message.step) for other in together]

    def _hear_move(self, message: m.Move) -> list[m.Message]:
        """A move of this tick, from where the agent is; anything else is ignored."""
        position = int(self.rows[-1][message.sender])
        if message.tick != self.tick or message.source != position or message.sender not in self._granted:
            return []
        if not 0 <= message.target < self.problem.space.n:
            return []
        self.moves[message.sender] = message
        if 0 <= message.waits_for < len(self.presence):
            self.stood[self.tick, message.sender] = message.waits_for
        awaited = [agent for agent in self._present() if agent not in self.moves]
        return [] if awaited or self._lingers() else self._advance()

    # Ticking

    def send(self, agent: int, place: object) -> None:
        """Gives an agent another goal; it hears of it with the next tick."""
        self.world.send(agent, place)
        self.goals[agent] = self.problem.space.vertex(place)
        self._changed = True

    def _present(self) -> Iterator[int]:
        """Who is alive and somewhere."""
        positions = self.rows[-1]
        return (a for a, one in enumerate(self.presence) if one.is_alive and positions[a] != -1)

    def _begin(self) -> list[m.Message]:
        self._begin_round()
        return self._tell_time()

    def _advance(self) -> list[m.Message]:
        """One tick: moves happen, the dead are noticed, and perhaps a round begins."""
        self._carry_out()
        self.tick += 1
        self._notice_deaths()
        if self._is_done() or self._repeats:
            return self.stop("" if self._is_done() else "everything repeats itself")
        if self.tick >= self.limit:
            return self.stop(f"not everybody is on its goal after {self.tick} ticks")
        if self._round_is_over():
            self._begin_round()
        return self._tell_time()

    def _carry_out(self) -> None:
        wanted = {agent: move.target for agent, move in self.moves.items()}
        if silent := tuple(agent for agent in self._present() if agent not in wanted):
            self.silent[self.tick] = silent
        self.moves = {}
        if not self.guard:
            row = self.rows[-1].copy()
            for agent, target in wanted.items():
                row[agent] = target
            self.rows.append(row)
            return
        self.proposals.moves = wanted
        events = self.world.step()
        if self.world.planner_error is not None:
            raise self.world.planner_error
        for _, kind, agent, target in events.tolist():
            if kind == EventKind.REFUSED:
                self.refusals.append(Refusal(self.tick, agent, target))
        self.rows.append(self.world.positions.copy())

    def _round_is_over(self) -> bool:
        if self._changed:
            return True
        if not self.window:
            return False
        half = self.window // 2
        some_talk = any(agent not in self._granted for agent in self._present())
        if some_talk and self.tick - self.begun < half * ROUNDS_PER_LEAVE:
            return False
        return self.tick - self._last_leave >= half

    def _begin_round(self) -> None:
        """Everybody plans anew from where it is, with those in reach."""
        self.round += 1
        self.begun = self._last_leave = self.tick
        self._quiet, self._granted, self.moves = {}, {}, {}
        positions = self.rows[-1].copy()
        self._notice_repetition(positions.tobytes())
        for agent, one in enumerate(self.presence):
            if not one.is_alive:
                positions[agent] = -1
        channel = Channel(self.problem.space, self.protocol.reach, window=self.window)
        channel.gather(positions)
        self._near = [channel.audience(agent) for agent in range(len(self.presence))]
        self._components = components(self._near, self._present())

    def _notice_repetition(self, key: bytes) -> None:
        """Where everybody is as it was once, with nothing changed since, agents look further ahead."""
        if self._changed:
            self._been.clear()
            self.window = self.protocol.window
        elif self.window and self.protocol.sight is None and key in self._been and not self._on_goals():
            self._repeats = not self.lossy and (not self.protocol.widen or self.window >= WIDEST)
            self._been.clear()
            self.window = min(2 * self.window, WIDEST) if self.protocol.widen else self.window
        self._been.add(key)
        self._changed = False

    def _tell_time(self) -> list[m.Message]:
        dead = tuple(
            (agent, int(self.rows[-1][agent]))
            for agent, one in enumerate(self.presence)
            if not one.is_alive and self.rows[-1][agent] != -1
        )
        return [
            self._to(
                agent,
                m.Tick,
                tick=self.tick,
                begun=self.begun,
                window=self.window,
                place=int(self.rows[-1][agent]),
                goal=int(self.goals[agent]),
                near=tuple((other, self.presence[other].incarnation) for other in self._near[agent]),
                dead=dead,
                granted=self._granted.get(agent, -1),
            )
            for agent, one in enumerate(self.presence)
            if one.is_alive
        ]

    def bury(self, agent: int, incarnation: int) -> list[m.Message]:
        """The transport has seen an agent end.

        Args:
            agent: Who.
            incarnation: Which of those in its place.

        Returns:
            Messages to send.
        """
        one = self.presence[agent]
        if self.over or not one.is_alive or one.incarnation != incarnation:
            return []
        self._give_up(agent)
        return self._begin_anew()

    def _begin_anew(self) -> list[m.Message]:
        """Something has changed: with the next round everybody plans anew.

        Those who may go are awaited; all others still talk about what is no longer so.
        """
        may_go = [agent for agent in self._present() if agent in self._granted and agent not in self.moves]
        return [] if may_go or self.round < 0 else self._advance()

    def _give_up(self, agent: int) -> None:
        one = self.presence[agent]
        one.is_alive, self._changed, self._waited = False, True, 0
        place = int(self.rows[-1][agent])
        self.deaths.append(Death(agent, one.incarnation, self.tick, place, one.last_heard))

    def _notice_deaths(self) -> None:
        for agent, one in enumerate(self.presence):
            if one.is_alive and one.missed >= self.patience:
                self._give_up(agent)

    # The end

    def _on_goals(self) -> bool:
        """Is everybody that is there, and has a goal, on it?"""
        row = self.rows[-1]
        return bool(((row == self.goals) | (row == -1) | (self.goals == -1)).all())

    def _is_done(self) -> bool:
        """Is everybody on its goal, but the dead, and those whom these cut off?"""
        away = self._away()
        if not self._somebody_was_missing:
            return not away
        return not self._lingers() and self._nobody_moves(away)

    @property
    def _somebody_was_missing(self) -> bool:
        return bool(self.deaths or self.absent)

    def _away(self) -> list[int]:
        """Who is there, has a goal and is not on it."""
        row = self.rows[-1]
        return [a for a in range(len(row)) if row[a] not in (-1, self.goals[a]) and self.goals[a] != -1]

    def _nobody_moves(self, away: list[int]) -> bool:
        """Are all of them dead, or cut off by the dead?"""
        return all(self.cut_off_by(agent) for agent in away if self.presence[agent].is_alive)

    def _lingers(self) -> bool:
        """Is there nothing left to do but to wait for somebody who takes over? Then ticks take their time."""
        away = self._away() if self._somebody_was_missing and self.linger else []
        missing = any(not self.presence[agent].is_alive for agent in away)
        return missing and self._waited < self.linger and self._nobody_moves(away)

    def cut_off_by(self, agent: int) -> tuple[int, ...]:
        """The dead who stand between an agent and its goal; nobody if there is a way around them.

        Args:
            agent: Whose way.

        Returns:
            Their numbers; nobody either if there is no way without them.
        """
        row = self.rows[-1]
        dead = [a for a, one in enumerate(self.presence) if not one.is_alive and row[a] != -1]
        places = {int(row[a]) for a in dead}
        start, goal = int(row[agent]), int(self.goals[agent])
        space = compiled_space(self.problem)
        if not places or is_way(space, start, goal, places) or not is_way(space, start, goal, ()):
            return ()
        alone = [a for a in dead if not is_way(space, start, goal, {int(row[a])})]
        return tuple(alone or dead)

    def stop(self, reason: str) -> list[m.Message]:
        """Ends the run.

        Args:
            reason: Why.

        Returns:
            Messages to send.
        """
        self.over, self.reason = True, reason
        return [self._to(agent, m.Stop) for agent in range(len(self.presence))]

    @property
    def solved(self) -> bool:
        """Is everybody on its goal?"""
        return self._on_goals()

    def _to(
        self, agent: int, kind: type[m.Message], *, step: int = 0, incarnation: int = 0, **fields: Any
    ) -> m.Message:
        message = kind(
            run=self.run,
            incarnation=incarnation,
            round=self.round,
            step=step,
            sender=m.WORLD,
            number=self._number,
            hearers=(agent,),
            **fields,
        )
        self._number += 1
        return message


def components(near: list[tuple[int, ...]], present: Iterator[int]) -> list[list[int]]:
    """Groups of agents that are in reach of each other, directly or by way of others."""
    left = set(present)
    found = []
    while left:
        ask = [min(left)]
        together: set[int] = set()
        while ask:
            agent = ask.pop()
            if agent not in together:
                together.add(agent)
                ask.extend(near[agent])
        left -= together
        found.append(sorted(together))
    return found
