"""What a process has in memory, and how it gives back what it does not need. Only Linux with glibc tells."""

from __future__ import annotations

import ctypes
import gc
import mmap
from contextlib import suppress
from pathlib import Path

MEGABYTE = 2**20


class _Heap(ctypes.Structure):
    """What `mallinfo2` tells of the heap."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    )


def allocated() -> int | None:
    """The bytes that are allocated and not freed; what Python keeps in small objects is not among them."""
    with suppress(OSError, AttributeError):
        ask = ctypes.CDLL(None).mallinfo2
        ask.restype = _Heap
        heap = ask()
        return int(heap.uordblks + heap.hblkhd)
    return None


def resident() -> int | None:
    """The bytes of this process that are in memory."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE
    return None


def is_fat(most: int) -> bool:
    """Is more than this in memory, even after what is not needed was given back?"""
    if (resident() or 0) <= most:
        return False
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    return (resident() or 0) > most
