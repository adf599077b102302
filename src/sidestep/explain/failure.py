"""Why a run came to no plan: what the solver says, who vetoed, which orders go round in a circle."""

from __future__ import annotations

from collections.abc import Iterator

from ..dialogue.utterance import NO_DIALOGUE, Act
from .accounts import Accounts
from .claims import Claim, CutOff, Ended, OrderRing, Returned
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
    ring = order_ring(history)
    if ring is not None:
        yield ring
        for dialogue in dict.fromkeys(ring.dialogues):
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
