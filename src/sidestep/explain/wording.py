"""Answers as sentences: every one is made of claims, and says nothing that is not in them.

What the player of replays says as well is in `phrases.py`, what was said in dialogues in `talk_wording.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from ..model.agents import IDLE
from .claim import Claim
from .claims import (
    Alternative,
    Changed,
    Closed,
    ComesFirst,
    CutOff,
    Detour,
    Does,
    Ended,
    GaveWay,
    Instead,
    IsThere,
    Lasts,
    LeavesFirst,
    Meets,
    MeetsOnly,
    NeverShare,
    NoOrderLeft,
    NotFound,
    NoWayAround,
    NoWayLeft,
    OrderRing,
    Repeats,
    Returned,
    Ring,
    Sooner,
    StillAway,
    TooFar,
    Undecided,
    WaitsFor,
    Way,
)
from .grounds import Grounds
from .phrases import NAMED, Phrase, listed, steps
from .step import Doing
from .talk_wording import TalkWords

# Claims that say why a run came to no plan.
_WHY_NO_PLAN = CutOff | NoOrderLeft | NoWayLeft | OrderRing | Repeats | Returned | StillAway | Undecided
_HAD = {
    Doing.WAITS: "Had it gone on",
    Doing.DETOURS: "Had it gone its own way",
    Doing.STEPS_OFF: "Had it stayed",
    Doing.MAKES_ROOM: "Had it stayed",
}
_COULD = {
    Doing.WAITS: "It could have gone on",
    Doing.DETOURS: "It could have gone its own way",
    Doing.STEPS_OFF: "It could have stayed",
    Doing.MAKES_ROOM: "It could have stayed",
}
_NOW = (
    "stands",
    "takes",
    "approaches",
    "leaves",
    "follows",
    "crosses",
)  # manners in the way of the next step
_CHANGES = {
    "goal": "{name} was given the goal {place} at time {time}.",
    "block": "{place} was closed at time {time}.",
    "free": "{place} was opened at time {time}.",
    "add": "{name} was added on {place} at time {time}.",
    "remove": "{name} was taken away from {place} at time {time}.",
    "sync": "{name} was put on {place} at time {time}.",
}

Kind = TypeVar("Kind", bound=Claim)


class Words:
    """Sentences about the agents of one run."""

    def __init__(self, grounds: Grounds) -> None:
        self.problem = grounds.problem
        self.names, self._space = self.problem.names, self.problem.space
        self.talk = TalkWords(grounds)

    def place(self, vertex: int) -> object:
        """A vertex as people write it."""
        return self._space.place(vertex)

    def tell(self, claims: Sequence[Claim], *, detail: bool = False) -> str:
        """The text of an answer: first what everybody asks, then, for experts, what was said."""
        lines = [line for line in self._lines(claims) if line]
        if detail:
            lines.extend(self._solver_says(claims))
            lines.extend(self.talk.lines(claims))
        return "\n".join(lines)

    def _lines(self, claims: Sequence[Claim]) -> Iterator[str]:
        for claim in claims:
            yield from self._about_the_question(claim, claims)
        does = _first(claims, Does)
        if does is not None:
            yield self.lead(does, claims)
        yield self._consequence(claims)
        yield "" if does is None else self._lasting(does, claims)
        yield self._farther(claims)
        if (sooner := _first(claims, Sooner)) is not None and not _is_free(claims):
            yield self.sooner(sooner)
        yield from self._jam(claims)
        yield from (self.change(claim) for claim in claims if isinstance(claim, Changed))
        yield from self.talk.plain_lines(claims)

    def _about_the_question(self, claim: Claim, claims: Sequence[Claim]) -> Iterator[str]:
        """What only some questions need."""
        match claim:
            case Way(over=over) if over is not None:
                yield self._way_over(claim, claims)
            case IsThere():
                yield f"{self.names[claim.agent]} is on {self.place(claim.place)} at time {claim.time}."
            case TooFar(steps=None):
                yield f"No way leads {self.names[claim.agent]} to {self.place(claim.place)}."
            case TooFar():
                takes = steps(claim.steps or 0)
                yield (
                    f"{self.names[claim.agent]} cannot be on {self.place(claim.place)} at time {claim.time}: "
                    f"the way there takes it {takes}."
                )
            case LeavesFirst():
                way = (
                    "every way there leads over it"
                    if claim.steps is None
                    else f"the way around that takes it {steps(claim.steps)}"
                )
                yield (
                    f"{self.names[claim.agent]} cannot be on {self.place(claim.place)} at time {claim.time}: "
                    f"it leaves the map on its goal {self.place(claim.goal)}, and {way}."
                )
            case Closed():
                yield f"Nobody can be on {self.place(claim.place)} at time {claim.time}: it is closed."
            case ComesFirst():
                yield (
                    f"{self.names[claim.first]} comes to {self.place(claim.place)} at time {claim.when}, "
                    f"{self.names[claim.second]} at time {claim.later}."
                )
            case NeverShare():
                both = f"{self.names[claim.first]} and {self.names[claim.second]}"
                yield f"{both} never come to the same place."
            case Ended():
                yield self._end(claim, claims)

    def _end(self, claim: Ended, claims: Sequence[Claim]) -> str:
        """How a run failed; the solver's own words where nothing that follows says more plainly why."""
        explained = any(isinstance(one, _WHY_NO_PLAN) for one in claims)
        if claim.status == "gave_up" and explained:
            return "The run came to no plan."
        reason = f": {claim.reason}" if claim.reason else ""
        return f"The run ended as {claim.status.replace('_', ' ')}{reason}."

    def _solver_says(self, claims: Sequence[Claim]) -> Iterator[str]:
        """For experts, how the run ended, if that was left out so far."""
        ended = _first(claims, Ended)
        if ended is not None and ended.reason and ended.reason not in self._end(ended, claims):
            yield f"The solver {ended.status.replace('_', ' ')}, and says: {ended.reason}."

    def _way_over(self, way: Way, claims: Sequence[Claim]) -> str:
        met = [claim for claim in claims if isinstance(claim, Meets)]
        there = f"To be on {self.place(way.over or 0)} at time {way.by}, {self.names[way.agent]} would"
        if not met:
            return f"{there} have met nobody on its way."
        more = f", and meet {len(met) - 1} more" if len(met) > 1 else ""
        return f"{there} {self.meeting(met[0])}{more}."

    # What it does

    def lead(self, does: Does, claims: Sequence[Claim]) -> str:
        """What the agent does, and because of whom."""
        doing = Doing(does.doing)
        gave_way, instead = _first(claims, GaveWay), _first(claims, Instead)
        if gave_way is not None and gave_way.agent == does.agent and (instead or doing.needs_a_reason):
            passing = f"to let {self.names[gave_way.superior]} pass: {self.talk.collision(gave_way)}"
            return f"{self._base(does, instead)} {passing}."
        if not doing.needs_a_reason:
            return self._contented(does, instead)
        return self._reason(does, claims)

    def _base(self, does: Does, instead: Instead | None = None) -> str:
        """What it does, without a reason."""
        name, here, there = self.names[does.agent], does.here, does.there
        where = "" if there == IDLE else f" over {self.place(there)}"
        other = "" if instead is None or instead.alone == IDLE else f" instead of {self.place(instead.alone)}"
        match Doing(does.doing):
            case Doing.WAITS:
                return f"{name} waits at {self.place(here)}"
            case Doing.DETOURS:
                return f"{name} {Phrase.DETOURS.format(place=self.place(there))}"
            case Doing.STEPS_OFF:
                return f"{name} steps off its goal {self.place(here)}"
            case Doing.MAKES_ROOM:
                return f"{name}, which has no goal, leaves {self.place(here)}"
            case Doing.GOES_ON:
                return f"{name} goes on{where}{other}"
        return f"{name} stays on {self.place(here)}{other}" if here != IDLE else f"{name} is gone"

    def _contented(self, does: Does, instead: Instead | None) -> str:
        """About a step that needs no reason."""
        name, here, there = self.names[does.agent], does.here, does.there
        if instead is not None:
            return f"{self._base(does, instead)}."
        still = {
            Doing.ABSENT: f"{name} is not there at time {does.time}.",
            Doing.VANISHES: f"{name} has arrived at its goal {self._at(here)} and leaves the map.",
            Doing.UNSEEN: f"{name} is on {self._at(here)}; the run ends before one can see whether it moves.",
            Doing.RESTS: f"{name} is at its goal {self._at(here)}.",
            Doing.STANDS: f"{name} stands on {self._at(here)}: it has no goal.",
        }
        if Doing(does.doing) in still:
            return still[Doing(does.doing)]
        if does.left == 0:
            return f"{name} {Phrase.ARRIVES.format(place=self.place(there))}, as it likes best."
        goes = Phrase.GOES.format(place=self.place(there), steps=steps(does.left or 0))
        return f"{name} {goes}, as it likes best."

    def _at(self, vertex: int) -> str:
        return "" if vertex == IDLE else str(self.place(vertex))

    def _reason(self, does: Does, claims: Sequence[Claim]) -> str:
        """Because of whom, as the run shows it."""
        base, doing, time = self._base(does), Doing(does.doing), does.time
        met = [claim for claim in claims if isinstance(claim, Meets) and claim.agent == does.agent]
        if not met:
            return self._reason_without_meeting(does, claims)
        first = met[0]
        comes = f"{self.names[first.other]}, which comes to {self.place(first.place)} at time {first.when}"
        if doing in (Doing.STEPS_OFF, Doing.MAKES_ROOM):
            return f"{base} to make room for {comes}."
        here = [claim for claim in met if claim.when == time + 1]
        where = f" at {self.place(does.here)}"
        name = self.names[does.agent]
        if here:
            obstacles = listed([self.obstacle(one) for one in here])
            waits = f"{name} {Phrase.WAITS_FOR.format(where=where, obstacles=obstacles)}."
            return waits if doing is Doing.WAITS else f"{base} around {obstacles}."
        meeting = self.meeting(first)
        if doing is Doing.WAITS:
            return f"{name} {Phrase.WAITS_AHEAD.format(where=where, meeting=meeting)}."
        return f"{base}: on its own way it would {meeting}."

    def _reason_without_meeting(self, does: Does, claims: Sequence[Claim]) -> str:
        base, doing = self._base(does), Doing(does.doing)
        waits_for, cut_off = _first(claims, WaitsFor), _first(claims, CutOff)
        unknown, only = _first(claims, NotFound), _first(claims, MeetsOnly)
        if waits_for is not None and waits_for.agent == does.agent:
            return f"{base} for {self.names[waits_for.other]}, which is on {self.place(waits_for.place)}."
        if cut_off is not None and cut_off.agent == does.agent:
            return f"{base}: no way leads to its goal."
        if unknown is not None and unknown.what == "reason":
            return f"{base}; why is not known, for {unknown.limit}."
        if only is None or only.others:
            return f"{base}."
        if doing in (Doing.STEPS_OFF, Doing.MAKES_ROOM):
            return f"{base} although nobody comes there."
        return f"{base} although nobody is in its way."

    def _lasting(self, does: Does, claims: Sequence[Claim]) -> str:
        """How long it stands there."""
        lasts = _first(claims, Lasts)
        if lasts is None or lasts.agent != does.agent or lasts.until - lasts.since < 2:
            return ""
        long = steps(lasts.until - lasts.since)
        return f"It stands there for {long}, from time {lasts.since} to {lasts.until}."

    def obstacle(self, claim: Meets) -> str:
        """Somebody who is in the way of the next step."""
        return Phrase[claim.manner.upper()].format(
            name=self.names[claim.other], place=self.place(claim.place)
        )

    def meeting(self, claim: Meets) -> str:
        """A collision farther ahead: `meet b on (1, 2) at time 7`."""
        if claim.manner in _NOW:
            return f"collide with {self.obstacle(claim)}"
        phrase = Phrase[claim.manner.upper()]
        return phrase.format(name=self.names[claim.other], place=self.place(claim.place), time=claim.when)

    # Who waits for whom

    def _jam(self, claims: Sequence[Claim]) -> Iterator[str]:
        """`7 waits for 12, 12 for 30, 30 is cut off by the wall on (2, 3)`."""
        waits = [claim for claim in claims if isinstance(claim, WaitsFor)]
        ends = [claim for claim in claims if isinstance(claim, CutOff | Ring)]
        told = [
            f"{self.names[one.agent]} {'waits ' * (nth == 0)}for {self.names[one.other]}"
            for nth, one in enumerate(waits)
        ]
        for end in ends:
            if isinstance(end, Ring):
                told.append("and so they wait for each other in a circle")
            else:
                told.append(f"{self.names[end.agent]} is cut off from its goal{self._wall(end)}")
        if len(waits) > 1 or ends:
            sentence = ", ".join(told)
            yield f"{sentence}."

    def _wall(self, claim: CutOff) -> str:
        return "" if claim.wall is None else f" by the wall on {self.place(claim.wall)}"

    def change(self, claim: Changed) -> str:
        """Something that the outside world did."""
        name = "" if claim.agent == IDLE else self.names[claim.agent]
        if claim.change == "goal" and claim.place == IDLE:
            return f"{name} was left without a goal at time {claim.time}."
        place = "" if claim.place == IDLE else self.place(claim.place)
        words = _CHANGES.get(claim.change, "")
        return words.format(name=name, place=place, time=claim.time)

    # What if

    def _consequence(self, claims: Sequence[Claim]) -> str:
        had = self._had(claims)
        alternative, blocked = _first(claims, Alternative), _first(claims, NoWayAround)
        missing = _first(claims, NotFound)
        if alternative is not None:
            return self._cost(alternative, had, claims)
        if blocked is not None:
            return self._blocked(blocked, had, claims)
        if missing is not None and missing.what == "alternative":
            return f"{had}, no way was found for all others to go around it ({missing.limit})."
        if (detour := _first(claims, Detour)) is not None and detour.more:
            return f"{had}, it would have needed {self._by(detour.more)} by itself."
        return ""

    def _had(self, claims: Sequence[Claim]) -> str:
        """`Had it gone on`, or what else is spoken of."""
        way, does = _first(claims, Way), _first(claims, Does)
        if way is not None and way.over is not None:
            return (
                "Had the others made way"
                if _first(claims, Meets)
                else f"Had {self.names[way.agent]} been there"
            )
        return "Had it gone on" if does is None else _HAD.get(Doing(does.doing), "Had it gone on")

    def _farther(self, claims: Sequence[Claim]) -> str:
        """Whom else the agent would meet on its way: the next one, and how many more; nothing if nobody."""
        met = [claim for claim in claims if isinstance(claim, Meets)]
        does, way = _first(claims, Does), _first(claims, Way)
        if (
            not met
            or (way is not None and way.over is not None)
            or does is None
            or _first(claims, GaveWay) is not None
        ):
            return ""
        now = sum(claim.when == does.time + 1 for claim in met)
        others = met[max(now, 1) :]
        if not others or Doing(does.doing) not in (Doing.WAITS, Doing.DETOURS):
            return ""
        more = f", and {len(others) - 1} more" if len(others) > 1 else ""
        return f"Farther on it would {self.meeting(others[0])}{more}."

    def _blocked(self, claim: NoWayAround, had: str, claims: Sequence[Claim]) -> str:
        """Somebody else has no way left."""
        way, does = _first(claims, Way), _first(claims, Does)
        arrival = claim.time + len(way.path) - 1 if way is not None else 0
        met = [one for one in claims if isinstance(one, Meets) and one.other in claim.agents]
        goes = does is not None and Doing(does.doing) in (Doing.WAITS, Doing.DETOURS)
        stayed = goes and way is not None and way.over is None and all(one.when >= arrival for one in met)
        had = f"{had}{' and stayed at its goal' if stayed else ''}"
        names = [self.names[other] for other in claim.agents]
        no_way = f"no way leads around {self.names[claim.agent]}"
        if len(names) > 1:
            both = "both" if len(names) == 2 else "all"
            return f"{had}, {listed(names)} could not {both} have got where they want to be: {no_way}."
        goal = self.problem.goals[claim.agents[0]]
        if goal == IDLE:
            return f"{had}, {names[0]} would have had nowhere to make room."
        return f"{had}, {names[0]} could not have got to its goal {self.place(int(goal))}: {no_way}."

    def _cost(self, claim: Alternative, had: str, claims: Sequence[Claim]) -> str:
        """What an alternative costs whom. What others save who plan again is told apart from that."""
        total, own = claim.total, [one for one in claim.changes if one[0] == claim.agent]
        paying = sorted(
            (one for one in claim.changes if one[1] > 0 and one not in own), key=lambda one: -one[1]
        )
        saving = [one for one in claim.changes if one[1] < 0 and one not in own]
        told = _named([(self.names[agent], by) for agent, by in paying])
        told += [(self.names[agent], by) for agent, by in own]
        plan = f"the plan would cost {'the same' if total == 0 else f'{abs(total)} {_more(total)}'}"
        if saving:
            few = [self.names[agent] for agent, _ in saving]
            who = listed(few) if len(saving) <= NAMED else f"{len(saving)} others"
            plan = f"{who}, planning again, would have saved {steps(-sum(by for _, by in saving))}; {plan}"
        does, way = _first(claims, Does), _first(claims, Way)
        if paying or (way is not None and way.over is not None):
            changes = f"{self._changes(told)}: " if told else ""
            return f"{had}, {changes}{plan}."
        free = f"{_COULD[Doing(does.doing)] if does else 'It could have gone on'} at no cost to anybody"
        if told:
            return f"{free}: {self._changes(told)}, and {plan}."
        return f"{free}{f': {plan}' if saving else ''}."

    def sooner(self, claim: Sooner) -> str:
        """What the agent alone could have saved."""
        could = f"{self.names[claim.agent]} could have {self._verb} {self._by(-claim.by)}"
        return f"With all others as they are, {could}."

    @property
    def _verb(self) -> str:
        return "arrived" if self.problem.rules.cost == "sum_of_costs" else "needed"

    def _by(self, change: int) -> str:
        more, less = ("later", "earlier") if self._verb == "arrived" else ("more", "less")
        return f"{steps(abs(change))} {more if change > 0 else less}"

    def _changes(self, changes: Sequence[tuple[str, int]]) -> str:
        """`b would have arrived 2 steps later and a 1 step earlier`."""
        (first, by), *others = changes
        told = [f"{first} would have {self._verb} {self._by(by)}"]
        return listed([*told, *(f"{who} {self._by(by)}" for who, by in others)])


def _first(claims: Sequence[Claim], kind: type[Kind]) -> Kind | None:
    return next((claim for claim in claims if isinstance(claim, kind)), None)


def _is_free(claims: Sequence[Claim]) -> bool:
    """Would nobody else have paid?"""
    found = _first(claims, Alternative)
    return found is not None and all(by <= 0 for agent, by in found.changes if agent != found.agent)


def _more(change: int) -> str:
    return "more" if change > 0 else "less"


def _named(changes: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The first few; the others together."""
    if len(changes) <= NAMED + 1:
        return changes
    rest = changes[NAMED:]
    return [*changes[:NAMED], (f"{len(rest)} others together", sum(by for _, by in rest))]
