"""Whatever goes wrong with robots and messages: nobody collides, nobody stands silently, no order is lost."""

from __future__ import annotations

import pytest

from sidestep import vda5050
from tests.sizing import examples

from .lanes import Run, lane_grid, random_work

SEEDS = range(examples(10))


@pytest.mark.parametrize("delay", [0.01, 0.1, 0.3])
@pytest.mark.parametrize("seed", SEEDS)
def test_late_robots_and_lost_doubled_and_overtaking_messages(delay, seed):
    layout = lane_grid(5, 5)
    broker = vda5050.Loopback(loss=0.2, doubling=0.2, lateness=5, seed=seed)
    version = ["2.1.0", "3.0.0"][seed % 2]
    run = Run(layout, random_work(layout, 10, seed), version=version, broker=broker, delay=delay, speed=0.7)
    run.until_done()
    assert run.judged(done=True)
    assert run.fleet.done
    assert not run.fleet.astray


@pytest.mark.parametrize("seed", SEEDS)
def test_robots_that_stop_for_good_are_named_and_the_others_go_around(seed):
    layout = lane_grid(5, 5)
    broker = vda5050.Loopback(loss=0.1, doubling=0.1, lateness=3, seed=seed)
    problem = random_work(layout, 6, seed)
    run = Run(layout, problem, broker=broker, ahead=2, patience=60, speed=0.5, delay=0.05)
    broken: set[str] = set()
    for tick in range(3000):
        if tick == 4:
            run.robots.stop(seed % 6)
        if run.fleet.done:
            break
        run.tick()
        if tick % 16 == 0 and run.fleet.stuck:
            broken |= {stuck.agent for stuck in run.fleet.stuck}
            run.fleet.replan("lacam", broken=broken)
    assert run.judged()
    moved_on = set(problem.names) - broken - set(run.fleet.given_up)
    home = run.robots.positions[:, 0] == problem.goals
    silent = not run.fleet.done and not run.fleet.stuck
    assert not silent
    if run.fleet.done:
        assert all(home[problem.index(name)] for name in moved_on)
        assert broken <= set(run.robots.stopped)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_broker_that_is_restarted_in_the_middle(seed):
    layout = lane_grid(5, 5)
    broker = vda5050.Loopback(loss=0.1, doubling=0.1, lateness=3, seed=seed)
    run = Run(layout, random_work(layout, 10, seed + 50), broker=broker, speed=0.5, delay=0.1)
    run.tick(10)
    broker.stop()
    run.tick(25)
    before = run.robots.positions[:, 0].copy()
    run.tick(10)
    assert (run.robots.positions[:, 0] == before).all()  # without news, they stand where their base ends
    broker.start()
    run.until_done()
    assert run.judged(done=True)
    assert run.fleet.done


def test_work_that_goes_on_is_not_lost_when_messages_are():
    """Errands from a list, each given to who is free: all are done, in spite of everything."""
    layout = lane_grid(5, 5)
    broker = vda5050.Loopback(loss=0.2, doubling=0.2, lateness=4, seed=3)
    problem = random_work(layout, 5, 5)
    run = Run(layout, problem, broker=broker, speed=0.8, delay=0.05)
    waiting, under_way, done = [24, 0, 4, 20, 12, 7, 17, 22], {}, []
    for _ in range(6000):
        run.tick()
        for name, place in list(under_way.items()):
            if run.fleet.places[problem.index(name)] == place:
                done.append(under_way.pop(name))
        if not run.fleet.done:
            continue
        free = [name for name in problem.names if name not in under_way]
        if not waiting and not under_way:
            break
        under_way |= {name: waiting.pop() for name in free if waiting}
        goals = {name: under_way.get(name) for name in problem.names}
        assert run.fleet.replan("lacam", goals=goals).plan is not None
    assert sorted(done) == [0, 4, 7, 12, 17, 20, 22, 24]
    assert run.judged()


def test_the_same_seed_is_the_same_run():
    def places() -> list:
        layout = lane_grid(4, 4)
        broker = vda5050.Loopback(loss=0.2, doubling=0.2, lateness=4, seed=9)
        run = Run(layout, random_work(layout, 6, 9), broker=broker, delay=0.1)
        run.until_done()
        return run.robots.execution().positions.tolist()

    assert places() == places()


def test_a_client_that_nobody_reads_drops_the_oldest_messages(monkeypatch):
    monkeypatch.setattr("sidestep.vda5050.transport.MOST_WAITING", 3)
    broker = vda5050.Loopback()
    client = broker.client()
    client.subscribe(["a/b"])
    for number in range(5):
        client.publish("a/b", bytes([number]))
    assert [payload[0] for _, payload in client.receive()] == [2, 3, 4]
    assert client.dropped == 2
