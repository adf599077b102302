"""Every solver, under all rules, on all kinds of spaces, with several parameters, seeds and node limits."""

from __future__ import annotations

from typing import Any

import sidestep as ss

from . import parts, problems, surface
from .parts import Case, Cases, Parts

Parameters = dict[str, Any]

# The first is that of the defaults. ADPP on threads is left out: threads do not repeat themselves.
VARIANTS: dict[str, tuple[Parameters, ...]] = {
    "lra": (
        {},
        {"noise": 0},
        {"noise": 2.5, "max_turns": 12},
        {"moves_after_repair": False, "agitated_when_boxed_in": True},
    ),
    "ca": ({}, {"retries": 0}, {"hold_goals": False}),
    "hca": ({}, {"retries": 2}, {"hold_goals": False}),
    "whca": ({}, {"window": 2}, {"window": 8, "max_turns": 9}, {"window": "auto"}),
    "standard": ({},),
    "od": ({}, {"duplicates": "standard"}, {"pairs": False}, {"pairs": False, "partial": False}),
    "sid": (
        {},
        {"inner": "standard"},
        {"inner": "cbs"},
        {"inner": "icts"},
        {"inner_printed": True, "avoidance": "none", "conflict": "first", "known_bounds": False},
    ),
    "id": (
        {},
        {"inner": "standard"},
        {"inner": "cbs"},
        {"inner": "icts"},
        {
            "inner_printed": True,
            "conflict": "first",
            "known_bounds": False,
            "evades": "lower",
            "stay_apart": False,
        },
    ),
    "standard-id": ({},),
    "od-id": ({},),
    "anytime": ({}, {"inner": "cbs"}, {"inner": "icts"}, {"bound": 1.1}),
    "cbs": (
        {},
        {"disjoint": True},
        {"heuristic": "none", "rectangle": False, "corridor": False, "target": False},
        {"heuristic": "cg", "bypass": False},
        {"heuristic": "dg", "prioritise": False},
        {"joint_takeover": False},
    ),
    "icts": (
        {},
        {"pruning": "none"},
        {"pruning": "simple", "independence": False},
        {"joint_takeover": False},
    ),
    "pca": ({}, {"cache": False}),
    "dpca": ({}, {"length_weight": 1.0, "conflict_weight": 0.0}, {"cache": False}),
    "dpca+": ({}, {"partial_weight": 0.5}, {"length_weight": 3.0, "cache": False}),
    "wdpca": ({}, {"window": 2}, {"window": 8, "widen": False}, {"length_weight": 1.5, "cache": False}),
    "dimpp": ({}, {"shortcuts": False}, {"shortcuts": False, "begin_once": False}),
    "adpp": ({}, {"replan": "always"}),
    "dmrcp": ({}, {"max_turns": 10}),
    "bcp": (
        {},
        {"inner": "best-first", "iterations": 5},
        {"bias": "cost", "height": 3.0, "path_length": 4},
        {"trimmed": False, "first_collisions": False, "max_turns": 15},
        {"discard_rest": True},
    ),
    "pibt": ({}, {"hindrance": False}, {"swap": False, "max_turns": 12}),
    "sipp": ({}, {"restarts": 0}, {"robust": 2}),
    "lns": ({"patience": 20}, {"first": "sipp", "patience": 5}, {"lanes": 2, "patience": 5}),
    "lacam": (
        {},
        {"guide": 0},
        {"hindrance": False, "guide": 8, "collision_cost": 4},
        {"swap": False, "guide": 0},
        {"anytime": True},
        {"bound": 1.1},
    ),
    "eecbs": (
        {},
        {"bound": 1.0},
        {"bound": 1.5, "bypass": False},
        {"prioritise": False, "rectangle": False, "corridor": False, "target": False, "weighted": False},
    ),
    "pbs": ({},),
    "guided": ({}, {"window": 6, "collision_cost": 3}, {"swap": False, "hindrance": False}),
    "rolling": ({}, {"horizon": 6, "effort": 10}, {"window": 0, "swap": False}),
    "auto": ({}, {"bound": 1.2}, {"gain": 0.5}),
    "epibt": ({}, {"length": 3, "asks": 3}, {"effort": 3}),
}
COUPLED = ("standard", "od", "sid", "id", "standard-id", "od-id", "anytime", "cbs", "icts")
NODES = (20_000, 20_000, 20_000, 60)  # the last runs out
RANDOM, MORE, USUAL = (
    16,
    5,
    4,
)  # random problems of a solver as it is, and with other parameters; problems of the usual kind


def solved(problem: ss.Problem, solver: str, parameters: Parameters, nodes: int, seed: int) -> Parts:
    """What a solver answers; a problem that it does not take is an answer, too."""
    better: list[Any] = []
    try:
        result = ss.solve(
            problem,
            solver,
            time_limit=None,
            node_limit=nodes,
            memory_limit=2**31,
            seed=seed,
            on_plan=lambda found: better.append([found.plan.cost, found.lower_bound]),
            **parameters,
        )
    except ss.UnsupportedError:
        return {"refused": True}
    return parts.of_result(result) | ({"on the way": better} if better else {})


def cases(solver: str) -> Cases:
    """All cases of one solver."""
    number = list(VARIANTS).index(solver)
    side, agents = (5, 6) if solver in COUPLED else (10, 18)
    for name, problem in problems.drawn().items():
        yield name, _case(problem, solver, {}, NODES[0], 0)
    for name, problem in problems.with_bodies().items():
        yield f"bodies {name}", _case(problem, solver, {}, NODES[0], 0)
    for variant, parameters in enumerate(VARIANTS[solver]):
        told = ",".join(f"{key}={value}" for key, value in parameters.items())
        for index in range(MORE if variant else RANDOM):
            seed = 1000 * variant + number * RANDOM + index
            problem = problems.random_problem(seed, side, agents - index % 3)
            name = f"random {seed}" + (f" {told}" if told else "")
            yield name, _case(problem, solver, parameters, NODES[index % len(NODES)], index % 3)
    for seed in range(USUAL):
        grid = surface.random_grid(2 * side, 2 * side, 0.2, seed)
        problem = surface.random_problem(grid, 2 * agents, seed)
        yield f"usual {seed}", _case(problem, solver, {}, NODES[0], seed)
    if solver == "epibt":
        for variant, parameters in enumerate(VARIANTS[solver]):
            for seed in range(8 * variant, 8 * variant + 8):
                problem = problems.turning(seed)
                yield f"turning {seed}", _case(problem, solver, parameters, NODES[seed % len(NODES)], seed)
    if solver not in COUPLED:
        for seed in range(6):
            problem = problems.random_problem(seed, 7, 5, bodies=True)
            yield f"random bodies {seed}", _case(problem, solver, {}, NODES[0], seed)


def _case(problem: ss.Problem, solver: str, parameters: Parameters, nodes: int, seed: int) -> Case:
    return lambda: solved(problem, solver, parameters, nodes, seed)
