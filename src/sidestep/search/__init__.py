"""Single-agent search: one unit, one map, the shortest way, as games need it."""

from .coordinates import Coordinates
from .distance_map import DistanceMap
from .finder import Finder
from .queries import distance_map, shortest_path
from .resumable import Search
from .reverse import RRA
from .route import Route, Routes

__all__ = [
    "RRA",
    "Coordinates",
    "DistanceMap",
    "Finder",
    "Route",
    "Routes",
    "Search",
    "distance_map",
    "shortest_path",
]
