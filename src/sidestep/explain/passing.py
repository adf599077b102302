"""Who of two agents comes first to a place that both go over."""

from __future__ import annotations

from collections.abc import Iterator

from .claim import Claim
from .claims import ComesFirst, NeverShare
from .run import ABSENT, Run


def claims_of_passing(run: Run, first: int, second: int) -> Iterator[Claim]:
    """Where the first comes before the second, or, if nowhere, the second before the first."""
    for one, two in ((first, second), (second, first)):
        found = _passing(run, one, two)
        if found is not None:
            yield found
            return
    places = [{run.at(agent, time) for time in range(run.first, run.last + 1)} for agent in (first, second)]
    if not (places[0] & places[1]) - {ABSENT}:
        yield NeverShare(first, second)


def _passing(run: Run, first: int, second: int) -> ComesFirst | None:
    """The first arrival of the second in a place where the first has been before."""
    arrivals: dict[int, int] = {}
    for time in range(run.first, run.last + 1):
        place = run.at(second, time)
        arrives = time > run.first and run.at(second, time - 1) != place
        if arrives and place != ABSENT and place in arrivals:
            return ComesFirst(first, second, place, arrivals[place], time)
        arrivals.setdefault(run.at(first, time), time)
    return None
