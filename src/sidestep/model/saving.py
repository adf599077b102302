"""How things with state pickle: in a form with a number, with a digest, so that nonsense is an error."""

from __future__ import annotations

import hashlib
import pickle
from typing import Any, Protocol, TypeVar

from .errors import FormatError

FORM = 2  # of what is saved; another one is refused


class Saved(Protocol):
    """What has a state that can be saved."""

    def _saved_state(self) -> dict[str, Any]:
        """All that it needs to go on as it would."""
        ...

    @classmethod
    def _from_saved(cls, state: dict[str, Any]) -> Any:
        """One that goes on from such a state."""
        ...


_Thing = TypeVar("_Thing", bound=Saved)


def reduced(thing: Saved) -> tuple[Any, ...]:
    """What `__reduce__` returns for a thing that can be saved."""
    payload = pickle.dumps(thing._saved_state(), protocol=5)
    return restored, (type(thing), FORM, _digest(payload), payload)


def restored(kind: type[_Thing], form: int, digest: bytes, payload: bytes) -> _Thing:
    """A thing that was saved; a FormatError if it was saved in another form, or is damaged.

    As with every pickle: load only what comes from where you trust. The digest finds accidents, not forgery.
    """
    what = getattr(kind, "__name__", "thing")
    if form != FORM:
        raise _refused(f"this {what} was saved in form {form!r}, and this version of sidestep reads {FORM}")
    if not isinstance(payload, bytes) or digest != _digest(payload):
        raise _refused(f"this {what} is damaged: it is not what was saved")
    try:
        thing: _Thing = kind._from_saved(pickle.loads(payload))
    except FormatError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError) as error:
        raise _refused(f"this {what} cannot be restored: {error}") from None
    return thing


def _digest(payload: bytes) -> bytes:
    return hashlib.sha256(payload).digest()


def _refused(message: str) -> FormatError:
    return FormatError(message, source="<saved>")
