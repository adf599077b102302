"""Messages have the fields that the standard asks for, and nonsense does nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidestep import vda5050
from sidestep.vda5050 import messages as m
from sidestep.vda5050.versions import VERSIONS

from .lanes import Run, lane_grid, random_work

# What the standard's tables say of messages: types of fields, "?" for those that may be left out, a list for
# arrays, a dictionary for objects, a set of words for enumerations. From the text of both versions.
COUNT, NUMBER, WORD, FLAG = int, float, str, bool
HEADER = {
    **{"headerId": COUNT, "timestamp": WORD, "version": WORD},
    **{"manufacturer": WORD, "serialNumber": WORD},
}
POSITION = {"x": NUMBER, "y": NUMBER, "mapId": WORD}
ACTION = {"actionType": WORD, "actionId": WORD, "blockingType": {"NONE", "SOFT", "HARD"}}
EDGE = {"edgeId": WORD, "sequenceId": COUNT, "released": FLAG, "actions": [ACTION]}
NODE_STATE = {"nodeId": WORD, "sequenceId": COUNT, "released": FLAG}
ERROR = {
    "errorType": WORD,
    "errorReferences?": [{"referenceKey": WORD, "referenceValue": WORD}],
    "errorDescription?": WORD,
    "errorLevel": {"WARNING", "FATAL"},
}
ACTION_STATE = {
    "actionId": WORD,
    "actionType?": WORD,
    "actionStatus": {"WAITING", "INITIALIZING", "RUNNING", "FINISHED", "FAILED"},
}
STATE = {
    **HEADER,
    **{"orderId": WORD, "orderUpdateId": COUNT, "lastNodeId": WORD, "lastNodeSequenceId": COUNT},
    **{"driving": FLAG, "paused?": FLAG, "newBaseRequest?": FLAG},
    "nodeStates": [NODE_STATE],
    "edgeStates": [{"edgeId": WORD, "sequenceId": COUNT, "released": FLAG}],
    "actionStates": [ACTION_STATE],
    "errors": [ERROR],
}
ORDER = {
    **HEADER,
    **{"orderId": WORD, "orderUpdateId": COUNT},
    "nodes": [{**NODE_STATE, "actions": [ACTION], "nodePosition?": POSITION}],
}
FIELDS: dict[str, dict[str, Any]] = {
    "2.1.0": {
        "order": {**ORDER, "edges": [{**EDGE, "startNodeId": WORD, "endNodeId": WORD}]},
        "instantActions": {**HEADER, "actions": [ACTION]},
        "state": {
            **STATE,
            "operatingMode": {"AUTOMATIC", "SEMIAUTOMATIC", "MANUAL", "SERVICE", "TEACHIN"},
            "agvPosition?": {**POSITION, "theta": NUMBER, "positionInitialized": FLAG},
            "batteryState": {"batteryCharge": NUMBER, "charging": FLAG},
            "safetyState": {"eStop": {"AUTOACK", "MANUAL", "REMOTE", "NONE"}, "fieldViolation": FLAG},
        },
        "connection": {**HEADER, "connectionState": {"ONLINE", "OFFLINE", "CONNECTIONBROKEN"}},
        "visualization": {
            **HEADER,
            "agvPosition": {**POSITION, "theta": NUMBER, "positionInitialized": FLAG},
        },
        "factsheet": {
            **HEADER,
            "typeSpecification": {
                **{"seriesName": WORD, "agvKinematic": {"DIFF", "OMNI", "THREEWHEEL"}},
                "agvClass": {"FORKLIFT", "CONVEYOR", "TUGGER", "CARRIER"},
                "maxLoadMass": NUMBER,
                "localizationTypes": [{"NATURAL", "REFLECTOR", "RFID", "DMC", "SPOT", "GRID"}],
                "navigationTypes": [{"PHYSICAL_LINE_GUIDED", "VIRTUAL_LINE_GUIDED", "AUTONOMOUS"}],
            },
            "physicalParameters": {
                **{"speedMin": NUMBER, "speedMax": NUMBER, "accelerationMax": NUMBER},
                **{"decelerationMax": NUMBER, "heightMin?": NUMBER, "heightMax": NUMBER},
                **{"width": NUMBER, "length": NUMBER},
            },
            "protocolLimits": {
                "maxStringLens": {},
                "maxArrayLens": {"order.nodes?": COUNT, "order.edges?": COUNT},
                "timing": {"minOrderInterval": NUMBER, "minStateInterval": NUMBER},
            },
            "protocolFeatures": {
                "optionalParameters": [],
                "agvActions": [{"actionType": WORD, "actionScopes": [{"INSTANT", "NODE", "EDGE"}]}],
            },
            **{"agvGeometry": {}, "loadSpecification": {}},
        },
    },
    "3.0.0": {
        "order": {**ORDER, "edges": [EDGE]},
        "instantActions": {**HEADER, "actions": [{**ACTION, "blockingType": {"NONE"}}]},
        "state": {
            **STATE,
            "operatingMode": {
                *("STARTUP", "AUTOMATIC", "SEMIAUTOMATIC", "INTERVENED", "MANUAL", "SERVICE", "TEACH_IN")
            },
            "mobileRobotPosition?": {**POSITION, "theta": NUMBER, "localized": FLAG},
            "powerSupply": {"stateOfCharge": NUMBER, "charging": FLAG},
            "instantActionStates": [ACTION_STATE],
            "safetyState": {"activeEmergencyStop": {"MANUAL", "REMOTE", "NONE"}, "fieldViolation": FLAG},
            "errors": [{**ERROR, "errorLevel": {"WARNING", "URGENT", "CRITICAL", "FATAL"}}],
        },
        "connection": {
            **HEADER,
            "connectionState": {"ONLINE", "OFFLINE", "HIBERNATING", "CONNECTION_BROKEN"},
        },
        "visualization": {
            **HEADER,
            "referenceStateHeaderId": COUNT,
            "mobileRobotPosition": {**POSITION, "theta": NUMBER, "localized": FLAG},
        },
        "factsheet": {
            **HEADER,
            "typeSpecification": {
                **{"seriesName": WORD, "mobileRobotKinematics": WORD, "mobileRobotClass": WORD},
                **{"maximumLoadMass": NUMBER, "localizationTypes": [WORD], "navigationTypes": [WORD]},
            },
            "physicalParameters": {
                **{"minimumSpeed": NUMBER, "maximumSpeed": NUMBER, "maximumAcceleration": NUMBER},
                **{"maximumDeceleration": NUMBER, "minimumHeight": NUMBER, "maximumHeight": NUMBER},
                **{"width": NUMBER, "length": NUMBER},
            },
            "protocolLimits": {
                "maximumStringLengths": {},
                "maximumArrayLengths": {"order.nodes?": COUNT, "order.edges?": COUNT},
                "timing": {"minimumOrderInterval": NUMBER, "minimumStateInterval": NUMBER},
            },
            "protocolFeatures": {
                "optionalParameters": [],
                "mobileRobotActions": [
                    {
                        **{"actionType": WORD, "pauseAllowed": FLAG, "cancelAllowed": FLAG},
                        "actionScopes": [{"INSTANT", "NODE", "EDGE", "ZONE"}],
                    }
                ],
            },
            **{"mobileRobotGeometry": {}, "loadSpecification": {}},
        },
    },
}
DIGITS = {"2.1.0": 2, "3.0.0": 3}


def differences(fields: Any, value: Any, where: str = "") -> list[str]:
    """Where a message is not as the tables say."""
    if isinstance(fields, dict):
        if not isinstance(value, dict):
            return [f"{where} is no object"]
        known = {name.rstrip("?") for name in fields}
        wrong = [f"{where}.{name} is unknown" for name in value.keys() - known]
        for name, inner in fields.items():
            if name.rstrip("?") in value:
                wrong += differences(inner, value[name.rstrip("?")], f"{where}.{name}")
            elif not name.endswith("?"):
                wrong.append(f"{where}.{name} is missing")
        return wrong
    if isinstance(fields, list):
        if not isinstance(value, list):
            return [f"{where} is no array"]
        return [one for entry in value for one in differences(fields[0] if fields else {}, entry, where)]
    if isinstance(fields, set):
        return [] if value in fields else [f"{where} is {value!r}"]
    fits = type(value) is fields or (fields is float and type(value) is int)
    return [] if fits else [f"{where} is {value!r}"]


@pytest.mark.parametrize("version", list(FIELDS))
def test_every_message_of_a_run_has_the_fields_of_the_standard(version):
    layout = lane_grid(3, 3)
    run = Run(layout, random_work(layout, 4, 1), version=version)
    listener = run.broker.client()
    listener.subscribe([f"+/+/+/+/{topic}" for topic in FIELDS[version]])
    run.tick(3)
    run.master.pause("a0")
    run.vehicles.visualize()
    run.witness.publish(run.master._books[0].desk.topic("order"), b'{"orderId": 7}')
    run.tick(3)
    run.master.resume("a0")
    run.until_done()
    run.vehicles.close()
    heard: dict[str, list[dict[str, Any]]] = {topic: [] for topic in FIELDS[version]}
    for topic, payload in listener.receive():
        if payload != b'{"orderId": 7}':
            heard[topic.split("/")[-1]].append(json.loads(payload))
    for topic, fields in FIELDS[version].items():
        assert heard[topic], topic
        for message in heard[topic]:
            assert differences(fields, message) == []
            assert message["version"] == version
            assert len(message["timestamp"]) == len("2026-11-18T05:00:00.Z") + DIGITS[version]
    assert any(state["errors"] for state in heard["state"])
    assert any(node["released"] is False for order in heard["order"] for node in order["nodes"])


@pytest.mark.parametrize("version", list(FIELDS))
def test_a_will_says_that_the_connection_broke(version):
    will = vda5050.will_of("r1", version=version)
    message = json.loads(will.payload)
    assert differences(FIELDS[version]["connection"], message) == []
    assert message["connectionState"] in ("CONNECTIONBROKEN", "CONNECTION_BROKEN")
    level = {"2.1.0": "uagv/v2", "3.0.0": "vda5050/v3"}[version]
    assert will.topic == f"{level}/sidestep/r1/connection"


def node(number: int, released: bool = True) -> m.Node:
    return m.Node(node_id=f"n{number}", sequence_id=number, released=released, actions=())


def edge(number: int, released: bool = True) -> m.Edge:
    return m.Edge(edge_id=f"e{number}", sequence_id=number, released=released, actions=())


def order(nodes: list[m.Node], edges: list[m.Edge]) -> m.Order:
    header = {"header_id": 0, "timestamp": "2026-01-01T00:00:00.00Z", "version": "3.0.0"}
    header |= {"manufacturer": "m", "serial_number": "s"}
    return m.Order(order_id="o", order_update_id=0, nodes=tuple(nodes), edges=tuple(edges), **header)


def test_what_makes_an_order_a_way():
    good = order([node(4), node(6), node(8, False)], [edge(5), edge(7, False)])
    assert m.fault_of(good) is None
    assert m.fault_of(order([node(0)], [])) is None
    for nodes, edges, what in (
        ([node(0), node(2)], [], "have 1 edges"),
        ([node(1)], [], "even sequenceId"),
        ([node(0, False)], [], "must be released"),
        ([node(0), node(4)], [edge(1)], "do not go up by 1"),
        ([node(0), node(2)], [edge(3)], "do not go up by 1"),
        ([node(0), node(2, False), node(4)], [edge(1, False), edge(3)], "behind one that is not"),
        ([node(0), node(2)], [edge(1, False)], "not released together"),
    ):
        assert what in str(m.fault_of(order(nodes, edges)))


def state_of(version: str) -> dict[str, Any]:
    """A valid state message, as a simulated vehicle sends it."""
    layout = lane_grid(2, 2)
    run = Run(layout, random_work(layout, 1, 0), version=version)
    run.tick(2)
    return next(iter(run.said("state").values()))[-1]


def broken_states(version: str) -> list[bytes]:
    good = state_of(version)
    changes: list[dict[str, Any]] = [
        *({name: None} for name in ("orderId", "headerId", "timestamp", "nodeStates", "driving")),
        *({name: []} for name in ("orderId", "headerId", "driving", "lastNodeSequenceId")),
        *({"headerId": value} for value in (-1, 2**32, 1.5, "1", True)),
        {"timestamp": "yesterday"},
        {"lastNodeSequenceId": 3},
        {"lastNodeSequenceId": 2 * 10**3},
        {"lastNodeSequenceId": 2**32 - 2},
        {"lastNodeId": "nowhere"},
        {"lastNodeId": "x" * 300},
        {"orderUpdateId": 10**6},
        {"nodeStates": [{"nodeId": "a"}]},
        {"nodeStates": [good["nodeStates"][0]] * 20_000} if good["nodeStates"] else {"nodeStates": 1},
        {"serialNumber": "somebody"},
        {"manufacturer": "somebody"},
        {"version": "7.0.0"},
        {"operatingMode": "DANCING"},
        {"errors": [{"errorType": "x", "errorLevel": "SMALL"}]},
    ]
    fresh = {"headerId": 999, "timestamp": "2030-01-01T00:00:00.00Z"}
    texts = [json.dumps({**good, **fresh, **change}).encode() for change in changes]
    return [*texts, b"", b"\xff", b"null", b"[" * 100_000, b'{"headerId": 1e999}', b"{}" * (1 << 20)]


@pytest.mark.parametrize("version", list(FIELDS))
def test_a_state_that_makes_no_sense_is_noticed_and_does_nothing(version):
    layout = lane_grid(2, 2)
    run = Run(layout, random_work(layout, 1, 0), version=version)
    run.tick(2)
    topic = run.master._books[0].desk.topic("state")
    for payload in broken_states(version):
        before, seen = len(run.master.notices), list(run.fleet.commands)
        run.witness.publish(topic, payload)
        run.master.tick()
        assert len(run.master.notices) > before, payload[:200]
        assert list(run.fleet.commands) == seen
        assert not run.fleet.astray
    run.witness.publish("uagv/v2/sidestep/nobody/state", b"{}")
    run.witness.publish(topic.replace("a0", "nobody"), b"{}")
    run.master.tick()
    assert "nobody" in run.master.notices[-1].what
    run.until_done()
    assert run.fleet.done


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(["state", "connection", "factsheet", "order", "instantActions"]), st.data())
def test_no_message_whatever_raises_in_master_or_vehicle(topic, data):
    version = data.draw(st.sampled_from(list(VERSIONS)))
    layout = lane_grid(2, 2)
    run = Run(layout, random_work(layout, 1, 0), version=version)
    run.tick(2)
    good = run.said(topic if topic in ("state", "order", "instantActions") else "state")
    message = dict(next(iter(good.values()))[-1])
    for name in data.draw(st.lists(st.sampled_from(sorted(message)), max_size=3)):
        message[name] = data.draw(JSON)
    payload = data.draw(st.sampled_from([json.dumps(message).encode()]) | st.binary(max_size=50))
    run.witness.publish(run.master._books[0].desk.topic(topic), payload)  # type: ignore[arg-type]
    run.tick(3)
    assert run.judged()
