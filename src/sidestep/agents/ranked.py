"""ADPP between agents: all plan at once, and again whenever somebody above tells another path.

Nobody waits for anybody, so it depends on who is faster what is said, but not how it ends: who has heard the
final paths of all above it has its own final path, and says so with it. All in reach hear all paths, since
they have to know them to walk; only those below plan around them. The first thing that everybody says is
where it stands, which matters where nobody may enter a place that is just being left.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .. import _core
from ..budget import Budget
from . import messages as m
from .talk import NO_PATH, Ranked


class InRank(Ranked):
    """An agent with those above and below it."""

    kinds = (m.Letter,)

    def begin(self, tick: m.Tick, near: Mapping[int, int]) -> bool:
        """It says where it stands."""
        super().begin(tick, near)
        self.above = self.members[: self.members.index(self.me)]
        self._told: dict[int, m.Letter] = {}
        self._core: _core.Adpp | None = None
        self._write()
        return True

    def hear(self, message: m.Message) -> None:
        """Another tells its path; an earlier one than it has told already is old."""
        assert isinstance(message, m.Letter)
        self.link.acknowledge(message)
        known = self._told.get(message.sender)
        if known is not None and message.number <= known.number:
            return None
        if not all(0 <= vertex < self.brief.space.n for vertex in (message.place, *message.path)):
            return self.link.report(f"path of {message.sender}: it is none on this map")
        self._told[message.sender] = message
        if self._core is not None and message.sender in self.above and not self._tell(message):
            return None
        return self.go_on()

    def go_on(self) -> None:
        """Plans around those above as far as they are known, once it has heard where all of them stand."""
        if self.quiet or not self.near.keys() <= self._told.keys():
            return
        if self._core is None and not self._line_up():
            return
        self._plan()
        self._look_around()

    def _line_up(self) -> bool:
        """Everybody is heard of: from now on it plans."""
        places = {agent: told.place for agent, told in self._told.items()} | {self.me: self.place}
        starts, goals = self.lineup(places)
        order = np.arange(len(starts), dtype=np.int32)
        self._core = _core.Adpp(*self.ground(), starts, goals, order, always=True)
        told = [self._tell(self._told[agent]) for agent in self.above]
        return all(told)

    def _tell(self, letter: m.Letter) -> bool:
        """Takes down the path of one above; one that is none on this map is as if it had not been told."""
        assert self._core is not None
        path = np.array(letter.path, dtype=np.int32)
        try:
            self._core.tell(len(self.above), self.members.index(letter.sender), path, letter.stays)
        except ValueError as error:
            self.link.report(f"path of {letter.sender}: {error}")
            del self._told[letter.sender]
            return False
        return True

    def _plan(self) -> None:
        """Tells its path if it is another now, or has become final."""
        assert self._core is not None
        self._core.act(len(self.above), Budget().core)
        path = tuple(self._core.path(len(self.above)).tolist())
        is_final = all(self._told[agent].final for agent in self.above)
        if is_final and not path:
            return self._give_up("has no path around those above it" if self.above else NO_PATH)
        if path != self.path(self.me) or is_final != self._is_final:
            self.paths[self.me] = path
            self._write(is_final)
        return None

    def _write(self, is_final: bool = False) -> None:
        self._is_final = is_final
        path = self.path(self.me)
        said = {"place": self.place, "path": path, "stays": self.stays, "final": is_final}
        self.link.send(m.Letter, self.near, **said)

    def _look_around(self) -> None:
        """Is everybody's path final?"""
        if not self._is_final or not all(told.final for told in self._told.values()):
            return
        self.paths |= {agent: told.path for agent, told in self._told.items()}
        self._stays = {agent: told.stays for agent, told in self._told.items()}
        self._be_quiet()
