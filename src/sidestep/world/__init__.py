"""The online engine: the world, what planners see of it, and replays of what happened."""

from .jams import Stuck
from .replay import replay_trace
from .session import Planner, Session, View
from .snapshot import Snapshot
from .world import World

__all__ = ["Planner", "Session", "Snapshot", "Stuck", "View", "World", "replay_trace"]
