"""Environments for learning: many agents on a grid, stepped by the actions of policies (extra `rl`).

`GridEnv` is a parallel environment of PettingZoo, with actions and observations as in POGEMA. Under it is a
`World`, whose guard lets only a safe set of moves happen, and which records a trace.
"""

from ..model.errors import MissingExtraError

try:
    from .grid_env import GridEnv
except ImportError as error:
    if (error.name or "").partition(".")[0] not in ("gymnasium", "pettingzoo"):
        raise
    raise MissingExtraError(str(error.name), "rl") from error

__all__ = ["GridEnv"]
