"""The model handed to the core: the one place that turns spaces and rules into compiled ones."""

from __future__ import annotations

from .. import _core
from .agents import ATTRIBUTES, AgentTable
from .grid import Grid
from .problem import Problem
from .rules import Rules
from .space import Space

BLOCKED_CORNERS = {"none": 0, "one": 1, "free": 2}


def compiled_space(problem: Problem) -> _core.Space:
    """The compiled space of a problem, made once. The core copies it; nobody may change it."""
    compiled: _core.Space | None = problem.compiled
    if compiled is None:
        compiled = problem.compiled = compile_space(problem.space)
    return compiled


def compiled_problem(problem: Problem) -> tuple[_core.Space, _core.Rules, _core.Agents]:
    """A problem as the core knows it: what its planners begin with."""
    space = compiled_space(problem)
    return space, compile_rules(problem.rules), core_agents(space, problem.agents)


def components_of(problem: Problem, budget: _core.Budget) -> _core.Components | None:
    """The connected components of a problem's undirected space, found once.

    None: the budget ended first; the next call goes on where this one was.
    """
    if problem.components is None:
        problem.components = _core.Components(compiled_space(problem))
    components: _core.Components = problem.components
    return components if components.find(budget) else None


def compile_space(space: Space) -> _core.Space:
    """A fresh compiled space."""
    if isinstance(space, Grid):
        return _core.Space.grid(space.passable, space.connectivity, BLOCKED_CORNERS[space.corners])
    return _core.Space.graph(space.n, space.edges, space.directed, space.edge_conflicts)


def core_agents(space: _core.Space, agents: AgentTable) -> _core.Agents:
    """The table of agents as the core knows it, on this compiled space."""
    columns = [getattr(agents, attribute.column) for attribute in ATTRIBUTES]
    return _core.Agents(space, agents.starts, agents.goals, *columns)


def compile_rules(rules: Rules) -> _core.Rules:
    """The rules as the core knows them."""
    return _core.Rules(
        following=rules.following,
        crossing=rules.crossing,
        disappear=rules.at_goal == "disappear",
        free_goal_wait=rules.cost == "time_off_goal",
    )
