"""The corpus: groups of cases by name. A group is small enough to be one test."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from . import crowds, dialogues, explaining, files, instances, judging, single, solving, viewing, worlds
from .parts import Cases

GROUPS: dict[str, Callable[[], Cases]] = {
    **{f"solve {solver}": partial(solving.cases, solver) for solver in solving.VARIANTS},
    **{f"world {planner}": partial(worlds.cases, planner) for planner in worlds.PLANNERS},
    "world groups": worlds.group_cases,
    "world planners of one's own": worlds.own_planner_cases,
    "dialogues": dialogues.cases,
    "crowds": crowds.cases,
    "one agent": single.cases,
    "instances": instances.cases,
    "files": files.cases,
    "files of others": files.foreign_cases,
    "files of before": files.old_cases,
    "judge": judging.cases,
    "why": explaining.cases,
    "viewer": viewing.cases,
}
