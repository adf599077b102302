"""Why a run came to no plan: what the solver says, who vetoed, which orders go round in a circle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import permutations

import numpy as np

from .. import _core
from ..budget import Budget
from ..dialogue.negotiation import topics_of
from ..dialogue.utterance import NO_DIALOGUE, Act
from ..model.agents import IDLE
from ..model.arrays import IntArray
from .accounts import Accounts
from .claim import Claim
from .claims import Attempt, CutOff, Ended, NoOrderLeft, NoWayLeft, OrderRing, Repeats, Returned, StillAway
from .history import History
from .run import Run
from .step import Ways

MOST_RANKED = 6  # agents in one place whose orders are all tried


def claims_of_failure(
    run: Run, history: History | None, accounts: Accounts | None, ways: Ways
) -> Iterator[Claim]:
    """What is known about a run without a plan."""
    yield Ended(run.grounds.status, run.grounds.reason)
    for agent in range(len(run.names)):
        start, goal = int(run.problem.starts[agent]), int(run.problem.goals[agent])
        if goal != -1 and ways.left(agent, start) is None:
            yield CutOff(agent, 0, start)
    if history is None or accounts is None or not history.said:
        return
    last = history.said[-1]
    if last.dialogue != NO_DIALOGUE and history.talks[last.dialogue].adopted is None:
        yield from accounts.account(last.dialogue, whole=True)
    for found in (no_way_left(history), order_ring(history)):
        if found is None:
            continue
        yield found
        for dialogue in dict.fromkeys(found.dialogues):
            if dialogue != NO_DIALOGUE:
                yield from accounts.account(dialogue, whole=False)
    for one in (no_order_left(history), came_back(history), end_of_rounds(history)):
        if one is not None:
            yield one


def order_ring(history: History) -> OrderRing | None:
    """A shortest circle among the orders at the end, if there is one."""
    number = len(history.transcript.rounds) - 1
    orders = history.orders(number, len(history.said))
    below: dict[int, list[int]] = {}
    for above, inferior in sorted(orders):
        below.setdefault(above, []).append(inferior)
    best: list[int] | None = None
    for start in sorted(below):
        ways, ring = {start: [start]}, [start]
        while ring and (best is None or len(ways[ring[0]]) < len(best)):
            one = ring.pop(0)
            for other in below.get(one, []):
                if other == start and (best is None or len(ways[one]) < len(best)):
                    best = ways[one]
                elif other not in ways:
                    ways[other] = [*ways[one], other]
                    ring.append(other)
    if best is None:
        return None
    dialogues = tuple(orders[pair] for pair in zip(best, best[1:] + best[:1], strict=True))
    return OrderRing(tuple(best), dialogues)


def no_way_left(history: History) -> NoWayLeft | None:
    """An agent in the way of one above it that has no way around those above it, if there is one.

    Of several the one that has gone before all others most often: nothing more could be done for it.
    """
    number, end = len(history.transcript.rounds) - 1, len(history.said)
    orders, paths = history.orders(number, end), told_at_the_end(history)
    pairs = [pair for _, _, *both, _ in paths.first_conflicts().tolist() for pair in (both, both[::-1])]
    broken = dict.fromkeys(below for above, below in pairs if (above, below) in orders)
    said = [one for one in history.said if one.round == number and one.act is Act.GO_FIRST]
    firsts = Counter(one.speaker for one in said)
    for agent in sorted(broken, key=lambda one: -firsts[one]):
        superiors = sorted(above for above, below in orders if below == agent)
        if _can_go_on(paths, agent, superiors):
            continue
        for above in superiors.copy():  # those that matter
            others = [each for each in superiors if each != above]
            superiors = superiors if _can_go_on(paths, agent, others) else others
        return NoWayLeft(agent, tuple(superiors), tuple(orders[above, agent] for above in superiors))
    return None


def told_at_the_end(history: History) -> _core.ToldPaths:
    """All paths as they were told last."""
    number, end = len(history.transcript.rounds) - 1, len(history.said)
    paths = history.core(number)
    for agent in history.tellings[number]:
        if (told := history.told(number, agent, end)) is not None:
            paths.tell(agent, np.array(told.said.path, dtype=np.int32))
    return paths


def no_order_left(history: History) -> NoOrderLeft | None:
    """The first conflict at the end, if in every order of those in it somebody has no path.

    Those who talked about that have said so; without dialogues nobody has.
    """
    if history.talks and any(talk.offers for talk in history.talks.values()):
        return None
    number, end = len(history.transcript.rounds) - 1, len(history.said)
    orders, paths = history.orders(number, end), told_at_the_end(history)
    topic = next(topics_of(paths.first_conflicts().tolist(), pairs=False), None)
    if topic is None or len(topic.agents) > MOST_RANKED:
        return None
    above = {agent: {one for one, below in orders if below == agent} for agent in topic.agents}
    for keeps in (True, False):
        attempts = _attempts(paths, topic.agents, above, keeps=keeps)
        if attempts:
            return NoOrderLeft(topic.agents, attempts)
    return None


def _attempts(
    paths: _core.ToldPaths, agents: tuple[int, ...], above: dict[int, set[int]], *, keeps: bool
) -> tuple[Attempt, ...]:
    """How every order begins in which somebody has no path; nothing if that is not so of all of them."""
    found: list[Attempt] = []
    for ranked in permutations(agents):
        if any(ranked[: len(one.ranked)] == one.ranked for one in found):
            continue
        one = _attempt(paths, ranked, above, keeps=keeps)
        if one is None:
            return ()
        found.append(one)
    return tuple(found)


def _attempt(
    paths: _core.ToldPaths, ranked: tuple[int, ...], above: dict[int, set[int]], *, keeps: bool
) -> Attempt | None:
    """Each plans around those before it, until one has no path; None if all have one.

    With `keeps`, the first goes as it has told.
    """
    before, found = {agent: paths.path(agent) for agent in ranked}, list[tuple[int, ...]]()
    try:
        for place, agent in enumerate(ranked):
            if keeps and not place:
                found.append(())
                continue
            path = _find(paths, agent, above[agent] | set(ranked[:place]))
            if path is None:
                return Attempt(ranked[: place + 1], tuple(found))
            paths.tell(agent, path)
            found.append(tuple(path.tolist()))
    finally:
        for agent, path in before.items():
            paths.tell(agent, path)
    return None


def _can_go_on(paths: _core.ToldPaths, agent: int, superiors: list[int]) -> bool:
    return _find(paths, agent, superiors) is not None


def _find(paths: _core.ToldPaths, agent: int, around: Collection[int]) -> IntArray | None:
    path: IntArray | None
    path = paths.find(agent, sorted(around), Budget().core)  # type: ignore[assignment]
    return path


def came_back(history: History) -> Returned | None:
    """The last utterance after which all told paths are as they were before, without a new order since.

    In rounds that ends nothing.
    """
    if history.windowed:
        return None
    number = len(history.transcript.rounds) - 1
    paths: dict[int, tuple[int, ...]] = {}
    seen: dict[tuple[tuple[int, tuple[int, ...]], ...], int] = {}
    found: Returned | None = None
    for index, said in enumerate(history.said):
        if said.round != number:
            continue
        if said.act in (Act.ADOPT, Act.GO_FIRST):
            seen.clear()
            found = None
        elif said.act is Act.NEW_PATH and (said.dialogue == NO_DIALOGUE or said.stage == "closing"):
            paths[said.speaker] = said.path
            state = tuple(sorted(paths.items()))
            if state in seen:
                found = Returned(seen[state], index)
            seen.setdefault(state, index)
    return found


def end_of_rounds(history: History) -> Repeats | StillAway | None:
    """Of a run in rounds: whether the last one was as an earlier one, and who was not on its goal then."""
    rounds = history.transcript.rounds
    if not history.windowed:
        return None
    last = _told_in(history, len(rounds) - 1)
    goals = history.run.state(rounds[-1])[1]
    away = tuple(a for a, path in sorted(last.items()) if goals[a] != IDLE and path[0] != goals[a])
    for number in reversed(range(len(rounds) - 1)):
        if _told_in(history, number) == last:
            return Repeats(rounds[number], rounds[-1], away)
    return StillAway(rounds[-1], away)


def _told_in(history: History, number: int) -> dict[int, tuple[int, ...]]:
    """The last path of everybody in a round."""
    return {agent: told[-1].said.path for agent, told in history.tellings[number].items()}
