"""Readers again, guided by what the texts reach in the code: atheris, one format after the other."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from ..reading import NAMES
from ..row import Pace, Row, Tally

KEPT = Path("out") / "torture" / "readers"  # texts that reach something, for the next run


def needs() -> str:
    """Atheris is made for few systems, so that it is in a group of its own."""
    return "" if find_spec("atheris") else "atheris is missing: scripts/setup.sh group .venv fuzz"


def run(pace: Pace) -> Tally:
    """The time is dealt to the formats that are left; in `make test` there is time for one only."""
    failures = []
    names = NAMES[:1] if pace.brief else NAMES
    for index, name in enumerate(names):
        keep = pace.folder if pace.brief else KEPT
        seconds = max(1, round(pace.left / (len(names) - index)))
        failures += _guided(name, seconds, pace, keep)
    return Tally(failures=failures)


def _guided(name: str, seconds: int, pace: Pace, keep: Path) -> list[str]:
    log = pace.folder / f"{name}.log"
    command = [sys.executable, "-m", "tests.torture.guided", name, f"--seconds={seconds}", f"--keep={keep}"]
    with log.open("wb") as file, subprocess.Popen(command, stdout=file, stderr=file) as process:
        while process.poll() is None:
            time.sleep(0.2)
            pace.beat()
    said = log.read_text(encoding="utf-8", errors="replace")
    counts = [int(count) for count in re.findall(r"^#([0-9]+)\s", said, re.MULTILINE)]
    count = max(counts, default=0)
    pace.beat(cases=count, checks=count)
    if process.returncode == 0:
        return []
    last = " ".join(said.split("\n")[-12:])
    return [f"{name}: {process.returncode}, see {keep}: {last}"]


ROW = Row(
    "guided readers",
    "The same of texts that are bred for reaching new branches of the readers.",
    full=5_000_000,
    unit="texts",
    run=run,
    weight=30,
    needs=needs,
)
