"""Agents of the League of Robot Runners that turn: its headings and actions, and our facings and turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..model.agents import FACINGS
from ..model.arrays import IntArray, int32_array, read_only
from ..model.errors import InputError
from ..model.events import EventKind
from ..model.plan import Plan

HEADINGS = "ESWN"  # clockwise
AHEAD = np.array([[0, 1, 0, -1], [1, 0, -1, 0]], dtype=np.int8)  # rows down and columns to the right
NO_TURNS = read_only(np.empty((0, 4), dtype=np.int32))

Codes = npt.NDArray[np.uint8]  # the letters of actions


def quarters_of(codes: Codes) -> npt.NDArray[np.int64]:
    """By how many quarters each action turns an agent, clockwise."""
    quarters: npt.NDArray[np.int64] = (codes == ord("R")).astype(np.int64) - (codes == ord("C"))
    return quarters


def facings_and_turns(told: Sequence[tuple[int, Codes]]) -> tuple[IntArray, IntArray]:
    """Which way agents look at first, and their turns as events, of each one's heading and actions."""
    facings, rows = [FACINGS.index(HEADINGS[heading]) for heading, _ in told], [NO_TURNS]
    for agent, (_, codes) in enumerate(told):
        quarters = quarters_of(codes)
        after = (facings[agent] + np.cumsum(quarters)) % len(FACINGS)
        (times,) = np.nonzero(quarters)
        turns = [times, np.full_like(times, EventKind.TURNED), np.full_like(times, agent), after[times]]
        rows.append(np.stack(turns, axis=1).astype(np.int32))
    return int32_array(facings, "facings"), np.concatenate(rows)


def starts_entry(plan: Plan) -> list[list[Any]]:
    """Where agents are at first, and which way they look."""
    facings = plan.facings
    looks = ["N/A"] * plan.problem.n_agents if facings is None else [FACINGS[one] for one in facings[0]]
    return [[*cell, look] for cell, look in zip(plan.cells[0].tolist(), looks, strict=True)]


def turning_texts(plan: Plan) -> list[str]:
    """The actions of agents that turn, if they move as such agents can."""
    assert plan.facings is not None
    if np.any(plan.facings < 0) or np.any(plan.facings >= len(FACINGS)):
        raise InputError("an agent looks no way, which a file for PlanViz cannot say of agents that turn")
    moved = plan.vertices[1:] != plan.vertices[:-1]
    quarters = (plan.facings[1:] - plan.facings[:-1]) % len(FACINGS)
    ahead = AHEAD.T[[HEADINGS.index(letter) for letter in FACINGS]][plan.facings[:-1]]
    swerves = np.any(np.diff(plan.cells, axis=0) != ahead, axis=2)
    wrong = (quarters == 2) | (moved & ((quarters != 0) | swerves))
    if wrong.any():
        time, agent = (int(index) for index in np.argwhere(wrong)[0])
        raise InputError(
            f"agent {plan.problem.names[agent]} neither goes ahead, waits nor turns by a quarter at time "
            f"{time}, which a file for PlanViz cannot say"
        )
    letters = np.array(list("WR?CF"))[np.where(moved, 4, quarters)]
    return [",".join(letters[:, agent].tolist()) for agent in range(plan.problem.n_agents)]
