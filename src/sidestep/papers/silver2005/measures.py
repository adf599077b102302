"""What the outcomes of all maps say; with most agents unless another number is given."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean
from typing import Any

from ..experiment import Measure, ratio
from .trial import COOPERATIVE, NOISE, WINDOWS, Maps, Setting


def numbers_of_agents(maps: Maps) -> list[int]:
    """The numbers of agents, fewest first."""
    return sorted({setting.agents for setting in maps[0]})


def mean(
    maps: Maps, quantity: str, solver: str, *, agents: int | None = None, following: bool = True
) -> float:
    """A quantity over all maps."""
    setting = Setting(solver, numbers_of_agents(maps)[-1] if agents is None else agents, following)
    return fmean(getattr(outcomes[setting], quantity) for outcomes in maps)


def detour(maps: Maps, solver: str, **where: Any) -> float:
    """The path length over that of the shortest paths."""
    return mean(maps, "length", solver, **where) / mean(maps, "shortest", solver, **where)


def worst_cooperative(maps: Maps) -> float:
    """The least success of a cooperative solver, less the best of LRA* at any noise."""
    best_baseline = max(mean(maps, "success", label) for label in NOISE.values())
    return min(mean(maps, "success", solver) for solver in COOPERATIVE) - best_baseline


def smaller_window(maps: Maps) -> float:
    """What a smaller window adds to the success."""
    return mean(maps, "success", "WHCA*(8)") - mean(maps, "success", "WHCA*(16)")


def cycles_over_whca(maps: Maps, labels: Iterable[str], rule: bool = True, other: bool = True) -> float:
    """The fewest cycles of these over those of WHCA*(16), each with its rule on following."""
    fewest = min(mean(maps, "cycles", label, following=rule) for label in labels)
    return ratio(fewest, mean(maps, "cycles", "WHCA*(16)", following=other))


def full_depth_cycles(maps: Maps) -> float:
    """The most cycles of CA* and HCA* over those of WHCA*(16)."""
    most = max(mean(maps, "cycles", solver) for solver in ("CA*", "HCA*"))
    return ratio(most, mean(maps, "cycles", "WHCA*(16)"))


def first_turns(solver: str, other: str) -> Measure[Any]:
    """The CPU time of the first turn of one solver over that of another."""
    return lambda maps: ratio(mean(maps, "initial", solver), mean(maps, "initial", other))


def largest_over_first(maps: Maps, label: str = "WHCA*(16)") -> float:
    """The CPU time of the largest later turn of WHCA*(16) over that of its first."""
    return ratio(mean(maps, "largest", label), mean(maps, "initial", label))


def largest_turns_alike(maps: Maps) -> float:
    """The largest later turn of the slowest window over that of the fastest."""
    turns = [mean(maps, "largest", solver) for solver in WINDOWS]
    return ratio(max(turns), min(turns))
