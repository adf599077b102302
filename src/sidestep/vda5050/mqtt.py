"""A client of an MQTT broker, by paho-mqtt."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterable
from typing import Any

from ..model.errors import InputError, MissingExtraError
from .transport import MOST_WAITING, Will

LONGEST_PAUSE = 4  # seconds between two attempts to connect again
LONGEST_END = 5  # seconds that the end of a connection may take
KEEPALIVE = 15  # seconds, as the standard proposes


def paho_client() -> Any:
    """The module of paho-mqtt, or how to install it."""
    try:
        from paho.mqtt import client  # noqa: PLC0415  # only who speaks to a broker needs it
    except ImportError:
        raise MissingExtraError("paho-mqtt", "fleet") from None
    return client


class Mqtt:
    """A client of an MQTT broker, which connects again when the broker comes back: a `Transport`.

    Args:
        host: The broker's name or address.
        port: Its port.
        will: What the broker publishes if this connection breaks.
        username: For a broker that asks for one.
        password: The same.
        tls: True for an encrypted connection, by the certificates that the system trusts.
        timeout: How many seconds the broker may take to answer at first.

    Raises:
        InputError: The broker cannot be reached, or refuses the connection.
        MissingExtraError: paho-mqtt is not installed.
    """

    def __init__(
        self,
        host: str = "localhost",
        port: int = 1883,
        *,
        will: Will | None = None,
        username: str | None = None,
        password: str | None = None,
        tls: bool = False,
        timeout: float = 10.0,
    ) -> None:
        paho = paho_client()
        self._topics: list[str] = []
        self._inbox: deque[tuple[str, bytes]] = deque(maxlen=MOST_WAITING)
        self._unconfirmed: deque[Any] = deque(maxlen=MOST_WAITING)  # messages of quality 1
        self._is_up = threading.Event()
        self._refused = ""
        self.connections = 0
        self.dropped = 0
        client = paho.Client(paho.CallbackAPIVersion.VERSION2)
        if will is not None:
            client.will_set(will.topic, will.payload, qos=1, retain=True)
        if username is not None:
            client.username_pw_set(username, password)
        if tls:
            client.tls_set()
        client.reconnect_delay_set(min_delay=1, max_delay=LONGEST_PAUSE)
        client.on_connect, client.on_message = self._on_connect, self._on_message
        self._client = client
        self._connect(f"{host}:{port}", host, port, timeout)

    def _connect(self, name: str, host: str, port: int, timeout: float) -> None:
        try:
            self._client.connect(host, port, keepalive=KEEPALIVE)
        except (OSError, ValueError) as error:
            raise InputError(f"there is no MQTT broker at {name} ({error}): start one there") from None
        self._client.loop_start()
        if not self._is_up.wait(timeout):
            self._client.loop_stop()
            raise InputError(
                f"{name} does not let us in: {self._refused or 'it does not answer as a broker'}"
            )

    def subscribe(self, topics: Iterable[str]) -> None:
        """Subscribes now and after every reconnection."""
        new = list(topics)
        self._topics += new
        if new:
            self._client.subscribe([(topic, 1) for topic in new])

    def publish(self, topic: str, payload: bytes, *, qos: int = 0, retain: bool = False) -> None:
        """Sends a message; without a connection one of quality 0 is lost."""
        sent = self._client.publish(topic, payload, qos=qos, retain=retain)
        if qos > 0 and sent.rc == 0:  # it is under way
            self._unconfirmed.append(sent)
            while self._unconfirmed and self._unconfirmed[0].is_published():
                self._unconfirmed.popleft()

    def receive(self) -> list[tuple[str, bytes]]:
        """All messages since the last call."""
        return [self._inbox.popleft() for _ in range(len(self._inbox))]

    def close(self) -> None:
        """Ends the connection in order, without the will, and after messages of quality 1 have arrived."""
        until = time.monotonic() + LONGEST_END
        while self._unconfirmed and self._client.is_connected() and time.monotonic() < until:
            self._unconfirmed.popleft().wait_for_publish(until - time.monotonic())
        self._client.disconnect()
        self._client.loop_stop()

    def _on_connect(self, client: Any, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure:
            self._refused = str(reason)
            return
        if self._topics:
            client.subscribe([(topic, 1) for topic in self._topics])
        self.connections += 1
        self._is_up.set()

    def _on_message(self, client: Any, userdata: Any, message: Any) -> None:
        self.dropped += len(self._inbox) == MOST_WAITING
        self._inbox.append((message.topic, message.payload))
