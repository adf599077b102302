"""Planners of all kinds for worlds, bad ones among them, and changes at random."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import numpy as np

import sidestep as ss

from .draws import fitting
from .walks import neighbours


class RandomWalk:
    """Everybody goes to a place near by, or on with a move that it has begun, whatever is there."""

    def __init__(self, space: Any, seed: int) -> None:
        self.space, self.draw = space, Random(seed)
        self.near: dict[int, list[int]] = {}

    def step(self, view: Any, *, budget: Any) -> Any:
        targets = []
        for here, heading in zip(view.positions.tolist(), view.headings.tolist(), strict=True):
            if heading != -1 and self.draw.random() < 0.9:
                targets.append(heading)
            elif here == -1 or self.draw.random() < 0.2:
                targets.append(here)
            else:
                near = self.near.get(here)
                if near is None:
                    near = self.near[here] = neighbours(self.space, here)
                targets.append(self.draw.choice(near) if near else here)
        return np.array(targets, dtype=np.int32)


class Liar(RandomWalk):
    """A random walk that now and then answers with anything at all."""

    def step(self, view: Any, *, budget: Any) -> Any:
        here, kind = view.positions, self.draw.randrange(12)
        if kind == 0:
            odd = [None, "north", 7, {}, [], iter(()), object(), np.nan, [[0]], 2**80, [2**40], Trap()]
            return self.draw.choice(odd)
        if kind == 1:
            return self.draw.choice([here[:-1], np.append(here, here), here.astype(float), here[None, :]])
        if kind == 2:
            far = [self.draw.choice([-(2**31), 2**31 - 1, -1, 0, 1, 10**6]) for _ in here]
            return self.draw.choice([np.array(far, dtype=np.int64), np.array(far, dtype=np.int32), far])
        return super().step(view, budget=budget)


class Trap:
    """What is asked to become an array, and raises."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("no array")


class Raising:
    """Passes turns on to a session, and often raises before or after it; when, depends on the time alone."""

    def __init__(self, inner: Any, seed: int) -> None:
        self.inner, self.seed = inner, seed

    def session(self, problem: ss.Problem, *, seed: int = 0) -> Any:
        return RaisingSession(self.inner.session(problem, seed=seed), self.seed)

    def supports(self, problem: ss.Problem) -> Any:
        return self.inner.supports(problem)


class RaisingSession:
    """See `Raising`."""

    def __init__(self, inner: Any, seed: int) -> None:
        self.inner, self.seed = inner, seed

    def step(self, view: Any, *, budget: Any) -> Any:
        luck = Random(1000 * self.seed + view.time).random()
        if luck < 0.2:
            raise RuntimeError("before the turn")
        moves = self.inner.step(view, budget=budget)
        if luck < 0.4:
            raise RuntimeError("after the turn")
        return moves


class Sleeping(RandomWalk):
    """A random walk that sometimes sleeps over its budget."""

    def step(self, view: Any, *, budget: Any) -> Any:
        if self.draw.random() < 0.2:
            time.sleep(0.007)
        return super().step(view, budget=budget)


def change(world: ss.World, draw: Random, *, bodies: bool = False, most: int = 8) -> bool:
    """One change at random; False if the world refuses it with a sentence."""
    space, agents = world.space, len(world.names)
    vertex, agent = draw.randrange(space.n), draw.randrange(agents)
    place, kind = space.place(vertex), draw.randrange(12)
    try:
        if kind < 3:
            world.send(agent, None if draw.random() < 0.1 else place)
        elif kind == 3:
            world.block(place)
        elif kind == 4 or (kind == 11 and draw.random() < 0.7):
            closed = np.flatnonzero(~world.open).tolist() or [vertex]
            world.free(space.place(draw.choice(closed)))
        elif kind == 5 and agents < most:
            world.add(newcomer(space, draw, bodies))
        elif kind == 6:
            world.remove(agent if draw.random() < 0.5 else world.names[agent])
        elif kind == 7:
            world.sync({agent: place})
        elif kind == 8:
            other = draw.randrange(agents)
            world.sync({agent: world.where(other), other: world.where(agent)})
        elif kind == 9:
            world.set_priority(agent, draw.randint(-2, 5))
        elif kind == 10 and world.where(agent) is not None:  # under an agent
            world.block(world.where(agent))
        else:  # in front of one
            near = neighbours(space, int(world.positions[agent]))
            world.block(space.place(draw.choice(near)) if near else place)
    except (ss.InputError, ss.UnsupportedError):
        return False
    return True


def newcomer(space: Any, draw: Random, bodies: bool) -> ss.Agent:
    size = draw.choice([1, 1, 2]) if bodies and isinstance(space, ss.Grid) else 1
    places = fitting(space, size) or [0]
    start, goal = (space.place(draw.choice(places)) for _ in range(2))
    period = draw.choice([1, 1, 2, 3]) if bodies else 1
    return ss.Agent(
        start, draw.choice([None, goal, goal]), priority=draw.randint(-1, 2), size=size, period=period
    )
