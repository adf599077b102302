"""Random numbers by a seed: the same on every machine.

Randomness is splitmix64 (Steele, Lea and Flood 2014) on 64-bit integers: no library generator whose
stream might change, and no floating point beyond one multiplication by the density.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..model.arrays import checked_seed
from ..model.errors import InputError

Ids = npt.NDArray[np.int64]

_SORTED_AT_ONCE = 16  # bits of how many keys


class Random:
    """Draw k is the mixed value of `seed + k * gamma`: whole arrays of draws come at once.

    It begins with the first draw, or with another one: `begin`.
    """

    _GAMMA = 0x9E3779B97F4A7C15

    def __init__(self, seed: int, begin: int = 0) -> None:
        if not 0 <= checked_seed(seed) < 2**64:
            raise InputError(f"seed must be a whole number from 0 to 2**64 - 1, not {seed!r}")
        self._seed = int(seed)
        self._drawn = begin

    def draws(self, count: int) -> npt.NDArray[np.uint64]:
        """The next `count` numbers of 64 random bits."""
        steps = np.arange(self._drawn + 1, self._drawn + 1 + count, dtype=np.uint64)
        self._drawn += count
        z = steps * np.uint64(self._GAMMA) + np.uint64(self._seed)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1; the bias of the remainder is beyond measuring."""
        return int(self.draws(1)[0]) % limit

    def order(self, count: int) -> Ids:
        """The numbers 0 to count - 1, shuffled: sorted by random keys, so that no loop is needed.

        Many are sorted in parts, by the first bits of their keys: a long sort could not be interrupted.
        """
        keys = self.draws(count)
        bits = min(16, max(1, count.bit_length() - _SORTED_AT_ONCE))
        first_bits = (keys >> np.uint64(64 - bits)).astype(np.uint16)
        members = np.argsort(first_bits, kind="stable")  # by counting, which takes no time
        ends = np.cumsum(np.bincount(first_bits, minlength=1 << bits))
        for part in np.split(members, ends[:-1]):
            part[:] = part[np.argsort(keys[part], kind="stable")]
        return members.astype(np.int64)
