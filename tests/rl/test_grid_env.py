"""Environments: PettingZoo's own test, what agents see, what they get, and that nobody ever collides."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

import sidestep as ss
from sidestep import InputError, Problem
from sidestep.instances import random_problem
from sidestep.rl import GridEnv

DOOR = """
    a . # . B
    . . . . .
    b . # . A
"""
IDLE, UP, DOWN, LEFT, RIGHT = range(5)


def drawn(seed: int) -> Problem:
    return random_problem(ss.Grid.from_text("\n".join(["." * 8] * 8)), 6, seed)


@pytest.mark.parametrize("on_target", ["finish", "nothing", "restart"])
def test_pettingzoo_finds_nothing_wrong(on_target: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(GridEnv(drawn, radius=2, on_target=on_target, max_steps=50), num_cycles=120)


def test_the_same_seed_is_the_same_episode() -> None:
    parallel_seed_test(lambda: GridEnv(drawn, radius=2, on_target="restart", max_steps=30), num_cycles=60)


def test_an_agent_sees_walls_others_and_its_goal() -> None:
    env = GridEnv(Problem.from_text(DOOR), radius=1)
    seen, infos = env.reset(seed=0)
    walls, others, goal = seen["a"]
    assert walls.tolist() == [[1, 1, 1], [1, 0, 0], [1, 0, 0]]
    assert others.sum() == 0
    assert goal.tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 1]]  # row 2, column 4, drawn at the border
    assert infos["a"] == {"position": (0, 0), "goal": (2, 4)}
    env.step({"a": DOWN, "b": IDLE})
    seen, *_ = env.step({"a": IDLE, "b": IDLE})
    assert seen["a"][1].tolist() == [[0, 0, 0], [0, 0, 0], [0, 1, 0]]
    assert all(env.observation_space(name).contains(one) for name, one in seen.items())


def test_actions_move_and_walls_and_others_hold() -> None:
    env = GridEnv(Problem.from_text(DOOR), radius=1)
    env.reset(seed=0)
    *_, infos = env.step({"a": RIGHT, "b": LEFT})  # the second would leave the map
    assert (infos["a"]["position"], infos["b"]["position"]) == ((0, 1), (2, 0))
    *_, infos = env.step({"a": RIGHT, "b": UP})  # the first would enter a wall
    assert (infos["a"]["position"], infos["b"]["position"]) == ((0, 1), (1, 0))
    *_, infos = env.step({"a": DOWN, "b": RIGHT})  # both into one cell: at most one of them
    assert [infos[name]["position"] for name in "ab"].count((1, 1)) == 1


def walk(env: GridEnv, actions: str) -> list[tuple[dict[str, float], dict[str, bool]]]:
    """One agent acts, by the first letters of the actions."""
    env.reset(seed=0)
    found = []
    for letter in actions:
        _, rewards, through, _, _ = env.step(dict.fromkeys(env.agents, "iudlr".index(letter)))
        found.append((rewards, through))
    return found


def test_who_is_there_is_rewarded_and_leaves() -> None:
    env = GridEnv(Problem.from_text("a . A"), radius=1)
    assert walk(env, "rr") == [({"a": 0.0}, {"a": False}), ({"a": 1.0}, {"a": True})]
    assert env.agents == []
    assert env.world.positions.tolist() == [-1]


def test_all_are_rewarded_when_all_are_there() -> None:
    env = GridEnv(Problem.from_text("a A . .\n. . b B"), radius=1, on_target="nothing")
    assert walk(env, "r") == [({"a": 1.0, "b": 1.0}, {"a": True, "b": True})]
    env = GridEnv(Problem.from_text("a A . .\n. b . B"), radius=1, on_target="nothing")
    assert walk(env, "r") == [({"a": 0.0, "b": 0.0}, {"a": False, "b": False})]


def test_a_new_goal_can_be_reached_and_is_nobody_s() -> None:
    env = GridEnv(Problem.from_text("a A . # .\n. . . # ."), radius=1, on_target="restart", max_steps=5)
    for seed in range(20):
        env.reset(seed=seed)
        _, rewards, through, _, infos = env.step({"a": RIGHT})
        assert (rewards, through) == ({"a": 1.0}, {"a": False})
        goal = infos["a"]["goal"]
        assert goal != (0, 1)
        assert goal[1] < 3


def test_an_episode_is_cut_off() -> None:
    env = GridEnv(Problem.from_text("a . A"), radius=1, max_steps=2)
    env.reset(seed=0)
    env.step({"a": IDLE})
    _, _, through, cut, _ = env.step({"a": IDLE})
    assert (through, cut, env.agents) == ({"a": False}, {"a": True}, [])


@pytest.mark.parametrize("on_target", ["finish", "restart"])
def test_random_actions_never_collide_and_the_trace_is_judged(on_target: str) -> None:
    env = GridEnv(drawn, on_target=on_target, radius=2, max_steps=60)
    for seed in range(5):
        env.reset(seed=seed)
        dice = np.random.default_rng(seed)
        while env.agents:
            env.step({name: int(dice.integers(5)) for name in env.agents})
        assert ss.validate_trace(env.trace)


def test_a_plan_is_carried_out_as_actions() -> None:
    problem = Problem.from_text(DOOR)
    plan = ss.solve(problem, "cbs").plan
    env = GridEnv(problem, radius=1, on_target="nothing")
    env.reset(seed=0)
    steps = {(0, 0): IDLE, (-1, 0): UP, (1, 0): DOWN, (0, -1): LEFT, (0, 1): RIGHT}
    rewards: dict[str, float] = {}
    for now, then in zip(plan.cells[:-1], plan.cells[1:], strict=True):
        moves = zip(env.agents, (then - now).tolist(), strict=True)
        _, rewards, *_ = env.step({name: steps[tuple(move)] for name, move in moves})
    assert rewards == {"a": 1.0, "b": 1.0}


def test_the_map_as_text() -> None:
    env = GridEnv(Problem.from_text("a # A\n. . ."), radius=1, render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == "0#.\n..."
    assert GridEnv(Problem.from_text("a A")).render() is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"on_target": "dance"}, "on_target must be one of finish, nothing, restart"),
        ({"radius": 0}, "radius must be"),
        ({"max_steps": 1.5}, "max_steps must be"),
        ({"render_mode": "human"}, "render_mode must be"),
        ({"problem": Problem(ss.Graph(2, [(0, 1)]), [0], [1])}, "a problem on a grid"),
        ({"problem": Problem.from_text("a A", 8)}, "4 neighbours"),
        ({"problem": Problem.from_text("a .")}, "each needs a goal"),
        (
            {"problem": Problem.from_agents(ss.Grid.from_text("..\n.."), [ss.Agent((0, 0), (0, 0), size=2)])},
            "one cell",
        ),
    ],
)
def test_what_is_no_environment(given: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        GridEnv(**{"problem": Problem.from_text("a A")} | given)


@pytest.mark.parametrize("action", [5, -1, None, "up", 0.5])
def test_what_is_no_action(action: object) -> None:
    env = GridEnv(Problem.from_text("a A"))
    env.reset()
    with pytest.raises(InputError, match="the action of agent a must be from 0 to 4"):
        env.step({"a": action})


def test_problems_of_an_environment_have_the_same_agents() -> None:
    def other(seed: int) -> Problem:
        return Problem.from_text("a A" if not calls.append(seed) and len(calls) < 2 else "b B")

    calls: list[int] = []
    env = GridEnv(other)
    with pytest.raises(InputError, match="the same agents"):
        env.reset()


def test_what_makes_no_sense_is_named_before_memory_is_asked_for() -> None:
    with pytest.raises(InputError, match="smaller radius"):
        GridEnv(Problem.from_text(DOOR), radius=10**6)
    env = GridEnv(Problem.from_text(DOOR), radius=1)
    for seed in ("x", -1, 1.5):
        with pytest.raises(InputError, match="seed"):
            env.reset(seed=seed)  # type: ignore[arg-type]
    env.reset()
    for actions in (None, [0, 1]):
        with pytest.raises(InputError, match="dict"):
            env.step(actions)  # type: ignore[arg-type]
