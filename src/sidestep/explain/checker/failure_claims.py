"""Claims about why a run of agents that talk failed, recomputed from what they told at its end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise, permutations, zip_longest

from ...model.agents import IDLE
from .. import claims as said
from ..grounds import Grounds
from .record import Record
from .told import Paths, Telling, Told


class FailureChecks:
    """One method per kind of claim; each yields what is wrong with it."""

    def __init__(self, grounds: Grounds, record: Record, told: Told) -> None:
        self.grounds, self.record, self.told = grounds, record, told

    def no_way_left(self, claim: said.NoWayLeft) -> Iterator[str]:
        """They are above it at the end, and all that it could do is followed; with one less it can go on."""
        number, end = len(self.told.transcript.rounds) - 1, len(self.told.said)
        orders, above = self.told.orders(number, end), claim.superiors
        held = [orders.get((one, claim.agent)) for one in above]
        told = [self.told.last(number, one, end) for one in (claim.agent, *above)]
        if held != list(claim.dialogues) or None in held or None in told:
            yield "those are not above it since then"
            return
        own, *others = [one for one in told if one is not None]
        if self.told.can_go_on(own, others):
            yield "it has a way left"
        if any(not self.told.can_go_on(own, others[:nth] + others[nth + 1 :]) for nth in range(len(others))):
            yield "it has no way left around fewer of them either"

    def no_order_left(self, claim: said.NoOrderLeft) -> Iterator[str]:
        """They collide at the end, and in all their orders the ways are ways, and the last one has none."""
        number, end = len(self.told.transcript.rounds) - 1, len(self.told.said)
        told = [self.told.last(number, agent, end) for agent in claim.agents]
        if None in told or len(set(claim.agents)) != len(told) or len(told) < 2:
            yield "not all of them have told a way"
            return
        own = {one.agent: one for one in told if one is not None}
        if not all(self.told.clashes(one, two) for one, two in combinations(own.values(), 2)):
            yield "their ways do not collide"
        begins = {one.ranked for one in claim.attempts}
        if any(
            not any(ranked[:length] in begins for length in range(len(ranked) + 1))
            for ranked in permutations(claim.agents)
        ):
            yield "there are orders of them that are not looked at"
        for one in claim.attempts:
            yield from self._attempt(one, own)

    def _attempt(self, attempt: said.Attempt, own: dict[int, Telling]) -> Iterator[str]:
        ranked, paths = attempt.ranked, attempt.paths
        if not set(ranked) <= own.keys() or len(paths) != len(ranked) - 1 or len(set(ranked)) != len(ranked):
            yield "it is not said who goes before whom, and how"
            return
        goes: list[Telling] = []
        for agent, path in zip_longest(ranked, paths):
            others = [*self._above(own[agent], ranked[: len(goes)]), *goes]
            if path is None:
                if self.told.can_go_on(own[agent], others):
                    yield f"agent {agent} has a way left"
                return
            goes.append(replace(own[agent], path=path or own[agent].path))
            if not self._is_way(goes[-1], own[agent].path[0]):
                yield f"that is no way of agent {agent}"
            elif path and any(self.told.clashes(goes[-1], other) for other in others):
                yield f"agent {agent} collides with one before it"

    def _above(self, one: Telling, besides: tuple[int, ...]) -> list[Telling]:
        """What those above an agent have told at the end, but for some."""
        end = len(self.told.said)
        orders = self.told.orders(one.round, end)
        above = [agent for agent, below in orders if below == one.agent and agent not in besides]
        return [told for agent in above if (told := self.told.last(one.round, agent, end)) is not None]

    def _is_way(self, telling: Telling, start: int) -> bool:
        """Moves that there are, from where it began to its goal."""
        path, ground = telling.path, self.told.ground(telling.round)
        goal = int(self.record.goals(self.told.begin(telling.round))[telling.agent])
        legal = all(here == there or ground.can_move(here, there) for here, there in pairwise(path))
        return legal and path[:1] == (start,) and goal in (IDLE, path[-1])

    def repeats(self, claim: said.Repeats) -> Iterator[str]:
        """All told the same ways, as long as before, in the last round and in the earlier one."""
        rounds = self.told.transcript.rounds
        if not self.grounds.windowed or claim.earlier not in rounds[:-1]:
            yield "there is no such round"
            return
        one, two = (self._told_in(number) for number in (rounds.index(claim.earlier), len(rounds) - 1))
        if one != two:
            yield "they did not say the same again"
        yield from self.still_away(said.StillAway(claim.later, claim.away))

    def still_away(self, claim: said.StillAway) -> Iterator[str]:
        """Where the told ways begin, and who is not on its goal there."""
        number = len(self.told.transcript.rounds) - 1
        if not self.grounds.windowed or claim.time != self.told.begin(number):
            yield "the last round did not begin then"
            return
        goals, told = self.record.goals(claim.time), self._told_in(number)
        away = [agent for agent, path in told.items() if goals[agent] not in (IDLE, path[0])]
        if sorted(away) != list(claim.away):
            yield "others were not on their goals"

    def _told_in(self, number: int) -> Paths:
        """The last path of everybody in a round."""
        names = range(len(self.told.transcript.names))
        told = [self.told.last(number, agent, len(self.told.said)) for agent in names]
        return {one.agent: one.path for one in told if one is not None}
