"""Which lines the tests run, of Python and of the core: `make coverage`.

    python scripts/measure_coverage.py [TESTS]...

An environment in build/coverage, whose core counts what is run, also in the processes that tests start; there
the C++ tests and those of Python that are not slow, or TESTS of these. Prints a table by folders, and writes
the lines that nothing ran as pages, in build/coverage. Counting takes time, so a test about time may fail:
who wants to know whether tests pass runs `make test`.

Needs g++, or a compiler with the same `--coverage`, and a Python 3.12 or newer, which counts lines at little
cost. A process that is killed takes its counts with it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from check_wheel import pythons

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "build" / "coverage"
VENV, CORE, TESTS = HERE / "venv", HERE / "core", HERE / "cpp-tests"
BIN = VENV / "bin"
LINES_ARE_CHEAP = (3, 12)
COUNTED = r"cpp/(src|include|bindings)/"
COUNTING = "--coverage -O1"
SETTINGS = """
[run]
source = sidestep
core = sysmon
parallel = true
relative_files = true
sigterm = true
patch = subprocess, _exit
data_file = {folder}/data/lines
disable_warnings = no-data-collected, module-not-measured, module-not-imported, couldnt-parse

[report]
exclude_also = if TYPE_CHECKING:
    ^\\s*\\.\\.\\.$
"""
Counts = dict[str, tuple[int, int]]  # lines by folder: those that were run, and all


def newer_python() -> Path:
    """The first Python of this machine that counts lines at little cost."""
    found = [python for minor, python in pythons().items() if minor >= LINES_ARE_CHEAP]
    if not found:
        raise SystemExit("measure_coverage: there is no Python 3.12 or newer on this machine")
    return found[0]


def run(*command: str | Path, env: Mapping[str, str] | None = None, must: bool = True) -> int:
    """Shows a command and runs it; where it must succeed, a failure ends the script."""
    print("+", *command, flush=True)
    done = subprocess.run(
        [str(one) for one in command], cwd=ROOT, env={**os.environ, **(env or {})}, check=False
    )
    if must and done.returncode:
        raise SystemExit("measure_coverage: this command failed")
    return done.returncode


def built() -> None:
    """The environment with a core that counts, and the C++ tests linked with it; nothing is counted yet."""
    counting = {"CXXFLAGS": COUNTING, "LDFLAGS": "--coverage"}
    core = {**counting, "SKBUILD_BUILD_DIR": str(CORE), "SKBUILD_CMAKE_BUILD_TYPE": "None"}
    run("scripts/setup.sh", "build", VENV, env={**core, "PYTHON": str(newer_python())})
    for group in ("test", "coverage"):
        run("scripts/setup.sh", "group", VENV, group)
    settings = {
        "CMAKE_MAKE_PROGRAM": BIN / "ninja",
        "CMAKE_BUILD_TYPE": "None",
        "SIDESTEP_TESTS": "ON",
        "SIDESTEP_SANITIZE": "OFF",
        "SIDESTEP_BUILT_CORE": CORE / "libsidestep_core.a",
    }
    given = [f"-D{name}={value}" for name, value in settings.items()]
    run(BIN / "cmake", "-S", ROOT, "-B", TESTS, "-G", "Ninja", "--log-level=WARNING", *given, env=counting)
    run(BIN / "cmake", "--build", TESTS)
    for count in HERE.rglob("*.gcda"):
        count.unlink()
    shutil.rmtree(HERE / "data", ignore_errors=True)
    (HERE / "data").mkdir()


def measured(tests: list[str]) -> bool:
    """Runs all tests; False if one failed."""
    settings = HERE / "settings.ini"
    settings.write_text(SETTINGS.format(folder=HERE), encoding="utf-8")
    failed = run(BIN / "ctest", "--test-dir", TESTS, "--output-on-failure", must=False)
    workers = min(8, (os.cpu_count() or 2) * 3 // 2)
    chosen = tests or ["-n", str(workers), "--dist", "worksteal"]
    failed += run(
        *(BIN / "python", "-m", "coverage", "run", f"--rcfile={settings}"),
        *("-m", "pytest", "-q", "-m", "not slow", *chosen),
        must=False,
    )
    coverage = (BIN / "python", "-m", "coverage")
    run(*coverage, "combine", "-q", f"--rcfile={settings}")
    run(*coverage, "json", "-q", f"--rcfile={settings}", "-o", HERE / "python.json")
    run(*coverage, "html", "-q", f"--rcfile={settings}", "-d", HERE / "python")
    (HERE / "core-pages").mkdir(exist_ok=True)
    run(
        *(BIN / "gcovr", "--root", ROOT, "--filter", COUNTED, CORE, TESTS),
        *("--gcov-ignore-parse-errors=all", "--merge-lines", "--json-summary", HERE / "core.json"),
        *("--html-details", HERE / "core-pages" / "index.html"),
    )
    return not failed


def python_counts() -> Counts:
    """Of src/sidestep."""
    files = json.loads((HERE / "python.json").read_text(encoding="utf-8"))["files"]
    found = ((name, one["summary"]) for name, one in files.items())
    return by_folder((name, one["covered_lines"], one["num_statements"]) for name, one in found)


def core_counts() -> Counts:
    """Of cpp."""
    files = json.loads((HERE / "core.json").read_text(encoding="utf-8"))["files"]
    return by_folder((one["filename"], one["line_covered"], one["line_total"]) for one in files)


def by_folder(files: Iterable[tuple[str, int, int]]) -> Counts:
    """Sums of files: name, lines that were run, and all."""
    run_lines: dict[str, int] = defaultdict(int)
    all_lines: dict[str, int] = defaultdict(int)
    for name, covered, lines in files:
        folder = Path(name).parent.as_posix()
        run_lines[folder] += covered
        all_lines[folder] += lines
    return {folder: (run_lines[folder], all_lines[folder]) for folder in sorted(all_lines)}


def table(counts: Counts) -> str:
    """A line per folder, and one for all."""
    total = tuple(map(sum, zip(*counts.values(), strict=True)))
    rows = [*counts.items(), ("all of these", (total[0], total[1]))]
    return "\n".join(
        f"{folder:36}{lines:8,} lines{100 * covered / max(1, lines):8.1f}%"
        for folder, (covered, lines) in rows
    )


def main() -> int:
    """Returns 1 if a test failed."""
    built()
    passed = measured(sys.argv[1:])
    print(table(python_counts()), table(core_counts()), sep="\n\n")
    print(f"\nopen {HERE}/python/index.html and {HERE}/core-pages/index.html")
    if not passed:
        print("measure_coverage: a test failed; counting takes time, see above")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
