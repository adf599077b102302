"""Any path planner: the dialogues ask it, check what it returns, and go on as with the core's search."""

from __future__ import annotations

import numpy as np
import pytest

import sidestep as ss
from sidestep.dialogue import PathRequest, check_protocol
from sidestep.instances import random_grid, random_problem

PROBLEM = ss.Problem.from_text("""
    . . a . .
    . b . . B
    . . A . .
""")


def breadth_first(problem: ss.Problem):
    """A planner of one's own: states of place and time, layer by layer, around the superiors."""
    width, last = problem.space.width, 64

    def at(path, time):
        return path[min(time, len(path) - 1)]

    def neighbours(vertex):
        yield vertex
        row, col = divmod(vertex, width)
        for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0)):
            r, c = row + down, col + right
            if 0 <= r < problem.space.height and 0 <= c < width and problem.space.passable[r, c]:
                yield r * width + c

    def collides(request, here, there, time):
        return any(
            at(path, time + 1) == there or (at(path, time) == there and at(path, time + 1) == here != there)
            for path in request.paths.values()
        )

    def stays(request, time):
        return not any(
            at(path, t) == request.goal for path in request.paths.values() for t in range(time, last)
        )

    def plan(request: PathRequest):
        layer = {request.start: [request.start]}
        for time in range(last):
            if request.goal in layer and stays(request, time):
                return layer[request.goal]
            layer = {
                there: [*path, there]
                for here, path in layer.items()
                for there in neighbours(here)
                if not collides(request, here, there, time)
            }
        return None

    return plan


@pytest.mark.parametrize("name", ["pca", "dpca", "dpca+"])
def test_a_planner_of_ones_own_leads_to_valid_plans(name: str) -> None:
    for seed in range(4):
        problem = random_problem(random_grid(8, 8, 0.1, seed), 8, seed)
        result = ss.solve(problem, name, planner=breadth_first(problem))
        assert result
        assert ss.validate(problem, result.plan)
        check_protocol(result.transcript)
        usual = ss.solve(problem, name)
        assert result.plan.cost <= 1.3 * usual.plan.cost


def test_a_request_says_where_whither_and_around_whom() -> None:
    requests: list[PathRequest] = []

    def planner(request):
        requests.append(request)
        return breadth_first(PROBLEM)(request)

    assert ss.solve(PROBLEM, "dpca", planner=planner)
    alone = [one for one in requests if not one.superiors]
    assert {(one.agent, one.start, one.goal, one.window, one.time) for one in alone} == {
        (0, 2, 12, 0, 0),
        (1, 6, 9, 0, 0),
    }
    below = next(one for one in requests if one.superiors == (0,))
    assert below.paths == {0: (2, 7, 12)}


def test_in_a_window_a_planner_is_asked_for_so_many_steps() -> None:
    def planner(request):
        found = breadth_first(PROBLEM)(PathRequest(**{**as_dict(request), "window": 0}))
        return None if found is None else (found + [found[-1]] * 4)[:5]

    def as_dict(request):
        return {name: getattr(request, name) for name in PathRequest.__slots__}

    result = ss.solve(PROBLEM, "wdpca", window=4, planner=planner)
    assert result
    assert ss.validate(PROBLEM, result.plan)


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("north", "must return vertices or None"),
        ([2.5, 3], "must return vertices or None"),
        ([], "must begin where it is"),
        ([7, 12], "must begin where it is"),
        ([2, 99], "must be of vertices from 0 to 14"),
        ([2, 7], "must end on its goal"),
        ([2, 12], "which is no step"),
    ],
)
def test_what_is_no_path_is_refused(path, sentence: str) -> None:
    with pytest.raises(ss.InputError, match=sentence):
        ss.solve(PROBLEM, "dpca", planner=lambda request: path)


def test_a_planner_that_ignores_superiors_solves_nothing_false() -> None:
    def planner(request):
        return breadth_first(PROBLEM)(
            PathRequest(request.agent, request.start, request.goal, (), {}, (), 0, 0)
        )

    result = ss.solve(PROBLEM, "dpca", planner=planner)
    assert result.status is ss.Status.GAVE_UP


def test_an_error_in_a_planner_is_the_callers() -> None:
    def planner(request):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ss.solve(PROBLEM, "dpca", planner=planner)
    with pytest.raises(ss.InputError, match="planner must be a function"):
        ss.solve(PROBLEM, "dpca", planner=7)


def test_positions_are_those_of_the_request() -> None:
    starts = np.array(PROBLEM.starts)
    seen = []
    ss.solve(PROBLEM, "pca", planner=lambda r: seen.append(r.start) or breadth_first(PROBLEM)(r))
    assert set(seen) == set(starts.tolist())
