"""The judge of traces: walls, goals and agents change over time, and every step keeps the rules of its time.

Traces are drawn as films, like plans in test_judge_plan.py: a frame per time, a letter per agent. Walls are
those of the first frame; later ones come from events.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from test_judge_plan import (
    Faults,
    assert_same_verdict,
    marching_columns,
    random_rules,
    random_space,
    randoms,
    relaxed,
    safe_next_row,
    slow_row,
    slow_step,
    small_blocks,
    vertex_of,
)

from sidestep import EventKind, Graph, Grid, InputError, Rules, Trace
from sidestep.judge import validate_trace
from sidestep.model.agents import AgentTable
from tests.sizing import examples

K = EventKind
Event = tuple[int, int, int, int]


def traced(
    text: str,
    *events: Event,
    goals: dict[str, int] | None = None,
    rules: Rules = Rules(),
    start_time: int = 0,
    connectivity: int = 4,
) -> Trace:
    """A trace from its frames; agents have no goals but those given."""
    frames = [[line.split() for line in frame.splitlines() if line.split()] for frame in text.split("\n\n")]
    letters = sorted({char for frame in frames for row in frame for char in "".join(row) if char.isalpha()})
    rows = [[vertex_of(frame, char) for char in letters] for frame in frames]
    passable = np.array([[token != "#" for token in row] for row in frames[0]])
    return trace_of(
        Grid(passable, connectivity),  # type: ignore[arg-type]
        rows,
        list(events),
        goals=[(goals or {}).get(char, -1) for char in letters],
        rules=rules,
        start_time=start_time,
    )


def trace_of(
    space: Grid | Graph,
    rows: list[list[int]],
    events: list[Event],
    *,
    goals: list[int],
    starts: list[int] | None = None,
    rules: Rules = Rules(),
    start_time: int = 0,
) -> Trace:
    """Unless told otherwise, agents start where they are first seen, before the changes of that time."""
    if starts is None:
        changed_at_once = [event for event in events if event[0] == start_time]
        came = {agent: -1 for _, kind, agent, _ in changed_at_once if kind == K.ADD}
        went = {agent: value for _, kind, agent, value in changed_at_once if kind == K.REMOVE}
        starts = [(came | went).get(agent, vertex) for agent, vertex in enumerate(rows[0] if rows else goals)]
    return Trace(
        agents=AgentTable(
            space,
            tuple(f"a{i}" for i in range(len(goals))),
            np.array(starts, dtype=np.int32),
            np.array(goals, dtype=np.int32),
            priorities=np.zeros(len(goals), dtype=np.int32),
        ),
        rules=rules,
        start_time=start_time,
        open=space.open,
        positions=np.array(rows, dtype=np.int32).reshape(len(rows), len(goals)),
        events=np.array(events, dtype=np.int32).reshape(len(events), 4),
    )


def judged(trace: Trace) -> list[tuple[str, int, tuple[int, ...]]]:
    report = validate_trace(trace)
    assert report.count == len(report.violations)
    assert bool(report) == (report.count == 0)
    assert report.cost is None
    return [(str(one.kind), one.time, one.agents) for one in report.violations]


WALK = "a . .\n\n. a .\n\n. . a"
STAND = "a . .\n\na . .\n\na . ."


# ------------------------------------------------------------------------------------ the whole


def test_a_walk_without_events_is_fine_wherever_it_ends():
    assert judged(traced(WALK, goals={"a": 0})) == []


def test_a_trace_of_one_row_or_without_agents_is_fine():
    assert judged(traced("a .")) == []
    assert judged(trace_of(Grid.from_text(". ."), [[], [], []], [], goals=[])) == []


def test_a_trace_without_rows_is_not_valid():
    assert judged(trace_of(Grid.from_text(". ."), [], [], goals=[-1])) == [("shape", 0, ())]


@pytest.mark.parametrize(
    "wrong",
    [
        {"agents": {"names": ("a0", "a1")}},
        {"positions": np.zeros(3, dtype=np.int32)},
        {"positions": np.zeros((3, 1))},
        {"agents": {"starts": np.zeros(2, dtype=np.int32)}},
        {"agents": {"goals": np.zeros(2, dtype=np.int32)}},
        {"agents": {"priorities": np.zeros(2, dtype=np.int32)}},
        {"open": np.ones(2, dtype=bool)},
        {"open": np.ones(3, dtype=np.int32)},
        {"events": np.zeros((1, 3), dtype=np.int32)},
        {"events": np.zeros((1, 4))},
    ],
)
def test_arrays_that_do_not_fit_have_the_wrong_shape(wrong):
    trace = traced(WALK)
    if "agents" in wrong:
        wrong = {"agents": replace(trace.agents, **wrong["agents"])}
    assert judged(replace(trace, **wrong)) == [("shape", 0, ())]


def test_what_is_no_trace_is_refused():
    with pytest.raises(InputError, match="a trace is a Trace, not NoneType"):
        validate_trace(None)  # type: ignore[arg-type]


def test_times_are_those_of_the_world():
    jump = traced("a . .\n\n. . a", start_time=100)
    assert judged(jump) == [("no_edge", 101, (0,))]


def test_the_rules_of_plans_hold_in_traces():
    assert judged(traced("a b\n\nb a")) == [("swap", 1, (0, 1))]
    assert judged(traced("a b\n. .\n\n. .\nb a", connectivity=8)) == [("crossing", 1, (0, 1))]
    assert judged(traced("a b .\n\n. a b", rules=Rules(following=False))) == [("following", 1, (0, 1))]
    assert judged(traced("a . b\n\n. ab .")) == [("vertex", 1, (0, 1))]
    assert judged(traced("a #\n\n. a#")) == [("wall", 1, (0,))]
    outside = trace_of(Grid.from_text(". ."), [[7], [0]], [], goals=[-1])
    assert judged(outside) == [("outside", 0, (0,))]


def test_the_first_row_is_where_the_agents_were_before_the_trace():
    """Unless they were added, removed or put elsewhere at that very time."""
    grid = Grid.from_text(". . .")
    for row, events, expected in [
        ([0], [], []),
        ([1], [], [("start", 0, (0,))]),
        ([1], [(0, K.SYNC, 0, 1)], []),
        ([-1], [], [("absent", 0, (0,))]),
        ([-1], [(0, K.REMOVE, 0, 0)], []),
        ([0], [(0, K.ADD, 0, 0)], [("event", 0, (0,))]),
    ]:
        assert judged(trace_of(grid, [row], events, goals=[-1], starts=[0])) == expected
    assert judged(trace_of(grid, [[1]], [], goals=[-1], starts=[-1])) == [("present", 0, (0,))]


# -------------------------------------------------------------------------------- walls that change


def test_a_step_is_judged_with_the_walls_of_its_beginning():
    """Closed at time 1: the step from 0 to 1 was still free to enter, the step from 1 to 2 is not."""
    enter_at_1 = ". a .\n\n. . a\n\n. . a"
    enter_at_2 = ". a .\n\n. a .\n\n. . a"
    assert judged(traced(enter_at_1, (1, K.BLOCK, -1, 2))) == []
    assert judged(traced(enter_at_2, (1, K.BLOCK, -1, 2))) == [("wall", 2, (0,))]
    assert judged(traced(enter_at_2, (2, K.BLOCK, -1, 2))) == []


def test_changes_of_the_first_time_count():
    assert judged(traced("a .\n\n. a", (0, K.BLOCK, -1, 1))) == [("wall", 1, (0,))]


def test_a_wall_that_opens_may_be_entered_from_then_on():
    assert judged(traced("a #\n\n. a#", (0, K.FREE, -1, 1))) == []
    assert judged(traced("a #\n\na #\n\n. a#", (1, K.FREE, -1, 1))) == []
    assert judged(traced("a #\n\n. a#", (1, K.FREE, -1, 1))) == [("wall", 1, (0,))]


def test_the_last_change_of_a_time_holds():
    assert judged(traced("a .\n\n. a", (0, K.BLOCK, -1, 1), (0, K.FREE, -1, 1))) == []
    assert judged(traced("a .\n\n. a", (0, K.FREE, -1, 1), (0, K.BLOCK, -1, 1))) == [("wall", 1, (0,))]


def test_who_stands_on_a_vertex_that_closes_may_wait_there_and_leave():
    assert judged(traced("a .\n\na .\n\na .\n\n. a", (1, K.BLOCK, -1, 0), (1, K.TRAPPED, 0, 0))) == []


def test_who_has_left_a_closed_vertex_may_not_come_back():
    assert judged(traced("a .\n\n. a\n\na .", (0, K.BLOCK, -1, 0))) == [("wall", 2, (0,))]


def test_closing_a_cell_closes_the_diagonals_beside_it():
    diagonal = "a .\n. .\n\n. .\n. a"
    assert judged(traced(diagonal, connectivity=8)) == []
    assert judged(traced(diagonal, (0, K.BLOCK, -1, 1), connectivity=8)) == [("corner", 1, (0,))]
    back = diagonal + "\n\na .\n. ."
    closed = (0, K.BLOCK, -1, 1), (1, K.FREE, -1, 1)
    assert judged(traced(back, *closed, connectivity=8)) == [("corner", 1, (0,))]


def test_a_vertex_of_a_graph_can_close():
    graph = Graph(3, [(0, 1), (1, 2)])
    walk = [[0], [1], [2]]
    assert judged(trace_of(graph, walk, [], goals=[-1])) == []
    assert judged(trace_of(graph, walk, [(1, K.BLOCK, -1, 2)], goals=[-1])) == [("wall", 2, (0,))]


# -------------------------------------------------------------------- agents that come and go


def test_an_agent_appears_when_it_is_added():
    late = "a . .\n\na . b\n\n. a b"
    assert judged(traced(late, (1, K.ADD, 1, 2), (1, K.GOAL, 1, 0))) == []
    assert judged(traced(late)) == [("present", 1, (1,))]
    assert judged(traced(late, (2, K.ADD, 1, 2))) == [("present", 1, (1,)), ("event", 2, (1,))]


def test_an_agent_that_is_added_is_there_and_where_it_was_added():
    assert judged(traced("a . b\n\na . .", (1, K.REMOVE, 1, 2), (1, K.ADD, 1, 2))) == [("absent", 1, (1,))]
    assert judged(traced("a . .\n\na . b", (1, K.ADD, 1, 1))) == [("event", 1, (1,))]


def test_an_agent_may_be_added_in_the_first_row():
    assert judged(traced("a b\n\na b", (0, K.ADD, 1, 1), (0, K.GOAL, 1, 0))) == []
    assert judged(traced("a . b\n\na . b", (0, K.ADD, 1, 1))) == [("event", 0, (1,))]


def test_who_is_added_onto_another_collides():
    assert judged(traced("a .\n\nab .", (1, K.ADD, 1, 0))) == [("vertex", 1, (0, 1))]


def test_an_agent_is_gone_once_it_is_removed():
    assert judged(traced("a b\n\na .\n\n. a", (1, K.REMOVE, 1, 1))) == []
    assert judged(traced("a b\n\na b", (1, K.REMOVE, 1, 1))) == [("present", 1, (1,))]
    assert (
        judged(traced("a b\n\na b", (0, K.REMOVE, 1, 1))) == [("present", 0, (1,)), ("present", 1, (1,))][:1]
    )


def test_an_agent_is_missing_if_nobody_removed_it():
    assert judged(traced("a b\n\na .\n\na .")) == [("absent", 1, (1,))]


def test_who_is_removed_and_added_elsewhere_has_not_moved():
    again = traced("a . .\n\n. . a", (1, K.REMOVE, 0, 0), (1, K.ADD, 0, 2))
    assert judged(again) == []


def test_following_who_is_removed_is_following():
    """The one that is taken away still held its vertex when the step began."""
    taken = "a b\n\n. a", (1, K.REMOVE, 1, 1)
    assert judged(traced(*taken)) == []
    assert judged(traced(*taken, rules=Rules(following=False))) == [("following", 1, (0, 1))]


# ------------------------------------------------------------------- positions told from outside


def test_who_is_put_elsewhere_has_not_moved():
    assert judged(traced("a . .\n\n. . a", (1, K.SYNC, 0, 2))) == []
    assert judged(traced("a . .\n\n. . a", (0, K.SYNC, 0, 0))) == [("no_edge", 1, (0,))]


def test_who_is_put_elsewhere_neither_swaps_nor_crosses_nor_enters_a_wall():
    assert judged(traced("a b\n\nb a", (1, K.SYNC, 0, 1))) == []
    crossing = "a b\n. .\n\n. .\nb a"
    assert judged(traced(crossing, (1, K.SYNC, 1, 2), connectivity=8)) == []
    assert judged(traced("a #\n\n. a#", (1, K.SYNC, 0, 1))) == []


def test_who_is_put_elsewhere_does_not_follow_but_may_be_followed():
    no_following = Rules(following=False)
    assert judged(traced("a b .\n\n. a b", (1, K.SYNC, 0, 1), rules=no_following)) == []
    assert judged(traced("a b .\n\n. a b", (1, K.SYNC, 1, 2), rules=no_following)) == [
        ("following", 1, (0, 1))
    ]
    assert judged(traced("a b\n\nb a", (1, K.SYNC, 1, 0), rules=no_following)) == [("following", 1, (0, 1))]


def test_who_is_put_onto_another_collides():
    assert judged(traced("a . b\n\na# . b\n\nab . .", (2, K.SYNC, 1, 0))) == [("vertex", 2, (0, 1))]


def test_who_is_put_somewhere_is_there():
    assert judged(traced("a . .\n\n. . a", (1, K.SYNC, 0, 1))) == [("event", 1, (0,))]


def test_who_is_not_there_is_not_brought_by_being_seen():
    assert judged(traced("a .\n\na b", (1, K.SYNC, 1, 1))) == [("present", 1, (1,))]


# ------------------------------------------------------------------------------- at the goal

GONE = Rules(at_goal="disappear")


def test_an_agent_that_has_arrived_disappears_in_the_next_step():
    walk = "a . b\n\n. a b\n\n. . b"
    assert judged(traced(walk, goals={"a": 1}, rules=GONE)) == []
    assert judged(traced(walk, goals={"a": 1})) == [("absent", 2, (0,))]
    assert judged(traced(walk, goals={"a": 2}, rules=GONE)) == [("absent", 2, (0,))]
    assert judged(traced(STAND, goals={"a": 0}, rules=GONE))[0] == ("present", 1, (0,))


def test_the_goal_that_counts_is_that_after_the_changes():
    """A new goal on arrival keeps the agent; one that comes a step later finds nobody."""
    arrive = "a . .\n\n. a .\n\n. . a"
    leave = "a . .\n\n. a .\n\n. . ."
    renewed = (1, K.GOAL, 0, 2)
    assert judged(traced(arrive, renewed, goals={"a": 1}, rules=GONE)) == []
    assert judged(traced(leave, renewed, goals={"a": 1}, rules=GONE)) == [("absent", 2, (0,))]
    assert judged(traced(leave, (2, K.GOAL, 0, 2), goals={"a": 1}, rules=GONE)) == []
    assert judged(traced(leave, renewed, (1, K.GOAL, 0, 1), goals={"a": 2}, rules=GONE)) == []


def test_an_idle_agent_does_not_disappear():
    assert judged(traced(STAND, rules=GONE)) == []
    assert judged(traced(STAND, (0, K.GOAL, 0, -1), goals={"a": 0}, rules=GONE)) == []


def test_an_arrival_must_be_true():
    assert judged(traced(WALK, (2, K.ARRIVED, 0, 2), goals={"a": 2})) == []
    assert judged(traced(WALK, (1, K.ARRIVED, 0, 2), goals={"a": 2})) == [("event", 1, (0,))]
    assert judged(traced(WALK, (0, K.ARRIVED, 0, 0), goals={"a": 0})) == []
    assert judged(traced(WALK, (0, K.ARRIVED, 0, 0))) == [("event", 0, (0,))]


def test_an_arrival_may_be_at_the_goal_that_was_replaced_on_arrival():
    events = (1, K.ARRIVED, 0, 1), (1, K.GOAL, 0, 2), (2, K.ARRIVED, 0, 2)
    assert judged(traced(WALK, *events, goals={"a": 1})) == []


def test_who_was_taken_away_on_arrival_may_have_arrived():
    events = (1, K.ARRIVED, 1, 1), (1, K.REMOVE, 1, 1)
    assert judged(traced("a . b\n\na . .", *events, goals={"b": 1})) == []
    assert judged(traced("a\n\na", (1, K.ARRIVED, 0, 0))) == [("event", 1, (0,))]


# ---------------------------------------------------------------------------- events as such


@pytest.mark.parametrize(
    ("event", "agents", "why"),
    [
        ((-1, K.GOAL, 0, 0), (0,), "its time is not in the trace"),
        ((3, K.GOAL, 0, 0), (0,), "its time is not in the trace"),
        ((0, 15, 0, 0), (0,), "there is no such kind of event"),
        ((0, K.GOAL, 1, 0), (1,), "there is no such agent"),
        ((0, K.ADD, -1, 0), (), "there is no such agent"),
        ((0, K.ARRIVED, 5, 0), (5,), "there is no such agent"),
        ((0, K.BLOCK, -1, 3), (), "there is no such vertex"),
        ((0, K.SYNC, 0, -1), (0,), "there is no such vertex"),
        ((0, K.GOAL, 0, -2), (0,), "there is no such vertex"),
    ],
)
def test_an_event_that_makes_no_sense_is_reported(event, agents, why):
    report = validate_trace(traced(WALK, event))
    assert [(str(one.kind), one.agents, one.detail) for one in report.violations] == [("event", agents, why)]
    about = f" about agent {agents[0]}" if agents else ""
    assert str(report.violations[0]) == f"an event of time {event[0]}{about} is not true: {why}"


def test_events_that_are_only_news_are_no_news_to_the_judge():
    news = (
        (0, K.PRIORITY, 0, 7),
        (0, K.LATE, -1, -1),
        (1, K.RAISED, -1, -1),
        (1, K.REFUSED, 0, 2),
        (2, K.LEFT, 0, 1),
    )
    assert judged(traced(WALK, *news)) == []


def test_events_out_of_order_are_reported_and_applied_at_their_times():
    events = (2, K.BLOCK, -1, 2), (1, K.FREE, -1, 1), (0, K.BLOCK, -1, 1)
    assert judged(traced(WALK, *events)) == [("event", 0, ()), ("wall", 1, (0,)), ("event", 1, ())]


def test_adding_who_is_there_is_reported():
    assert judged(traced(STAND, (1, K.ADD, 0, 0))) == [("event", 1, (0,))]


# ----------------------------------------------------------------------------------- large traces


def large_trace(events: np.ndarray) -> Trace:
    plan = marching_columns(10_000, 300)
    n_agents = plan.problem.n_agents
    return Trace(
        agents=AgentTable(
            plan.problem.space,
            plan.problem.names,
            plan.problem.starts,
            plan.problem.goals,
            priorities=np.zeros(n_agents, dtype=np.int32),
        ),
        rules=plan.problem.rules,
        start_time=0,
        open=plan.problem.space.open,
        positions=plan.vertices,
        events=events.astype(np.int32),
    )


@pytest.mark.parametrize("busy", ["walls", "goals", "sync"])
def test_many_changes_do_not_slow_the_judge_down(busy):
    """A wall that opens and closes at every time, a goal for every agent, everybody's position told."""
    times = np.arange(301)
    if busy == "walls":
        columns = times, np.where(times % 2, K.BLOCK, K.FREE), times * 0 - 1, times * 0
    elif busy == "goals":
        times = np.sort(np.arange(30_000) % 301)
        agents = np.arange(30_000) % 10_000
        columns = times, agents * 0 + K.GOAL, agents, agents
    else:
        positions = large_trace(np.empty((0, 4))).positions[::10]
        row, agents = np.nonzero(positions >= 0)
        columns = row * 10, row * 0 + K.SYNC, agents, positions[row, agents]
    trace = large_trace(np.stack(columns, axis=1))
    began = time.process_time()
    report = validate_trace(trace)
    assert time.process_time() - began < 10
    assert {one.kind for one in report.violations} == ({"wall"} if busy == "walls" else set())


def test_a_hostile_trace_is_counted_in_full():
    trace = large_trace(np.empty((0, 4)))
    report = validate_trace(replace(trace, positions=np.zeros_like(trace.positions)), limit=10)
    assert len(report.violations) == 10
    assert report.count == 9_999 + 9_999 * 301, "none is on its start, and all are on one cell"


# --------------------------------------------- against a slow judge that only knows the definitions


class SlowWorld:
    """The state of a world from time to time, with nothing clever about it."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.is_open = trace.open.tolist()
        self.goals = trace.goals.tolist()

    def change(self, now: int) -> dict[int, list[tuple[int, int]]]:
        """Apply the changes of a time; what was said about the agents' places, in order."""
        words: dict[int, list[tuple[int, int]]] = {}
        for when, kind, agent, value in self.trace.events.tolist():
            if when != now:
                continue
            if kind in (K.BLOCK, K.FREE):
                self.is_open[value] = kind == K.FREE
            elif kind == K.GOAL:
                self.goals[agent] = value
            elif kind in (K.ADD, K.REMOVE, K.SYNC):
                words.setdefault(agent, []).append((kind, value))
        return words


def slow_trace_judge(trace: Trace) -> Faults:
    world, faults = SlowWorld(trace), set()
    before = trace.starts.tolist()
    for now, row in enumerate(trace.positions.tolist(), trace.start_time):
        old_open, old_goals = list(world.is_open), list(world.goals)
        words = world.change(now)
        placed = {i for i, said in words.items() if {K.ADD, K.SYNC} & {kind for kind, _ in said}}
        after = [-1 if i in placed else v for i, v in enumerate(row)]
        faults |= slow_row(trace.space, row, now)
        if now == trace.start_time:
            pairs = enumerate(zip(before, after, strict=True))
            faults |= {("start", now, (i,)) for i, pair in pairs if -1 not in pair and pair[0] != pair[1]}
        else:
            faults |= slow_step(trace.space, trace.rules, old_open, (before, after), now)
        vanishing = trace.rules.at_goal == "disappear" and now > trace.start_time
        for i, v in enumerate(row):
            was_there = before[i] != -1 and not (vanishing and before[i] == old_goals[i])
            faults |= slow_presence(now, i, v, was_there, words.get(i, []))
        for i in [i for when, kind, i, _ in trace.events.tolist() if (when, kind) == (now, K.ARRIVED)]:
            excused = {K.SYNC, K.REMOVE} & {word for word, _ in words.get(i, [])}
            if not excused and (row[i] == -1 or row[i] not in (old_goals[i], world.goals[i])):
                faults.add(("event", now, (i,)))
        before = row
    return faults


def slow_presence(now: int, i: int, vertex: int, was_there: bool, words: list[tuple[int, int]]) -> Faults:
    faults: Faults = set()
    kinds = [kind for kind, _ in words]
    if was_there and K.ADD in kinds and K.REMOVE not in kinds:
        faults.add(("event", now, (i,)))
    comings = [kind for kind in kinds if kind != K.SYNC]
    should = comings[-1] == K.ADD if comings else was_there
    if should != (vertex != -1):
        faults.add(("absent" if should else "present", now, (i,)))
    if words and kinds[-1] != K.REMOVE and vertex not in (-1, words[-1][1]):
        faults.add(("event", now, (i,)))
    return faults


@dataclass
class RandomWorld:
    """Agents that move at random and keep the rules, while walls, goals and agents change."""

    rng: Random
    space: Grid | Graph
    rules: Rules
    is_open: list[bool]
    row: list[int]
    goals: list[int]

    def step(self) -> None:
        gone = [
            self.rules.at_goal == "disappear" and -1 != v == g
            for v, g in zip(self.row, self.goals, strict=True)
        ]
        stay = [-1 if vanished else v for v, vanished in zip(self.row, gone, strict=True)]
        after = safe_next_row(self.rng, self.space, self.rules, self.is_open, stay)
        follows_a_ghost = slow_step(self.space, self.rules, self.is_open, (self.row, after), 1)
        self.row = stay if follows_a_ghost else after

    def arrivals(self, now: int) -> list[Event]:
        return [(now, K.ARRIVED, i, v) for i, v in enumerate(self.row) if -1 != v == self.goals[i]]

    def change(self, now: int) -> list[Event]:
        """One change from outside that is true and safe."""
        rng, vertex = self.rng, self.rng.randrange(self.space.n)
        if rng.random() < 0.3 or not self.row:
            self.is_open[vertex] = not self.is_open[vertex]
            return [(now, K.FREE if self.is_open[vertex] else K.BLOCK, -1, vertex)]
        agent = rng.randrange(len(self.row))
        here, is_vacant = self.row[agent], vertex not in self.row
        if here == -1 and is_vacant:
            self.row[agent], self.goals[agent] = vertex, rng.randrange(-1, self.space.n)
            return [(now, K.ADD, agent, vertex), (now, K.GOAL, agent, self.goals[agent])]
        if here != -1 and rng.random() < 0.3:
            self.row[agent] = -1
            return [(now, K.REMOVE, agent, here)]
        if here != -1 and is_vacant and rng.random() < 0.5:
            self.row[agent] = vertex
            return [(now, K.SYNC, agent, vertex)]
        self.goals[agent] = rng.randrange(-1, self.space.n)
        return [(now, K.GOAL, agent, self.goals[agent])]


def random_trace(rng: Random) -> Trace:
    """The trace of a world that keeps the rules."""
    space, rules = random_space(rng), random_rules(rng)
    is_open = space.open.tolist()
    free = [v for v in range(space.n) if is_open[v]]
    row = [v if rng.random() < 0.8 else -1 for v in rng.sample(free, rng.randint(0, min(4, len(free))))]
    world = RandomWorld(rng, space, rules, is_open, row, [rng.randrange(-1, space.n) for _ in row])
    starts, goals, start_time = list(row), list(world.goals), rng.choice([0, 0, 5])
    rows: list[list[int]] = []
    events: list[Event] = []
    for now in range(start_time, start_time + rng.randint(1, 6)):
        if rows:
            world.step()
        events += world.arrivals(now)
        for _ in range(rng.choice([0, 0, 1, 2])):
            events += world.change(now)
        rows.append(list(world.row))
    return trace_of(space, rows, events, goals=goals, starts=starts, rules=rules, start_time=start_time)


def spoiled(rng: Random, trace: Trace) -> Trace:
    """The same with positions or events changed, so that it may no longer be true."""
    rows, events = trace.positions.tolist(), trace.events.tolist()
    for _ in range(rng.randint(1, 3)):
        if events and rng.random() < 0.4:
            index = rng.randrange(len(events))
            if rng.random() < 0.5:
                events.pop(index)
            elif events[index][1] != K.ARRIVED:
                events[index][3] = rng.randrange(trace.space.n)
        elif trace.names:
            t, i, j = (rng.randrange(size) for size in (len(rows), len(trace.names), len(trace.names)))
            if t and rng.random() < 0.3:
                rows[t][i], rows[t][j] = rows[t - 1][j], rows[t - 1][i]
            else:
                rows[t][i] = rng.choice([rng.randrange(-2, trace.space.n + 1), rng.choice(rng.choice(rows))])
    return replace(
        trace,
        positions=np.array(rows, dtype=np.int32).reshape(trace.positions.shape),
        events=np.array(events, dtype=np.int32).reshape(len(events), 4),
    )


@given(randoms)
@settings(relaxed, max_examples=examples(300))
def test_a_world_that_keeps_the_rules_is_valid(rng):
    trace = random_trace(rng)
    with small_blocks(rng):
        report = validate_trace(trace)
    assert report, str(report)


@given(randoms)
@settings(relaxed, max_examples=examples(400))
def test_judge_and_slow_judge_agree_on_spoiled_traces(rng):
    trace = spoiled(rng, random_trace(rng))
    with small_blocks(rng):
        report = validate_trace(trace)
    assert_same_verdict(report, slow_trace_judge(trace))
