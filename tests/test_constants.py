"""Constants are declared once, in Python; what C++ and JavaScript know of them is written from there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_what_is_written_from_python_is_up_to_date() -> None:
    """If not: `.venv/bin/python scripts/write_constants.py` writes it again."""
    command = [sys.executable, ROOT / "scripts" / "write_constants.py", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
