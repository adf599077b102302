"""Transcripts of random runs: the protocol is kept, and every vote can be recomputed from what was told."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import sidestep as ss
from conftest import Sweep
from sidestep.dialogue import Act, Stage, Transcript, check_protocol
from sidestep.dialogue.resolution import Weights
from sidestep.instances import random_grid, random_problem

SOLVERS = {
    "pca": ss.PCA(),
    "dpca": ss.DPCA(),
    "dpca without cache": ss.DPCA(cache=False),
    "dpca+": ss.DPCAPlus(),
    "wdpca-2": ss.WDPCA(window=2),
    "wdpca-4": ss.WDPCA(window=4),
    "wdpca-8 without cache": ss.WDPCA(window=8, cache=False),
}


def crowd(seed: int) -> ss.Problem:
    """Many agents in little room, like the thesis's instances."""
    grid = random_grid(9, 9, 0.2, seed, connectivity=8, corners="free")
    return random_problem(grid, 8 + seed % 8, seed, rules=ss.Rules(cost="time_off_goal"))


def thesis_instance(number: int) -> ss.Problem:
    """One like those that the thesis measures on."""
    grid = random_grid(16, 16, 0.2, number, connectivity=8, corners="free")
    agents = 2 + number * 7 % 39
    return random_problem(grid, agents, number, rules=ss.Rules(cost="time_off_goal"))


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_plans_are_valid_and_the_protocol_is_kept(solver, sweep: Sweep):
    solved = [is_solved(thesis_instance(number), solver) for number in sweep(0.5, 60)]
    assert sum(solved) > len(solved) / 3


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_plans_are_valid_and_the_protocol_is_kept_on_a_thousand_instances(solver):
    assert sum(is_solved(thesis_instance(number), solver) for number in range(1000)) > 300


def is_solved(problem: ss.Problem, solver) -> bool:
    result = ss.solve(problem, solver, time_limit=60.0)
    check_protocol(result.transcript)
    if result:
        assert ss.validate(result.problem, result.plan)
    else:
        assert result.status is ss.Status.GAVE_UP
        assert result.reason
    return bool(result)


def weights_of(solver) -> Weights:
    if isinstance(solver, ss.WDPCA):
        return solver.weights
    return Weights(solver.length_weight, solver.conflict_weight, getattr(solver, "partial_weight", 0.0))


class Listener:
    """An agent that only hears what is told, and judges by itself."""

    def __init__(self, problem: ss.Problem, window: int) -> None:
        self.width, self.window = problem.space.width, window
        self.goals = problem.goals.tolist()
        self.ways = {goal: distances(problem, goal) for goal in self.goals}

    def cost(self, agent: int, path) -> int:
        goal = self.goals[agent]
        steps = sum(1 for one, two in pairwise(path) if not one == two == goal)
        return steps + (self.ways[goal][path[-1]] if self.window else 0)

    def conflicts(self, agent: int, paths) -> int:
        return sum(len(self.times(paths[agent], path)) for other, path in paths.items() if other != agent)

    def times(self, one, other) -> set[int]:
        """The times at which two paths collide; following is allowed, crossing is not."""
        last = self.window or max(len(one), len(other))

        def at(path, time):
            return divmod(path[min(time, len(path) - 1)], self.width)

        found = set()
        for time in range(last):
            a, b, to_a, to_b = at(one, time), at(other, time), at(one, time + 1), at(other, time + 1)
            meet = to_a == to_b and time + 1 <= max(len(one), len(other)) - 1
            same_middle = a[0] + to_a[0] == b[0] + to_b[0] and a[1] + to_a[1] == b[1] + to_b[1]
            pass_through = a not in (to_a, b) and to_b not in (to_a, b) and same_middle
            found |= {time + 1} if meet else {time + 0.5} if pass_through else set()
        return found


def distances(problem: ss.Problem, goal: int) -> dict[int, int]:
    grid = problem.space
    found, ring = {goal: 0}, [goal]
    while ring:
        vertex = ring.pop(0)
        row, col = divmod(vertex, grid.width)
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                r, c = row + down, col + right
                inside = 0 <= r < grid.height and 0 <= c < grid.width
                if inside and grid.passable[r, c] and r * grid.width + c not in found:
                    found[r * grid.width + c] = found[vertex] + 1
                    ring.append(r * grid.width + c)
    return found


def votes_of(transcript: Transcript):
    """Every vote with the paths that everybody had told before the dialogue and in its evaluation."""
    known: dict[int, tuple[int, ...]] = {}
    tried: dict[int, tuple[int, ...]] = {}
    for moment in transcript.replay():
        said = moment.utterance
        if said.stage is not Stage.EVALUATION:
            known, tried = moment.paths, {}
        elif said.act is Act.NEW_PATH:
            if said.speaker in tried:  # the next proposal
                tried = {}
            tried[said.speaker] = said.path
        elif said.act is Act.VOTE:
            yield said, known, {**known, **tried}, transcript.topics[said.dialogue].agents
        elif said.act is Act.VETO:
            tried = {}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("solver", list(SOLVERS.values())[1:], ids=list(SOLVERS)[1:])
def test_every_vote_recomputes(solver, seed):
    problem = crowd(seed)
    transcript = ss.solve(problem, solver, time_limit=10.0).transcript
    listener = Listener(problem, getattr(solver, "window", 0))
    weights = weights_of(solver)
    heard = 0
    for said, before, after, agents in votes_of(transcript):
        agent = said.speaker
        longer = listener.cost(agent, after[agent]) - listener.cost(agent, before[agent])
        more = listener.conflicts(agent, after) - listener.conflicts(agent, before)
        ordered = {frozenset(pair) for pair in said.order}
        unsettled = any(
            listener.times(after[agent], after[other])
            for other in agents
            if other != agent and frozenset((agent, other)) not in ordered
        )
        vote = weights.length * longer + weights.conflicts * more + weights.partial * unsettled
        assert math.isclose(said.vote, vote, abs_tol=1e-9), said
        heard += 1
    assert heard > 0


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_a_replay_ends_with_the_paths_of_the_plan(solver):
    result = next(result for seed in range(6) if (result := ss.solve(crowd(seed), solver)))
    transcript = result.transcript
    *_, last = transcript.replay()
    begin = transcript.rounds[-1]
    for agent, path in last.paths.items():
        planned = result.plan.vertices[begin:, agent].tolist()
        steps = min(len(path), len(planned))
        assert list(path[:steps]) == planned[:steps]


def test_a_windowed_agent_tells_only_those_whom_it_can_meet():
    problem = random_problem(random_grid(40, 40, 0.1, 1, connectivity=8), 30, 1)
    near, far = (ss.solve(problem, "wdpca", window=window).stats for window in (2, 8))
    assert near["messages"] / near["rounds"] < far["messages"] / far["rounds"] < 30 * 29
    positions = {}
    for said in ss.solve(problem, "wdpca", window=2).transcript.utterances:
        if said.stage is Stage.EXCHANGE:
            positions[said.speaker] = np.divmod(said.path[0], 40)
            for hearer in said.hearers:
                if hearer in positions:
                    gap = np.abs(np.subtract(positions[said.speaker], positions[hearer])).max()
                    assert gap <= 4 + 2  # both may have moved since
