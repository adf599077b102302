"""A simulated vehicle takes and refuses orders as the standard says."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

import sidestep as ss
from sidestep import vda5050

from .lanes import Clock, lane_grid

ERRORS = {
    "2.1.0": {
        **{"malformed": "validationError", "outdated": "orderUpdateError", "same": "orderUpdateError"},
        **{"other": "orderError", "start": "orderError", "route": "orderError", "gap": "orderUpdateError"},
        **{"cancelled": "orderUpdateError", "nothing": "noOrderToCancel"},
    },
    "3.0.0": {
        **{"malformed": "VALIDATION_FAILURE", "outdated": "OUTDATED_ORDER_UPDATE"},
        **{"same": "SAME_ORDER_UPDATE_ID", "other": "OTHER_ORDER_ACTIVE"},
        **{"start": "START_NODE_OUT_OF_RANGE", "route": "NO_ROUTE_TO_TARGET", "gap": "VALIDATION_FAILURE"},
        **{"cancelled": "ORDER_UPDATE_FOLLOWING_CANCEL", "nothing": "NO_ORDER_TO_CANCEL"},
    },
}


class OneVehicle:
    """A vehicle at p0.0 on a lane of six places, spoken to by hand."""

    def __init__(self, version: str = "2.1.0", **options: Any) -> None:
        self.version = version
        layout = lane_grid(1, 6)
        problem = ss.Problem(layout.graph, [0], [5])
        self.broker = vda5050.Loopback()
        self.robots = ss.Simulator(problem)
        self.vehicles = vda5050.Vehicles(
            self.robots, layout, self.broker.client(), version=version, clock=Clock(), **options
        )
        self.client = self.broker.client()
        self.client.subscribe(["+/+/sidestep/a0/state"])
        self.root = {"2.1.0": "uagv/v2", "3.0.0": "vda5050/v3"}[version] + "/sidestep/a0"
        self.sent = 0

    def send(self, topic: str, **message: Any) -> dict[str, Any]:
        """Sends a message and returns the state a tick later."""
        self.sent += 1
        header = {
            "headerId": self.sent,
            "timestamp": f"2026-01-01T00:{self.sent // 60:02}:{self.sent % 60:02}Z",
        }
        header |= {"version": self.version, "manufacturer": "sidestep", "serialNumber": "a0"}
        self.client.publish(f"{self.root}/{topic}", json.dumps({**header, **message}).encode())
        return self.tick()

    def tick(self, times: int = 1) -> dict[str, Any]:
        for _ in range(times):
            self.vehicles.tick()
        return [json.loads(payload) for _, payload in self.client.receive()][-1]

    def order(
        self, name: str, update: int, columns: list[int], released: int, first: int = 0
    ) -> dict[str, Any]:
        return self.send("order", **self.way(name, update, columns, released, first))

    def way(
        self, name: str, update: int, columns: list[int], released: int, first: int = 0
    ) -> dict[str, Any]:
        places = [f"p0.{column}" for column in columns]
        nodes = [
            {"nodeId": place, "sequenceId": first + 2 * k, "released": k < released, "actions": []}
            for k, place in enumerate(places)
        ]
        edges = [
            {
                **{"edgeId": f"{a}-{b}", "sequenceId": first + 2 * k + 1, "released": k + 1 < released},
                **{"actions": [], "startNodeId": a, "endNodeId": b},
            }
            for k, (a, b) in enumerate(pairwise(places))
        ]
        return {"orderId": name, "orderUpdateId": update, "nodes": nodes, "edges": edges}

    def act(self, kind: str, name: str) -> dict[str, Any]:
        return self.send(
            "instantActions", actions=[{"actionType": kind, "actionId": name, "blockingType": "NONE"}]
        )


def errors(state: dict[str, Any]) -> list[str]:
    return [one["errorType"] for one in state["errors"]]


def action(state: dict[str, Any], name: str) -> str:
    known = state.get("instantActionStates", state["actionStates"])
    return next(one["actionStatus"] for one in known if one["actionId"] == name)


def test_it_drives_to_the_end_of_its_base_and_waits_there_for_more():
    one = OneVehicle()
    state = one.order("o", 0, [0, 1, 2, 3], 3)
    assert (state["orderId"], state["orderUpdateId"], state["driving"]) == ("o", 0, False)
    assert [n["sequenceId"] for n in state["nodeStates"]] == [4, 6]  # the first was reached in that tick
    state = one.tick(12)
    assert (state["lastNodeId"], state["lastNodeSequenceId"], state["newBaseRequest"]) == ("p0.2", 4, True)
    assert [n["released"] for n in state["nodeStates"]] == [False]
    state = one.order("o", 1, [2, 3, 4], 3, first=4)
    assert errors(state) == []
    state = one.tick(12)
    assert (state["lastNodeId"], state["lastNodeSequenceId"], state["nodeStates"]) == ("p0.4", 8, [])
    assert ss.validate_execution(one.vehicles.execution)


@pytest.mark.parametrize("version", list(ERRORS))
def test_it_refuses_what_it_must_and_says_why(version):
    names = ERRORS[version]
    one = OneVehicle(version)
    assert errors(one.send("order", orderId="o")) == [names["malformed"]]
    assert errors(one.order("o", 0, [2, 3], 2)) != []
    one = OneVehicle(version)
    assert errors(one.order("o", 0, [2, 3], 2)) == [names["start"]]
    one = OneVehicle(version)
    assert errors(one.order("o", 0, [0, 2], 2)) == [names["route"]]
    one = OneVehicle(version)
    assert errors(one.order("o", 0, [0, 1, 2, 3], 2)) == []
    assert errors(one.order("x", 0, [0, 1], 2)) == [names["other"]]
    assert errors(one.order("o", 1, [2, 3], 2, first=4)).count(names["gap"]) == 1
    assert one.tick(12)["lastNodeId"] == "p0.1"
    assert errors(one.order("o", 2, [1, 2, 3], 2, first=2)) == []
    assert errors(one.order("o", 2, [1, 2, 3], 2, first=2)) == []  # the same again
    assert errors(one.order("o", 2, [1, 2, 3], 3, first=2)) == [names["same"]]
    assert names["outdated"] in errors(one.order("o", 1, [1, 2], 2, first=2))
    assert one.tick(12)["lastNodeId"] == "p0.2"


@pytest.mark.parametrize("version", list(ERRORS))
def test_a_cancelled_order_ends_where_the_vehicle_can_stop_and_goes_on_no_more(version):
    one = OneVehicle(version)
    assert action(one.act("cancelOrder", "c0"), "c0") == "FAILED"
    assert errors(one.tick(10)) == [ERRORS[version]["nothing"]]
    one.order("o", 0, [0, 1, 2, 3, 4, 5], 6)
    state = one.act("cancelOrder", "c1")
    assert action(state, "c1") in ("RUNNING", "FINISHED")
    state = one.tick(12)
    assert action(state, "c1") == "FINISHED"
    assert (state["orderId"], state["nodeStates"], state["edgeStates"]) == ("o", [], [])
    stopped = int(state["lastNodeId"][-1])
    assert stopped < 5
    assert state["lastNodeSequenceId"] == 2 * stopped
    assert errors(one.order("o", 1, [5, 4], 2, first=10)) == [ERRORS[version]["cancelled"]]
    assert errors(one.order("p", 0, [stopped, stopped + 1], 2)) == []
    assert one.tick(12)["lastNodeId"] == f"p0.{stopped + 1}"
    assert ss.validate_execution(one.vehicles.execution)


def test_a_pause_keeps_the_order():
    one = OneVehicle()
    one.order("o", 0, [0, 1, 2, 3, 4, 5], 6)
    one.act("startPause", "p")
    state = one.tick(12)
    assert (action(state, "p"), state["paused"]) == ("FINISHED", True)
    assert state["nodeStates"]
    where = state["lastNodeId"]
    assert one.tick(20)["lastNodeId"] == where
    assert one.act("stopPause", "q")["paused"] is False
    assert one.tick(12)["lastNodeId"] == "p0.5"


def test_an_instant_action_is_done_once_and_an_unknown_one_fails():
    one = OneVehicle()
    one.order("o", 0, [0, 1, 2, 3, 4, 5], 6)
    one.act("cancelOrder", "c")
    state = one.tick(12)
    here = int(state["lastNodeId"][-1])
    one.order("p", 0, [here, here + 1], 2)
    assert errors(one.act("cancelOrder", "c")) == []  # a copy that came late
    assert one.tick(12)["lastNodeId"] == f"p0.{here + 1}"
    state = one.act("dance", "d")
    assert action(state, "d") == "FAILED"
    assert errors(state) != []


def test_a_late_copy_of_an_old_order_is_not_taken_for_a_new_one():
    one = OneVehicle()
    first = one.way("o", 0, [0, 1], 2)
    one.order("o", 0, [0, 1], 2)
    one.tick(12)
    one.order("p", 0, [1, 0], 2)
    assert one.tick(12)["lastNodeId"] == "p0.0"
    one.sent = 0  # the header of the first one again
    one.send("order", **first)
    assert one.tick(12)["lastNodeId"] == "p0.0"


def test_it_answers_requests_for_states_and_facts():
    one = OneVehicle(interval=10**6)
    one.tick()
    assert one.client.receive() == []
    assert action(one.act("stateRequest", "s"), "s") == "FINISHED"
    listener = one.broker.client()
    listener.subscribe(["+/+/+/+/factsheet"])
    assert len(listener.receive()) == 1  # retained
    one.act("factsheetRequest", "f")
    assert len(listener.receive()) == 1
