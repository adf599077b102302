"""The master's orders are as the standard says, whatever happens to messages and vehicles."""

from __future__ import annotations

import importlib
import json
import sys

import pytest

import sidestep as ss
from sidestep import io, vda5050

from .lanes import Run, complaints_about, lane_grid, random_work


@pytest.mark.parametrize("version", ["2.1.0", "3.0.0"])
@pytest.mark.parametrize("faults", [{}, {"loss": 0.3, "doubling": 0.3, "lateness": 4}])
def test_orders_are_numbered_and_stitched_and_a_base_never_changes(version, faults):
    layout = lane_grid(4, 4)
    run = Run(
        layout, random_work(layout, 6, 3), version=version, speed=0.4, broker=vda5050.Loopback(**faults)
    )
    seen: dict[str, list] = {}
    observer = run.broker.client()
    observer.subscribe(["+/+/+/+/order"])
    publish = run.master._transport.publish

    def note(topic, payload, **options):  # what is sent, before anything is lost
        if topic.endswith("/order"):
            seen.setdefault(topic, []).append(json.loads(payload))
        publish(topic, payload, **options)

    run.master._transport.publish = note
    run.until_done()
    assert run.fleet.done
    assert run.judged(done=True)
    assert seen
    for orders in seen.values():
        assert complaints_about(orders) == []
        assert len({order["orderId"] for order in orders}) == 1
    assert any(order["orderUpdateId"] >= 2 for orders in seen.values() for order in orders)


def test_the_checker_of_orders_sees_what_is_wrong():
    layout = lane_grid(2, 3)
    run = Run(layout, ss.Problem(layout.graph, [0], [5]), ahead=1)
    run.until_done()
    orders = next(iter(run.said("order").values()))
    assert complaints_about(orders) == []
    assert complaints_about(orders[:1] + orders[2:]) != []
    orders[1]["nodes"][0]["sequenceId"] += 2
    assert complaints_about(orders) != []


def test_an_order_shows_the_base_and_the_horizon():
    layout = lane_grid(1, 8)
    run = Run(layout, ss.Problem(layout.graph, [0], [7]), ahead=2, horizon=3)
    run.tick()
    order = run.said("order")["a0"][0]
    assert [n["nodeId"] for n in order["nodes"]] == [f"p0.{c}" for c in range(6)]
    assert [n["released"] for n in order["nodes"]] == [True] * 3 + [False] * 3
    assert order["nodes"][2]["nodePosition"] == {"x": 2.0, "y": 0.0, "mapId": "map"}
    assert [(e["edgeId"], e["startNodeId"]) for e in order["edges"][:2]] == [
        ("p0.0-p0.1", "p0.0"),
        ("p0.1-p0.2", "p0.1"),
    ]


def test_nothing_is_sent_to_a_vehicle_that_has_not_been_heard_of():
    layout = lane_grid(1, 3)
    problem = ss.Problem(layout.graph, [0], [2])
    broker = vda5050.Loopback()
    fleet = ss.Fleet(problem, ss.solve(problem, "cbs").plan)
    master = vda5050.Master(fleet, layout, broker.client())
    listener = broker.client()
    listener.subscribe(["+/+/+/+/order", "+/+/+/+/instantActions"])
    for _ in range(30):
        master.tick()
    topics = [topic.split("/")[-1] for topic, _ in listener.receive()]
    assert set(topics) == {"instantActions"}  # requests for a state, again and again
    assert 2 <= len(topics) <= 5
    assert master.offline == ("a0",)
    assert "nothing has been heard of a0" in master.why("a0")


def test_a_vehicle_that_has_forgotten_its_order_gets_the_rest_as_a_new_one():
    layout = lane_grid(1, 9)
    run = Run(layout, ss.Problem(layout.graph, [0], [8]), speed=0.5)
    run.tick(7)
    vehicle = run.vehicles._vehicles[0]
    assert vehicle.last_sequence > 0
    vehicle.__init__(vehicle.desk, vehicle._names, int(run.robots.positions[0][0]))  # it starts anew
    run.until_done()
    assert run.fleet.done
    assert run.judged(done=True)
    assert any("has dropped its order" in notice.what for notice in run.master.notices)
    assert run.robots.positions[0][0] == 8


def test_a_vehicle_that_is_busy_for_somebody_else_is_cancelled_first():
    layout = lane_grid(1, 9)
    run = Run(layout, ss.Problem(layout.graph, [0], [8]), speed=0.5)
    other = run.broker.client()
    run.vehicles.tick()
    header = {"headerId": 5, "timestamp": "2020-01-01T00:00:00.00Z", "version": "2.1.0"}
    header |= {"manufacturer": "sidestep", "serialNumber": "a0", "orderId": "foreign", "orderUpdateId": 0}
    names = ["p0.0", "p0.1", "p0.2"]
    nodes = [
        {"nodeId": n, "sequenceId": 2 * k, "released": k < 1, "actions": []} for k, n in enumerate(names)
    ]
    edges = [
        {
            **{"edgeId": "e", "sequenceId": 2 * k + 1, "released": False, "actions": []},
            **{"startNodeId": names[k], "endNodeId": names[k + 1]},
        }
        for k in range(2)
    ]
    other.publish(
        "uagv/v2/sidestep/a0/order", json.dumps({**header, "nodes": nodes, "edges": edges}).encode()
    )
    run.until_done()
    assert run.fleet.done
    assert any("'foreign', which is not ours" in notice.what for notice in run.master.notices)


def test_a_vehicle_at_another_place_than_its_start_stops_the_fleet():
    layout = lane_grid(1, 5)
    run = Run(layout, ss.Problem(layout.graph, [0, 4], [1, 3]))
    run.vehicles._vehicles[0].last_node = "p0.2"
    run.tick(3)
    assert run.fleet.astray == {"a0": 2}
    assert any(stuck.astray for stuck in run.fleet.stuck)


def test_pause_cancel_and_resume():
    layout = lane_grid(1, 12)
    run = Run(layout, ss.Problem(layout.graph, [0], [11]), speed=0.5)
    run.tick(5)
    run.master.pause("a0")
    run.tick(20)
    where = run.robots.positions[0][0]
    run.tick(20)
    assert run.robots.positions[0][0] == where < 11
    assert "a0 is paused" in run.master.why("a0")
    run.master.resume("a0")
    run.tick(8)
    assert run.robots.positions[0][0] > where
    run.master.pause("a0", cancel=True)
    run.tick(20)
    where = run.robots.positions[0][0]
    run.tick(20)
    assert run.robots.positions[0][0] == where < 11
    assert "the order of a0 is cancelled" in run.master.why("a0")
    run.master.resume("a0")
    run.until_done()
    assert run.fleet.done
    assert run.judged(done=True)


def test_why_says_names_as_they_are():
    """Also that of an agent that is called like a place."""
    layout = lane_grid(1, 6)
    problem = ss.Problem(layout.graph, [0, 1], [4, 5], names=["vertex 1", "vertex 99"])
    fleet = ss.Fleet(problem, ss.solve(problem, "lacam").plan)
    serials = {"vertex 1": "v1", "vertex 99": "v99"}
    master = vda5050.Master(fleet, layout, vda5050.Loopback().client(), serials=serials)
    master.tick()
    assert master.why("vertex 1").startswith("vertex 1 waits for vertex 99 at p0.1")


def test_who_waits_is_told_for_whom_and_what_is_known_of_that_vehicle():
    layout = lane_grid(1, 6)
    run = Run(layout, ss.Problem(layout.graph, [0, 1], [4, 5]), patience=20)
    run.robots.stop("a1")
    run.tick(40)
    assert run.master.why("a0").startswith("a0 waits for a1 at p0.1, a1 has been on its way to p0.2 for")
    assert [stuck.agent for stuck in run.fleet.stuck] == ["a1"]


def test_a_broken_connection_is_known_by_its_will():
    layout = lane_grid(1, 6)
    broker = vda5050.Loopback()
    problem = ss.Problem(layout.graph, [0], [5])
    fleet = ss.Fleet(problem, ss.solve(problem, "cbs").plan)
    master = vda5050.Master(fleet, layout, broker.client())
    client = broker.client(vda5050.will_of("a0"))
    vehicles = vda5050.Vehicles(ss.Simulator(problem, speed=0.1), layout, [client])
    for _ in range(3):
        vehicles.tick()
        master.tick()
    assert master.offline == ()
    broker.cut(client)
    master.tick()
    assert master.offline == ("a0",)
    assert "a0 is CONNECTIONBROKEN" in master.why("a0")


def test_an_order_is_no_longer_than_the_factsheet_allows():
    layout = lane_grid(1, 9)
    run = Run(layout, ss.Problem(layout.graph, [0], [8]), ahead=5)
    run.tick()
    run.master._books[0].most_nodes = 3
    run.until_done()
    assert run.fleet.done
    lengths = [len(order["nodes"]) for order in run.said("order")["a0"]]
    assert max(lengths[1:]) <= 3


def test_new_goals_are_one_more_update():
    layout = lane_grid(3, 3)
    run = Run(layout, ss.Problem(layout.graph, [0, 1], [2, 0], rules=ss.Rules(following=False)))
    run.until_done()
    result = run.fleet.replan("lacam", goals={"a0": 8, "a1": None}, closed=[(2, 5), (5, 2)])
    assert result.plan is not None
    run.until_done()
    assert run.fleet.done
    assert run.robots.positions[0][0] == 8
    orders = run.said("order")["a0"]
    assert complaints_about(orders) == []
    ways = [(o["startNodeId"], o["endNodeId"]) for order in orders for o in order["edges"]]
    assert ("p0.2", "p1.2") not in ways


def test_a_lane_that_is_closed_is_not_used_and_a_place_of_a_grid_neither():
    layout = lane_grid(2, 3)
    problem = ss.Problem(layout.graph, [0], [0])
    fleet = ss.Fleet(problem, ss.solve(problem, "cbs").plan)
    assert fleet.replan("cbs", goals={0: 2}, closed=[(0, 1)]).plan.cost == 4
    assert fleet.replan("cbs", goals={0: 1}, closed=[1]).plan.cost == 0
    assert fleet.given_up == ("a0",)
    problem = ss.Problem.from_text("a . A\n. . .")
    fleet = ss.Fleet(problem, ss.solve(problem, "cbs").plan, ahead=1)
    assert fleet.replan("cbs", closed=[(0, 2)]).plan is not None
    assert fleet.given_up == ("a",)
    with pytest.raises(ss.InputError, match="goals are a place per agent"):
        fleet.replan(goals=[(0, 1)])


def test_bad_arguments_are_named():
    layout = lane_grid(1, 4)
    problem = ss.Problem(layout.graph, [0, 1], [2, 3])
    fleet = ss.Fleet(problem, ss.solve(problem, "cbs").plan)
    broker = vda5050.Loopback()
    for options, what in (
        ({"version": "1.1"}, "version must be one of 2.1.0, 3.0.0"),
        ({"manufacturer": "a/b"}, "manufacturer must be"),
        ({"interface": "#"}, "interface must be"),
        ({"serials": {"zz": "1"}}, "no agent called 'zz'"),
        ({"serials": {"a0": "a1"}}, "two vehicles have the same"),
        ({"horizon": -1}, "horizon must be"),
        ({"resend": 0}, "resend must be"),
    ):
        with pytest.raises(ss.InputError, match=what):
            vda5050.Master(fleet, layout, broker.client(), **options)
    with pytest.raises(ss.InputError, match="other places or fewer lanes"):
        vda5050.Master(fleet, lane_grid(1, 3), broker.client())
    grid = ss.Problem.from_text("a A")
    with pytest.raises(ss.UnsupportedError, match="on the graph of a layout"):
        vda5050.Master(ss.Fleet(grid, ss.solve(grid, "cbs").plan), layout, broker.client())
    with pytest.raises(ss.InputError, match="one client for all"):
        vda5050.Vehicles(ss.Simulator(problem), layout, [broker.client()])
    with pytest.raises(ss.InputError, match="loss is a chance"):
        vda5050.Loopback(loss=2)
    with pytest.raises(ss.InputError, match="not a client of this broker"):
        broker.cut(vda5050.Loopback().client())
    assert isinstance(layout, io.Layout)


def test_without_the_packages_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "paho.mqtt", None)
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    with pytest.raises(ss.MissingExtraError, match=r"paho-mqtt .* 'sidestep\[fleet\]'"):
        vda5050.Mqtt()
    monkeypatch.setitem(sys.modules, "msgspec", None)
    for name in [name for name in sys.modules if name.startswith("sidestep.vda5050")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ss.MissingExtraError, match=r"msgspec .* 'sidestep\[fleet\]'"):
        importlib.import_module("sidestep.vda5050")
