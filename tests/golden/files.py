"""Files: the text of every format that is written, and what is read back from it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import sidestep as ss

from . import parts, problems, surface
from .parts import Cases, Parts
from .problems import Draws

OLD = Path(__file__).parent / "old"


def cases() -> Cases:
    """Files that we write."""
    for seed in range(14):
        yield f"problem {seed}", partial(problem_file, seed, bodies=False)
        yield f"result {seed}", partial(result_file, seed)
        yield f"trace {seed}", partial(trace_file, seed)
    for seed in range(4):
        yield f"problem of bodies {seed}", partial(problem_file, seed, bodies=True)
    for seed in range(3):
        yield f"transcript {seed}", partial(transcript_file, seed)
    for form in ("eecbs", "lacam", "planviz"):
        for seed in range(5):
            yield f"{form} {seed}", partial(paths_file, form, seed)
    for seed in range(5):
        yield f"map and scenario {seed}", partial(map_and_scenario, seed)
    for name in problems.drawn():
        yield f"drawing {name}", partial(drawing, name)


def problem_file(seed: int, bodies: bool) -> Parts:
    """Our JSON of a problem."""
    text = surface.written("problem", problems.random_problem(seed, 6, 5, bodies=bodies))
    return {"text": text, "form": surface.detected(text)} | parts.of_problem(surface.read("problem", text))


def result_file(seed: int) -> Parts:
    """Our JSON of a result; one without a plan, too. Seconds and sentences are left out."""
    solver = ("whca", "bcp", "anytime", "dpca", "lra", "cbs", "ca")[seed % 7]
    problem = problems.random_problem(seed, 5, 4)
    result = _answer(problem, solver, seed)
    text = surface.written("result", result)
    found = surface.read("plan", text)
    plan = None if found.plan is None else parts.of_plan(found.plan)
    bare = None if result.plan is None else surface.written("plan", result.plan)
    return {"text": [text, bare], "read": [plan, surface.said_in_file(found)]}


def _answer(problem: ss.Problem, solver: str, seed: int) -> ss.Result:
    try:
        result = ss.solve(problem, solver, time_limit=None, node_limit=5000, seed=seed)
    except ss.UnsupportedError:
        result = ss.solve(problem, "whca", time_limit=None, node_limit=5000, seed=seed)
    counts = {name: value for name, value in result.stats.items() if name not in parts.UNREPEATABLE}
    return replace(result, stats=counts, reason="")


def trace_of(seed: int) -> ss.Trace:
    """What happened in a small world with a few changes."""
    problem = problems.random_problem(seed, 5, 4, bodies=seed % 3 == 0)
    world, draws = (
        ss.World(problem, surface.planner("whca"), trace_limit=6 if seed % 4 == 3 else None),
        Draws(seed),
    )
    for _ in range(10):
        world.step(nodes=3000)
        place = problem.space.place(draws.below(problem.space.n))
        if draws.below(2):
            world.block(place)
        else:
            world.free(place)
    return world.trace


def trace_file(seed: int) -> Parts:
    """Our JSON of a trace."""
    text = surface.written("trace", trace_of(seed))
    return {"text": text, "form": surface.detected(text)} | parts.of_trace(surface.read("trace", text))


def _dialogue(seed: int) -> ss.Result:
    return ss.solve(surface.dialogue_problem(seed, fewest=12, most=20), "dpca+", time_limit=None)


def transcript_file(seed: int) -> Parts:
    """Our JSON of a transcript."""
    text = surface.written("transcript", _dialogue(seed).transcript)
    again = surface.read("transcript", text)
    return {"text": text, "form": surface.detected(text), "read": surface.transcript_data(again)}


def _plan(seed: int) -> ss.Plan:
    problem = surface.random_problem(surface.random_grid(8, 9, 0.2, seed), 6, seed)
    plan = ss.solve(problem, "whca", time_limit=None).plan
    assert plan is not None
    return plan


def paths_file(form: str, seed: int) -> Parts:
    """Plans as other programs write them."""
    plan = _plan(seed)
    text = surface.written(form, plan)
    found: Parts = {"text": text, "form": surface.detected(text)}
    if form == "planviz":
        return found | parts.of_trace(surface.read("lorr", text, plan.problem.space))
    on_map = surface.read(form, text, plan.problem.space)
    return found | parts.of_plan(surface.read(form, text, plan.problem)) | parts.of_problem(on_map.problem)


def map_and_scenario(seed: int) -> Parts:
    """MovingAI's files, the octile distances in them, too."""
    shape = ((4, "none"), (8, "none"), (8, "one"))[seed % 3]
    grid = surface.random_grid(15, 19, 0.3, seed, connectivity=shape[0], corners=shape[1])
    problem = surface.random_problem(grid, 12, seed)
    texts = [surface.written("map", grid), surface.written("scen", problem, "some.map")]
    again = surface.read("map", texts[0], connectivity=shape[0], corners=shape[1])
    some = surface.read("scen", texts[1], again, agents=8)
    return {"text": texts, "form": [surface.detected(text) for text in texts]} | parts.of_problem(some)


def drawing(name: str) -> Parts:
    """A problem as a drawing, where it can be one."""
    problem = problems.drawn()[name]
    try:
        text = surface.written("text", problem)
    except ss.InputError:
        return {"refused": True}
    again = surface.read("text", text, connectivity=8, corners="one")
    return {"text": text, "form": surface.detected(text)} | parts.of_problem(again)


# Formats that we only read

INPUT = """\
agents:
-   {goal: [2, 0], name: agent0, start: [0, 0]}
-   {goal: [0, 1], name: agent1, start: [0, 2]}
map:
    dimensions: [4, 3]
    obstacles: [[1, 1]]
"""
SCHEDULE = """\
statistics:
  cost: 5
  makespan: 4
schedule:
  agent0: [{x: 0, y: 0, t: 0}, {x: 1, y: 0, t: 1}, {x: 2, y: 0, t: 4}]
  agent1: [{x: 0, y: 2, t: 0}, {x: 0, y: 1, t: 2}]
"""
TRACKED = """\
map_name,scen_type,type_id,agents,lower_cost,solution_cost,solution_plan
small,random,1,1,3,3,3r
small,random,1,2,4,5,"3r
wd"
"""
LEAGUE: dict[str, Any] = {
    "actionModel": "MAPF_T",
    "teamSize": 2,
    "start": [[0, 0, "E"], [2, 3, "N"]],
    "actualPaths": ["F,F,R,F,W", "C,F,W,F,C"],
}
LEAGUE_2023 = LEAGUE | {
    "events": [
        [[0, 0, "assigned"], [0, 2, "finished"], [2, 2, "assigned"], [2, 4, "finished"]],
        [[1, 0, "assigned"]],
    ],
    "tasks": [[0, 0, 2], [1, 2, 0], [2, 1, 2]],
}
LEAGUE_2024 = LEAGUE | {
    "version": "2024 LoRR",
    "actualSchedule": ["0:3,5:-1", "1:4"],
    "events": [[2, 0, 3, 1], [4, 0, 3, 2], [4, 1, 4, 1]],
    "tasks": [[3, 0, [0, 2, 1, 2]], [4, 0, [2, 1, 2, 0]]],
}
SMALL = ss.Grid.from_text("....\n.@..\n....")


def foreign_cases() -> Cases:
    """Files of other programs, written out above."""
    two = ss.Problem(SMALL, [(0, 0), (2, 0)], [(0, 3), (1, 0)])
    yield (
        "multirobot input",
        lambda: _form(INPUT) | parts.of_problem(surface.read("multirobot-problem", INPUT)),
    )
    yield (
        "multirobot schedule",
        lambda: _form(SCHEDULE) | parts.of_plan(surface.read("multirobot", SCHEDULE, SMALL)),
    )
    for u in ("row+1", "row-1"):
        yield f"tracker {u}", partial(_tracked, two, u)
    for name, document in (("2023", LEAGUE_2023), ("2024", LEAGUE_2024)):
        yield f"league {name}", partial(_league, json.dumps(document))


def _form(text: str) -> Parts:
    return {"form": surface.detected(text)}


def _tracked(problem: ss.Problem, u: str) -> Parts:
    # The second agent goes up the map in both: u says whether the letter u or d does so.
    text = TRACKED if u == "row+1" else TRACKED.replace("wd", "wu")
    return _form(text) | parts.of_plan(surface.read("tracker", text, problem, row=2, u=u))


def _league(text: str) -> Parts:
    return _form(text) | parts.of_trace(surface.read("lorr", text, SMALL))


# Files that earlier versions have written


def old_texts() -> dict[str, str]:
    """How the files in `old` were written, by the version of then; they are never written again."""
    return {
        "problem.json": surface.written("problem", problems.random_problem(6, 4, 3)),
        "bodies.json": surface.written("problem", problems.with_bodies()["both"]),
        "result.json": surface.written("result", _answer(problems.random_problem(1, 5, 4), "cbs", 1)),
        "trace.json": surface.written("trace", trace_of(1)),
        "trace-bodies.json": surface.written("trace", trace_of(3)),
        "transcript.json": surface.written("transcript", _small_dialogue().transcript),
    }


def _small_dialogue() -> ss.Result:
    return ss.solve(problems.drawn()["lanes"], "dpca", time_limit=None)


def old_cases() -> Cases:
    """Old files are still read as what they were."""
    for name in ("problem", "bodies"):
        yield name, partial(_old, name, "problem", parts.of_problem)
    yield "result", partial(_old, "result", "plan", _plan_file)
    for name in ("trace", "trace-bodies"):
        yield name, partial(_old, name, "trace", parts.of_trace)
    yield "transcript", partial(_old, "transcript", "transcript", _transcript)


def _old(name: str, form: str, parts_of: Any) -> Parts:
    return parts_of(surface.read(form, (OLD / f"{name}.json").read_text()))


def _plan_file(found: Any) -> Parts:
    return {"result": surface.said_in_file(found)} | parts.of_plan(found.plan)


def _transcript(found: Any) -> Parts:
    return {"transcript": surface.transcript_data(found)}
