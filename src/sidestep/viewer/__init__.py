"""Looking at plans: the replay page, stills and films, and the notebook widget."""

from .replay import Replay, replay
from .scene import Remark

__all__ = ["Remark", "Replay", "replay"]
