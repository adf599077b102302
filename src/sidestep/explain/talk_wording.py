"""What was said in dialogues, as sentences made of claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..dialogue.utterance import NO_DIALOGUE, Order, order_text
from . import claims as said
from .claim import Claim
from .grounds import Grounds
from .phrases import listed, some, steps

NO_PLACE = -1
_COLLISIONS = {
    "vertex": "both would have come to {place} at time {when}",
    "swap": "they would have swapped places, one on {place}, at time {when}",
    "crossing": "their ways would have crossed, one towards {place}, at time {when}",
    "following": "one would have come right behind the other, on {place}, at time {when}",
}
_CAUSES = {
    "alone": "before anybody had answered",
    "dialogue": "as agreed in dialogue {dialogue}",
    "order": "when it planned again around those above it",
    "first": "when it went before all others",
}
_FATES = {
    "superseded": "all that it changed was told otherwise later",
    "forgotten": "what is left of it was to come after its round, and was forgotten then",
    "unfinished": "no order was adopted",
    "unchanged": "nobody changed its path",
}


class TalkWords:
    """Sentences about dialogues."""

    def __init__(self, grounds: Grounds) -> None:
        self.names, self._place = grounds.problem.names, grounds.problem.space.place

    def collision(self, claim: said.GaveWay | said.Topic) -> str:
        """`both would have come to (1, 1) at time 3`."""
        return _COLLISIONS[claim.collision].format(place=self._place(claim.place), when=claim.when)

    def plain_lines(self, claims: Sequence[Claim]) -> Iterator[str]:
        """What those read, too, who do not ask for details."""
        for claim in claims:
            match claim:
                case said.WentFirst():
                    name = self.names[claim.agent]
                    yield f"Under what had been agreed {name} could not go on, and it went before all others."
                case said.Decided():
                    yield from self._persuaded(claim, claims)
                case said.GaveUp():
                    yield self._given_up(claim)
                case said.Undecided():
                    who = listed([self.names[agent] for agent in claim.agents])
                    yield f"{who} came to no agreement: {_UNDECIDED[claim.why]}."
                case said.OrderRing():
                    names = [self.names[agent] for agent in claim.agents]
                    told = ", ".join(
                        f"{one} before {two}" for one, two in zip(names, names[1:] + names[:1], strict=True)
                    )
                    yield f"What they had agreed goes round in a circle: {told}."
                case said.NoWayLeft():
                    yield self._no_way_left(claim)
                case said.NoOrderLeft():
                    yield self._no_order_left(claim)
                case said.Repeats():
                    yield (
                        f"At time {claim.later} all were where they had been at time {claim.earlier}, and "
                        f"said the same again: so it would have gone on for ever. {self._away(claim.away)}."
                    )
                case said.StillAway():
                    yield f"At time {claim.time}, when they last looked ahead, {self._away(claim.away)}."
                case said.Returned():
                    yield "They kept going round: everybody came back to the way that it had said before."

    def _persuaded(self, claim: said.Decided, claims: Sequence[Claim]) -> Iterator[str]:
        """`b let a pass: a said its order is due in 12 steps`, where those above gave reasons."""
        argued = [one for one in claims if isinstance(one, said.Argued) and one.dialogue == claim.dialogue]
        for superior in dict.fromkeys(above for above, _ in claim.order):
            own = [one for one in argued if one.agent == superior]
            against = [one for one in own if one.order != claim.order]
            says = list(dict.fromkeys(one.says for one in against or own))
            if says:
                name = self.names[superior]
                below = listed([self.names[agent] for above, agent in claim.order if above == superior])
                yield f"{below} let {name} pass: {name} said {listed(says)}."

    def _given_up(self, claim: said.GaveUp) -> str:
        who = listed([self.names[agent] for agent in claim.agents])
        told = [self._action(*action) for action in claim.actions]
        return f"To let one of {who} go first was no help; so they agreed that {listed(told)}."

    def _no_way_left(self, claim: said.NoWayLeft) -> str:
        who = listed([self.names[agent] for agent in claim.superiors])
        goes = "goes" if len(claim.superiors) == 1 else "go"
        return f"{self.names[claim.agent]} has no way left around {who}, which {goes} before it."

    def _no_order_left(self, claim: said.NoOrderLeft) -> str:
        who = listed([self.names[agent] for agent in claim.agents])
        left = "the other one" if len(claim.agents) == 2 else "one of the others"
        return f"Whichever of {who} goes first, {left} has no way left."

    def _away(self, agents: tuple[int, ...]) -> str:
        verb, goals = ("was", "its goal") if len(agents) == 1 else ("were", "their goals")
        return f"{some([self.names[agent] for agent in agents])} {verb} not on {goals}"

    def _action(self, agent: int, origin: int, place: int, time: int) -> str:
        where = f"{self._place(place)} at time {time}"
        if origin == NO_PLACE:
            return f"{self.names[agent]} is not on {where}"
        return f"{self.names[agent]} does not go from {self._place(origin)} to {where}"

    def lines(self, claims: Sequence[Claim]) -> Iterator[str]:
        """For experts, in the order of the claims."""
        chain = next((claim.dialogues for claim in claims if isinstance(claim, said.Chain)), ())
        for claim in claims:
            match claim:
                case said.Entered():
                    cause = _CAUSES[claim.cause].format(dialogue=claim.dialogue)
                    name = self.names[claim.agent]
                    yield f"{name} told the others of this step with utterance {claim.utterance}, {cause}."
                case said.GaveWay():
                    yield self._order(claim)
                case said.Topic():
                    head = "Before that, dialogue" if claim.dialogue in chain[1:] else "Dialogue"
                    yield f"{head} {claim.dialogue}: {self._topic(claim)}."
                case said.Proposed():
                    yield f"  {self._proposal(claim, claims)}"
                case said.Decided():
                    yield from self._decision(claim, claims)
                case said.NoEffect():
                    by = f", the last of it in dialogue {claim.by}" if claim.by != NO_DIALOGUE else ""
                    yield f"Dialogue {claim.dialogue} is without effect: {_FATES[claim.why]}{by}."
                case said.NoOrderLeft():
                    for one in claim.attempts:
                        names = [self.names[agent] for agent in one.ranked]
                        yield f"  {' > '.join(names)}: {names[-1]} has no way left."

    def line(self, topic: said.Topic, adopted: Order, offers: Sequence[tuple[Order, float | None]]) -> str:
        """A dialogue in one line, for the events of a replay."""
        sums = {order: "a veto" if total is None else _number(total) for order, total in offers}
        rejected = [
            f"{order_text(order, self.names)} ({sums[order]})" for order, _ in offers if order != adopted
        ]
        votes = f" ({sums[adopted]})" if adopted in sums else ""
        against = f", not {listed(rejected)}" if rejected else ""
        who, where = listed([self.names[agent] for agent in topic.agents]), self._place(topic.place)
        chosen = order_text(adopted, self.names)
        return f"{who} would have collided at {where}; they adopt {chosen}{votes}{against}"

    def _order(self, claim: said.GaveWay) -> str:
        above, below = self.names[claim.superior], self.names[claim.agent]
        since = (
            f"since {above} went before all others"
            if claim.dialogue == NO_DIALOGUE
            else f"since dialogue {claim.dialogue}"
        )
        return f"{above} is above {below} {since}; {self.collision(claim)}."

    def _topic(self, claim: said.Topic) -> str:
        who = listed([self.names[agent] for agent in claim.agents])
        where = f"at {self._place(claim.place)}, time {claim.when}"
        kind = "" if claim.collision == "vertex" else f" ({claim.collision})"
        return f"{who} would have collided {where}{kind}"

    def _proposal(self, claim: said.Proposed, claims: Sequence[Claim]) -> str:
        about = claim.dialogue, claim.order
        argued = [
            one for one in claims if isinstance(one, said.Argued) and (one.dialogue, one.order) == about
        ]
        head = f"{self.names[claim.proposer]} proposed {order_text(claim.order, self.names)}"
        if claim.vetoed_by is not None:
            return f"{head}: {self.names[claim.vetoed_by]} vetoed, {_VETOES[claim.because]}{_because(argued)}"
        told = "; ".join(
            self._outcome(outcome) + _because([one for one in argued if one.agent == outcome.agent])
            for outcome in claim.outcomes
        )
        return f"{head}: {told}; in all {_number(claim.total or 0.0)}"

    def _outcome(self, outcome: said.Outcome) -> str:
        before, after = outcome.steps
        way = f"{steps(after)} ({_change(after - before)})"
        conflicts = f"{outcome.conflicts[1]} conflict{'' if outcome.conflicts[1] == 1 else 's'}"
        change = _change(outcome.conflicts[1] - outcome.conflicts[0])
        return f"{self.names[outcome.agent]} {way}, {conflicts} ({change}), vote {_number(outcome.vote)}"

    def _decision(self, claim: said.Decided, claims: Sequence[Claim]) -> Iterator[str]:
        order = order_text(claim.order, self.names)
        offers = [one for one in claims if isinstance(one, said.Proposed) and one.dialogue == claim.dialogue]
        sums = [one.total for one in offers if one.total is not None]
        least = f", {_number(min(sums))}" if sums else ""
        longer = f", although its ways are {steps(claim.longer)} longer in all" if claim.longer else ""
        yield {
            "sum": f"  {order} was adopted: it has the lowest sum{least}{longer}.",
            "number": f"  {order} was adopted: of equal lowest sums{least}, the lower number's{longer}.",
            "earlier": f"  {order} was adopted: of equal lowest sums{least}, the one proposed first{longer}.",
            "veto": f"  {order} was adopted: no other was left.",
            "silence": f"  {order} was adopted without a dialogue.",
        }[claim.by]
        if claim.weights is not None and offers:
            length, conflict, partial = claim.weights
            rest = f", and {partial:g} for a conflict left open" if partial else ""
            vote = f"{length:g} per step more and {conflict:g} per conflict more{rest}"
            yield f"  A vote is {vote}; the lowest sum wins."


_UNDECIDED = {
    "vetoes": "whichever of them went first, somebody had no way left",
    "refused": "whichever of them went first, somebody did not accept it",
    "on hold": "they waited for others, and never went on",
    "interrupted": "they were interrupted",
}


_VETOES = {
    "path": "having no path left",
    "conflict": "for it would still collide",
    "voter": "not accepting it",
}


def _because(argued: Sequence[said.Argued]) -> str:
    """The reasons of a vote as the rest of its sentence; nothing if there are none."""
    return f", because {' and '.join(one.says for one in argued)}" if argued else ""


def _change(by: int) -> str:
    return "as before" if by == 0 else f"{abs(by)} {'more' if by > 0 else 'less'}"


def _number(value: float) -> str:
    return f"{value:.4g}"
