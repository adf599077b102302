"""In a window only those within reach of a change talk again (the dialogue thesis, section 4.3)."""

from __future__ import annotations

import numpy as np
import pytest

import sidestep as ss
from sidestep.dialogue import Act, check_protocol
from sidestep.instances import random_grid, random_problem

WINDOW = 6


def fleet(seed: int = 1, agents: int = 40, size: int = 60) -> ss.World:
    grid = random_grid(size, size, 0.1, seed, connectivity=8)
    problem = random_problem(grid, agents, seed, rules=ss.Rules(shared_goals=True))
    return ss.World(problem, ss.WDPCA(window=WINDOW), seed=seed)


def tellers(world: ss.World, number: int) -> set[int]:
    """Who told a path in a round."""
    said = world.session.transcript.utterances
    return {one.speaker for one in said if one.round == number and one.act is Act.NEW_PATH}


def in_reach(world: ss.World, place: int) -> set[int]:
    here = np.divmod(world.positions, world.space.width)
    row, col = divmod(place, world.space.width)
    near = (abs(here[0] - row) <= 2 * WINDOW) & (abs(here[1] - col) <= 2 * WINDOW) & (world.positions != -1)
    return set(np.flatnonzero(near).tolist())


def test_a_new_goal_concerns_those_in_reach_of_it() -> None:
    world = fleet()
    world.step()
    assert tellers(world, 0) == set(range(40))
    agent = 7
    place, near = int(world.positions[agent]), in_reach(world, int(world.positions[agent]))
    assert 1 < len(near) < 40
    world.send(agent, (0, 0) if world.is_open((0, 0)) else (1, 1))
    world.step()
    transcript = world.session.transcript
    assert transcript.rounds == [0, 1]
    assert set(transcript.among[1]) == near
    assert tellers(world, 1) == near, place
    world.step()
    world.step()
    assert transcript.rounds == [0, 1, 3]  # the next round of all is when it would have been
    assert tellers(world, 2) == set(range(40))
    check_protocol(transcript)


def test_a_wall_concerns_those_in_reach_of_it() -> None:
    world = fleet()
    world.step()
    free = next(
        v
        for v in np.flatnonzero(world.space.open).tolist()
        if v not in world.positions and 1 < len(in_reach(world, v)) < 20
    )
    near = in_reach(world, free)
    world.block(world.space.place(free))
    world.step()
    assert set(world.session.transcript.among[1]) == near


def test_a_priority_concerns_nobody() -> None:
    world = fleet()
    world.step()
    world.set_priority(3, 9)
    world.step()
    assert world.session.transcript.rounds == [0]


@pytest.mark.parametrize("seed", range(6))
def test_worlds_that_change_all_the_time_are_valid_and_nothing_is_refused(seed: int) -> None:
    world = fleet(seed, agents=60, size=24)
    random = np.random.default_rng(seed)
    free = np.flatnonzero(world.space.open)
    for turn in range(40):
        match turn % 5:
            case 0:
                world.send(int(random.integers(60)), world.space.place(int(random.choice(free))))
            case 2:
                empty = [v for v in free.tolist() if v not in world.positions and v not in world.agents.goals]
                world.block(world.space.place(int(random.choice(empty))))
            case 3 if turn == 13:
                empty = [
                    v
                    for v in free.tolist()
                    if v not in world.positions and world.is_open(world.space.place(v))
                ]
                world.add(ss.Agent(world.space.place(empty[0]), world.space.place(int(random.choice(empty)))))
            case 4 if turn == 24:
                world.remove(int(random.integers(60)))
        world.step()
    assert ss.validate_trace(world.trace)
    refused = [event for event in world.trace.events if event[1] == ss.EventKind.REFUSED]
    assert not refused
    transcript = world.session.transcript
    check_protocol(transcript)
    assert transcript.among
    assert len(list(transcript.replay())) == len(transcript)


def test_who_does_not_talk_is_still_known_by_what_it_said() -> None:
    world = fleet()
    world.step()
    world.send(7, (0, 0) if world.is_open((0, 0)) else (1, 1))
    world.step()
    moments = [moment for moment in world.session.transcript.replay() if moment.utterance.round == 1]
    paths = moments[-1].paths
    assert set(paths) == set(range(40))
    silent = next(agent for agent in paths if agent not in world.session.transcript.among[1])
    assert paths[silent][0] == world.trace.positions[1][silent]
    assert paths[silent][1] == world.positions[silent]
    copy = type(world.session.transcript).from_data(world.space, world.session.transcript.data())
    assert copy == world.session.transcript
