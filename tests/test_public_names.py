"""The public surface, frozen: a change of it is a change of this file, on purpose."""

from __future__ import annotations

import dataclasses
import inspect
import json
import subprocess
import sys

import numpy as np
import pytest

import sidestep as ss
from sidestep.solvers import SOLVERS

NAMES = {
    "solving": ["improve", "lower_bound", "solve", "solvers"],
    "the model": ["Agent", "Bound", "Graph", "Grid", "Plan", "Problem", "Result", "Rules", "Status"],
    "the way of one unit": [
        *("Coordinates", "DistanceMap", "Finder", "RRA", "Route", "Routes", "Search"),
        *("distance_map", "shortest_path"),
    ],
    "limits": ["Budget", "Progress"],
    "the judge": ["Report", "Violation", "ViolationKind", "validate", "validate_execution", "validate_trace"],
    "worlds": ["EventKind", "Group", "Trace", "World", "move_group", "replay_trace"],
    "work": ["Stream", "Task", "TaskMetrics"],
    "fleets": ["Execution", "Fleet", "Simulator"],
    "crowds": ["Crowd"],
    "experiments": ["Sweep", "sweep"],
    "asking about it": ["Answer", "Summary", "summarise", "why", "why_first", "why_not"],
    "looking at it": ["Caption", "Replay", "replay"],
    "errors": [
        *("FormatError", "InputError", "LimitError", "MissingExtraError", "PluginError"),
        *("ProtocolError", "SidestepError", "UnsupportedError"),
    ],
}


def test_the_public_names():
    """Those frozen here, and one for every solver in the registry."""
    solvers = [solver.__name__ for solver in SOLVERS.values()]
    assert sorted(ss.__all__) == sorted([*solvers, *(name for names in NAMES.values() for name in names)])
    for name in ss.__all__:
        assert getattr(ss, name) is not None


def test_every_public_name_has_a_docstring():
    assert [name for name in ss.__all__ if not (getattr(ss, name).__doc__ or "").strip()] == []


def shape(function) -> str:
    """The parameters of a function with their defaults, without types: `(a, b=1, *, c=None, **d)`."""
    signature = inspect.signature(function)
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in signature.parameters.values()
        if parameter.name != "self"
    ]
    return str(signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty))


RULES = "Rules(following=True, crossing=False, at_goal='stay', shared_goals=False, cost='sum_of_costs')"


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (ss.Grid, "(passable, connectivity=4, corners='none')"),
        (ss.Grid.from_text, "(text, connectivity=4, corners='none')"),
        (ss.Graph, "(n, edges, *, directed=False, positions=None, edge_conflicts=None)"),
        (ss.Rules, RULES.removeprefix("Rules")),
        (ss.Agent, "(start, goal=None, *, name=None, priority=0, size=1, period=1, facing=None)"),
        (ss.Problem, f"(space, starts, goals, *, rules={RULES}, priorities=None, names=None)"),
        (ss.Problem.from_text, f"(text, connectivity=4, corners='none', *, rules={RULES})"),
        (ss.Problem.from_agents, f"(space, agents, *, rules={RULES})"),
        (ss.Plan, "(problem, vertices, *, claimed_cost=None, facings=None)"),
        (
            ss.solve,
            "(problem, solver='auto', *, time_limit=60.0, node_limit=None, memory_limit=None, seed=0, "
            "stop=None, on_progress=None, on_plan=None, **params)",
        ),
        (ss.solvers, "()"),
        (ss.validate, "(problem, plan, *, limit=1000)"),
        (ss.validate_trace, "(trace, *, limit=1000)"),
        (ss.validate_execution, "(execution, *, limit=1000)"),
        (ss.Execution, "(problem, positions, *, speeds=None, done=False)"),
        (ss.Fleet, "(problem, plan, *, ahead=4, patience=100, switch=True, budget=None)"),
        (ss.Fleet.tick, "(reports=())"),
        (ss.Fleet.replan, "(solver='auto', *, broken=(), goals=None, closed=(), **options)"),
        (ss.Fleet.why, "(agent)"),
        (ss.Fleet.run, "(simulator=None, *, ticks=100000)"),
        (
            ss.Simulator,
            "(problem, *, speed=1.0, acceleration=None, turn=0, delay=0.0, delays=(1, 10), stop=0.0, "
            "loss=0.0, doubling=0.0, lateness=0, seed=0)",
        ),
        (ss.replay_trace, "(trace)"),
        (
            ss.move_group,
            "(where, units, goal, *, leader=None, detours=0.0, own_steps=10, seed=0, solver=None, "
            "time_limit=None)",
        ),
        (ss.why, "(run, agent=None, time=None, *, transcript=None, budget=None, detail=False)"),
        (ss.why_not, "(run, agent, time, place, *, transcript=None, budget=None, detail=False)"),
        (ss.why_first, "(run, first, second, *, transcript=None, detail=False)"),
        (ss.summarise, "(run, agent=None, *, budget=None)"),
        (ss.Result.why, "(agent=None, time=None, *, detail=False)"),
        (ss.Answer.check, "()"),
        (ss.Answer.data, "()"),
        (ss.Summary.data, "()"),
        (ss.replay, "(*runs, title=None, note='', labels=None, captions=(), teams=None, colours=None)"),
        (ss.Plan.path, "(agent)"),
        (ss.Plan.to_frame, "()"),
        (ss.Graph.from_networkx, "(graph)"),
        (ss.Graph.to_networkx, "()"),
        (ss.Replay.save, "(path, *, time=None, steps_per_second=4.0, on_frame=None)"),
        (ss.Replay.html, "()"),
        (ss.Caption, "(time, agents, text, kind='why')"),
        (ss.Budget, "(seconds=None, nodes=None, *, memory=None, stop=None, on_progress=None, on_plan=None)"),
        (
            ss.shortest_path,
            "(space, start, goal, *, algorithm='astar', time_limit=None, node_limit=None, **options)",
        ),
        (ss.distance_map, "(space, *goals, **options)"),
        (
            ss.Finder,
            "(space, *, steps=None, factors=None, corner_cost=0, edge_costs=None, heuristic='auto', "
            "landmarks=8, region=16, queue='buckets', budget=None)",
        ),
        (ss.Finder.path, "(start, goal, *, algorithm='astar', bias=None, budget=None)"),
        (ss.Finder.paths, "(starts, goals, *, budget=None)"),
        (ss.Finder.prepare, "(*, budget=None)"),
        (ss.Finder.block, "(place)"),
        (ss.Finder.free, "(place)"),
        (ss.Finder.search, "(start, goal)"),
        (ss.Finder.distances_to, "(*goals, budget=None)"),
        (ss.Finder.estimates, "(start, goal)"),
        (ss.Search.run, "(*, seconds=None, nodes=None, distance=None)"),
        (ss.Search.retarget, "(goal)"),
        (ss.DistanceMap.at, "(place)"),
        (ss.DistanceMap.step, "(places)"),
        (ss.DistanceMap.path, "(place)"),
        (ss.RRA, "(space, goal, origin)"),
        (ss.RRA.distance, "(place, *, budget=None)"),
        (ss.Coordinates, "(cell_size=1.0, origin=(0.0, 0.0))"),
        (ss.Route.points, "(coordinates)"),
        (ss.LRA, "(noise=1.0, max_turns=None, moves_after_repair=True, agitated_when_boxed_in=False)"),
        (ss.CA, "(retries=20, hold_goals=True, order='longest')"),
        (ss.HCA, "(retries=20, hold_goals=True, order='longest')"),
        (ss.WHCA, "(window=16, max_turns=None, replan_every=None)"),
        (ss.PIBT, "(hindrance=True, swap=True, max_turns=None, crisscross=1)"),
        (ss.SIPP, "(restarts=100, robust=0)"),
        (ss.LNS, "(first='lacam', temperature='auto', patience=1000, robust=0, lanes=1, threads=1)"),
        (
            ss.LaCAM,
            "(anytime=False, hindrance=True, swap=True, bound=None, guide='auto', collision_cost='auto', "
            "threads=1)",
        ),
        (
            ss.Guided,
            "(hindrance=True, swap=True, max_turns=None, crisscross=1, window='auto', collision_cost='auto')",
        ),
        (ss.Standard, "()"),
        (ss.OD, "(duplicates='post-move', pairs=True, partial=True)"),
        (ss.ICTS, "(pruning='enhanced', independence=True, joint_takeover=True)"),
        (
            ss.SID,
            "(inner='od', inner_printed=False, avoidance='all', conflict='small', known_bounds=True)",
        ),
        (ss.Anytime, "(inner='od', bound=None)"),
        (
            ss.EECBS,
            "(bound=1.2, prioritise=True, bypass=True, rectangle=True, corridor=True, target=True, "
            "weighted=True)",
        ),
        (ss.PBS, "()"),
        (ss.Bound.factor, "(plan)"),
        (
            ss.lower_bound,
            "(problem, *, time_limit=10.0, node_limit=None, memory_limit=None, enough=None, stop=None, "
            "on_progress=None)",
        ),
        (
            ss.ID,
            "(inner='od', inner_printed=False, avoidance='all', conflict='small', known_bounds=True, "
            "evades='smaller', stay_apart=True)",
        ),
        (
            ss.CBS,
            "(prioritise=True, bypass=True, disjoint=False, heuristic='wdg', rectangle=True, corridor=True, "
            "target=True, joint_takeover=True)",
        ),
        (
            ss.BCP,
            "(inner='astar', bias='heuristic', height=1.0, iterations=30, time_cap=None, trimmed=True, "
            "first_collisions=True, path_length=None, max_turns=None, discard_rest=False)",
        ),
        (
            ss.PCA,
            "(cache=True, keep_orders=True, end_circles=True, settle_circles=True, loop_free=True, "
            "planner=None)",
        ),
        (
            ss.DPCA,
            "(cache=True, keep_orders=True, end_circles=True, settle_circles=True, loop_free=True, "
            "planner=None, length_weight=4.744, conflict_weight=5.291, bystanders=False, actions=False, "
            "voter=None, schedule='one')",
        ),
        (
            ss.DPCAPlus,
            "(cache=True, keep_orders=True, end_circles=True, settle_circles=True, loop_free=True, "
            "planner=None, length_weight=0.312, conflict_weight=5.57, bystanders=False, actions=False, "
            "voter=None, schedule='one', partial_weight=2.677)",
        ),
        (
            ss.WDPCA,
            "(window=4, length_weight=None, conflict_weight=None, widen=True, cache=True, keep_orders=True, "
            "end_circles=True, stand=True, bystanders=False, actions=False, planner=None, voter=None, "
            "max_turns=None, schedule='one')",
        ),
        (ss.DiMPP, "(shortcuts=True, begin_once=True)"),
        (ss.ADPP, "(scheduler='seeded', threads=0, replan='conflict')"),
        (ss.DMRCP, "(max_turns=None)"),
        (
            ss.Crowd,
            "(positions, goals, *, grid=None, radius=0.3, max_speed=1.0, horizon=2.0, wall_horizon=0.5, "
            "neighbours=10, keep_right=0.3)",
        ),
        (ss.Crowd.of_problem, "(problem, **manners)"),
        (ss.Crowd.following, "(plan, *, radius=0.3, max_speed=1.0)"),
        (ss.Crowd.step, "(dt=0.1, *, steps=1, budget=None)"),
        (ss.Crowd.run, "(seconds, dt=0.1, *, budget=None)"),
        (ss.Crowd.send, "(agent, goal)"),
        (ss.Crowd.move, "(agent, position)"),
        (ss.Crowd.arrived, "(within=0.1)"),
        (
            ss.World,
            "(problem, planner, *, seed=0, trace_limit=None, stuck_after=50, tasks=None, assign='nearest', "
            "active='all')",
        ),
        (ss.World.submit, "(task)"),
        (ss.World.supply, "(source)"),
        (ss.World.task_of, "(agent)"),
        (
            ss.sweep,
            "(suite=None, *, solvers=None, instances=None, seeds=1, limits=None, ledger=None, jobs=None, "
            "cluster=None, retry=False, page=None, on_progress=None)",
        ),
        (ss.Sweep, "(path)"),
        (ss.Sweep.write, "(path)"),
        (ss.Sweep.plot, "(kind, path)"),
        (ss.World.step, "(budget=None, *, nodes=None)"),
        (ss.World.think, "(budget=None, *, nodes=None)"),
        (ss.World.send, "(agent, goal)"),
        (ss.World.block, "(place)"),
        (ss.World.free, "(place)"),
        (ss.World.add, "(agent)"),
        (ss.World.remove, "(agent)"),
        (ss.World.set_priority, "(agent, priority)"),
        (ss.World.sync, "(positions)"),
        (ss.World.where, "(agent)"),
        (ss.World.snapshot, "()"),
        (ss.World.restore, "(snapshot)"),
    ],
    ids=lambda value: getattr(value, "__qualname__", ""),
)
def test_a_signature(function, expected):
    assert shape(function) == expected


def test_all_public_names_complete():
    """Those that are loaded later, too: a fresh interpreter has not seen them yet."""
    assert {*ss.__all__, "agents", "rl", "vda5050", "__version__"} == {*dir(ss)}


def test_the_values_of_a_status():
    assert [status.value for status in ss.Status] == ["optimal", "solved", "timeout", "infeasible", "gave_up"]
    assert ss.Status.SOLVED == "solved"
    assert f"{ss.Status.GAVE_UP}" == "gave_up"


def test_the_numbers_of_the_events():
    """They are in trace files and in the core."""
    assert {kind.name: kind.value for kind in ss.EventKind} == {
        **{"GOAL": 0, "BLOCK": 1, "FREE": 2, "ADD": 3, "REMOVE": 4, "PRIORITY": 5, "SYNC": 6},
        **{"ARRIVED": 16, "LEFT": 17, "TRAPPED": 18, "DISPLACED": 19, "SET_OUT": 20, "TURNED_BACK": 21},
        **{"STUCK": 22, "BEHIND": 23, "UNSTUCK": 24, "TASK": 25, "ERRAND": 26, "DUE": 27, "TAKEN": 28},
        **{"FINISHED": 29, "GIVEN_BACK": 30, "RESCUED": 31},
        **{"REFUSED": 32, "LATE": 33, "RAISED": 34, "TURNED": 48},
    }


def test_what_an_event_says_of_itself():
    """A row of some kinds names no agent, and what the world cannot see by itself it is told."""
    kind = ss.EventKind
    nobody = (kind.BLOCK, kind.FREE, kind.TASK, kind.ERRAND, kind.DUE, kind.LATE, kind.RAISED)
    assert tuple(one for one in kind if not one.needs_agent) == nobody
    assert [one for one in kind if one.is_reported] == [*range(kind.STUCK, kind.REFUSED)]
    assert [one for one in kind if one.is_planner_fault] == [kind.REFUSED, kind.LATE, kind.RAISED]


def test_the_solvers_by_name():
    """What is frozen stays, in its order; more may come."""
    frozen = [
        "auto",
        "lra",
        "ca",
        "hca",
        "whca",
        "standard",
        "od",
        "sid",
        "id",
        "standard-id",
        "od-id",
        "anytime",
        "cbs",
        "icts",
        "eecbs",
        "pca",
        "dpca",
        "dpca+",
        "wdpca",
        "dimpp",
        "adpp",
        "dmrcp",
        "bcp",
        "pbs",
        "pibt",
        "guided",
        "lacam",
        "sipp",
        "lns",
    ]
    assert [name for name in ss.solvers() if name in frozen] == frozen
    for line in ss.solvers().values():
        assert line
        assert "\n" not in line


@pytest.mark.parametrize(
    "solver", [ss.LRA(), ss.CA(), ss.HCA(), ss.WHCA(), ss.CBS()], ids=lambda solver: solver.name
)
def test_a_solver_is_a_frozen_dataclass(solver):
    name = dataclasses.fields(solver)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(solver, name, 1)


def test_what_a_result_and_its_plan_have():
    result = ss.solve(ss.Problem.from_text("a . B\n. # .\nb . A"), "hca", seed=3)
    assert bool(result) is True
    assert result.status is ss.Status.SOLVED
    assert (result.seed, result.solver, result.reason) == (3, ss.HCA(), "")
    assert isinstance(result.lower_bound, int)
    assert result.stats["seconds"] >= 0
    plan = result.plan
    steps, agents = plan.vertices.shape
    assert (plan.vertices.dtype, agents, steps) == (np.int32, 2, plan.makespan + 1)
    assert plan.cells.shape == (steps, agents, 2)
    assert plan.costs.shape == (agents,)
    assert plan.cost == plan.costs.sum()
    for array in (plan.vertices, plan.cells, plan.costs):
        assert not array.flags.writeable


def test_a_result_without_a_plan_is_falsy_and_says_why():
    result = ss.solve(ss.Problem.from_text("a # A"))
    assert bool(result) is False
    assert result.status is ss.Status.INFEASIBLE
    assert result.plan is None
    assert "a" in result.reason


def test_what_a_report_has():
    problem = ss.Problem.from_text("a . A")
    assert ss.validate(problem, ss.solve(problem).plan)
    report = ss.validate(problem, ss.Plan(problem, [[0], [2]]))
    assert not report
    (violation,) = report.violations
    assert violation.kind is ss.ViolationKind.NO_EDGE
    assert (violation.time, violation.agents, violation.place) == (1, (0,), (0, 2))


def test_all_errors_derive_from_one():
    for name in NAMES["errors"]:
        assert issubclass(getattr(ss, name), ss.SidestepError)


# What an import does

IMPORT = """
import json, logging, sys
import numpy  # what it does is its own business
heard = []
FORBIDDEN = ("socket.", "subprocess.", "os.system", "os.mkdir", "os.remove", "os.rename", "os.putenv")
def listen(event, arguments):
    if event.startswith(FORBIDDEN):
        heard.append(event)
    elif event == "open" and set(str(arguments[1])) & set("wax+"):
        heard.append(f"open {arguments[0]} {arguments[1]}")
sys.addaudithook(listen)
handlers = list(logging.getLogger().handlers)
import sidestep
assert logging.getLogger().handlers == handlers
assert logging.getLogger("sidestep").handlers == []
print(json.dumps({"modules": sorted(sys.modules), "heard": heard}))
"""


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """What `import sidestep` brings in and does, in a fresh interpreter that writes no bytecode."""
    done = subprocess.run(
        [sys.executable, "-B", "-W", "error", "-c", IMPORT],
        cwd=tmp_path_factory.mktemp("empty"),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.mark.parametrize("package", ["matplotlib", "click", "rich", "hypothesis", "pytest", "asyncio"])
def test_an_import_does_not_bring(package, imported):
    assert package not in imported["modules"]


@pytest.mark.parametrize("part", ["explain", "io", "viewer", "cli", "papers", "testing"])
def test_an_import_leaves_out_what_only_some_need(part, imported):
    assert f"sidestep.{part}" not in imported["modules"]


def test_an_import_touches_neither_network_nor_files(imported):
    assert imported["heard"] == []
