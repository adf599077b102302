"""What steps on a map cost, and which estimates of the way left hold there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..budget import Budget, limit_error
from ..model.arrays import BoolArray, IntArray, int32_array
from ..model.errors import InputError
from ..model.graph import Graph
from ..model.grid import Grid
from ..model.space import Space
from ..model.to_core import BLOCKED_CORNERS
from .checks import checked_count, checked_name

MOST_FACTOR = 255

GEOMETRIES = ("none", "manhattan", "octile", "chebyshev", "euclidean")
PREPROCESSED = ("true", "alt", "altbestp", "dead-end", "gateway")
DISTANCES = ("alt", "altbestp", "gateway")  # these keep distances, which take long to find
HEURISTICS = ("auto", *GEOMETRIES, *PREPROCESSED)


@dataclass(frozen=True)
class Terrain:
    """A space with the costs of its steps, checked."""

    space: Space
    octile: bool
    factors: npt.NDArray[np.uint8] | None
    corner_cost: int
    edge_costs: IntArray | None

    @property
    def is_even(self) -> bool:
        """Do all straight steps cost the same, and all diagonal ones?"""
        return self.factors is None and self.corner_cost == 0 and self.edge_costs is None

    @property
    def steps(self) -> str | None:
        """What a diagonal step costs, as an option; None where there are none."""
        if not isinstance(self.space, Grid) or self.space.connectivity == 4:
            return None
        return "octile" if self.octile else "unit"

    @property
    def best_geometry(self) -> str:
        """The estimate by geometry that knows most."""
        if not isinstance(self.space, Grid):
            return "none"
        if self.space.connectivity == 4:
            return "manhattan"
        return "octile" if self.octile else "chebyshev"

    def compiled(self, geometry: str, is_open: BoolArray) -> _core.PathFinder:
        """The core's map, with these vertices open."""
        space = self.space
        if isinstance(space, Graph):
            core = _core.PathFinder.graph(space.n, space.edges, self.edge_costs, space.directed)
            for vertex in np.flatnonzero(~is_open).tolist():
                core.set_open(vertex, False)
            return core
        return _core.PathFinder.grid(
            is_open.reshape(space.passable.shape),
            space.connectivity,
            BLOCKED_CORNERS[space.corners],
            octile=self.octile,
            factors=self.factors,
            corner_cost=self.corner_cost,
            geometry=_core.Geometry[geometry],
        )


def checked_terrain(space: Space, steps: Any, factors: Any, corner_cost: Any, edge_costs: Any) -> Terrain:
    """The costs of steps, or a sentence on which of them make no sense here."""
    if isinstance(space, Grid):
        if edge_costs is not None:
            raise InputError("edge_costs are for graphs; on a grid, factors say what cells cost")
        diagonal = space.connectivity == 8
        if steps is not None:
            checked_name(steps, ("unit", "octile"), "steps")
        if steps == "octile" and not diagonal:
            raise InputError("octile steps need a grid with connectivity 8")
        octile = diagonal and steps != "unit"
        extra = checked_count(corner_cost, "corner_cost", 0, MOST_FACTOR)
        if extra and (not diagonal or space.corners == "none"):
            raise InputError("corner_cost needs diagonals that pass blocked cells: corners 'one' or 'free'")
        weights = None if factors is None else _checked_factors(factors, space)
        _require_short_ways(space.n, octile, space.n if weights is None else int(weights.sum()), extra)
        return Terrain(space, octile, weights, extra, None)
    is_default = isinstance(corner_cost, int) and corner_cost == 0 and factors is None
    if not is_default or (steps is not None and checked_name(steps, ("unit", "octile"), "steps") != "unit"):
        raise InputError("steps, factors and corner_cost are for grids; a graph has edge_costs")
    return Terrain(space, False, None, 0, None if edge_costs is None else _checked_lengths(edge_costs, space))


def _require_short_ways(cells: int, octile: bool, factors: int, corner_cost: int) -> None:
    """No way may be longer than the core can count. A shortest one enters no cell twice."""
    if cells > _core.MOST_CELLS:
        raise InputError(f"a search takes maps of at most {_core.MOST_CELLS} cells, not {cells}")
    most = _core.LONGEST_WAY // (_core.DIAGONAL if octile else 1)
    steps = factors + cells * corner_cost
    if steps > most:
        raise InputError(
            f"the factors of all cells, with the cost of their corners, add up to {steps}, but a search can "
            f"count up to {most} steps: lower the factors or take a smaller map"
        )


def _checked_factors(factors: Any, grid: Grid) -> npt.NDArray[np.uint8]:
    array = int32_array(factors, "factors")
    if array.shape != grid.passable.shape:
        raise InputError(f"factors must have the shape {grid.passable.shape} of the grid, not {array.shape}")
    wrong = array[grid.passable]
    if wrong.size and not 1 <= wrong.min() <= wrong.max() <= MOST_FACTOR:
        raise InputError(f"factors of free cells are from 1 to {MOST_FACTOR}")
    return np.clip(array, 1, MOST_FACTOR).astype(np.uint8)  # those of walls matter if they are opened


def _checked_lengths(costs: Any, graph: Graph) -> IntArray:
    array = int32_array(costs, "edge_costs")
    if array.shape != (len(graph.edges),):
        raise InputError(f"edge_costs must be one per edge, {len(graph.edges)} of them, not {array.shape}")
    if array.size and array.min() < 1:
        raise InputError("edge_costs must be 1 or more")
    if array.size and int(array.max()) * graph.n > _core.LONGEST_WAY:
        raise InputError(
            f"edge_costs must be at most {_core.LONGEST_WAY // graph.n} in a graph of {graph.n} vertices"
        )
    return array


# Heuristics


def geometry_of(heuristic: str, terrain: Terrain) -> str:
    """The geometry that a heuristic is, or is based on; a sentence if it does not hold on this map."""
    if heuristic == "auto" or heuristic in PREPROCESSED:
        return terrain.best_geometry
    if heuristic == "none":
        return heuristic
    grid = terrain.space
    if not isinstance(grid, Grid):
        raise InputError(f"{heuristic} needs a grid; on a graph: none, true, alt, altbestp")
    if heuristic == "manhattan" and grid.connectivity == 8:
        raise InputError("manhattan overestimates diagonal ways: it needs connectivity 4")
    if heuristic == "octile" and not terrain.octile:
        raise InputError("octile needs octile steps on a grid with connectivity 8")
    return heuristic


def is_admissible(heuristic: str, terrain: Terrain) -> bool:
    """Does it never overestimate? Euclidean does where a diagonal step costs no more than a straight one."""
    grid = terrain.space
    return heuristic != "euclidean" or not isinstance(grid, Grid) or grid.connectivity == 4 or terrain.octile


def prepare(
    core: _core.PathFinder, heuristic: str, terrain: Terrain, budget: Budget, *, landmarks: int, region: int
) -> None:
    """The preprocessing of a heuristic that has one."""
    if heuristic in ("dead-end", "gateway"):
        grid = terrain.space
        straight = isinstance(grid, Grid) and (grid.connectivity == 4 or grid.corners == "none")
        if not straight or not terrain.is_even:
            raise InputError(
                f"{heuristic} needs a grid on which all cells cost the same, "
                "with connectivity 4 or corners 'none'"
            )
    try:
        if heuristic == "true":
            core.use_true_distances()
        elif heuristic in ("alt", "altbestp"):
            core.use_landmarks(landmarks, heuristic == "altbestp", budget.core)
        elif heuristic == "dead-end":
            core.use_dead_ends(region)
        elif heuristic == "gateway":
            core.use_gateways(region, budget.core)
    except RuntimeError as error:
        raise limit_error(budget, error, f"the {heuristic} heuristic is not ready: ") from None
