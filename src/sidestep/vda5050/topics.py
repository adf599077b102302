"""Topics and headers: who publishes what where, with which quality, and under which number."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ..model.errors import InputError
from .messages import encoded
from .transport import Transport, Will
from .versions import Version, version_of

Topic = Literal["order", "instantActions", "state", "visualization", "connection", "factsheet"]

RETAINED = ("connection", "factsheet")
AT_LEAST_ONCE = "connection"  # all other topics have quality of service 0
LEVEL = re.compile(r"[A-Za-z0-9_.:-]{1,128}")

Clock = Callable[[], float]


def require_level(value: object, what: str) -> str:
    """A level of topics: letters, digits and `_.:-`."""
    if not isinstance(value, str) or not LEVEL.fullmatch(value):
        raise InputError(f"{what} must be 1 to 128 of the letters A-Z a-z 0-9 _ . : -, not {value!r}")
    return value


@dataclass
class Desk:
    """What is sent for one vehicle, by the vehicle itself or to it: topics, and headers that count.

    Attributes:
        version: Of the protocol.
        interface: The first level of topics.
        manufacturer: Of the vehicle.
        serial: Of the vehicle.
        clock: Seconds since 1970.
    """

    version: Version
    interface: str
    manufacturer: str
    serial: str
    clock: Clock = time.time
    _sent: dict[str, int] = field(default_factory=dict)

    def topic(self, name: Topic) -> str:
        """The topic of this vehicle."""
        return f"{self.interface}/{self.version.level}/{self.manufacturer}/{self.serial}/{name}"

    def header(self, name: Topic) -> dict[str, Any]:
        """The header of the next message on a topic."""
        number = self._sent.get(name, 0)
        self._sent[name] = (number + 1) % 2**32
        return {
            "header_id": number,
            "timestamp": self.timestamp(),
            "version": self.version.name,
            "manufacturer": self.manufacturer,
            "serial_number": self.serial,
        }

    def last(self, name: Topic) -> int:
        """The number of the last message on a topic; 0 if there was none."""
        return max(0, self._sent.get(name, 0) - 1)

    def timestamp(self) -> str:
        """Now, as messages have it."""
        now = self.clock()
        digits = self.version.digits
        parts = int(now * 10**digits)
        seconds, rest = divmod(parts, 10**digits)
        return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{rest:0{digits}d}Z"

    def publish(self, transport: Transport, name: Topic, message: Any) -> None:
        """Sends a message, with the quality and the retention of its topic."""
        quality = 1 if name == AT_LEAST_ONCE else 0
        transport.publish(self.topic(name), encoded(message), qos=quality, retain=name in RETAINED)

    def will(self) -> Will:
        """What the broker publishes if the vehicle's connection breaks."""
        message = self.version.of_connection(self.version.broken, **self.header("connection"))
        return Will(self.topic("connection"), encoded(message))


@dataclass(frozen=True)
class Speech:
    """How all vehicles of a fleet are spoken to.

    Attributes:
        version: Of the protocol, by its name.
        manufacturer: Of the vehicles.
        interface: The first level of topics; None for that of the version.
        clock: Seconds since 1970.
    """

    version: str
    manufacturer: str
    interface: str | None
    clock: Clock

    def desks(self, names: Sequence[str], serials: Mapping[str, str] | None) -> list[Desk]:
        """A desk per agent; its serial number is its name, unless another is said."""
        version = version_of(self.version)
        root = require_level(self.interface or version.interface, "interface")
        maker = require_level(self.manufacturer, "manufacturer")
        other = serials or {}
        unknown = sorted(set(other) - set(names))
        if unknown:
            raise InputError(f"there is no agent called {unknown[0]!r} to have a serial number")
        found = [require_level(other.get(name, name), "a serial number") for name in names]
        if len(set(found)) < len(found):
            raise InputError("two vehicles have the same serial number: give each its own")
        return [Desk(version, root, maker, serial, self.clock) for serial in found]

    def everybody(self, name: Topic) -> str:
        """The topic of all vehicles, to subscribe to."""
        version = version_of(self.version)
        return f"{self.interface or version.interface}/{version.level}/{self.manufacturer}/+/{name}"


def parts_of(topic: str) -> tuple[str, str] | None:
    """The serial number and the last level of a topic; None if it is none of ours."""
    levels = topic.split("/")
    return (levels[-2], levels[-1]) if len(levels) >= 5 else None
