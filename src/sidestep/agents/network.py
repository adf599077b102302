"""Messages between processes, over zenoh: a router in one of them, and clients around it.

Only explicit endpoints are used, on loopback unless told otherwise, and nobody is looked for by multicast. By
default zenoh drops messages when somebody cannot follow. Here nothing is dropped: a put waits instead, for
seconds if a reader has stopped, so that it happens in a thread of its own.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

from ..model.errors import InputError, MissingExtraError
from . import messages as m

LISTENING = 3.0  # seconds for runs to say that they are there
FEW = 3  # hearers up to which a message is sent to each of them; more share one
ROOT, WORLD_IS_THERE = "sidestep", "alive/world"  # how keys of all runs begin, and that of a world ends
Alive = Callable[[int, int, bool], None]  # agent, incarnation, is it there


@dataclass(frozen=True)
class Tls:
    """Who may take part, proved by certificates on both sides.

    Attributes:
        authority: The path of a PEM file with the certificate that has signed all others.
        certificate: The path of a PEM file with this side's certificate, which names the host that others
            connect to.
        key: The path of a PEM file with its private key.
    """

    authority: str
    certificate: str
    key: str


@dataclass(frozen=True)
class Place:
    """Where a process finds the others.

    Attributes:
        run: the name of the run.
        endpoint: the router's, such as `tcp/127.0.0.1:7447` or `tls/localhost:7447`.
        listen: the endpoint of this process, in a mesh or as the router.
        mode: `client`, `peer` (in a mesh) or `router`.
        tls: certificates, where the endpoint is one of TLS.
    """

    run: str
    endpoint: str
    listen: str = ""
    mode: str = "client"
    tls: Tls | None = None


def config_of(place: Place) -> Any:
    """The configuration of a session: nothing but what is said in `place`."""
    zenoh = zenoh_module()
    config = zenoh.Config()
    is_router = place.mode == "router"
    settings: dict[str, Any] = {
        "mode": place.mode,
        "listen/endpoints": [place.listen] if place.listen else [],
        "connect/endpoints": [] if is_router else [place.endpoint],
        "connect/timeout_ms": 10_000,
        "connect/exit_on_failure": True,
        "scouting/multicast/enabled": False,
        "scouting/gossip/enabled": place.mode == "peer" or is_router,
    }
    if place.tls is not None:
        link = "transport/link/tls"
        settings |= {
            f"{link}/root_ca_certificate": place.tls.authority,
            f"{link}/enable_mtls": True,
            f"{link}/verify_name_on_connect": True,
            f"{link}/listen_certificate": place.tls.certificate,
            f"{link}/listen_private_key": place.tls.key,
            f"{link}/connect_certificate": place.tls.certificate,
            f"{link}/connect_private_key": place.tls.key,
        }
    for name, value in settings.items():
        config.insert_json5(name, json.dumps(value))
    return config


def zenoh_module() -> Any:
    """The package, or how to install it."""
    try:
        import zenoh  # noqa: PLC0415  # only who runs processes needs it
    except ImportError:
        raise MissingExtraError("eclipse-zenoh", "agents") from None
    return zenoh


def opened(place: Place) -> Any:
    """A session with the router, or as it; an InputError if that cannot be had."""
    zenoh = zenoh_module()
    try:
        return zenoh.open(config_of(place))
    except zenoh.ZError as error:
        what = str(error).split(" at /", 1)[0]  # the rest is about the files of zenoh
        raise InputError(f"{place.endpoint} cannot be used as the endpoint of a run: {what}") from None


def runs_at(place: Place) -> list[str]:
    """The names of the runs whose worlds are at the router of this place."""
    session = opened(place)
    try:
        replies = session.liveliness().get(f"{ROOT}/**/{WORLD_IS_THERE}", timeout=LISTENING)
        keys = [str(reply.ok.key_expr) for reply in replies if reply.ok is not None]
    finally:
        session.close()
    return sorted({key.removeprefix(f"{ROOT}/").removesuffix(f"/{WORLD_IS_THERE}") for key in keys})


class Network:
    """One process's way to all others.

    Args:
        place: Where they are.
        agent: Whose process it is; None for the world, which hears everything.
    """

    def __init__(self, place: Place, agent: int | None) -> None:
        zenoh = zenoh_module()
        self._prefix = f"{ROOT}/{place.run}"
        self.inbox: SimpleQueue[tuple[m.Message | str, int]] = SimpleQueue()
        self._out: SimpleQueue[tuple[str, bytes] | None] = SimpleQueue()
        self._quality = {
            "congestion_control": zenoh.CongestionControl.BLOCK,
            "express": True,
        }
        self._session = opened(place)
        heard = ["**"] if agent is None else [f"to/{agent}", "all"]
        others = {"allowed_origin": zenoh.Locality.REMOTE}
        self._kept = [
            self._session.declare_subscriber(f"{self._prefix}/{key}", self._hear, **others) for key in heard
        ]
        if agent is None:
            self._token = self._session.liveliness().declare_token(f"{self._prefix}/{WORLD_IS_THERE}")
        self._sender = threading.Thread(target=self._send_all, daemon=True)
        self._sender.start()

    def _hear(self, sample: Any) -> None:
        data = sample.payload.to_bytes()
        try:
            self.inbox.put((m.decoded(data), len(data)))
        except m.Nonsense as error:
            self.inbox.put((str(error), len(data)))

    def show_life(self, agent: int, incarnation: int) -> None:
        """Lets the router tell the others when this process ends."""
        self._token = self._session.liveliness().declare_token(f"{self._prefix}/alive/{agent}/{incarnation}")

    def watch_life(self, tell: Alive) -> None:
        """Calls `tell` for every agent's process that comes or goes, from a thread of zenoh's."""
        zenoh = zenoh_module()

        def heard(sample: Any) -> None:
            agent, incarnation = str(sample.key_expr).rsplit("/", 2)[1:]
            tell(int(agent), int(incarnation), sample.kind == zenoh.SampleKind.PUT)

        key = f"{self._prefix}/alive/*/*"
        self._kept.append(self._session.liveliness().declare_subscriber(key, heard, history=True))

    def send(self, message: m.Message) -> int:
        """Sends a message to its hearers, soon; returns its bytes."""
        data = m.encoded(message)
        if 0 < len(message.hearers) <= FEW:
            for hearer in message.hearers:
                self._out.put((f"to/{hearer}" if hearer != m.WORLD else "world", data))
        else:
            self._out.put(("all", data))
        return len(data)

    def _send_all(self) -> None:
        while (entry := self._out.get()) is not None:
            key, data = entry
            self._session.put(f"{self._prefix}/{key}", data, **self._quality)

    def hear(self, seconds: float) -> tuple[m.Message | str, int] | None:
        """The next message, or what was wrong with it, and its bytes; None if there is none for so long."""
        try:
            return self.inbox.get(timeout=max(seconds, 0.001))
        except Empty:
            return None

    def close(self) -> None:
        """Sends what is left and ends."""
        self._out.put(None)
        self._sender.join(timeout=10)
        self._session.close()
