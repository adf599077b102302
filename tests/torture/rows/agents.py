"""Agents that talk, with faults at random: nobody collides, and every refusal has a cause."""

from __future__ import annotations

from tests.agents.faulty import attack, attack_without_guard

from ..row import Failed, Row


def one(number: int) -> int:
    """A run of 4 to 12 agents with everything that can go wrong; every other one without a guard."""
    try:
        run = attack_without_guard(number) if number % 2 else attack(number)
    except AssertionError as error:
        raise Failed(str(error)) from None
    return 2 + len(run.refusals)


ROW = Row(
    "agents",
    "agents whose messages are lost, late and doubled, and that crash, collide with nobody",
    full=10_000,
    weight=20,
    unit="simulated runs",
    one=one,
)
