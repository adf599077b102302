"""The same with a real broker: Debian's mosquitto."""

from __future__ import annotations

import socket
import time

import pytest

import sidestep as ss
from sidestep import vda5050

from .broker import Mosquitto
from .lanes import lane_grid, random_work

TICK = 0.02


@pytest.fixture
def broker(tmp_path):
    one = Mosquitto(tmp_path)
    yield one
    one.stop()


def waited_for(what, seconds: float = 60) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if what():
            return True
        time.sleep(TICK)
    return False


class Site:
    """Vehicles and a master, each with a connection of its own."""

    def __init__(self, port: int, agents: int = 5, version: str = "2.1.0", **robots: float) -> None:
        self.layout = lane_grid(4, 4)
        self.problem = random_work(self.layout, agents, 4)
        self.fleet = ss.Fleet(self.problem, ss.solve(self.problem, "lacam").plan)
        self.robots = ss.Simulator(self.problem, **robots)
        self.vehicles = vda5050.Vehicles(
            self.robots, self.layout, vda5050.Mqtt("127.0.0.1", port), version=version
        )
        self.master = vda5050.Master(
            self.fleet, self.layout, vda5050.Mqtt("127.0.0.1", port), version=version
        )

    def tick(self) -> bool:
        self.vehicles.tick()
        self.master.tick()
        return self.fleet.done

    def close(self) -> None:
        self.vehicles.close()
        self.master.close()


@pytest.mark.parametrize("version", ["2.1.0", "3.0.0"])
@pytest.mark.bounds
def test_a_fleet_drives_over_mqtt(broker, version):
    site = Site(broker.port, version=version, speed=0.5)
    try:
        assert waited_for(site.tick)
        assert ss.validate_execution(site.robots.execution(done=True))
        assert site.master.notices == ()
        assert site.master.offline == ()
        site.vehicles.close()
        assert waited_for(lambda: site.master.tick() or site.master.offline == site.problem.names)
        assert "a0 is OFFLINE" in site.master.why("a0")
    finally:
        site.master.close()


def test_a_broker_that_dies_in_the_middle_costs_time_and_nothing_else(broker):
    site = Site(broker.port, speed=0.1)
    try:
        for _ in range(20):
            site.tick()
            time.sleep(TICK)
        broker.stop()
        for _ in range(20):
            site.tick()
            time.sleep(TICK)
        assert not site.fleet.done
        site.vehicles._transports[0].publish("a/b", b"", qos=1)  # while nobody is there
        broker.start()
        assert waited_for(site.tick)
        assert ss.validate_execution(site.robots.execution(done=True))
    finally:
        site.close()


def test_the_broker_publishes_the_will_of_a_vehicle_that_is_cut_off(broker):
    layout = lane_grid(1, 3)
    problem = ss.Problem(layout.graph, [0], [2])
    fleet = ss.Fleet(problem, ss.solve(problem, "cbs").plan)
    master = vda5050.Master(fleet, layout, vda5050.Mqtt("127.0.0.1", broker.port))
    client = vda5050.Mqtt("127.0.0.1", broker.port, will=vda5050.will_of("a0"))
    vehicles = vda5050.Vehicles(ss.Simulator(problem, speed=0.001), layout, [client])

    def heard() -> bool:
        vehicles.tick()
        master.tick()
        return master.offline == ()

    def cut() -> bool:
        master.tick()
        return master.offline == ("a0",)

    try:
        assert waited_for(heard)
        client._client.loop_stop()
        client._client.socket().shutdown(socket.SHUT_RDWR)
        client._client.socket().close()
        assert waited_for(cut)
        assert "CONNECTIONBROKEN" in master.why("a0")
    finally:
        master.close()


def test_who_subscribes_later_hears_who_is_online(broker):
    """The state of a connection and the factsheet are retained."""
    site = Site(broker.port, speed=0.5)
    try:
        assert waited_for(site.tick)
        late = vda5050.Mqtt("127.0.0.1", broker.port)
        late.subscribe(["+/+/+/+/connection", "+/+/+/+/factsheet"])
        topics: set[str] = set()

        def all_heard() -> bool:
            topics.update(topic for topic, _ in late.receive())
            return len(topics) == 2 * site.problem.n_agents

        assert waited_for(all_heard)
        late.close()
    finally:
        site.close()


def test_no_broker_is_an_error_that_says_so():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ss.InputError, match="there is no MQTT broker at"):
        vda5050.Mqtt("127.0.0.1", port)
