"""The rules of a dialogue, written down as what may be said next; breaches of them are caught here."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable

from ..model.errors import ProtocolError
from .transcript import Transcript, went_first
from .utterance import NO_DIALOGUE, Act, Action, Order, Stage, Utterance

Listening = Generator[None, Utterance, None]
Hearing = Generator[None, Utterance, Utterance]

OUTSIDE = (Act.NEW_PATH, Act.GO_FIRST)  # what is said outside of dialogues


def check_protocol(transcript: Transcript) -> None:
    """Raises a ProtocolError at the first utterance that was not its speaker's to make."""
    orders: dict[int, set[tuple[int, int]]] = {}
    floors: dict[int, Listening] = {}
    finished: set[int] = set()
    for place, said in enumerate(transcript.utterances):
        try:
            if said.dialogue == NO_DIALOGUE:
                _require(said.stage is Stage.EXCHANGE, "only paths are exchanged outside of a dialogue")
                _require(said.act in OUTSIDE, "only paths are exchanged outside of a dialogue")
                if said.act is Act.GO_FIRST:
                    held = orders.setdefault(said.round, set())
                    after = went_first(said, held)
                    held.clear()
                    held.update(after)
                continue
            _require(said.dialogue not in finished, "the dialogue is over")
            if said.dialogue not in floors:
                agents = transcript.topics[said.dialogue].agents
                held = orders.setdefault(said.round, set()) if transcript.keep_orders else set()
                floors[said.dialogue] = (_closing if transcript.silent else _dialogue)(agents, held)
                next(floors[said.dialogue])
            floors[said.dialogue].send(said)
        except StopIteration:
            finished.add(said.dialogue)
        except ProtocolError as error:
            words = f"{transcript.names[said.speaker]}: {transcript.said(said)}"
            raise ProtocolError(f"utterance {place} ({words}): {error}") from None


def _dialogue(agents: tuple[int, ...], orders: set[tuple[int, int]]) -> Listening:
    """Opening; proposal and evaluation until nobody asks for more; closing."""
    while (yield from _is_on_hold(agents)):
        pass
    votes: dict[Order, float] = {}
    proposers: dict[Order, int] = {}
    more = True
    while more:
        new = yield from _proposals(agents, orders, set(proposers))
        proposers |= new
        for order in new:
            total = yield from _evaluation(agents, order)
            if total is not None:
                votes[order] = total
        more = yield from _wants_more(agents)
    if votes:
        best = min(votes, key=lambda order: (votes[order], proposers[order]))
        yield from _closing(agents, orders, best)
    else:
        yield from _single_actions(agents)


def _single_actions(agents: tuple[int, ...]) -> Listening:
    """Where no order helps: proposals to give up single actions, one at a time, until one is adopted."""
    sums: dict[tuple[Action, ...], float] = {}
    known: set[tuple[Action, ...]] = set()
    while (said := (yield)).act is Act.PROPOSE:
        gives_up = said.gives_up
        _addressed_to_all(said, agents)
        _require(said.stage is Stage.PROPOSAL and bool(gives_up), "a proposal names what is given up")
        _require(
            {action.agent for action in gives_up} <= set(agents), "it is not about those in the dialogue"
        )
        _require(gives_up[-1].agent != said.speaker, "everybody proposes that another gives something up")
        _require(gives_up[:-1] in {(), *sums}, "it expands on nothing that was proposed")
        _require(gives_up not in known, "it was proposed before")
        known.add(gives_up)
        total = yield from _evaluation_of_actions(agents, gives_up)
        if total is not None:
            sums[gives_up] = total
    yield from _adopted_actions(agents, said, sums)


def _evaluation_of_actions(
    agents: tuple[int, ...], gives_up: tuple[Action, ...]
) -> Generator[None, Utterance, float | None]:
    """Who gives something up tells its path, then all vote; None after a veto."""
    votes: list[float] = []
    for place, agent in enumerate((gives_up[-1].agent, *reversed(agents))):
        usual = Act.VOTE if place else Act.NEW_PATH
        said = yield from _hear(agents, agent, Stage.EVALUATION, usual, Act.VETO)
        _require(said.gives_up == gives_up, "this is not the proposal that is evaluated")
        if said.act is Act.VETO:
            return None
        if place:
            _require(said.vote is not None and math.isfinite(said.vote), "a vote is a number")
            votes.append(said.vote or 0.0)
    return math.fsum(votes)


def _adopted_actions(
    agents: tuple[int, ...], first: Utterance, sums: dict[tuple[Action, ...], float]
) -> Listening:
    """All adopt the same proposal, and tell the others their paths."""
    for place, agent in enumerate(agents):
        said = first if place == 0 else (yield)
        _expect(said, agent, Stage.CLOSING, (Act.ADOPT,))
        _addressed_to_all(said, agents)
        _require(said.gives_up == first.gives_up, "another proposal is adopted")
    _require(first.gives_up in sums, "nobody has proposed that")
    for agent in agents:
        said = yield
        _expect(said, agent, Stage.CLOSING, (Act.NEW_PATH,))
        _require(not set(said.hearers) & set(agents), "those in the dialogue know the path")


def _is_on_hold(agents: tuple[int, ...]) -> Generator[None, Utterance, bool]:
    """Everybody says whether it has an earlier conflict; then the dialogue waits, and is opened again."""
    acts = []
    for agent in agents:
        said = yield from _hear(agents, agent, Stage.OPENING, Act.NO_EARLIER, Act.HOLD)
        acts.append(said.act)
    return Act.HOLD in acts


def _proposals(
    agents: tuple[int, ...], orders: set[tuple[int, int]], known: set[Order]
) -> Generator[None, Utterance, dict[Order, int]]:
    """Everybody proposes an order in which it is above somebody, or declines."""
    new: dict[Order, int] = {}
    for agent in agents:
        said = yield from _hear(agents, agent, Stage.PROPOSAL, Act.PROPOSE, Act.DECLINE)
        if said.act is Act.DECLINE:
            continue
        pairs = set(said.order)
        named = {one for pair in pairs for one in pair}
        contradicted = any((below, above) in pairs | orders for above, below in pairs)
        _require(named <= set(agents), "it is not about those in the dialogue")
        _require(any(above == agent for above, _ in pairs), "nobody is proposed to be below the proposer")
        _require(not contradicted, "it contradicts an order")
        _require(said.order not in known | set(new), "it was proposed before")
        new[said.order] = agent
    return new


def _evaluation(agents: tuple[int, ...], order: Order) -> Generator[None, Utterance, float | None]:
    """Paths from above to below, then votes from below to above; None after a veto."""
    ranked = in_rank(agents, order)
    for agent in ranked:
        said = yield from _hear(agents, agent, Stage.EVALUATION, Act.NEW_PATH, Act.VETO)
        if said.act is Act.VETO:
            _require(said.order == order, "this is not the proposal that is evaluated")
            return None
    votes: list[float] = []
    speakers = list(reversed(ranked))
    while len(votes) < len(speakers):
        said = yield
        if said.act is Act.ASK and not votes and len(speakers) == len(ranked):
            speakers = _asked(said, agents, order) + speakers
            continue
        whose = speakers[len(votes)] if votes else None  # anybody may veto, before all votes
        _expect(said, whose, Stage.EVALUATION, (Act.VOTE, Act.VETO))
        _require(said.speaker in speakers, "the speaker is not in the dialogue")
        _addressed_to_all(said, agents)
        _require(said.order == order, "this is not the proposal that is evaluated")
        if said.act is Act.VETO:
            _require(not votes, "a veto comes before all votes")
            return None
        _require(said.speaker == speakers[len(votes)], "those below vote first")
        _require(said.vote is not None and math.isfinite(said.vote), "a vote is a number")
        votes.append(said.vote or 0.0)
    return math.fsum(votes)


def _asked(said: Utterance, agents: tuple[int, ...], order: Order) -> list[int]:
    """The bystanders who are asked about a proposal; they vote first."""
    _expect(said, None, Stage.EVALUATION, (Act.ASK,))
    _require(said.speaker in agents, "the speaker is not in the dialogue")
    _require(said.order == order, "this is not the proposal that is evaluated")
    _require(not set(said.hearers) & set(agents), "those in the dialogue are not asked")
    return list(said.hearers)


def _wants_more(agents: tuple[int, ...]) -> Generator[None, Utterance, bool]:
    acts = []
    for agent in agents:
        said = yield from _hear(agents, agent, Stage.EVALUATION, Act.NO_FURTHER, Act.EXPAND)
        acts.append(said.act)
    return Act.EXPAND in acts


def _closing(agents: tuple[int, ...], orders: set[tuple[int, int]], best: Order | None = None) -> Listening:
    """All adopt the same order, the one with the lowest sum of votes, and tell the others their paths."""
    silent = best is None  # it was found without a dialogue
    for agent in agents:
        said = yield from _hear(agents, agent, Stage.CLOSING, Act.ADOPT)
        best = said.order if best is None else best
        _require(said.order == best, "another proposal has the lowest sum of votes")
    for above, below in best or ():
        _require(not {(above, below), (below, above)} & orders, "the two have an order already")
    orders.update(best or ())
    for agent in agents:
        said = yield
        _expect(said, agent, Stage.CLOSING, (Act.NEW_PATH,))
        _require(silent or not set(said.hearers) & set(agents), "those in the dialogue know the path")


def _hear(agents: tuple[int, ...], speaker: int | None, stage: Stage, *acts: Act) -> Hearing:
    """The next utterance, made to all others in the dialogue."""
    said = yield
    _expect(said, speaker, stage, acts)
    _require(said.speaker in agents, "the speaker is not in the dialogue")
    _addressed_to_all(said, agents)
    return said


def _addressed_to_all(said: Utterance, agents: tuple[int, ...]) -> None:
    everybody = tuple(agent for agent in agents if agent != said.speaker)
    _require(said.hearers == everybody, "in a dialogue all others hear what is said")


def _expect(said: Utterance, speaker: int | None, stage: Stage, acts: tuple[Act, ...]) -> None:
    _require(said.stage is stage, f"this is the {stage} stage, not {said.stage}")
    _require(speaker is None or said.speaker == speaker, "it is another's turn to speak")
    _require(said.act in acts, f"expected is {' or '.join(acts)}")


def _require(kept: bool, sentence: str) -> None:
    if not kept:
        raise ProtocolError(sentence)


def all_above(agent: int, order: Order) -> set[int]:
    """The superiors of an agent in an order, and theirs."""
    found: set[int] = set()
    ask = {agent}
    while ask:
        ask = {superior for superior, inferior in order if inferior in ask} - found
        found |= ask
    return found


def in_rank(agents: Iterable[int], order: Order) -> list[int]:
    """Superiors before inferiors, otherwise by number."""
    return sorted(agents, key=lambda agent: (len(all_above(agent, order)), agent))
