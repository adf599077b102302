"""The judge: does a plan, or the trace of a world, keep every rule, and does it cost what it claims?

The judge shares no code with what it judges. It imports numpy and the model, reads adjacency from
`Grid.passable` and `Graph.edges` itself, and adds costs up its own way.

Positions are judged in blocks of consecutive steps. Within a block a look-up such as "who stood on this
vertex at this time?" is one write and one read of a table, so that a sound plan of N agents and T steps
takes O(N T) without sorting. Two agents on one vertex hide behind each other in such a table; as soon as
that happens, or two agents seem to swap or follow, the block is judged once more by sorting, which is exact.

Where an agent is larger than a cell or takes several turns for a move, all are judged by the cells that they
hold, step by step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from .arrays import BoolArray, read_only
from .errors import InputError
from .graph import Graph
from .grid import Cell, Grid
from .plan import Plan
from .problem import IDLE, Problem, Rules, Space
from .trace import EventKind, Trace

Ints = npt.NDArray[np.int64]
Positions = npt.NDArray[np.signedinteger[Any]]

ABSENT = -1  # the vertex of an agent that is not there
BLOCK_POSITIONS = 1 << 16  # judged at once: enough to keep numpy busy, few enough to stay in the cache
TABLE_SLOTS = 1 << 24  # bounds the look-up tables where the space itself is not larger


class ViolationKind(StrEnum):
    """What is wrong. A plan or a trace can be wrong in several ways at once."""

    NO_PLAN = "no_plan"  # there is nothing to judge
    SHAPE = "shape"  # the arrays do not fit the problem
    START = "start"  # an agent does not begin on its start
    OUTSIDE = "outside"  # a vertex that does not exist
    WALL = "wall"  # an agent enters a blocked vertex
    NO_EDGE = "no_edge"  # a move between vertices that are no neighbours
    CORNER = "corner"  # a diagonal past more blocked corners than the grid allows
    PACE = "pace"  # a move that took fewer turns than the agent needs for one
    VERTEX = "vertex"  # two agents on one vertex
    SWAP = "swap"  # two agents exchange their vertices
    CROSSING = "crossing"  # two diagonals over one 2x2 block, or two conflicting edges, in one step
    FOLLOWING = "following"  # an agent enters a vertex in the step in which another leaves it
    ABSENT = "absent"  # an agent is missing
    PRESENT = "present"  # an agent is there though it has disappeared, or has not been added
    GOAL = "goal"  # an agent does not end on its goal
    EVENT = "event"  # a row of a trace's events is not true
    COST = "cost"  # the plan does not cost what it claims


_ORDER = {kind: index for index, kind in enumerate(ViolationKind)}

_SENTENCES = {
    ViolationKind.NO_PLAN: "there is no plan",
    ViolationKind.SHAPE: "{detail}",
    ViolationKind.START: "agent {a} begins {where} and not on its start",
    ViolationKind.OUTSIDE: "agent {a} is outside the map at time {time}",
    ViolationKind.WALL: "agent {a} is in a wall, {where}, at time {time}",
    ViolationKind.NO_EDGE: "agent {a} reaches {place} along no edge {step}",
    ViolationKind.CORNER: "agent {a} cuts a blocked corner on its way to {place} {step}",
    ViolationKind.PACE: "agent {a} reaches {place} at time {time}, sooner than it can move",
    ViolationKind.VERTEX: "agents {a} and {b} are both {where} at time {time}",
    ViolationKind.SWAP: "agents {a} and {b} swap places {step}, agent {a} now being {where}",
    ViolationKind.CROSSING: "agents {a} and {b} cross each other's way {step}, agent {a} now being {where}",
    ViolationKind.FOLLOWING: "agent {a} enters {place} {step}, while agent {b} is only just leaving it",
    ViolationKind.ABSENT: "agent {a} is missing at time {time}",
    ViolationKind.PRESENT: "agent {a} is {where} at time {time}, when it should not be there",
    ViolationKind.GOAL: "agent {a} ends {where} and not on its goal",
    ViolationKind.EVENT: "an event of time {time}{about} is not true: {detail}",
    ViolationKind.COST: "{detail}",
}


@dataclass(frozen=True)
class Violation:
    """One broken rule. `time` is that of the row in which it shows: a step is dated by its end.

    `agents` are indices: none for a fault of the whole, the lower one first where both are alike, and
    the one that follows before the one that is followed. `place` is where the first of them is, a cell
    `(row, col)` or a vertex of a graph; None where that is nowhere.
    """

    kind: ViolationKind
    time: int
    agents: tuple[int, ...] = ()
    place: Cell | int | None = None
    detail: str = ""

    def __str__(self) -> str:
        return self.sentence()

    def sentence(self, names: Sequence[str] | None = None) -> str:
        """What is wrong, in words; with the names of agents, if they are given, instead of their indices."""
        known = self.agents if names is None else tuple(names[agent] for agent in self.agents)
        first, second = (*known, None, None)[:2]
        place = f"vertex {self.place}" if isinstance(self.place, int) else str(self.place)
        return _SENTENCES[self.kind].format(
            a=first,
            b=second,
            time=self.time,
            step=f"from time {self.time - 1} to {self.time}",
            place=place,
            where="nowhere" if self.place is None else f"on {place}",
            about="" if first is None else f" about agent {first}",
            detail=self.detail,
        )


@dataclass(frozen=True, repr=False)
class Report:
    """The verdict: falsy when anything is wrong.

    `violations` are the earliest ones, in order of time; `count` is how many there are in all. Where many
    agents crowd together, each is counted with the first one it collides with, not with all of them.
    `cost` is the judge's own sum for a plan; a trace, whose goals change, has none.
    """

    violations: tuple[Violation, ...]
    count: int
    cost: int | None = None

    def __bool__(self) -> bool:
        return self.count == 0

    def __repr__(self) -> str:
        kinds = [*dict.fromkeys(str(violation.kind) for violation in self.violations)]
        if len(self.violations) < self.count:
            kinds.append("…")
        return f"Report({self._verdict()}{': ' if kinds else ''}{', '.join(kinds)})"

    def __str__(self) -> str:
        lines = [f"  {violation}" for violation in self.violations]
        if 0 < len(lines) < self.count:
            lines.append(f"  and {self.count - len(lines)} more")
        return "\n".join([self._verdict() + (":" if lines else ""), *lines])

    def _verdict(self) -> str:
        if self:
            return "valid" if self.cost is None else f"valid, cost {self.cost}"
        return "1 violation" if self.count == 1 else f"{self.count} violations"


def validate(problem: Problem, plan: Plan | None, *, limit: int = 1000) -> Report:
    """Judge a plan against the problem; `limit` bounds the violations listed, never those counted.

    The plan may come from another problem object: its vertices are what counts. A cost is compared where
    one is claimed for this problem: `plan.claimed_cost`, or else what `plan.cost` says.
    """
    if not isinstance(problem, Problem):
        raise InputError(f"problem must be a Problem, not {type(problem).__name__}")
    findings = _Findings(problem.space, limit)
    if plan is None:
        findings.add_one(ViolationKind.NO_PLAN)
        return findings.report()
    if not isinstance(plan, Plan):
        raise InputError(f"a plan is a Plan or None, not {type(plan).__name__}")
    vertices = np.asarray(plan.vertices)
    if fault := _plan_shape_fault(vertices, problem.n_agents):
        findings.add_one(ViolationKind.SHAPE, detail=fault)
        return findings.report()
    _judge_starts_of_plan(problem, vertices[0], findings)
    if problem.all_unit:
        steps = _StepJudge(problem.space, problem.rules, problem.n_agents, findings)
        steps.judge_first_row(vertices[0])
        steps.judge(vertices, problem.space.open)
    else:
        walls = [(0, len(vertices) - 1, problem.space.open)]
        bodies = _BodyJudge(problem.space, problem.rules, problem.sizes, problem.periods, findings)
        bodies.judge(vertices, walls)
    _judge_goals(problem, vertices, findings)
    cost = _cost(problem, vertices)
    _judge_cost(problem, plan, cost, findings)
    return findings.report(cost)


def validate_trace(trace: Trace, *, limit: int = 1000) -> Report:
    """Judge what happened in a world, whose walls, goals and agents may change at any time.

    A step from t to t+1 is judged with the walls as of t, after the changes of that time. Nobody has to
    be on a goal at the end. An agent that the outside world has put somewhere (a SYNC) has made no move,
    but must not share its vertex.
    """
    if not isinstance(trace, Trace):
        raise InputError(f"a trace is a Trace, not {type(trace).__name__}")
    findings = _Findings(trace.space, limit)
    if fault := _trace_shape_fault(trace):
        findings.add_one(ViolationKind.SHAPE, time=trace.start_time, detail=fault)
        return findings.report()
    events = _readable_events(trace, findings)
    _judge_steps_of_trace(trace, events, findings)
    goals = _goals_by_row(trace, events)
    _judge_presence(trace, events, goals, findings)
    _judge_placements(trace, events, findings)
    _judge_arrivals(trace, events, goals, findings)
    return findings.report()


class _Findings:
    """Collects violations: counts all of them, keeps the first `limit`."""

    def __init__(self, space: Space, limit: int) -> None:
        if not isinstance(limit, (int, np.integer)) or isinstance(limit, bool) or limit < 0:
            raise InputError(f"limit must be a whole number from 0 on, not {limit!r}")
        self._space = space
        self._limit = int(limit)
        self._count = 0
        self._kept: list[Violation] = []
        self._kept_of: Counter[tuple[ViolationKind, str]] = Counter()

    def add(
        self, kind: ViolationKind, times: Any, agents: tuple[Any, ...], vertices: Any = None, detail: str = ""
    ) -> None:
        """Arrays with one entry per violation, in order of time, also from one call to the next."""
        self._count += len(times)
        keep = min(len(times), self._limit - self._kept_of[kind, detail])
        self._kept_of[kind, detail] += keep
        for index in range(keep):
            who = tuple(int(column[index]) for column in agents if column[index] >= 0)
            place = None if vertices is None else self._place(int(vertices[index]))
            self._kept.append(Violation(kind, int(times[index]), who, place, detail))

    def add_one(self, kind: ViolationKind, time: int = 0, detail: str = "") -> None:
        self.add(kind, [time], (), detail=detail)

    def report(self, cost: int | None = None) -> Report:
        self._kept.sort(key=lambda one: (one.time, _ORDER[one.kind], one.agents))
        return Report(tuple(self._kept[: self._limit]), self._count, cost)

    def _place(self, vertex: int) -> Cell | int | None:
        return self._space.place(vertex) if 0 <= vertex < self._space.n else None


# ---------------------------------------------------------------------------- what only a plan must do


def _plan_shape_fault(vertices: npt.NDArray[Any], n_agents: int) -> str:
    if vertices.ndim != 2 or len(vertices) == 0 or vertices.dtype.kind not in "iu":
        return "a plan is an array of vertex ids with a row per time, from time 0 on"
    if vertices.shape[1] != n_agents:
        return f"the plan moves {vertices.shape[1]} agents, but the problem has {n_agents}"
    return ""


def _judge_starts_of_plan(problem: Problem, row: Positions, findings: _Findings) -> None:
    strayed = np.flatnonzero(row != problem.starts)
    findings.add(ViolationKind.START, np.zeros_like(strayed), (strayed,), row[strayed])
    inside = np.flatnonzero((row >= 0) & (row < problem.space.n))
    walled = inside[~problem.space.open[row[inside]]]
    findings.add(ViolationKind.WALL, np.zeros_like(walled), (walled,), row[walled])


def _judge_goals(problem: Problem, vertices: Positions, findings: _Findings) -> None:
    """Who is there when it should be, who is gone when it should be gone, and where everybody ends."""
    gone = np.zeros(vertices.shape, dtype=np.bool_)
    if problem.rules.at_goal == "disappear":
        on_goal = (vertices == problem.goals) & (problem.goals != IDLE)
        np.logical_or.accumulate(on_goal[:-1], axis=0, out=gone[1:])
    _judge_who_is_there(vertices, ~gone, 0, findings)
    last = vertices[-1]
    home = (last == problem.goals) | (gone[-1] & (last == ABSENT)) | (problem.goals == IDLE)
    lost = np.flatnonzero(~home)
    findings.add(ViolationKind.GOAL, np.full_like(lost, len(vertices) - 1), (lost,), last[lost])


def _judge_who_is_there(
    positions: Positions, expected: BoolArray, start_time: int, findings: _Findings
) -> None:
    present = positions != ABSENT
    rows, agents = np.nonzero(expected & ~present)
    findings.add(ViolationKind.ABSENT, start_time + rows, (agents,))
    rows, agents = np.nonzero(present & ~expected)
    findings.add(ViolationKind.PRESENT, start_time + rows, (agents,), positions[rows, agents])


def _cost(problem: Problem, vertices: Positions) -> int:
    """The sum over the agents that have goals; an agent that is gone is at rest like one at its goal."""
    at_rest = (vertices == problem.goals) | (vertices == ABSENT)
    if problem.rules.cost == "sum_of_costs":
        # What counts is the rest at the end that is never broken again: it begins with the last arrival.
        free = np.logical_and.accumulate(at_rest[::-1], axis=0)
        costs = len(vertices) - np.count_nonzero(free, axis=0)
    else:
        free = at_rest[:-1] & at_rest[1:]
        costs = len(free) - np.count_nonzero(free, axis=0)
    return int(costs[problem.goals != IDLE].sum())


def _judge_cost(problem: Problem, plan: Plan, cost: int, findings: _Findings) -> None:
    claimed = plan.claimed_cost
    if claimed is None and (plan.problem is problem or plan.problem == problem):
        claimed = plan.cost
    if claimed is not None and claimed != cost:
        detail = f"the plan claims a cost of {claimed}, but it costs {cost}"
        findings.add_one(ViolationKind.COST, time=plan.makespan, detail=detail)


# ---------------------------------------------------------------------------------- one step after another


@dataclass(frozen=True)
class _Moves:
    """The moves of a block, one entry each: the step (0 is the block's first), who, from where, to where."""

    step: Ints
    agent: Ints
    source: Ints
    target: Ints
    start_time: int

    @classmethod
    def between(cls, before: Ints, after: Ints, start_time: int) -> _Moves:
        step, agent = np.nonzero((before != after) & (before != ABSENT) & (after != ABSENT))
        return cls(step, agent, before[step, agent], after[step, agent], start_time)

    @property
    def times(self) -> Ints:
        return self.step + (self.start_time + 1)


@dataclass(frozen=True)
class _Walk:
    """What a space says to moves: which break its edges or corners, and who needs which lane for itself.

    Entry k of the last three arrays: the move `mover[k]` uses `lane[k]`, and nobody may use `rival[k]`.
    """

    no_edge: BoolArray
    corner: BoolArray
    mover: Ints
    lane: Ints
    rival: Ints


_NOBODY: Ints = read_only(np.empty(0, dtype=np.int64))


class _GridGround:
    """Moves on a grid. A lane is one of the two diagonals of a 2x2 block, numbered by its top left cell."""

    def __init__(self, grid: Grid) -> None:
        self._width = grid.width
        self._diagonals = grid.connectivity == 8
        self._blocked_allowed = {"none": 0, "one": 1, "free": 2}[grid.corners]
        self.n_lanes = 2 * grid.n if self._diagonals else 0
        self.max_rivals = 1

    def walk(self, moves: _Moves, is_open: BoolArray) -> _Walk:
        width = self._width
        row, to_row = moves.source // width, moves.target // width
        col, to_col = moves.source - row * width, moves.target - to_row * width
        down, right = to_row - row, to_col - col
        near = (np.abs(down) <= 1) & (np.abs(right) <= 1)
        diagonal = near & (down != 0) & (right != 0)
        corner = np.zeros(len(near), dtype=np.bool_)
        if not self._diagonals:
            return _Walk(~near | diagonal, corner, _NOBODY, _NOBODY, _NOBODY)
        which = np.flatnonzero(diagonal)
        corner[which] = self._cuts_corner(moves.source[which], moves.target[which], right[which], is_open)
        top_left = np.minimum(row, to_row)[which] * width + np.minimum(col, to_col)[which]
        lane = 2 * top_left + (down[which] == right[which])
        return _Walk(~near, corner, which, lane, lane ^ 1)

    def _cuts_corner(self, source: Ints, target: Ints, right: Ints, is_open: BoolArray) -> BoolArray:
        blocked: Ints = np.add(~is_open[source + right], ~is_open[target - right], dtype=np.int64)
        return blocked > self._blocked_allowed


class _GraphGround:
    """Moves on a graph. A lane is an edge, or an arc where the graph is directed; parallel ones are one."""

    def __init__(self, graph: Graph) -> None:
        self._n = graph.n
        self._directed = graph.directed
        edges = graph.edges.astype(np.int64)
        self._lane_keys, lane_of_edge = np.unique(self._keys(edges[:, 0], edges[:, 1]), return_inverse=True)
        self.n_lanes = len(self._lane_keys)
        pairs = lane_of_edge[graph.edge_conflicts]
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]  # two agents on one edge swap, or meet at its end
        pairs = np.unique(np.concatenate([pairs, pairs[:, ::-1]]), axis=0)
        self._rivals = pairs[:, 1]
        self._rivals_from = np.searchsorted(pairs[:, 0], np.arange(self.n_lanes + 1))
        self.max_rivals = int(np.diff(self._rivals_from).max(initial=1))

    def _keys(self, source: Ints, target: Ints) -> Ints:
        if not self._directed:
            source, target = np.minimum(source, target), np.maximum(source, target)
        return source * self._n + target

    def walk(self, moves: _Moves, is_open: BoolArray) -> _Walk:
        keys = self._keys(moves.source, moves.target)
        lane = np.searchsorted(self._lane_keys, keys)
        lane[lane == self.n_lanes] = 0
        no_edge = self._lane_keys[lane] != keys if self.n_lanes else np.ones(len(keys), dtype=np.bool_)
        return _Walk(
            no_edge, np.zeros_like(no_edge), *self._lanes_in_conflict(lane, np.flatnonzero(~no_edge))
        )

    def _lanes_in_conflict(self, lane: Ints, on_edge: Ints) -> tuple[Ints, Ints, Ints]:
        """Every move on an edge, once per edge that conflicts with its own."""
        if self._rivals.size == 0:
            return _NOBODY, _NOBODY, _NOBODY
        first = self._rivals_from[lane[on_edge]]
        number = self._rivals_from[lane[on_edge] + 1] - first
        mover = np.repeat(on_edge, number)
        nth = np.arange(len(mover)) - np.repeat(np.cumsum(number) - number, number)
        return mover, lane[mover], self._rivals[np.repeat(first, number) + nth]


class _FirstUsers:
    """Who was the first to use a key, for keys below `size`: one write and one read, however many keys."""

    def __init__(self, size: int) -> None:
        self._user_plus_one = np.zeros(size, dtype=np.int32)
        self._keys = _NOBODY

    def fill(self, keys: Ints, users: Ints) -> None:
        """Forget the users of before, and note these, which are in ascending order."""
        self._user_plus_one[self._keys] = 0
        # Of several assignments to one place numpy keeps the last, which is the first user's in this order.
        self._user_plus_one[keys[::-1]] = users[::-1] + 1
        self._keys = keys

    def of(self, keys: Ints) -> Ints:
        """The first user per key, -1 where there is none."""
        return self._user_plus_one[keys].astype(np.int64) - 1


class _StepJudge:
    """Judges rows of positions and the steps between them by the rules that plans and traces share."""

    def __init__(self, space: Space, rules: Rules, n_agents: int, findings: _Findings) -> None:
        self._ground = _GridGround(space) if isinstance(space, Grid) else _GraphGround(space)
        self._n = space.n
        self._rules = rules
        self._findings = findings
        per_row = max(1, n_agents * self._ground.max_rivals)
        lanes = max(1, self._ground.n_lanes)
        self._block = max(1, min(BLOCK_POSITIONS // per_row, TABLE_SLOTS // max(self._n, lanes)))
        self._on_vertex = _FirstUsers((self._block + 1) * self._n)
        self._on_lane = _FirstUsers(self._block * lanes)

    def judge_first_row(self, row: Positions, time: int = 0) -> None:
        """Judge a row that no judged step leads to."""
        self._judge_rows(self._inside(row[None, :], time, known=0), time, known=0)

    def judge(
        self, positions: Positions, is_open: BoolArray, start_time: int = 0, placed: BoolArray | None = None
    ) -> None:
        """Judge all steps between the rows, and all rows but the first.

        `placed[s, i]`: in step s agent i did not move but was put where it is by the outside world.
        """
        for start in range(0, len(positions) - 1, self._block):
            stop = min(start + self._block, len(positions) - 1)
            exempt = None if placed is None else placed[start:stop]
            self._judge_block(positions[start : stop + 1], is_open, start_time + start, exempt)

    def _judge_block(
        self, positions: Positions, is_open: BoolArray, time: int, placed: BoolArray | None
    ) -> None:
        rows = self._inside(positions, time, known=1)
        crowded = self._judge_rows(rows, time, known=1)
        before, after = rows[:-1], rows[1:]
        if placed is not None and placed.any():
            # To the others, who is picked up and put elsewhere is gone, and its arrival is no move.
            after = np.where(placed, ABSENT, after)
        moves = _Moves.between(before, after, time)
        walk = self._ground.walk(moves, is_open)
        self._add(ViolationKind.WALL, moves, ~is_open[moves.target])
        self._add(ViolationKind.NO_EDGE, moves, walk.no_edge)
        self._add(ViolationKind.CORNER, moves, walk.corner)
        if not self._rules.crossing:
            self._judge_crossings(moves, walk)
        if crowded or self._may_exchange(moves, after):
            self._judge_exchanges(moves, before, after)

    def _inside(self, positions: Positions, time: int, known: int) -> Ints:
        """The rows in 64 bits, agents outside the space reported (but for known rows) and taken as absent."""
        rows = positions.astype(np.int64)
        outside = (rows < ABSENT) | (rows >= self._n)
        if outside.any():
            row, agent = np.nonzero(outside[known:])
            self._findings.add(ViolationKind.OUTSIDE, time + known + row, (agent,))
            rows[outside] = ABSENT
        return rows

    def _judge_rows(self, rows: Ints, time: int, known: int) -> bool:
        """Report who shares a vertex, but for known rows, and say whether anybody does, in any row."""
        n_agents = rows.shape[1]
        spots = np.flatnonzero(rows != ABSENT)
        keys = (rows + self._n * np.arange(len(rows))[:, None]).reshape(-1)[spots]
        self._on_vertex.fill(keys, spots)
        first = self._on_vertex.of(keys)
        late = np.flatnonzero(first != spots)
        shown = late[spots[late] >= known * n_agents]
        row, agent = np.divmod(spots[shown], max(1, n_agents))
        other = first[shown] - row * n_agents
        self._findings.add(ViolationKind.VERTEX, time + row, (other, agent), rows[row, agent])
        return late.size > 0

    def _judge_crossings(self, moves: _Moves, walk: _Walk) -> None:
        if walk.mover.size == 0:
            return
        base = moves.step[walk.mover] * self._ground.n_lanes
        self._on_lane.fill(base + walk.lane, walk.mover)
        other = self._on_lane.of(base + walk.rival)
        met = np.flatnonzero(other >= 0)
        if met.size:
            first_on_own_lane = self._on_lane.of(base[met] + walk.lane[met])
            self._add_pairs(ViolationKind.CROSSING, moves, walk.mover[met], other[met], first_on_own_lane)

    def _may_exchange(self, moves: _Moves, after: Ints) -> bool:
        """Might anybody swap or follow? Never wrongly no, as long as no two agents share a vertex."""
        holder = self._on_vertex.of(moves.step * self._n + moves.target)
        held = np.flatnonzero(holder >= 0)
        if not self._rules.following:
            return held.size > 0
        return bool(np.any(after.reshape(-1)[holder[held]] == moves.source[held]))

    def _judge_exchanges(self, moves: _Moves, before: Ints, after: Ints) -> None:
        """Swaps, and following where it is forbidden, exactly: over all who leave a vertex, sorted.

        Sorted by step, vertex and destination, those who leave one vertex stand together, and among
        them those who go to one place, with the lowest agent first.
        """
        leaving, leaver = self._departures(moves, before, after)
        order = np.argsort(leaving, kind="stable")
        keys = leaving[order]
        counter = self._departure_keys(moves.step, moves.target, moves.source)
        swap_from = np.searchsorted(keys, counter, "left")
        swap_to = np.searchsorted(keys, counter, "right")
        swaps = np.flatnonzero(swap_from < swap_to)
        same_way = np.searchsorted(keys, leaving[swaps], "left")
        self._add_pairs(ViolationKind.SWAP, moves, swaps, order[swap_from[swaps]], order[same_way])
        if not self._rules.following:
            any_from = np.searchsorted(keys, counter - moves.source - 1, "left")
            any_to = np.searchsorted(keys, counter - moves.source + self._n, "left")
            # Somebody who leaves the target and does not swap stands before or behind those who swap.
            other = np.where(any_from < swap_from, any_from, swap_to)
            follows = np.flatnonzero(other < any_to)
            self._add(ViolationKind.FOLLOWING, moves, follows, leaver[order[other[follows]]])

    def _departures(self, moves: _Moves, before: Ints, after: Ints) -> tuple[Ints, Ints]:
        """A key and an agent per departure: first the moves, in their order, then those who vanish."""
        step, agent = np.nonzero((before != ABSENT) & (after == ABSENT))
        vanishing = self._departure_keys(step, before[step, agent], np.full_like(step, ABSENT))
        moving = self._departure_keys(moves.step, moves.source, moves.target)
        return np.concatenate([moving, vanishing]), np.concatenate([moves.agent, agent])

    def _departure_keys(self, step: Ints, source: Ints, target: Ints) -> Ints:
        # A block's steps times vertices is at most the larger of TABLE_SLOTS and n, so this fits in 63 bits.
        return (step * self._n + source) * (self._n + 1) + (target + 1)

    def _add(self, kind: ViolationKind, moves: _Moves, which: Any, others: Ints | None = None) -> None:
        if which.dtype == np.bool_:
            which = np.flatnonzero(which)
        if which.size:
            agents = (moves.agent[which],) if others is None else (moves.agent[which], others)
            self._findings.add(kind, moves.times[which], agents, moves.target[which])

    def _add_pairs(self, kind: ViolationKind, moves: _Moves, one: Ints, other: Ints, alike: Ints) -> None:
        """Report moves with the first one they collide with; `alike` is the first that goes as `one` does.

        Two that would name each other are named once, by the lower.
        """
        named = (one < other) | (alike != one)
        low, high = np.minimum(one, other)[named], np.maximum(one, other)[named]
        self._add(kind, moves, low, moves.agent[high])


# -------------------------------------------------------------------------- agents of any size and speed

Walls = Iterable[tuple[int, int, BoolArray]]  # from one row to another, what is open to the steps between


class _BodyJudge:
    """Judges agents of any size and speed by the cells that they hold, under the rules of plans and traces.

    An agent covers size x size cells, its position being the top left one. A move that arrives at time T is
    made in the `period` steps before T; at the times between its first and its last step the agent holds
    the cells of both ends.
    """

    def __init__(
        self, space: Space, rules: Rules, sizes: Positions, periods: Positions, findings: _Findings
    ) -> None:
        self._space, self._rules, self._findings = space, rules, findings
        self._ground = _GridGround(space) if isinstance(space, Grid) else _GraphGround(space)
        self._agents = len(sizes)
        self._sizes, self._periods = sizes.astype(np.int64), periods.astype(np.int64)
        self._groups = [(int(size), np.flatnonzero(sizes == size)) for size in np.unique(sizes)]

    def judge(
        self,
        positions: Positions,
        walls: Walls,
        start_time: int = 0,
        placed: BoolArray | None = None,
        headings: Positions | None = None,
    ) -> None:
        """Judge all rows and the steps between them.

        `placed[t, i]`: at row t agent i was put where it is by the outside world. `headings` are the ends
        of moves in which agents are at the first row; then nobody knows for how long they have been.
        """
        self._rows = self._inside(positions, start_time)
        self._placed = np.zeros(self._rows.shape, dtype=np.bool_) if placed is None else placed
        self._start_time = start_time
        self._toward = self._moves_under_way(known=headings is None)
        self._between = np.full_like(self._rows, ABSENT)  # the other end of a move, where both are held
        same = (self._toward[1:] == self._toward[:-1]) & (self._rows[1:] == self._rows[:-1])
        self._between[1:][same] = self._toward[1:][same]
        if headings is not None:
            self._between[0] = headings
        held = self._held(0)
        self._judge_overlaps(held, 0)
        for start, stop, is_open in walls:
            standable = {size: self._standable(size, is_open) for size, _ in self._groups}
            for step in range(start, stop):
                after = self._held(step + 1)
                self._judge_moves(step, standable)
                self._judge_overlaps(after, step + 1)
                self._judge_exchanges(step, held, after)
                held = after

    def _inside(self, positions: Positions, time: int) -> Ints:
        """The rows in 64 bits; who is outside the space, or sticks out, is reported and taken as absent."""
        rows = positions.astype(np.int64)
        outside = (rows < ABSENT) | (rows >= self._space.n)
        if isinstance(self._space, Grid):
            row, col = np.divmod(rows, self._space.width)
            sticks_out = (row + self._sizes > self._space.height) | (col + self._sizes > self._space.width)
            outside |= sticks_out & (rows != ABSENT)
        at, agent = np.nonzero(outside)
        self._findings.add(ViolationKind.OUTSIDE, time + at, (agent,))
        rows[outside] = ABSENT
        return rows

    def _moves_under_way(self, known: bool) -> Ints:
        """Per step and agent where a move leads of which that step is a part; ABSENT where there is none.

        A move is cut short, and reported, where the agent was not at its beginning for long enough.
        `known`: nobody was anywhere before the first row.
        """
        rows, times = self._rows, np.arange(len(self._rows))[:, None]
        changed = np.ones(rows.shape, dtype=np.bool_)
        changed[1:] = (rows[1:] != rows[:-1]) | self._placed[1:]
        long_ago = -int(self._periods.max(initial=1))
        since = np.where(changed, times, long_ago)
        if not known:
            since[0] = long_ago
        since = np.maximum.accumulate(since, axis=0)
        here = (rows[1:] != ABSENT) & (rows[:-1] != ABSENT)
        step, agent = np.nonzero(here & (rows[1:] != rows[:-1]) & ~self._placed[1:])
        target, period, begin = rows[step + 1, agent], self._periods[agent], since[step, agent]
        hasty = np.flatnonzero(step + 1 - begin < period)
        self._findings.add(
            ViolationKind.PACE, self._start_time + 1 + step[hasty], (agent[hasty],), target[hasty]
        )
        toward = np.full_like(rows, ABSENT)
        for back in range(int(period.max(initial=0))):
            part = (period > back) & (step - back >= np.maximum(begin, 0))
            toward[step[part] - back, agent[part]] = target[part]
        return toward

    def _held(self, row: int) -> Ints:
        """The cells that are held at a row: sorted keys of cell and agent."""
        keys = [
            self._cells(places[row, group], size) * self._agents + group[:, None]
            for size, group in self._groups
            for places in (self._rows, self._between)
        ]
        flat = np.concatenate([each.reshape(-1) for each in keys]) if keys else _NOBODY
        return np.unique(flat[flat >= 0])

    def _cells(self, positions: Ints, size: int) -> Ints:
        """A row of cells per position; far below zero for who is absent."""
        width = self._space.width if isinstance(self._space, Grid) else 1
        span = np.arange(size)
        cells = positions[:, None] + (span[:, None] * width + span).reshape(-1)
        return np.where(positions[:, None] == ABSENT, np.int64(-(2**31)), cells)

    def _standable(self, size: int, is_open: BoolArray) -> BoolArray:
        """Per vertex: may an agent of this size be there?"""
        if size == 1 or not isinstance(self._space, Grid):
            return is_open
        cells = is_open.reshape(self._space.passable.shape)
        fits = np.zeros_like(cells)
        height, width = self._space.height - size + 1, self._space.width - size + 1
        if height > 0 and width > 0:
            fits[:height, :width] = True
            for down in range(size):
                for right in range(size):
                    fits[:height, :width] &= cells[down : down + height, right : right + width]
        return fits.reshape(-1)

    def _judge_moves(self, step: int, standable: dict[int, BoolArray]) -> None:
        """The moves of which this step is a part: an agent of any size moves over the places where it fits
        as an agent of one cell moves over open cells."""
        time = self._start_time + step + 1
        for size, group in self._groups:
            agents = group[self._toward[step, group] != ABSENT]
            source, target = self._rows[step, agents], self._toward[step, agents]
            moves = _Moves(np.zeros_like(agents), agents, source, target, time - 1)
            walk = self._ground.walk(moves, standable[size])
            arrives = target == self._rows[step + 1, agents]
            self._add(ViolationKind.WALL, moves, ~standable[size][target])
            self._add(ViolationKind.NO_EDGE, moves, walk.no_edge & arrives)
            self._add(ViolationKind.CORNER, moves, walk.corner)
            if size == 1 and not self._rules.crossing:  # who is larger overlaps with whoever would cross
                self._judge_crossings(moves, walk)

    def _judge_crossings(self, moves: _Moves, walk: _Walk) -> None:
        on_lane: dict[int, int] = {}
        for mover, lane in zip(walk.mover.tolist(), walk.lane.tolist(), strict=True):
            on_lane.setdefault(lane, mover)
        met = {
            (min(mover, on_lane[rival]), max(mover, on_lane[rival]))
            for mover, rival in zip(walk.mover.tolist(), walk.rival.tolist(), strict=True)
            if rival in on_lane
        }
        for one, other in sorted(met):
            self._add(ViolationKind.CROSSING, moves, np.array([one]), moves.agent[[other]])

    def _judge_overlaps(self, held: Ints, row: int) -> None:
        """Who holds a cell that another holds at the same time: each with the first holder of the cell."""
        cell, agent = np.divmod(held, self._agents)
        first = np.searchsorted(cell, cell)
        late = np.flatnonzero(first != np.arange(len(cell)))
        pairs = {(int(agent[first[k]]), int(agent[k])): int(cell[k]) for k in late[::-1].tolist()}
        for pair, shared in sorted(pairs.items()):
            self._add_one(ViolationKind.VERTEX, row, pair, shared)

    def _judge_exchanges(self, step: int, before: Ints, after: Ints) -> None:
        """Who enters a cell that another held before: each does that to the other, or may not follow."""
        # To the others, who is picked up and put elsewhere is gone, and its arrival is no move.
        after = after[~self._placed[step + 1][after % self._agents]] if len(after) else after
        met: dict[tuple[int, int], int] = {}
        left: dict[tuple[int, int], int] = {}
        entered = np.setdiff1d(after, before, assume_unique=True)
        first = np.searchsorted(before, entered - entered % self._agents)
        last = np.searchsorted(before, entered - entered % self._agents + self._agents)
        entries = np.flatnonzero(first < last).tolist()
        still = set(after.tolist()) if entries else set()
        for k in entries:
            cell, agent = divmod(int(entered[k]), self._agents)
            for key in before[first[k] : last[k]].tolist():
                met.setdefault((agent, key % self._agents), cell)
                if key not in still:
                    left.setdefault((agent, key % self._agents), cell)
        for one, other in sorted(met):
            if one < other and (other, one) in met:
                self._add_one(ViolationKind.SWAP, step + 1, (one, other), int(self._rows[step + 1, one]))
        if not self._rules.following:
            for pair, cell in sorted(left.items()):
                if pair[::-1] not in met:
                    self._add_one(ViolationKind.FOLLOWING, step + 1, pair, cell)

    def _add(self, kind: ViolationKind, moves: _Moves, which: Any, others: Ints | None = None) -> None:
        if which.dtype == np.bool_:
            which = np.flatnonzero(which)
        agents = (moves.agent[which],) if others is None else (moves.agent[which], others)
        self._findings.add(kind, moves.times[which], agents, moves.target[which])

    def _add_one(self, kind: ViolationKind, row: int, agents: tuple[int, int], vertex: int) -> None:
        self._findings.add(kind, [self._start_time + row], ([agents[0]], [agents[1]]), [vertex])


# ---------------------------------------------------------------------------- what only a trace must do


@dataclass(frozen=True)
class _Events:
    """The columns of a trace's events, in order of time, with the row of the positions for the time."""

    row: Ints
    kind: Ints
    agent: Ints
    value: Ints

    def where(self, which: Any) -> _Events:
        return _Events(self.row[which], self.kind[which], self.agent[which], self.value[which])

    def of(self, *kinds: EventKind) -> _Events:
        return self.where(np.isin(self.kind, kinds))

    def between(self, start: int, stop: int) -> _Events:
        """Those of the rows from start to before stop."""
        return self.where(slice(*np.searchsorted(self.row, [start, stop])))


def _trace_shape_fault(trace: Trace) -> str:
    n_agents, n = len(trace.names), trace.space.n
    positions = trace.positions
    if positions.ndim != 2 or positions.dtype.kind not in "iu" or positions.shape[1] != n_agents:
        return f"the positions of {n_agents} agents are an array with a row of {n_agents} vertex ids per time"
    if len(positions) == 0:
        return "the trace has no rows: nothing has happened in it"
    if any(array.shape != (n_agents,) for array in (trace.starts, trace.goals, trace.priorities)):
        return f"the trace of {n_agents} agents needs as many starts, goals and priorities"
    if trace.open.shape != (n,) or trace.open.dtype != np.bool_:
        return f"the walls of a trace are an array of {n} bools, one per vertex"
    if trace.events.ndim != 2 or trace.events.shape[1] != 4 or trace.events.dtype.kind not in "iu":
        return "the events of a trace are rows of whole numbers (time, kind, agent, value)"
    return _body_fault(trace)


def _body_fault(trace: Trace) -> str:
    n_agents = len(trace.names)
    bodies = (trace.sizes, trace.periods, trace.headings, trace.progress)
    if any(array.shape != (n_agents,) or array.dtype.kind not in "iu" for array in bodies):
        return f"the trace of {n_agents} agents needs as many sizes, periods, headings and progress"
    if n_agents and (
        min(trace.sizes.min(), trace.periods.min()) < 1 or trace.headings.max() >= trace.space.n
    ):
        return "the sizes and periods of a trace begin at 1, and its headings are vertices"
    if not isinstance(trace.space, Grid) and np.any(trace.sizes > 1):
        return "only on a grid can an agent be larger than a vertex"
    return ""


_OF_NO_AGENT = (EventKind.BLOCK, EventKind.FREE, EventKind.LATE, EventKind.RAISED)
_OF_A_VERTEX = (
    EventKind.BLOCK,
    EventKind.FREE,
    EventKind.ADD,
    EventKind.SYNC,
    EventKind.SET_OUT,
    EventKind.TURNED_BACK,
)


def _readable_events(trace: Trace, findings: _Findings) -> _Events:
    """The events that make sense, the others reported: they are left out, or put where their time belongs."""
    time, kind, agent, value = trace.events.astype(np.int64).T
    row = time - trace.start_time
    lowest_value = np.where(kind == EventKind.GOAL, IDLE, 0)
    has_value = np.isin(kind, (*_OF_A_VERTEX, EventKind.GOAL))
    faults = {
        "its time is not in the trace": (row < 0) | (row >= len(trace.positions)),
        "there is no such kind of event": ~np.isin(kind, list(EventKind)),
        "there is no such agent": ~np.isin(kind, _OF_NO_AGENT) & ((agent < 0) | (agent >= len(trace.names))),
        "there is no such vertex": has_value & ((value < lowest_value) | (value >= trace.space.n)),
    }
    usable = np.ones(len(time), dtype=np.bool_)
    for detail, wrong in faults.items():
        _add_events(_Events(time, kind, agent, value).where(usable & wrong), 0, detail, findings)
        usable &= ~wrong
    events = _Events(row, kind, agent, value).where(usable)
    early = np.flatnonzero(np.diff(events.row) < 0) + 1
    _add_events(events.where(early), trace.start_time, "it is listed after a later one", findings)
    return events.where(np.argsort(events.row, kind="stable"))


def _add_events(events: _Events, start_time: int, detail: str, findings: _Findings) -> None:
    findings.add(ViolationKind.EVENT, start_time + events.row, (events.agent,), detail=detail)


def _judge_steps_of_trace(trace: Trace, events: _Events, findings: _Findings) -> None:
    appeared = events.of(EventKind.ADD, EventKind.SYNC)
    placed = np.zeros(trace.positions.shape, dtype=np.bool_)
    placed[appeared.row, appeared.agent] = True
    _judge_starts_of_trace(trace, placed[0], findings)
    walls = _periods_between_wall_changes(trace, events)
    if np.any(trace.sizes != 1) or np.any(trace.periods != 1):
        bodies = _BodyJudge(trace.space, trace.rules, trace.sizes, trace.periods, findings)
        headings = _headings_at_first(trace, events) if trace.start_time > 0 else None
        bodies.judge(trace.positions, walls, trace.start_time, placed, headings)
        return
    steps = _StepJudge(trace.space, trace.rules, len(trace.names), findings)
    steps.judge_first_row(trace.positions[0], trace.start_time)
    for start, stop, is_open in walls:
        rows = slice(start, stop + 1)
        steps.judge(trace.positions[rows], is_open, trace.start_time + start, placed[start + 1 : stop + 1])


def _headings_at_first(trace: Trace, events: _Events) -> Ints:
    """Where agents were on their way to at the first row, but for those whose way ended just then."""
    headings = np.where(trace.progress > 0, trace.headings, ABSENT).astype(np.int64)
    stopped = events.between(0, 1).of(EventKind.TURNED_BACK, EventKind.SYNC, EventKind.REMOVE)
    headings[stopped.agent] = ABSENT
    return headings


def _judge_starts_of_trace(trace: Trace, placed: BoolArray, findings: _Findings) -> None:
    """Before the first row nobody moves: whoever is in it and was not put there is on its start."""
    row = trace.positions[0]
    known = (row != ABSENT) & (trace.starts != ABSENT) & ~placed
    strayed = np.flatnonzero(known & (row != trace.starts))
    findings.add(ViolationKind.START, np.full_like(strayed, trace.start_time), (strayed,), row[strayed])


def _periods_between_wall_changes(trace: Trace, events: _Events) -> Iterator[tuple[int, int, BoolArray]]:
    """From the row of one change to that of the next, with what is open to the steps between them."""
    changes = events.of(EventKind.BLOCK, EventKind.FREE)
    is_open = trace.open.copy()
    for start, stop in pairwise(np.unique([0, *changes.row, len(trace.positions) - 1]).tolist()):
        now = changes.between(start, start + 1)
        is_open[now.value] = now.kind == EventKind.FREE
        yield start, stop, is_open


def _goals_by_row(trace: Trace, events: _Events) -> Ints:
    """Per row and agent: the goal after the changes of that time."""
    changes = events.of(EventKind.GOAL)
    goals = np.empty(trace.positions.shape, dtype=np.int64)
    current = trace.goals.astype(np.int64)
    for start, stop in pairwise(np.unique([0, *changes.row, len(goals)]).tolist()):
        now = changes.between(start, start + 1)
        current[now.agent] = now.value
        goals[start:stop] = current
    return goals


def _judge_presence(trace: Trace, events: _Events, goals: Ints, findings: _Findings) -> None:
    """From row to row everybody stays, but for those added and removed, and those that disappear."""
    before = np.concatenate([trace.starts[None, :], trace.positions[:-1]])
    expected = before != ABSENT
    if trace.rules.at_goal == "disappear":
        expected[1:] &= before[1:] != goals[:-1]
    changes = events.of(EventKind.ADD, EventKind.REMOVE)
    _judge_additions(trace, changes, expected, findings)
    expected[changes.row, changes.agent] = changes.kind == EventKind.ADD
    _judge_who_is_there(trace.positions, expected, trace.start_time, findings)


def _judge_additions(trace: Trace, changes: _Events, expected: BoolArray, findings: _Findings) -> None:
    """Only who is not there can be added."""
    there = expected.copy()
    removed = changes.of(EventKind.REMOVE)
    there[removed.row, removed.agent] = False
    added = changes.of(EventKind.ADD)
    twice = added.where(there[added.row, added.agent])
    _add_events(twice, trace.start_time, "the agent is added though it is already there", findings)


def _judge_placements(trace: Trace, events: _Events, findings: _Findings) -> None:
    """Who is added or put somewhere is there: the last word of each time on each agent holds."""
    words = events.of(EventKind.ADD, EventKind.SYNC, EventKind.REMOVE)
    newest_first = words.where(slice(None, None, -1))
    _, last = np.unique(newest_first.row * len(trace.names) + newest_first.agent, return_index=True)
    placed = newest_first.where(last)
    spot = trace.positions[placed.row, placed.agent]
    elsewhere = (placed.kind != EventKind.REMOVE) & (spot != ABSENT) & (spot != placed.value)
    _add_events(placed.where(elsewhere), trace.start_time, "the agent is on another vertex", findings)


def _judge_arrivals(trace: Trace, events: _Events, goals: Ints, findings: _Findings) -> None:
    """Who has arrived is on its goal: the one it came with, or the one it was given on arrival.

    An agent that was removed or put elsewhere at the same time may have arrived before that.
    """
    moved = events.of(EventKind.SYNC, EventKind.REMOVE)
    excused = np.zeros(trace.positions.shape, dtype=np.bool_)
    excused[moved.row, moved.agent] = True
    arrived = events.of(EventKind.ARRIVED)
    spot = trace.positions[arrived.row, arrived.agent]
    goal_before = np.concatenate([trace.goals[None, :], goals[:-1]])[arrived.row, arrived.agent]
    on_goal = (spot != ABSENT) & ((spot == goals[arrived.row, arrived.agent]) | (spot == goal_before))
    untrue = ~on_goal & ~excused[arrived.row, arrived.agent]
    _add_events(arrived.where(untrue), trace.start_time, "the agent is not on its goal", findings)
