"""Scenes as the bytes that the player reads: a JSON header and arrays behind it, gzipped together.

    uint32 length of the header | header, UTF-8 JSON | arrays, each at a multiple of 4 bytes

All little-endian. The header refers to an array as `[first byte, type, count]`, counted from the first
array; equal arrays (the map of two scenes) are stored once.

Positions are moves: per agent, one byte per step, which is an index into `deltas`, the most frequent
differences between the vertex ids of successive times. On a grid these are the 5 or 9 moves, and the steps
of one agent, side by side, compress to about a bit each. `JUMP` stands for any other step, also for
appearing and disappearing: its target is the next entry of `jumps`. Where agents have to turn, `facings` is a
byte per agent and time, 0 to 3 clockwise from up, side by side per agent, too.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from ..judge import Violation
from ..model.agents import ATTRIBUTES, FACINGS, Attribute
from ..model.grid import Grid
from .scene import Scene

VERSION = 1
JUMP = 255
SHOWN = ("sizes", "periods")  # the attributes of agents that a replay draws

_TYPES = {"u1": np.uint8, "i4": np.int32, "f4": np.float32}


def payload(scenes: tuple[Scene, ...], *, title: str, note: str) -> bytes:
    """The gzipped bytes; the same scenes give the same bytes."""
    arrays = _Arrays()
    document = {
        "version": VERSION,
        "title": title,
        "note": note,
        "scenes": [_scene_entry(scene, arrays) for scene in scenes],
    }
    header = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # A lone surrogate, which a name may hold, has no bytes of its own in UTF-8.
    text = _padded(header.encode("utf-8", errors="replace"), b" ")
    length = np.uint32(len(text)).tobytes()
    return gzip.compress(b"".join([length, text, *arrays.chunks]), compresslevel=6, mtime=0)


class _Arrays:
    """The arrays behind the header, and where each of them begins."""

    def __init__(self) -> None:
        self.chunks: list[bytes] = []
        self._size = 0
        self._known: dict[tuple[str, bytes], list[Any]] = {}

    def add(self, values: Any, kind: str) -> list[Any]:
        """Stores an array unless it is there already, and returns how the header refers to it."""
        array = np.ascontiguousarray(values, dtype=_TYPES[kind]).reshape(-1)
        data = array.astype(array.dtype.newbyteorder("<")).tobytes()
        if (kind, data) not in self._known:
            self._known[kind, data] = [self._size, kind, array.size]
            self.chunks.append(_padded(data, b"\0"))
            self._size += len(self.chunks[-1])
        return self._known[kind, data]


def _padded(data: bytes, filler: bytes) -> bytes:
    return data + filler * (-len(data) % 4)


def _scene_entry(scene: Scene, arrays: _Arrays) -> dict[str, Any]:
    usual = tuple(f"a{index}" for index in range(len(scene.names)))
    return {
        "label": scene.label,
        "space": _space_entry(scene, arrays),
        "open": arrays.add(np.packbits(scene.open, bitorder="little"), "u1"),
        "startTime": scene.start_time,
        "steps": scene.steps,
        "agents": len(scene.names),
        "names": None if scene.names == usual else list(scene.names),
        "rules": asdict(scene.rules),
        "starts": arrays.add(scene.starts, "i4"),
        "goals": arrays.add(scene.goals, "i4"),
        "hues": arrays.add(scene.hues, "u1"),
        **{one.column: _unless_usual(scene, one, arrays) for one in ATTRIBUTES if one.column in SHOWN},
        "events": arrays.add(scene.events, "i4"),
        "facts": list(scene.facts),
        "verdict": _verdict_entry(scene),
        "remarks": [  # what captions are called there
            [int(caption.time), caption.kind, [int(agent) for agent in caption.agents], caption.text]
            for caption in scene.captions
        ],
        **({"question": scene.question} if scene.question else {}),
        **({"costs": {"rows": list(scene.costs), "bound": scene.cost_bound}} if scene.costs else {}),
        **_moves_entry(scene.positions, arrays),
        **_facings_entry(scene, arrays),
    }


def _unless_usual(scene: Scene, attribute: Attribute, arrays: _Arrays) -> list[Any] | None:
    """A column of the table of agents, or nothing where all entries are the usual ones."""
    if not scene.agents.unusual(attribute).size:
        return None
    return arrays.add(getattr(scene, attribute.column), "i4")


def _space_entry(scene: Scene, arrays: _Arrays) -> dict[str, Any]:
    space = scene.space
    if isinstance(space, Grid):
        return {
            "kind": "grid",
            "height": space.height,
            "width": space.width,
            "connectivity": space.connectivity,
            "corners": space.corners,
        }
    return {
        "kind": "graph",
        "vertices": space.n,
        "directed": space.directed,
        "places": arrays.add(scene.places, "f4"),
        "edges": arrays.add(space.edges, "i4"),
    }


def _verdict_entry(scene: Scene) -> dict[str, Any] | None:
    report = scene.report
    if report is None:
        return None
    return {
        "valid": bool(report),
        "count": report.count,
        "violations": [_violation_entry(one, scene) for one in report.violations],
    }


def _violation_entry(violation: Violation, scene: Scene) -> list[Any]:
    place = violation.place
    vertex = -1 if place is None else scene.space.vertex(place)
    sentence = violation.sentence(scene.names)
    return [str(violation.kind), violation.time, violation.agents, vertex, sentence]


def _moves_entry(positions: npt.NDArray[np.int32], arrays: _Arrays) -> dict[str, Any]:
    paths = positions.T
    after = paths[:, 1:]
    steps = np.diff(paths, axis=1)
    deltas = _most_frequent(steps)
    codes = np.full(steps.shape, JUMP, dtype=np.uint8)
    for code, delta in enumerate(deltas.tolist()):
        codes[steps == delta] = code
    codes[(paths[:, :-1] < 0) != (after < 0)] = JUMP  # a difference would mean nothing here
    return {
        "first": arrays.add(positions[0], "i4"),
        "deltas": arrays.add(deltas, "i4"),
        "codes": arrays.add(codes, "u1"),
        "jumps": arrays.add(after[codes == JUMP], "i4"),
    }


def _facings_entry(scene: Scene, arrays: _Arrays) -> dict[str, Any]:
    """Nothing where nobody has to turn."""
    facings = scene.facings_by_time
    return {} if facings is None else {"facings": arrays.add(facings.T % len(FACINGS), "u1")}


def _most_frequent(steps: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    values, counts = np.unique(steps, return_counts=True)
    return values[np.argsort(-counts, kind="stable")][:16]
