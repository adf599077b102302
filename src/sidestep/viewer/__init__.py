"""Looking at plans: the replay page, stills and films, and the notebook widget."""

from ..remark import Remark
from .replay import Replay, replay

__all__ = ["Remark", "Replay", "replay"]
