"""Answers as sentences. What the player of replays says as well is in `phrases.py`."""

from __future__ import annotations

from collections.abc import Sequence

from ..judge import ViolationKind
from ..model.agents import IDLE
from ..model.plan import Plan
from .answer import Answer, Cause
from .phrases import Phrase, listed, steps
from .step import Doing, Ways

NAMED = 3  # agents that a sentence names; of more it gives the number

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


class Words:
    """Sentences about the agents of one plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.problem = plan, plan.problem
        self.names, self.place = plan.problem.names, plan.problem.space.place

    def at(self, agent: int, time: int) -> int:
        """The vertex of an agent; after the end of the plan, as at its end."""
        return int(self.plan.vertices[min(time, self.plan.makespan), agent])

    # What it does

    def contented(self, doing: Doing, agent: int, time: int, ways: Ways) -> str:
        """About a step that needs no reason."""
        name, here, after = self.names[agent], self.at(agent, time), self.at(agent, time + 1)
        match doing:
            case Doing.ABSENT:
                return f"{name} is not there any more at time {time}: it has arrived."
            case Doing.VANISHES:
                return f"{name} has arrived at its goal {self.place(here)} and leaves the map."
            case Doing.RESTS:
                return f"{name} is at its goal {self.place(here)}."
            case Doing.STANDS:
                return f"{name} stands on {self.place(here)}: it has no goal."
        left = ways.left(agent, after)
        if left == 0:
            return f"{name} {Phrase.ARRIVES.format(place=self.place(after))}, as it likes best."
        goes = Phrase.GOES.format(place=self.place(after), steps=steps(left))
        return f"{name} {goes}, as it likes best."

    def reason(self, answer: Answer) -> str:
        """What the agent does, and because of whom."""
        doing, agent, time, causes = answer.doing, answer.agent, answer.time, answer.because
        name, here, after = self.names[agent], self.place(self.at(agent, time)), self.at(agent, time + 1)
        where = f" at {here}"
        detour = f"{name} {Phrase.DETOURS.format(place=self.place(after))}"
        if not causes:
            return {
                Doing.WAITS: f"{name} {Phrase.WAITS_FREELY.format(where=where)}.",
                Doing.DETOURS: f"{detour} although nobody is in its way.",
                Doing.STEPS_OFF: f"{name} steps off its goal {here} although nobody comes there.",
                Doing.MAKES_ROOM: f"{name}, which has no goal, leaves {here} although nobody comes there.",
            }[doing]
        cause = causes[0]
        comes = f"{self.names[cause.agent]}, which comes to {cause.place} at time {cause.time}"
        if doing is Doing.STEPS_OFF:
            return f"{name} steps off its goal {here} to make room for {comes}."
        if doing is Doing.MAKES_ROOM:
            return f"{name}, which has no goal, leaves {here} to make room for {comes}."
        now = [one for one in causes if one.time == time + 1]
        waits = doing is Doing.WAITS
        if now:
            obstacles = listed([self.obstacle(one, time) for one in now])
            wait = f"{name} {Phrase.WAITS_FOR.format(where=where, obstacles=obstacles)}."
            return wait if waits else f"{detour} around {obstacles}."
        meeting = self.meeting(answer, cause)
        ahead = f"{name} {Phrase.WAITS_AHEAD.format(where=where, meeting=meeting)}."
        return ahead if waits else f"{detour}: on its own way it would {meeting}."

    def farther(self, answer: Answer) -> str:
        """Whom else the agent would meet on its way: the next one, and how many more; nothing if nobody."""
        now = sum(cause.time == answer.time + 1 for cause in answer.because)
        others = answer.because[max(now, 1) :]
        if not others or answer.doing not in (Doing.WAITS, Doing.DETOURS):
            return ""
        more = f", and {len(others) - 1} more" if len(others) > 1 else ""
        return f"Farther on it would {self.meeting(answer, others[0])}{more}."

    def obstacle(self, cause: Cause, time: int) -> str:
        """Somebody who is in the way of the next step."""
        return self._obstacle_phrase(cause, time).format(name=self.names[cause.agent], place=cause.place)

    def _obstacle_phrase(self, cause: Cause, time: int) -> Phrase:
        before, after = (self._is_at(cause, when) for when in (time, time + 1))
        match cause.kind:
            case ViolationKind.VERTEX:
                return Phrase.STANDS if before and after else Phrase.TAKES
            case ViolationKind.SWAP:
                return Phrase.APPROACHES
            case ViolationKind.FOLLOWING:
                return Phrase.LEAVES if before else Phrase.FOLLOWS
        return Phrase.CROSSES

    def meeting(self, answer: Answer, cause: Cause) -> str:
        """A collision farther ahead: `meet b on (1, 2) at time 7`."""
        phrase = self._meeting_phrase(answer, cause)
        return phrase.format(name=self.names[cause.agent], place=cause.place, time=cause.time)

    def _meeting_phrase(self, answer: Answer, cause: Cause) -> Phrase:
        if cause.time > answer.time + len(answer.wish) - 1:
            return Phrase.IS_PASSED
        match cause.kind:
            case ViolationKind.VERTEX:
                return Phrase.MEETS
            case ViolationKind.SWAP:
                return Phrase.RUNS_INTO
            case ViolationKind.FOLLOWING:
                return Phrase.ENTERS_EARLY if self._is_at(cause, cause.time - 1) else Phrase.IS_FOLLOWED
        return Phrase.CUTS_ACROSS

    def _is_at(self, cause: Cause, time: int) -> bool:
        vertex = self.at(cause.agent, time)
        return vertex != -1 and self.place(vertex) == cause.place

    # What if

    def blocked(self, answer: Answer) -> str:
        """Somebody else has no way left."""
        arrival = answer.time + len(answer.wish) - 1
        only_there = all(cause.time >= arrival for cause in answer.because if cause.agent in answer.blocked)
        stayed = only_there and answer.doing in (Doing.WAITS, Doing.DETOURS)
        had = f"{_HAD[answer.doing]}{' and stayed at its goal' if stayed else ''}"
        names = [self.names[other] for other in answer.blocked]
        no_way = f"no way leads around {self.names[answer.agent]}"
        if len(names) > 1:
            both = "both" if len(names) == 2 else "all"
            return f"{had}, {listed(names)} could not {both} have got where they want to be: {no_way}."
        goal = self.problem.goals[answer.blocked[0]]
        if goal == IDLE:
            return f"{had}, {names[0]} would have had nowhere to make room."
        return f"{had}, {names[0]} could not have got to its goal {self.place(goal)}: {no_way}."

    def unknown(self, answer: Answer, limit: str) -> str:
        """The search for who is in the way did not come to an end."""
        name, here = self.names[answer.agent], self.place(self.at(answer.agent, answer.time))
        does = {
            Doing.WAITS: f"waits at {here}",
            Doing.DETOURS: Phrase.DETOURS.format(place=self.place(self.at(answer.agent, answer.time + 1))),
            Doing.STEPS_OFF: f"steps off its goal {here}",
            Doing.MAKES_ROOM: f"leaves {here}",
        }[answer.doing]
        return f"{name} {does}; why is not known, for {limit}."

    def unproved(self, doing: Doing, limit: str) -> str:
        """No alternative was found, and nobody is known to have no way left."""
        return f"{_HAD[doing]}, no way was found for all others to go around it ({limit})."

    def cost(self, answer: Answer, total: int) -> str:
        """What an alternative costs whom. What others save who plan again is told apart from that."""
        change, own = answer.cost_change, self.names[answer.agent]
        others = [(who, by) for who, by in change.items() if who != own]
        paying = sorted((one for one in others if one[1] > 0), key=lambda one: -one[1])
        saving = [one for one in others if one[1] < 0]
        told = _named(paying) + ([(own, change[own])] if own in change else [])
        plan = f"the plan would cost {'the same' if total == 0 else f'{abs(total)} {_more(total)}'}"
        if saving:
            who = listed([name for name, _ in saving]) if len(saving) <= NAMED else f"{len(saving)} others"
            saved = steps(-sum(by for _, by in saving))
            plan = f"{who}, planning again, would have saved {saved}; {plan}"
        if paying:
            return f"{_HAD[answer.doing]}, {self._changes(told)}: {plan}."
        free = f"{_COULD[answer.doing]} at no cost to anybody"
        return (
            f"{free}: {self._changes(told)}, and {plan}."
            if told
            else f"{free}{f': {plan}' if saving else ''}."
        )

    def sooner(self, agent: int, by: int) -> str:
        """What the agent alone could have saved."""
        return f"With all others as they are, {self.names[agent]} could have {self._verb} {self._by(-by)}."

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


def _more(change: int) -> str:
    return "more" if change > 0 else "less"


def _named(changes: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The first few; the others together."""
    if len(changes) <= NAMED + 1:
        return changes
    rest = changes[NAMED:]
    return [*changes[:NAMED], (f"{len(rest)} others together", sum(by for _, by in rest))]
