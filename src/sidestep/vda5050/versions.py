"""What differs between the versions 2.1.0 and 3.0.0 of VDA 5050, as far as a fleet is concerned.

| what | 2.1.0 | 3.0.0 |
|---|---|---|
| level of topics | `v2` | `v3` |
| digits of a second in timestamps | 2 | 3 |
| edges of orders | name the nodes at their ends | do not |
| position in a state | `agvPosition`, `positionInitialized` | `mobileRobotPosition`, `localized` |
| battery in a state | `batteryState`, `batteryCharge` | `powerSupply`, `stateOfCharge` |
| emergency stop | `eStop` | `activeEmergencyStop`, without `AUTOACK` |
| states of instant actions | among `actionStates` | `instantActionStates` |
| operating modes | `TEACHIN` | `TEACH_IN`, also `STARTUP` and `INTERVENED` |
| a connection that broke | `CONNECTIONBROKEN` | `CONNECTION_BROKEN`; also `HIBERNATING` |
| levels of errors | `WARNING`, `FATAL` | also `URGENT`, `CRITICAL` |
| types of errors | words such as `orderUpdateError` | a list such as `OUTDATED_ORDER_UPDATE` |
| an update after a cancelled order | not said | refused |
| visualization | all fields may be left out | names the header of the state it goes with |

Zones, requests and their responses, planned paths and hibernation are new in 3.0.0, and are not used here:
who goes first is what the dependencies of the plan say, and they reach a vehicle as its base.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec

from ..model.errors import InputError
from . import messages as m

Refusal = Literal[
    "malformed", "outdated", "same", "other", "start", "route", "gap", "cancelled", "nothing", "action"
]


class Position2(m.Part, frozen=True, kw_only=True):
    """Where a vehicle is, in version 2.1."""

    x: m.Real
    y: m.Real
    theta: m.Angle
    map_id: m.Id
    position_initialized: bool


class Position3(m.Part, frozen=True, kw_only=True):
    """Where a vehicle is, in version 3."""

    x: m.Real
    y: m.Real
    theta: m.Angle
    map_id: m.Id
    localized: bool


class Battery(m.Part, frozen=True, kw_only=True):
    """How full the battery is, in version 2.1."""

    battery_charge: m.Percent
    charging: bool


class Power(m.Part, frozen=True, kw_only=True):
    """How full the battery is, in version 3."""

    state_of_charge: m.Percent
    charging: bool


class Safety2(m.Part, frozen=True, kw_only=True):
    """Emergency stop and protective field, in version 2.1."""

    e_stop: Literal["AUTOACK", "MANUAL", "REMOTE", "NONE"]
    field_violation: bool


class Safety3(m.Part, frozen=True, kw_only=True):
    """Emergency stop and protective field, in version 3."""

    active_emergency_stop: Literal["MANUAL", "REMOTE", "NONE"]
    field_violation: bool


class Edge2(m.Edge, frozen=True, kw_only=True):
    """An edge of an order in version 2.1, with its ends."""

    start_node_id: m.Id
    end_node_id: m.Id


class Order2(m.Order, frozen=True, kw_only=True):
    """An order in version 2.1."""

    edges: Annotated[tuple[Edge2, ...], msgspec.Meta(max_length=m.MOST_NODES)]


class State2(m.State, frozen=True, kw_only=True):
    """A state in version 2.1."""

    operating_mode: Literal["AUTOMATIC", "SEMIAUTOMATIC", "MANUAL", "SERVICE", "TEACHIN"]
    battery_state: Battery
    safety_state: Safety2
    agv_position: Position2 | None = None

    @property
    def point(self) -> tuple[float, float] | None:
        """Where the vehicle is, if it knows."""
        at = self.agv_position
        return (at.x, at.y) if at is not None and at.position_initialized else None


class State3(m.State, frozen=True, kw_only=True):
    """A state in version 3."""

    operating_mode: Literal[
        "STARTUP", "AUTOMATIC", "SEMIAUTOMATIC", "INTERVENED", "MANUAL", "SERVICE", "TEACH_IN"
    ]
    power_supply: Power
    safety_state: Safety3
    instant_action_states: m.ActionStates
    mobile_robot_position: Position3 | None = None

    @property
    def instants(self) -> m.ActionStates:
        """How far instant actions have come."""
        return self.instant_action_states

    @property
    def point(self) -> tuple[float, float] | None:
        """Where the vehicle is, if it knows."""
        at = self.mobile_robot_position
        return (at.x, at.y) if at is not None and at.localized else None


class Connection2(m.Header, frozen=True, kw_only=True):
    """Whether a vehicle is connected, in version 2.1."""

    connection_state: Literal["ONLINE", "OFFLINE", "CONNECTIONBROKEN"]


class Connection3(m.Header, frozen=True, kw_only=True):
    """Whether a vehicle is connected, in version 3."""

    connection_state: Literal["ONLINE", "OFFLINE", "HIBERNATING", "CONNECTION_BROKEN"]


class Visualization2(m.Header, frozen=True, kw_only=True):
    """Where a vehicle is, as often as wanted, in version 2.1."""

    agv_position: Position2


class Visualization3(m.Header, frozen=True, kw_only=True):
    """Where a vehicle is, as often as wanted, in version 3: and which state that goes with."""

    reference_state_header_id: m.Uint32
    mobile_robot_position: Position3


class Limits2(m.Part, frozen=True, kw_only=True):
    """The limits of a vehicle in version 2.1."""

    max_array_lens: dict[str, m.Uint32] = msgspec.field(default_factory=dict)


class Limits3(m.Part, frozen=True, kw_only=True):
    """The limits of a vehicle in version 3."""

    maximum_array_lengths: dict[str, m.Uint32] = msgspec.field(default_factory=dict)


class Factsheet2(m.Header, frozen=True, kw_only=True):
    """What a vehicle can do, in version 2.1, as far as orders depend on it."""

    protocol_limits: Limits2

    @property
    def most_nodes(self) -> int:
        """How many nodes an order may have; 0 if that is not limited."""
        return self.protocol_limits.max_array_lens.get("order.nodes", 0)


class Factsheet3(m.Header, frozen=True, kw_only=True):
    """What a vehicle can do, in version 3, as far as orders depend on it."""

    protocol_limits: Limits3

    @property
    def most_nodes(self) -> int:
        """How many nodes an order may have; 0 if that is not limited."""
        return self.protocol_limits.maximum_array_lengths.get("order.nodes", 0)


@dataclass(frozen=True)
class Version:
    """A version of the protocol.

    Attributes:
        name: As it is in headers.
        interface: The first level of topics, unless another is wanted.
        digits: Of a second in timestamps.
        broken: The state of a connection that broke.
        readers: Of messages, by topic.
    """

    name: str
    interface: str
    digits: int
    broken: str
    readers: dict[str, msgspec.json.Decoder[Any]]

    @property
    def level(self) -> str:
        """The level of topics that names the major version."""
        return f"v{self.name.partition('.')[0]}"

    def refusal(self, why: Refusal) -> str:
        """The type of the error by which a vehicle refuses something."""
        return REFUSALS[why][self.level == "v3"]

    def edge(self, ends: tuple[str, str], **common: Any) -> m.Edge:
        """An edge of an order between two nodes."""
        if self.level == "v3":
            return m.Edge(**common)
        return Edge2(start_node_id=ends[0], end_node_id=ends[1], **common)

    def of_order(self, **common: Any) -> m.Order:
        """An order."""
        return m.Order(**common) if self.level == "v3" else Order2(**common)

    def of_state(
        self, *, at: tuple[float, float, float, str], instants: tuple[m.ActionState, ...], **common: Any
    ) -> m.State:
        """The state of a vehicle with a full battery at (x, y, theta, map) that is driven by the fleet."""
        if self.level == "v3":
            own: dict[str, Any] = {
                "power_supply": Power(state_of_charge=100.0, charging=False),
                "safety_state": Safety3(active_emergency_stop="NONE", field_violation=False),
                **{"instant_action_states": instants, "action_states": ()},
            }
            return State3(operating_mode="AUTOMATIC", **self._position(at), **own, **common)
        own = {
            "battery_state": Battery(battery_charge=100.0, charging=False),
            "safety_state": Safety2(e_stop="NONE", field_violation=False),
        }
        position = self._position(at)
        return State2(operating_mode="AUTOMATIC", action_states=instants, **position, **own, **common)

    def _position(self, at: tuple[float, float, float, str]) -> dict[str, Any]:
        """The field that says where a vehicle is."""
        place: dict[str, Any] = dict(zip(("x", "y", "theta", "map_id"), at, strict=True))
        if self.level == "v3":
            return {"mobile_robot_position": Position3(localized=True, **place)}
        return {"agv_position": Position2(position_initialized=True, **place)}

    def of_connection(self, state: str, **header: Any) -> m.Header:
        """A message that says how a vehicle is connected."""
        kind = Connection3 if self.level == "v3" else Connection2
        return kind(connection_state=state, **header)  # type: ignore[arg-type]

    def of_visualization(
        self, at: tuple[float, float, float, str], last_state: int, header: dict[str, Any]
    ) -> m.Header:
        """A message that says where a vehicle is."""
        if self.level == "v3":
            return Visualization3(reference_state_header_id=last_state, **self._position(at), **header)
        return Visualization2(**self._position(at), **header)


# By what type of error a vehicle refuses something, in version 2.1 and in version 3. The former has few.
REFUSALS: dict[Refusal, tuple[str, str]] = {
    "malformed": ("validationError", "VALIDATION_FAILURE"),
    "outdated": ("orderUpdateError", "OUTDATED_ORDER_UPDATE"),
    "same": ("orderUpdateError", "SAME_ORDER_UPDATE_ID"),
    "other": ("orderError", "OTHER_ORDER_ACTIVE"),
    "start": ("orderError", "START_NODE_OUT_OF_RANGE"),
    "route": ("orderError", "NO_ROUTE_TO_TARGET"),
    "gap": ("orderUpdateError", "VALIDATION_FAILURE"),
    "cancelled": ("orderUpdateError", "ORDER_UPDATE_FOLLOWING_CANCEL"),
    "nothing": ("noOrderToCancel", "NO_ORDER_TO_CANCEL"),
    "action": ("instantActionError", "INVALID_INSTANT_ACTION"),
}


def _readers(**kinds: type[m.Header]) -> dict[str, msgspec.json.Decoder[Any]]:
    common = {"instantActions": m.InstantActions, **kinds}
    return {name: msgspec.json.Decoder(kind) for name, kind in common.items()}


VERSION_2 = Version(
    "2.1.0",
    interface="uagv",
    digits=2,
    broken="CONNECTIONBROKEN",
    readers=_readers(order=Order2, state=State2, connection=Connection2, factsheet=Factsheet2),
)
VERSION_3 = Version(
    "3.0.0",
    interface="vda5050",
    digits=3,
    broken="CONNECTION_BROKEN",
    readers=_readers(order=m.Order, state=State3, connection=Connection3, factsheet=Factsheet3),
)
VERSIONS = {version.name: version for version in (VERSION_2, VERSION_3)}


def version_of(name: str) -> Version:
    """The version of this name, or an InputError."""
    if name not in VERSIONS:
        raise InputError(f"version must be one of {', '.join(VERSIONS)}, not {name!r}")
    return VERSIONS[name]
