"""Trace files: what happened in a world, as JSON, `{"format": "sidestep-trace", "version": 1, ...}`.

`space` and `rules` are as in plan files. `closed` and `opened` are the vertices whose state at
`start_time` differs from the space's own. `starts`, `goals` and `priorities` are those at `start_time`,
before its events; an agent that is added later has -1, -1 and 0 there. `sizes`, `periods`, `facings`,
`headings` and `progress` are there only if they differ from 1, 1, -1, -1 and 0 for some agent. Facings are
0 up, 1 right, 2 down and 3 left, at `start_time` or when an agent is added; `turned` events change them.
`turns` and `paths` are the positions: one path per agent, and an agent stays where its path ends.
`events` are `[time, kind, agent, value]`, the kind being the name of an EventKind in lower case.

The version says which kinds of events a reader must know: a file has the lowest that its events allow, so
that earlier readers still read it if they can, and say that it is newer if they cannot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..model.agents import ATTRIBUTES, MAX_PERIOD, AgentTable
from ..model.arrays import IntArray, int32_array, read_only
from ..model.errors import InputError
from ..model.events import EventKind
from ..model.space import Space
from ..model.trace import AT_REST, Trace
from .files import FilePath, Readable, load, store_text
from .format import our_format
from .jsonfile import INT32, Record, laid_out, versioned
from .paths import MOST_WRITTEN, padded, paths_from, too_many, trimmed
from .spaces import rules_entry, rules_from, space_entry, space_from

FORMAT = "sidestep-trace"

# A kind of event that is added to EventKind gets the next version here; the others are those of version 1.
SINCE: Mapping[int, int] = {
    **dict.fromkeys((EventKind.STUCK, EventKind.BEHIND, EventKind.UNSTUCK), 2),
    **dict.fromkeys((EventKind.TASK, EventKind.ERRAND, EventKind.DUE, EventKind.TAKEN), 3),
    **dict.fromkeys((EventKind.FINISHED, EventKind.GIVEN_BACK, EventKind.RESCUED), 3),
    EventKind.TURNED: 4,
}

ALWAYS_WRITTEN = ("priorities",)  # other attributes of agents only where one is not as usual
_KINDS = {kind.name.lower(): kind for kind in EventKind}
_NEWS = ", with kinds of events that this one does not know"


def write_trace(trace: Trace, path: FilePath) -> None:
    """Writes a trace file: the same trace gives the same bytes.

    Args:
        trace: The trace.
        path: The file.

    Raises:
        InputError: The trace has no positions or too many, or an event of an unknown kind, or the file cannot
            be written.
    """
    store_text(path, dumps_trace(trace))


def dumps_trace(trace: Trace) -> str:
    """The text of such a file."""
    return laid_out(trace_entry(trace))


def trace_entry(trace: Trace) -> dict[str, Any]:
    """A trace as a JSON object."""
    turns = len(trace.positions) - 1
    if turns < 0 or too_many(turns, len(trace.names)):
        raise InputError(f"a trace file holds from 1 to {MOST_WRITTEN} positions")
    usual = trace.space.open
    return {
        "format": FORMAT,
        "version": _version_for(trace.events[:, 1].tolist()),
        "space": space_entry(trace.space),
        "rules": rules_entry(trace.rules),
        "names": list(trace.names),
        "start_time": int(trace.start_time),
        "closed": np.flatnonzero(usual & ~trace.open).tolist(),
        "opened": np.flatnonzero(~usual & trace.open).tolist(),
        "starts": trace.starts.tolist(),
        "goals": trace.goals.tolist(),
        **{
            one.column: getattr(trace, one.column).tolist()
            for one in ATTRIBUTES
            if one.column in ALWAYS_WRITTEN or trace.agents.unusual(one).size
        },
        **{name: getattr(trace, name).tolist() for name in AT_REST if _is_under_way(trace, name)},
        "turns": turns,
        "paths": trimmed(trace.positions),
        "events": [_event_entry(row) for row in trace.events.tolist()],
    }


def newest_version() -> int:
    """The version of a trace file with events of all kinds."""
    return _version_for(EventKind)


def _version_for(kinds: Iterable[int]) -> int:
    return max((SINCE.get(kind, 1) for kind in {*kinds}), default=1)


def _is_under_way(trace: Trace, name: str) -> bool:
    return bool(np.any(getattr(trace, name) != AT_REST[name]))


def _event_entry(row: list[int]) -> list[Any]:
    time, kind, agent, value = row
    try:
        return [time, EventKind(kind).name.lower(), agent, value]
    except ValueError:
        raise InputError(f"a trace file cannot keep an event of unknown kind {kind}") from None


def read_trace(path: Readable) -> Trace:
    """Reads a trace file. It is not judged: see `sidestep.validate_trace`.

    Args:
        path: The file.

    Returns:
        The trace, equal to the one that was written.

    Raises:
        FormatError: The file is malformed, or of a newer version.
        InputError: The file cannot be read.
    """
    document = load(path)
    record = versioned(document, FORMAT, newest_version(), _NEWS)
    space = space_from(record.record("space"))
    names = _names(record)
    turns = record.integer("turns", low=0, high=INT32 - 1)
    document.check_positions(turns, len(names))
    trace = Trace(
        agents=AgentTable(
            space,
            names,
            _per_agent(record, "starts", len(names), low=-1, high=space.n - 1),
            _per_agent(record, "goals", len(names), low=-1, high=space.n - 1),
            **{
                one.column: _per_agent(record, one.column, len(names), low=one.least, high=one.most_on(space))
                for one in ATTRIBUTES
                if one.column in ALWAYS_WRITTEN or record.has(one.column)
            },
        ),
        rules=rules_from(record.record("rules")),
        start_time=record.integer("start_time"),
        open=_open(record, space),
        positions=read_only(padded(paths_from(record, len(names), turns, space.n), turns)),
        events=_events(record, len(names)),
        **{
            name: _per_agent(record, name, len(names), low=low, high=high)
            for name, low, high in (
                ("headings", -1, space.n - 1),
                ("progress", 0, MAX_PERIOD),
            )
            if record.has(name)
        },
    )
    record.done()
    return trace


def _names(record: Record) -> tuple[str, ...]:
    names = record.items("names")
    if not all(isinstance(name, str) and name for name in names) or len(set(names)) < len(names):
        raise record.error("names", "must be different non-empty strings")
    return tuple(names)


def _open(record: Record, space: Space) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    state = space.open.copy()
    for name, value in (("closed", False), ("opened", True)):
        state[record.integers(name, low=0, high=space.n - 1)] = value
    return read_only(state)


def _per_agent(record: Record, name: str, agents: int, *, low: int, high: int) -> IntArray:
    values = record.integers(name, low=low, high=high)
    if len(values) != agents:
        raise record.error(name, f"must have one entry per agent, {agents}, not {len(values)}")
    return int32_array(values, name)


def _events(record: Record, agents: int) -> IntArray:
    rows = record.items("events")
    events = np.empty((len(rows), 4), dtype=np.int32)
    for index, row in enumerate(rows):
        name = f"events[{index}]"
        if not isinstance(row, list) or len(row) != 4:
            raise record.error(name, "must be [time, kind, agent, value]")
        time, kind, agent, value = row
        if not isinstance(kind, str) or kind not in _KINDS:
            raise record.error(name, f"must have one of the kinds {', '.join(_KINDS)}")
        record.integer_in(time, f"{name}[0]", low=-INT32 - 1, high=INT32)
        record.integer_in(agent, f"{name}[2]", low=-1, high=agents - 1)
        record.integer_in(value, f"{name}[3]", low=-INT32 - 1, high=INT32)
        events[index] = (time, _KINDS[kind], agent, value)
    return read_only(events)


TRACE_FORMAT = our_format("trace", FORMAT, "trace", loads={Trace: read_trace}, dumps={Trace: dumps_trace})
