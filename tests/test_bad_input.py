"""Whatever is passed where, it works or raises one of our errors with one readable line."""

from __future__ import annotations

from ctypes import c_int
from dataclasses import replace

import numpy as np
import pytest

import sidestep as ss

GRID = ss.Grid.from_text(". . .\n. # .")
PROBLEM = ss.Problem(GRID, [(0, 0)], [(0, 2)])
PLAN = ss.Plan(PROBLEM, [[0], [1], [2]])
COMMANDS = ss.Fleet(PROBLEM, PLAN).commands
OPEN = np.ones((2, 2), dtype=bool)

THINGS = [
    *(None, 5, -1, 2.5, "x", b"x", [], [[]], {}, object(), float("nan"), float("inf"), 10**30, True),
    *([1, 2], [(0, 0)], [(0, 0), (0, 0)], [(0,)], [("a", "b")], [(0, 1, 2)], [None], [(None, None)]),
    *(np.zeros((2, 2)), np.zeros((2, 2), bool), np.array([[0.5, 1]]), np.array(["a"]), [[10**20, 0]]),
    *(np.array(1), -(10**30), [10**400] * 6, np.zeros(2, dtype=[("a", int)]), np.datetime64("2026")),
    *((c_int * 2)(), [[True, False], [True]], max, ss.Grid, GRID, "a . A", ". x\n. ."),
]


def world():
    return ss.World(PROBLEM, ss.WHCA())


def fleet():
    return ss.Fleet(PROBLEM, PLAN)


def crowd():
    return ss.Crowd([(0, 0)], [(0, 2)], grid=GRID)


CALLS = {
    "Grid": ss.Grid,
    "Grid connectivity": lambda x: ss.Grid(OPEN, connectivity=x),
    "Grid corners": lambda x: ss.Grid(OPEN, 8, corners=x),
    "Grid.from_text": ss.Grid.from_text,
    "Problem.from_text": ss.Problem.from_text,
    "Graph n": lambda x: ss.Graph(x, [(0, 1)]),
    "Graph edges": lambda x: ss.Graph(3, x),
    "Graph positions": lambda x: ss.Graph(3, [(0, 1)], positions=x),
    "Graph conflicts": lambda x: ss.Graph(3, [(0, 1), (1, 2)], edge_conflicts=x),
    "Problem space": lambda x: ss.Problem(x, [(0, 0)], [(0, 2)]),
    "Problem starts": lambda x: ss.Problem(GRID, x, [(0, 2)]),
    "Problem goals": lambda x: ss.Problem(GRID, [(0, 0)], x),
    "Problem rules": lambda x: ss.Problem(GRID, [(0, 0)], [(0, 2)], rules=x),
    "Problem priorities": lambda x: ss.Problem(GRID, [(0, 0)], [(0, 2)], priorities=x),
    "Problem names": lambda x: ss.Problem(GRID, [(0, 0)], [(0, 2)], names=x),
    "Problem.from_agents": lambda x: ss.Problem.from_agents(GRID, x),
    "Agent start": lambda x: ss.Problem.from_agents(GRID, [ss.Agent(x)]),
    "Agent size": lambda x: ss.Problem.from_agents(GRID, [ss.Agent((0, 0), size=x)]),
    "Rules following": lambda x: ss.Rules(following=x),
    "Rules at_goal": lambda x: ss.Rules(at_goal=x),
    "Rules cost": lambda x: ss.Rules(cost=x),
    "Plan": lambda x: ss.Plan(PROBLEM, x),
    "Plan problem": lambda x: ss.Plan(x, [[0]]),
    "Plan claimed_cost": lambda x: ss.Plan(PROBLEM, [[0]], claimed_cost=x),
    "solve": ss.solve,
    "solve solver": lambda x: ss.solve(PROBLEM, x),
    "solve time_limit": lambda x: ss.solve(PROBLEM, time_limit=x),
    "solve node_limit": lambda x: ss.solve(PROBLEM, node_limit=x),
    "solve seed": lambda x: ss.solve(PROBLEM, seed=x),
    "WHCA window": lambda x: ss.WHCA(window=x),
    "WHCA max_turns": lambda x: ss.WHCA(max_turns=x),
    "LRA noise": lambda x: ss.LRA(noise=x),
    "BCP inner": lambda x: ss.BCP(inner=x),
    "BCP bias": lambda x: ss.BCP(bias=x),
    "BCP height": lambda x: ss.BCP(height=x),
    "BCP iterations": lambda x: ss.BCP(iterations=x),
    "BCP time_cap": lambda x: ss.BCP(time_cap=x),
    "BCP trimmed": lambda x: ss.BCP(trimmed=x),
    "BCP path_length": lambda x: ss.BCP(path_length=x),
    "HCA retries": lambda x: ss.HCA(retries=x),
    "move_group": lambda x: ss.move_group(x, [0], (0, 0)),
    "move_group units": lambda x: ss.move_group(world(), x, (0, 0)),
    "move_group goal": lambda x: ss.move_group(world(), [0], x),
    "move_group leader": lambda x: ss.move_group(world(), [0], (0, 0), leader=x),
    "move_group detours": lambda x: ss.move_group(world(), [0], (0, 0), detours=x),
    "move_group own_steps": lambda x: ss.move_group(world(), [0], (0, 0), own_steps=x),
    "move_group solver": lambda x: ss.move_group(PROBLEM, [0], (0, 0), solver=x),
    "move_group time_limit": lambda x: ss.move_group(PROBLEM, [0], (0, 0), time_limit=x),
    "validate": lambda x: ss.validate(PROBLEM, x),
    "validate problem": lambda x: ss.validate(x, ss.Plan(PROBLEM, [[0]])),
    "validate_trace": ss.validate_trace,
    "replay_trace": ss.replay_trace,
    "why": lambda x: ss.why(x, 0, 0),
    "why agent": lambda x: ss.why(PLAN, x, 0),
    "why time": lambda x: ss.why(PLAN, 0, x),
    "why transcript": lambda x: ss.why(PLAN, 0, 0, transcript=x),
    "why budget": lambda x: ss.why(PLAN, 0, 0, budget=x),
    "summarise": ss.summarise,
    "summarise agent": lambda x: ss.summarise(PLAN, x),
    "replay": ss.replay,
    "replay labels": lambda x: ss.replay(PLAN, labels=x),
    "replay title": lambda x: ss.replay(PLAN, title=x),
    "replay note": lambda x: ss.replay(PLAN, note=x),
    "replay captions": lambda x: ss.replay(PLAN, captions=x),
    "Caption time": lambda x: ss.replay(PLAN, captions=[ss.Caption(x, (0,), "text")]),
    "Caption agents": lambda x: ss.replay(PLAN, captions=[ss.Caption(0, x, "text")]),
    "Replay.save": lambda x: ss.replay(PLAN).save(x),
    "Replay.save time": lambda x: ss.replay(PLAN).save("moment.png", time=x),
    "Replay.save speed": lambda x: ss.replay(PLAN).save("film.gif", steps_per_second=x),
    "shortest_path": lambda x: ss.shortest_path(x, (0, 0), (0, 2)),
    "shortest_path start": lambda x: ss.shortest_path(GRID, x, (0, 2)),
    "shortest_path goal": lambda x: ss.shortest_path(GRID, (0, 0), x),
    "shortest_path algorithm": lambda x: ss.shortest_path(GRID, (0, 0), (0, 2), algorithm=x),
    "shortest_path node_limit": lambda x: ss.shortest_path(GRID, (0, 0), (0, 2), node_limit=x),
    "distance_map": lambda x: ss.distance_map(GRID, x),
    "Finder": ss.Finder,
    "Finder steps": lambda x: ss.Finder(GRID, steps=x),
    "Finder factors": lambda x: ss.Finder(GRID, factors=x),
    "Finder corner_cost": lambda x: ss.Finder(ss.Grid(OPEN, 8, "one"), corner_cost=x),
    "Finder edge_costs": lambda x: ss.Finder(ss.Graph(3, [(0, 1)]), edge_costs=x),
    "Finder steps on a graph": lambda x: ss.Finder(ss.Graph(3, [(0, 1)]), steps=x),
    "Finder corner_cost on a graph": lambda x: ss.Finder(ss.Graph(3, [(0, 1)]), corner_cost=x),
    "Finder heuristic": lambda x: ss.Finder(GRID, heuristic=x),
    "Finder landmarks": lambda x: ss.Finder(GRID, landmarks=x),
    "Finder region": lambda x: ss.Finder(GRID, region=x),
    "Finder queue": lambda x: ss.Finder(GRID, queue=x),
    "Finder budget": lambda x: ss.Finder(GRID, budget=x),
    "Finder.path budget": lambda x: ss.Finder(GRID).path((0, 0), (0, 2), budget=x),
    "Finder.paths": lambda x: ss.Finder(GRID).paths(x, [(0, 0)]),
    "Finder.paths goals": lambda x: ss.Finder(GRID).paths([(0, 0)], x),
    "Finder.block": lambda x: ss.Finder(GRID).block(x),
    "Finder.free": lambda x: ss.Finder(GRID).free(x),
    "Finder.prepare budget": lambda x: ss.Finder(GRID).prepare(budget=x),
    "Finder.search": lambda x: ss.Finder(GRID).search((0, 0), x),
    "Search.run nodes": lambda x: ss.Finder(GRID).search((0, 0), (0, 2)).run(nodes=x),
    "Search.run seconds": lambda x: ss.Finder(GRID).search((0, 0), (0, 2)).run(seconds=x),
    "Search.run distance": lambda x: ss.Finder(GRID).search((0, 0), (0, 2)).run(distance=x),
    "Search.retarget": lambda x: ss.Finder(GRID).search((0, 0), (0, 2)).retarget(x),
    "DistanceMap.at": lambda x: ss.distance_map(GRID, (0, 0)).at(x),
    "DistanceMap.step": lambda x: ss.distance_map(GRID, (0, 0)).step(x),
    "DistanceMap.path": lambda x: ss.distance_map(GRID, (0, 0)).path(x),
    "RRA": lambda x: ss.RRA(x, (0, 0), (0, 0)),
    "RRA goal": lambda x: ss.RRA(GRID, x, (0, 0)),
    "RRA.distance": lambda x: ss.RRA(GRID, (0, 0), (0, 0)).distance(x),
    "Coordinates": ss.Coordinates,
    "Coordinates origin": lambda x: ss.Coordinates(1.0, x),
    "Coordinates.cells": lambda x: ss.Coordinates().cells(x),
    "Coordinates.cell": lambda x: ss.Coordinates().cell(x, 0.0),
    "World": lambda x: ss.World(x, ss.WHCA()),
    "World planner": lambda x: ss.World(PROBLEM, x),
    "World trace_limit": lambda x: ss.World(PROBLEM, ss.WHCA(), trace_limit=x),
    "send goal": lambda x: world().send(0, x),
    "send agent": lambda x: world().send(x, (0, 0)),
    "block": lambda x: world().block(x),
    "sync": lambda x: world().sync(x),
    "add": lambda x: world().add(x),
    "add name": lambda x: world().add(ss.Agent((1, 0), name=x)),
    "add goal": lambda x: world().add(ss.Agent((1, 0), x)),
    "remove": lambda x: world().remove(x),
    "set_priority": lambda x: world().set_priority(0, x),
    "step": lambda x: world().step(x),
    "step nodes": lambda x: world().step(nodes=x),
    "restore": lambda x: world().restore(x),
    "Crowd positions": lambda x: ss.Crowd(x, [(0, 0)]),
    "Crowd goals": lambda x: ss.Crowd([(0, 0)], x),
    "Crowd grid": lambda x: ss.Crowd([(0, 0)], [(0, 2)], grid=x),
    "Crowd radius": lambda x: ss.Crowd([(0, 0)], [(0, 2)], radius=x),
    "Crowd max_speed": lambda x: ss.Crowd([(0, 0)], [(0, 2)], max_speed=x),
    "Crowd horizon": lambda x: ss.Crowd([(0, 0)], [(0, 2)], horizon=x),
    "Crowd neighbours": lambda x: ss.Crowd([(0, 0)], [(0, 2)], neighbours=x),
    "Crowd keep_right": lambda x: ss.Crowd([(0, 0)], [(0, 2)], keep_right=x),
    "Crowd.of_problem": ss.Crowd.of_problem,
    "Crowd.following": ss.Crowd.following,
    "Crowd step": lambda x: crowd().step(x),
    "Crowd steps": lambda x: crowd().step(steps=x, budget=ss.Budget(nodes=0, seconds=0)),
    "Crowd budget": lambda x: crowd().step(budget=x),
    "Crowd run": lambda x: crowd().run(x, budget=ss.Budget(seconds=0)),
    "Crowd send": lambda x: crowd().send(0, x),
    "Crowd send agent": lambda x: crowd().send(x, (0, 0)),
    "Crowd move": lambda x: crowd().move(0, x),
    "Crowd arrived": lambda x: crowd().arrived(x),
    "where": lambda x: world().where(x),
    "World tasks": lambda x: ss.World(PROBLEM, ss.WHCA(), tasks=x),
    "World assign": lambda x: ss.World(PROBLEM, ss.WHCA(), assign=x),
    "World active": lambda x: ss.World(PROBLEM, ss.WHCA(), active=x),
    "submit": lambda x: world().submit(x),
    "supply": lambda x: world().supply(x),
    "Task": ss.Task,
    "Task errand": lambda x: world().submit(ss.Task((x,))),
    "Task agents": lambda x: ss.Task(((0, 0),), agents=x),
    "Stream.random": ss.Stream.random,
    "Stream places": lambda x: ss.Stream.random(GRID, places=x),
    "Stream arrivals": lambda x: ss.Stream.random(GRID, arrivals=x),
    "Stream rate": lambda x: ss.Stream.random(GRID, rate=x),
    "Stream.listed": ss.Stream.listed,
    "Fleet problem": lambda x: ss.Fleet(x, PLAN),
    "Fleet plan": lambda x: ss.Fleet(PROBLEM, x),
    "Fleet ahead": lambda x: ss.Fleet(PROBLEM, PLAN, ahead=x),
    "Fleet budget": lambda x: ss.Fleet(PROBLEM, PLAN, budget=x),
    "Fleet.tick": lambda x: fleet().tick(x),
    "Fleet.run": lambda x: fleet().run(x),
    "Fleet.run ticks": lambda x: fleet().run(ticks=x),
    "Fleet.replan broken": lambda x: fleet().replan(broken=x),
    "Fleet.replan goals": lambda x: fleet().replan(goals=x),
    "Fleet.replan closed": lambda x: fleet().replan(closed=x),
    "Simulator": ss.Simulator,
    "Simulator speed": lambda x: ss.Simulator(PROBLEM, speed=x),
    "Simulator delays": lambda x: ss.Simulator(PROBLEM, delays=x),
    "Simulator.tick": lambda x: ss.Simulator(PROBLEM).tick(x),
    "Commands first": lambda x: ss.Simulator(PROBLEM).tick(replace(COMMANDS, first=x)),
    "Commands begin": lambda x: ss.Simulator(PROBLEM).tick(replace(COMMANDS, begin=x)),
    "Commands places": lambda x: ss.Simulator(PROBLEM).tick(replace(COMMANDS, places=x)),
    "Execution": lambda x: ss.Execution(PROBLEM, x),
    "Execution done": lambda x: ss.Execution(PROBLEM, [[[0, 0, 0]]], done=x),
    "validate_execution": ss.validate_execution,
    "Budget stop": lambda x: ss.Budget(stop=x),
    "Budget on_progress": lambda x: ss.Budget(on_progress=x),
    "Graph directed": lambda x: ss.Graph(3, [(0, 1)], directed=x),
    "Finder.path bias": lambda x: ss.Finder(GRID).path((0, 0), (0, 2), bias=x),
    "improve": ss.improve,
    "improve time_limit": lambda x: ss.improve(PLAN, time_limit=x),
    "lower_bound": ss.lower_bound,
    "lower_bound enough": lambda x: ss.lower_bound(PROBLEM, enough=x),
    "why_not place": lambda x: ss.why_not(PLAN, 0, 1, x),
    "why_first": lambda x: ss.why_first(PLAN, 0, x),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_a_wrong_thing_gives_one_readable_line(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sentences = [sentence for thing in THINGS if (sentence := complaint(call, thing)) is not None]
    assert len(sentences) > len(THINGS) // 3  # most of them make no sense anywhere
    for sentence in sentences:
        assert 10 < len(sentence) <= 300
        assert "\n" not in sentence


def complaint(call, thing):
    try:
        call(thing)
    except ss.SidestepError as error:
        return str(error)
    return None
