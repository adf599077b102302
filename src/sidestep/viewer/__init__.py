"""Looking at plans: the replay page, stills and films, and the notebook widget."""

from ..model.caption import Caption
from .replay import Replay, replay

__all__ = ["Caption", "Replay", "replay"]
