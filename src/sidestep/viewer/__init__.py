"""Looking at plans: the replay page, stills and films, and the notebook widget."""

from ..model.caption import Remark
from .replay import Replay, replay

__all__ = ["Remark", "Replay", "replay"]
