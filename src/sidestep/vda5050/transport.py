"""How messages travel: a small protocol, and a broker within the process that loses some by a seed."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Protocol

from ..model.arrays import is_number, is_whole
from ..model.errors import InputError

MOST_WAITING = 1 << 18  # messages that nobody has fetched; the oldest are dropped first
MOST_TICKS = 1 << 20


@dataclass(frozen=True)
class Will:
    """What a broker publishes, retained, when the connection of a client breaks.

    Attributes:
        topic: Where.
        payload: The message.
    """

    topic: str
    payload: bytes


class Transport(Protocol):
    """One client of a broker. It reconnects and subscribes again by itself."""

    @property
    def connections(self) -> int:
        """How often it has been connected so far; 0 before the first time."""

    @property
    def dropped(self) -> int:
        """How many messages were dropped because nobody fetched them."""

    def subscribe(self, topics: Iterable[str]) -> None:
        """Subscribes now and after every reconnection.

        Args:
            topics: The topics; `+` stands for any level.
        """

    def publish(self, topic: str, payload: bytes, *, qos: int = 0, retain: bool = False) -> None:
        """Sends a message; it may get lost.

        Args:
            topic: Where.
            payload: The message.
            qos: The quality of service, 0 or 1.
            retain: Whether who subscribes later hears it, too.
        """

    def receive(self) -> list[tuple[str, bytes]]:
        """Fetches what has come in since the last call. It does not wait.

        Returns:
            Topics and messages.
        """

    def close(self) -> None:
        """Ends the connection in order: without the will."""


class Loopback:
    """A broker within this process: for trying things, and for tests in which messages get lost.

    Without faults a message arrives at once. What goes wrong is drawn by a seed.

    Args:
        loss: The chance that a message of quality 0 is lost.
        doubling: The chance that a message comes twice.
        lateness: By how many ticks a message is late at most; so messages overtake each other.
        seed: Of all that goes wrong.

    Raises:
        InputError: An argument is none of these.
    """

    def __init__(self, *, loss: float = 0.0, doubling: float = 0.0, lateness: int = 0, seed: int = 0) -> None:
        for value, what in ((loss, "loss"), (doubling, "doubling")):
            if not is_number(value) or not 0 <= value <= 1:
                raise InputError(f"{what} is a chance from 0 to 1, not {value!r}")
        if not is_whole(lateness) or not 0 <= lateness <= MOST_TICKS:
            raise InputError(f"lateness must be ticks, a whole number from 0 on, not {lateness!r}")
        if not is_whole(seed):
            raise InputError(f"seed must be a whole number, not {seed!r}")
        self._loss, self._doubling, self._lateness = float(loss), float(doubling), int(lateness)
        self._random = random.Random(int(seed))
        self._clients: list[_Client] = []
        self._retained: dict[str, bytes] = {}
        self._under_way: list[tuple[int, int, _Client, str, bytes]] = []
        self._now = self._sent = 0
        self.is_up = True

    def client(self, will: Will | None = None) -> Transport:
        """Connects a client.

        Args:
            will: What is published if its connection breaks.

        Returns:
            The client.
        """
        client = _Client(self, will)
        self._clients.append(client)
        return client

    def tick(self) -> None:
        """Lets a tick pass: what is due comes in."""
        self._now += 1
        while self._under_way and self._under_way[0][0] <= self._now:
            _, _, client, topic, payload = heappop(self._under_way)
            client.hear(topic, payload)

    def stop(self) -> None:
        """The broker goes down, and with it all that is under way and retained."""
        self.is_up = False
        self._under_way.clear()
        self._retained.clear()

    def start(self) -> None:
        """The broker comes up again, and all clients connect."""
        if not self.is_up:
            self.is_up = True
            for client in self._clients:
                client.connections += 1

    def cut(self, client: Transport) -> None:
        """A client's connection breaks for good: the broker publishes its will.

        Args:
            client: One that this broker has made.

        Raises:
            InputError: It is none of this broker's.
        """
        if not isinstance(client, _Client) or client not in self._clients:
            raise InputError("this is not a client of this broker, or it is closed")
        self._clients.remove(client)
        if client.will is not None:
            self._spread(client.will.topic, client.will.payload, 1, True)

    def _spread(self, topic: str, payload: bytes, qos: int, retain: bool) -> None:
        """What a client publishes goes to all who have subscribed to it."""
        if not self.is_up:
            return
        if retain:
            self._retained[topic] = payload
        for client in self._clients:
            if client.wants(topic):
                self._deliver(client, topic, payload, qos)

    def _greet(self, client: _Client) -> None:
        """Who subscribes hears what is retained."""
        for topic, payload in self._retained.items():
            if client.wants(topic):
                client.hear(topic, payload)

    def _leave(self, client: _Client) -> None:
        """A client ends its connection."""
        if client in self._clients:
            self._clients.remove(client)

    def _deliver(self, client: _Client, topic: str, payload: bytes, qos: int) -> None:
        if qos == 0 and self._loss and self._random.random() < self._loss:
            return
        twice = self._doubling and self._random.random() < self._doubling
        for _ in range(2 if twice else 1):
            late = self._random.randint(0, self._lateness) if self._lateness else 0
            if late == 0:
                client.hear(topic, payload)
            else:
                self._sent += 1
                heappush(self._under_way, (self._now + late, self._sent, client, topic, payload))


class _Client:
    """A client of a `Loopback`; see `Transport`."""

    def __init__(self, broker: Loopback, will: Will | None) -> None:
        self._broker, self.will = broker, will
        self._topics: set[str] = set()
        self._patterns: list[list[str]] = []  # those with a level that may be any
        self.inbox: deque[tuple[str, bytes]] = deque(maxlen=MOST_WAITING)
        self.connections = int(broker.is_up)
        self.dropped = 0

    def hear(self, topic: str, payload: bytes) -> None:
        self.dropped += len(self.inbox) == MOST_WAITING
        self.inbox.append((topic, payload))

    def wants(self, topic: str) -> bool:
        if topic in self._topics:
            return True
        levels = topic.split("/")
        return any(_matches(pattern, levels) for pattern in self._patterns)

    def subscribe(self, topics: Iterable[str]) -> None:
        for topic in topics:
            if "+" in topic:
                self._patterns.append(topic.split("/"))
            else:
                self._topics.add(topic)
        self._broker._greet(self)

    def publish(self, topic: str, payload: bytes, *, qos: int = 0, retain: bool = False) -> None:
        self._broker._spread(topic, payload, qos, retain)

    def receive(self) -> list[tuple[str, bytes]]:
        heard = list(self.inbox)
        self.inbox.clear()
        return heard

    def close(self) -> None:
        self._broker._leave(self)


def _matches(pattern: list[str], levels: list[str]) -> bool:
    return len(pattern) == len(levels) and all(
        wanted in ("+", level) for wanted, level in zip(pattern, levels, strict=True)
    )
