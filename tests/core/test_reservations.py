"""The reservation table keeps its promises, whatever is reserved, released and forgotten."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from spaces_for_core import (
    FOREVER,
    PROFILE,
    Ground,
    Promise,
    Promises,
    core_rules,
    int32,
    rules,
    spaces,
    walk,
)

import sidestep as ss
from sidestep import _core
from tests.sizing import examples

MOST_AGENTS = 12


class Table(RuleBasedStateMachine):
    """The core's table beside a list of promises."""

    @initialize(space=spaces, rules=rules, agents=st.integers(1, 4))
    def begin(self, space: ss.Grid | ss.Graph, rules: ss.Rules, agents: int) -> None:
        self.ground = Ground.of(space)
        self.space, self.rules = self.ground.compiled(), rules
        self.table = _core.Reservations(space.n, agents)
        self.promises = Promises(agents)
        self.now = 0

    @rule(data=st.data(), parked=st.booleans(), wait=st.integers(0, 3), steps=st.integers(0, 12))
    def reserve(self, data: st.DataObject, parked: bool, wait: int, steps: int) -> None:
        agent = data.draw(st.integers(0, len(self.promises.of) - 1))
        start = data.draw(st.sampled_from([v for v in range(self.ground.n) if self.ground.is_open[v]]))
        wanted = Promise(self.now + wait, walk(data.draw, self.ground, start, steps), parked)
        if self.promises.fits(wanted, agent, self.now):
            self.table.reserve(agent, wanted.start, int32(wanted.path), parked)
            self.promises.of[agent] = wanted

    @rule(data=st.data(), steps=st.integers(30, 70))
    def wait_long(self, data: st.DataObject, steps: int) -> None:
        agent = data.draw(st.integers(0, len(self.promises.of) - 1))
        wanted = Promise(self.now, [data.draw(st.integers(0, self.ground.n - 1))] * steps, False)
        if self.promises.fits(wanted, agent, self.now):
            self.table.reserve(agent, self.now, int32(wanted.path), False)
            self.promises.of[agent] = wanted

    @rule(data=st.data())
    def release(self, data: st.DataObject) -> None:
        agent = data.draw(st.integers(0, len(self.promises.of) - 1))
        self.table.release(agent)
        self.promises.of[agent] = Promise(0, [], False)

    @rule(steps=st.integers(0, 40))
    def advance(self, steps: int) -> None:
        self.now += steps
        self.table.advance(self.now)

    @rule()
    def add_agent(self) -> None:
        if len(self.promises.of) < MOST_AGENTS:
            self.table.add_agent()
            self.promises.of.append(Promise(0, [], False))

    @invariant()
    def keeps_its_promises(self) -> None:
        if not hasattr(self, "table"):
            return
        last = max(self.promises.last(self.now), self.now)
        core = core_rules(self.rules)
        for t in sorted(
            {self.now, self.now + 1, (self.now + last) // 2, last - 1, last, last + 1, last + 99}
        ):
            if t < self.now:
                continue
            for v in range(self.ground.n):
                holder = self.promises.holder(v, t)
                assert self.table.holder(v, t) == holder
                assert self.table.taken(v, t) == (holder != -1)
        for v in range(self.ground.n):
            assert self.table.last_taken(v) == self.promises.last_taken(v, self.now)
            t = self.now + v % 5
            if self.promises.holder(v, t) == -1:
                for to in [v, *self.ground.neighbours(v)]:
                    allowed = self.promises.allow(self.ground, self.rules, (v, to), t)
                    assert self.table.allows(self.space, core, v, to, t) == allowed


TestTable = Table.TestCase
TestTable.settings = settings(PROFILE, max_examples=examples(60), stateful_step_count=25)


def test_a_parked_agent_is_there_for_good() -> None:
    table = _core.Reservations(4, 2)
    table.reserve(0, 3, int32([1, 2]), True)
    assert table.last_taken(2) == FOREVER
    assert table.holder(2, 10**6) == 0
    table.advance(10**5)
    assert table.holder(2, 10**6) == 0
    table.release(0)
    assert table.last_taken(2) == 10**5 - 1
