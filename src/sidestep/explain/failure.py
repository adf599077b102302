"""Why a run came to no plan: what the solver says, who vetoed, which orders go round in a circle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from .. import _core
from ..budget import Budget
from ..dialogue.utterance import NO_DIALOGUE, Act
from .accounts import Accounts
from .claims import Claim, CutOff, Ended, NoWayLeft, OrderRing, Returned
from .history import History
from .run import Run
from .step import Ways


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
    again = came_back(history)
    if again is not None:
        yield again


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
    orders, paths = history.orders(number, end), history.core(number)
    for agent in history.tellings[number]:
        if (told := history.told(number, agent, end)) is not None:
            paths.tell(agent, np.array(told.said.path, dtype=np.int32))
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


def _can_go_on(paths: _core.ToldPaths, agent: int, superiors: list[int]) -> bool:
    return paths.find(agent, superiors, Budget().core) is not None


def came_back(history: History) -> Returned | None:
    """The last utterance after which all told paths are as they were before, without a new order since."""
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
