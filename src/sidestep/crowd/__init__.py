"""Round agents in continuous space."""

from .crowd import Crowd

__all__ = ["Crowd"]
