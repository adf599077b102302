"""Why the guard refused a move: the chain of who was in whose way, back to somebody who was not heard."""

from __future__ import annotations

from .ground import Ground, Refusal


def cause_of(ground: Ground, refusal: Refusal) -> str | None:
    """The fault that a refusal is traced to, in words; None if there is none.

    Without faults everybody is heard at every tick, so that one who was not heard is a fault.
    """
    names, row = ground.problem.names, ground.rows[refusal.tick]
    in_the_way = [agent for agent, place in enumerate(row.tolist()) if place == refusal.target]
    seen: set[tuple[int, int]] = {(refusal.agent, refusal.tick)}
    ask = [(agent, refusal.tick) for agent in in_the_way]
    refused = {(one.agent, one.tick): one.target for one in ground.refusals}
    while ask:
        agent, tick = ask.pop()
        if (agent, tick) in seen:
            continue
        seen.add((agent, tick))
        if agent in ground.silent.get(tick, ()):
            return f"{names[agent]} was not heard at tick {tick}"
        if (agent, tick) in refused:
            target = refused[agent, tick]
            ask += [(one, tick) for one, place in enumerate(ground.rows[tick].tolist()) if place == target]
        elif (waits_for := ground.stood.get((tick, agent))) is not None:
            ask += [(waits_for, earlier) for earlier in range(tick + 1)]
    return None
