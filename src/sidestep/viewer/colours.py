"""The colours of agents where somebody chooses them: by team, or one by one."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..model.errors import InputError
from .drawing import rgb
from .scene import HUES

TeamOf: TypeAlias = Sequence[Hashable] | Mapping[str, Hashable]

LEAST_CHROMA = 0.02  # below that a colour is grey, and has no hue


def hues_of(
    names: Sequence[str], teams: TeamOf | None, colours: Mapping[Any, str] | Sequence[str] | None
) -> npt.NDArray[np.uint8]:
    """Per agent a colour from 0 to HUES - 1."""
    if teams is None:
        if not isinstance(colours, (list, tuple)) or len(colours) != len(names):
            raise InputError(f"colours without teams are a list, one for each of the {len(names)} agents")
        return np.array([nearest_hue(colour) for colour in colours], dtype=np.uint8)
    of_agent = _teams(names, teams)
    known = list(dict.fromkeys(of_agent))
    spread = {team: index * HUES // max(len(known), 1) for index, team in enumerate(known)}
    if colours is not None:
        spread |= _chosen(known, colours)
    return np.array([spread[team] for team in of_agent], dtype=np.uint8)


def _teams(names: Sequence[str], teams: Any) -> list[Hashable]:
    if isinstance(teams, Mapping):
        for name in teams:
            if name not in names:
                raise InputError(f"teams has an agent {name!r}, and there is none of that name")
        return [teams.get(name) for name in names]
    if not isinstance(teams, (list, tuple)) or len(teams) != len(names):
        raise InputError(f"teams are a dict by name, or a list with one for each of the {len(names)} agents")
    for team in teams:
        if not isinstance(team, Hashable):
            raise InputError(f"a team is a name or a number, not {team!r}")
    return list(teams)


def _chosen(teams: list[Hashable], colours: Any) -> dict[Hashable, int]:
    if not isinstance(colours, Mapping):
        raise InputError(f"with teams, colours are a dict by team, not {type(colours).__name__}")
    for team in colours:
        if team not in teams:
            raise InputError(f"colours has a team {team!r}, and no agent is in it")
    return {team: nearest_hue(colour) for team, colour in colours.items()}


def nearest_hue(colour: Any) -> int:
    """The hue of a colour such as #E3001B on the player's wheel, by its angle in Ottosson's OKLab."""
    if not isinstance(colour, str) or not re.fullmatch("#[0-9A-Fa-f]{6}", colour):
        raise InputError(f"a colour is written as '#E3001B', not {colour!r}")
    shares = rgb(colour)
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    cones = np.cbrt(_TO_CONES @ linear)
    a, b = _TO_OPPONENTS @ cones
    if np.hypot(a, b) < LEAST_CHROMA:
        raise InputError(f"{colour} is a grey: choose a colour that has a hue")
    return int(np.floor(np.arctan2(b, a) / (2 * np.pi) * HUES)) % HUES


_TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_OPPONENTS = np.array(
    [[1.9779984951, -2.4285922050, 0.4505937099], [0.0259040371, 0.7827717662, -0.8086757660]]
)
