"""A fleet: robots carry out a plan at their own pace, and never collide, however late they are.

Hoenig et al. 2019, "Persistent and Robust Execution of MAPF Schedules in Warehouses".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from .. import _core
from ..budget import Budget
from ..judge import validate
from ..model.agents import IDLE
from ..model.arrays import IntArray, int32_array, is_whole, listed
from ..model.errors import InputError, LimitError, UnsupportedError
from ..model.execution import Execution
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.result import Result
from ..model.to_core import compiled_problem
from ..solve import reachable, solve
from .commands import Commands
from .reasons import Chain, End, Stuck, Wait
from .rest import Barred, Rest
from .simulator import Simulator

NO_REPORT = "a report is (agent, visits) or (agent, visits, place)"
WORTH = 2  # visits that one must save by going first, for each that others lose
MOST = 2**20  # visits ahead, or ticks of patience
UNSAID = -2  # the place of a report that has none
FINISHED, RELEASED, ALL, END, PLACE = range(5)  # columns of the core's counts


class Fleet:
    """Says which robot may go where, so that what is executed keeps the order of the plan.

    A *visit* is an agent's stay on one place of its way; waits do not count. A visit is released when the
    agent that was there before has reported that it has left. Nothing is assumed of speeds. Reports may come
    late, twice or not at all: they count finished visits, so that each says all that those before said.

    Args:
        problem: What is to be done.
        plan: How: a valid plan for it.
        ahead: How many visits beyond the finished ones are released at most. More let robots drive on at full
            speed; fewer leave more to be changed by a new plan.
        patience: After how many ticks without news an agent that may go on counts as stuck.
        switch: True if an agent that would have to wait may pass before others that are not near, against
            the order of the plan. Only among agents of one cell, where no ways cross.
        budget: Limits for reading the plan.

    Raises:
        InputError: The plan is not valid for the problem, or another argument is of the wrong kind.
        UnsupportedError: Agents in the plan turn in a ring, each into the place of the next: nobody can be
            the first to leave.
        LimitError: The budget ended.
    """

    def __init__(
        self,
        problem: Problem,
        plan: Plan,
        *,
        ahead: int = 4,
        patience: int = 100,
        switch: bool = True,
        budget: Budget | None = None,
    ) -> None:
        report = validate(problem, plan, limit=1)
        if not report:
            raise InputError(f"a fleet needs a valid plan: {report.violations[0].sentence(problem.names)}")
        for value, what in ((ahead, "ahead"), (patience, "patience")):
            if not is_whole(value) or not 1 <= value <= MOST:
                raise InputError(f"{what} must be a whole number from 1 to {MOST:,}, not {value!r}")
        if not isinstance(switch, bool):
            raise InputError(f"switch must be True or False, not {switch!r}")
        if budget is not None and not isinstance(budget, Budget):
            raise InputError(f"budget must be a Budget, not {budget!r}")
        self.problem = problem
        self._ahead, self._patience, self._switch = int(ahead), int(patience), switch
        self._graph = _core.Dependencies(*compiled_problem(problem))
        self._now = 0
        self._held = False
        self._astray: dict[int, int] = {}
        self._refused = 0
        self._broken: set[int] = set()
        self._given_up: set[int] = set()
        self._goals = problem.goals.copy()
        self._take(plan.vertices, Budget() if budget is None else budget)
        self._release()
        self._news = np.zeros(problem.n_agents, dtype=np.int64)  # the tick of the last news of each
        self._said = self._counts[:, FINISHED].copy()
        self._idle = self._counts[:, RELEASED] == self._said  # nothing to do: its time begins when it has

    @property
    def now(self) -> int:
        """How many ticks have passed."""
        return self._now

    @property
    def done(self) -> bool:
        """Whether everybody that is not broken has reported its last visit."""
        ended = self._counts[:, FINISHED] == self._counts[:, ALL]
        ended[list(self._broken)] = True
        return bool(ended.all())

    @property
    def broken(self) -> tuple[str, ...]:
        """Who was given up by `replan`: the others go around it."""
        return tuple(self.problem.names[agent] for agent in sorted(self._broken))

    @property
    def given_up(self) -> tuple[str, ...]:
        """Whose goal a broken agent stands on, or cuts off, or something closed does; it makes room."""
        return tuple(self.problem.names[agent] for agent in sorted(self._given_up))

    @property
    def switched(self) -> int:
        """How many agents had to let another pass first, against the order of the plan."""
        return self._graph.turned()

    @property
    def refused(self) -> int:
        """How many reports could not be true, and were not taken."""
        return self._refused

    @property
    def astray(self) -> dict[str, Any]:
        """Who has reported to be where it was not sent, and where; then nothing more is released."""
        return {self.problem.names[agent]: self._place(vertex) for agent, vertex in self._astray.items()}

    def tick(self, reports: Any = ()) -> Commands:
        """Takes reports, and says what everybody may do now. To be called once per tick.

        Args:
            reports: Rows (agent, visits): how many visits the agent has finished, as a whole; or (agent,
                visits, place). An array of such rows with vertices as places, or an iterable with indices or
                names and places as they are written: cells on a grid.

        Returns:
            All that is released and not reported as finished.

        Raises:
            InputError: A report is none, or of somebody who is not there. Nothing of the call is taken then.
        """
        rows = self._rows(reports)
        self._now += 1
        for index in self._graph.hear(rows):
            self._refused += 1
            agent, _, vertex = rows[index].tolist()
            self._astray[agent] = vertex
        self._release()
        finished, released = self._counts[:, FINISHED], self._counts[:, RELEASED]
        moved = finished != self._said
        self._news[moved | self._idle] = self._now
        self._said, self._idle = finished.copy(), released == finished
        return self.commands

    @property
    def places(self) -> IntArray:
        """The vertex of everybody's last finished visit; -1 for who has left the map."""
        return self._counts[:, PLACE]

    @property
    def commands(self) -> Commands:
        """All that is released and not reported as finished."""
        return Commands(self.problem, *self._graph.commands())

    def planned(self, most: int) -> Commands:
        """The next visits that are not released: where everybody goes on if the plan stays as it is.

        Args:
            most: How many of each agent at most.

        Returns:
            These visits, in the form of commands.

        Raises:
            InputError: The number is none.
        """
        if not is_whole(most) or not 0 <= most <= MOST:
            raise InputError(f"most must be a whole number from 0 to {MOST:,}, not {most!r}")
        return Commands(self.problem, *self._graph.planned(int(most)))

    def hold(self) -> None:
        """Releases nothing more; what was released stays so."""
        self._held = True

    def resume(self) -> None:
        """Goes on after `hold`.

        Raises:
            UnsupportedError: Somebody is astray: nobody knows which places are free.
        """
        self._refuse_astray()
        self._held = False

    def why(self, agent: int | str) -> Chain:
        """Says why an agent stands, or that it does not.

        Args:
            agent: Its index or its name.

        Returns:
            The chain of waits up to one that does not wait; as text it is a sentence.

        Raises:
            InputError: There is no such agent.
        """
        names = self.problem.names
        first = last = self.problem.index(agent)
        waits: list[Wait] = []
        while (wait := self._wait(last)) is not None:
            other, visit, vertex = wait
            waits.append(Wait(names[last], names[other], visit, self._place(vertex)))
            last = other
        end, vertex = self._state(last)
        ticks = int(self._now - self._news[last]) if end in ("moving", "astray") else 0
        return Chain(names[first], tuple(waits), names[last], end, self._place(vertex), ticks)

    @property
    def stuck(self) -> tuple[Stuck, ...]:
        """Who could go on and has not for longer than the patience, with all who wait for it.

        As long as somebody is not done, either some agent makes visits or somebody is in here before the
        patience ends: there is no silent gridlock.
        """
        counts = self._counts
        late = (counts[:, RELEASED] > counts[:, FINISHED]) & (self._now - self._news > self._patience)
        late[list(self._astray)] = True
        if not late.any():
            return ()
        behind: dict[int, list[str]] = {int(agent): [] for agent in np.flatnonzero(late)}
        waiting = np.flatnonzero(counts[:, RELEASED] == counts[:, FINISHED]).tolist()
        for agent, origin in self._origins(waiting).items():
            if origin != agent and origin in behind:
                behind[origin].append(self.problem.names[agent])
        news = {agent: who for agent, who in behind.items() if who or agent not in self._broken}
        return tuple(self._stuck(agent, tuple(waiting)) for agent, waiting in news.items())

    def run(self, simulator: Simulator | None = None, *, ticks: int = 100_000) -> Execution:
        """Runs robots until all is done, or somebody is stuck, or time is up.

        Args:
            simulator: The robots; some that do all at once and never fail if left out.
            ticks: How many ticks at most.

        Returns:
            What the robots have done since the simulator was made.

        Raises:
            InputError: The simulator is one of another problem, or the number of ticks is none.
        """
        robots = Simulator(self.problem) if simulator is None else simulator
        if not isinstance(robots, Simulator) or robots.problem != self.problem:
            raise InputError("a fleet runs on a Simulator of its own problem")
        if not is_whole(ticks) or ticks < 0:
            raise InputError(f"ticks must be a whole number from 0 on, not {ticks!r}")
        commands = self.commands
        for _ in range(ticks):
            if self.done or (self._now % 16 == 0 and self.stuck):
                break
            commands = self.tick(robots.tick(commands))
        home = self.done and bool((self._goals == self.problem.goals).all())
        return robots.execution(done=home and not self._broken and not self._given_up)

    def replan(
        self,
        solver: Any = "auto",
        *,
        broken: Iterable[int | str] = (),
        goals: Mapping[int | str, Any] | None = None,
        closed: Iterable[Any] = (),
        **options: Any,
    ) -> Result:
        """Plans the rest anew, while robots go on with what was released.

        The new plan begins where the released visits of everybody end, and is one without following, so that
        there are no rings in it. Broken agents are walls: in all places that they were sent to and have not
        reported to have left.

        Args:
            solver: As for `sidestep.solve`.
            broken: Who will not move any more, besides those who were said to be broken before.
            goals: New goals, by agent: a place, or None for an agent that may be anywhere.
            closed: What the new plan does not use: places, and on a graph also lanes, as pairs (from, to).
                Visits that were released are made all the same.
            **options: Limits, seed and parameters, as for `sidestep.solve`.

        Returns:
            What the solver answers. Without a plan nothing has changed.

        Raises:
            InputError: There is no such agent or place, or two agents would have one goal.
            UnsupportedError: Somebody is astray, or the solver does not honour the problem.
        """
        self._refuse_astray()
        given_up = listed(broken, "broken agents are named by a sequence of indices or names")
        out = self._broken | {self.problem.index(agent) for agent in given_up}
        wanted = self._with_goals({} if goals is None else goals)
        barred = Barred.of(self.problem.space, listed(closed, "closed is a sequence of places"))
        rest = Rest.of(self.problem, self._counts[:, END], wanted, self._closed(out), barred)
        if out or barred != Barred():
            rest = rest.without_goals(~reachable(rest.problem, Budget()))
        result = solve(rest.problem, solver, **options)
        had_nothing_to_do = self._counts[:, RELEASED] == self._counts[:, FINISHED]
        if result.plan is not None:
            self._take(rest.rows(result.plan), Budget())
            self._broken, self._given_up, self._goals = out, set(rest.given_up), wanted
            self._release()
            self._news[had_nothing_to_do] = self._now  # the others have had their time all along
        return result

    # --------------------------------------------------------------------------------------- inside

    def _take(self, rows: IntArray, budget: Budget) -> None:
        taken, ring = self._graph.take(np.ascontiguousarray(rows), budget.core)
        if ring is not None:
            step, agents = ring
            names = ", ".join(self.problem.names[agent] for agent in agents)
            raise UnsupportedError(
                f"{names} turn in a ring at time {step}, and nobody can be the first to leave its place: "
                "plan with Rules(following=False), or with robust=1 by a solver that has it"
            )
        if not taken:
            raise LimitError(f"the plan was not read: {budget.why()}")

    def _with_goals(self, goals: Mapping[int | str, Any]) -> IntArray:
        if not isinstance(goals, Mapping):
            raise InputError(f"goals are a place per agent, such as {{'a': (0, 3)}}, not {goals!r}")
        wanted = self._goals.copy()
        for agent, place in goals.items():
            wanted[self.problem.index(agent)] = IDLE if place is None else self.problem.space.vertex(place)
        return wanted

    def _refuse_astray(self) -> None:
        if self._astray:
            raise UnsupportedError(
                f"{', '.join(self.astray)} went astray: make a new Fleet from where everybody is"
            )

    def _closed(self, broken: set[int]) -> dict[int, list[int]]:
        """The ways on which broken agents may be."""
        commands = self.commands
        closed = {}
        for agent in sorted(broken):
            ahead = commands.places[commands.begin[agent] : commands.begin[agent + 1]].tolist()
            closed[agent] = [v for v in (int(self._counts[agent, PLACE]), *ahead) if v >= 0]
        return closed

    def _release(self) -> None:
        if not self._held and not self._astray:
            self._graph.release(self._ahead, WORTH if self._switch else 0)
        self._counts = self._graph.counts()

    def _rows(self, reports: Any) -> IntArray:
        if isinstance(reports, np.ndarray):
            rows = int32_array(reports, "reports")
        elif isinstance(reports, Iterable) and not isinstance(reports, (str, bytes)):
            rows = np.array([self._row(report) for report in reports], dtype=np.int32).reshape(-1, 3)
        else:
            raise InputError(f"reports are rows (agent, visits), not {reports!r}")
        if rows.size == 0:
            return np.empty((0, 3), dtype=np.int32)
        if rows.ndim != 2 or rows.shape[1] not in (2, 3):
            raise InputError(f"reports have two or three columns, not the shape {rows.shape}")
        if rows[:, 0].min() < 0 or rows[:, 0].max() >= self.problem.n_agents:
            raise InputError(f"there are agents 0 to {self.problem.n_agents - 1} to report of, and no others")
        if rows.shape[1] == 2:
            rows = np.column_stack([rows, np.full(len(rows), UNSAID, dtype=np.int32)])
        return np.ascontiguousarray(rows)

    def _row(self, report: Any) -> tuple[int, int, int]:
        try:
            agent, visits, *place = report
        except (TypeError, ValueError):
            raise InputError(f"{NO_REPORT}, not {report!r}") from None
        if len(place) > 1 or not is_whole(visits) or not 0 <= visits < 2**31:
            raise InputError(f"{NO_REPORT}, not {report!r}")
        vertex = UNSAID
        if place:
            vertex = -1 if place[0] is None else self.problem.space.vertex(place[0])
        return self.problem.index(agent), int(visits), vertex

    def _wait(self, agent: int) -> tuple[int, int, int] | None:
        """Whom an agent waits for that has nothing to do: the other, its visit, the place."""
        finished, released, total = self._counts[agent, :END].tolist()
        if agent in self._astray or released > finished or released == total:
            return None
        waits = self._graph.waits(agent)
        return None if len(waits) == 0 else tuple(waits[0].tolist())

    def _origins(self, agents: list[int]) -> dict[int, int]:
        """Per agent the last one of its chain of waits; each wait is looked at once."""
        origins: dict[int, int] = {}
        for agent in agents:
            chain, last = [], agent
            while last not in origins:
                chain.append(last)
                wait = self._wait(last)
                if wait is None:
                    origins[last] = last
                else:
                    last = wait[0]
            origins.update(dict.fromkeys(chain, origins[last]))
        return {agent: origins[agent] for agent in agents}

    def _state(self, agent: int) -> tuple[End, int]:
        """What an agent does that waits for nobody, and where it goes or is."""
        finished, released, total, end, _ = self._counts[agent].tolist()
        if agent in self._astray:
            return "astray", self._astray[agent]
        if released > finished:
            commands = self.commands
            return "moving", int(commands.places[commands.begin[agent]])
        return ("done" if finished == total else "held"), end

    def _stuck(self, agent: int, waiting: tuple[str, ...]) -> Stuck:
        end, vertex = self._state(agent)
        ticks = int(self._now - self._news[agent])
        return Stuck(self.problem.names[agent], ticks, self._place(vertex), waiting, end == "astray")

    def _place(self, vertex: int) -> Any:
        return None if vertex < 0 else self.problem.space.place(vertex)
