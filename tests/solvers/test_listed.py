"""What is written from the list of solvers is up to date, and nobody is left out."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import sidestep as ss
from sidestep.solvers import SOLVERS
from sidestep.solvers.parameters import parameters_of

ROOT = Path(__file__).parents[2]


def test_what_is_written_from_the_solvers_is_up_to_date():
    """If not, the message says what to run."""
    script = ROOT / "scripts" / "write_solvers.py"
    done = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_parameter_stands_in_a_table_of_a_page():
    pages = "\n".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs/algorithms").glob("*.md"))
    shown = [
        name for names in re.findall(r"<!-- parameters of (.+) -->", pages) for name in names.split(", ")
    ]
    assert sorted(shown) == sorted(name for name, solver in SOLVERS.items() if parameters_of(solver))


def test_every_solver_is_exported_by_name():
    for solver in SOLVERS.values():
        assert getattr(ss, solver.__name__) is solver
        assert solver.__name__ in ss.__all__


def test_every_solver_has_a_summary_where_python_keeps_no_docstrings():
    """A dataclass without a docstring has its signature in that place."""
    script = "from sidestep.solvers.registry import SOLVERS; from sidestep.solvers.solver import facts_of\n"
    script += "print(*(facts_of(solver)['summary'] for solver in SOLVERS.values()), sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-OO", "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    summaries = done.stdout.splitlines()
    assert len(summaries) == len(SOLVERS)
    assert all(summary and "(" not in summary for summary in summaries)
