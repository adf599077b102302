"""Checks what was touched since the branch left main: `make check`, between two runs of `make test`.

Touched is what differs from the merge base with main, committed or not. Linters read the touched files, mypy
the package; in touched sources of the core warnings are errors. Tests are chosen by place:
`src/sidestep/viewer/film.py` has `tests/viewer/test_film*.py`, a solver without such a file
those that say its name, another module all of its folder's tests, what a page is made of those that open it.
With every change of Python or C++ go some tests of everything.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIGESTS = "tests/golden/test_golden.py::test_every_digest_is_as_recorded"
SMOKE = [
    "tests/contract",
    "tests/test_layers.py",
    "tests/test_public_names.py",
    *(
        f"{DIGESTS}[{group}]"
        for group in ("solve whca", "solve cbs", "world whca", "files", "judge", "viewer")
    ),
]
PAGES = {  # what they are made of, and who opens them
    "src/sidestep/studio/static": ["tests/studio/page", "tests/studio/test_static.py"],
    "src/sidestep/viewer/player": [  # but for test_large.py, which plays ten thousand agents
        f"tests/viewer/test_{what}.py"
        for what in ("accessibility", "modules", "page", "phrases", "player", "widget")
    ],
}
ELSEWHERE = {  # what is tested, and where
    "benchmarks": ["tests/benchmarks"],
    "cpp": ["tests/core", "tests/search"],
    "docs": ["tests/test_docs.py", "tests/test_teaching.py"],
    "examples": ["tests/test_examples.py"],
    "scripts": ["tests/test_setup.py", "tests/test_check.py", "tests/test_crawl.py"],
    "Makefile": ["tests/test_setup.py"],
    "pyproject.toml": ["tests/test_setup.py"],
    ".pre-commit-config.yaml": ["tests/test_setup.py"],
}


def touched() -> list[str]:
    """Files that differ from the merge base with main, and new ones."""
    main = next((one for one in ("origin/main", "main") if git("rev-parse", "-q", "--verify", one)), "HEAD")
    (base,) = git("merge-base", "HEAD", main)
    changed = git("diff", "--name-only", "--diff-filter=d", base)
    return sorted({*changed, *git("ls-files", "--others", "--exclude-standard")})


def git(*arguments: str) -> list[str]:
    """The lines that git says."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def tests_for(files: Iterable[str]) -> list[str]:
    """What pytest is asked to run, without what is in another part of it."""
    chosen = {test for file in files for test in tests_of(Path(file))}
    return sorted(one for one in chosen if not any(one.startswith(f"{folder}/") for folder in chosen))


def tests_of(file: Path) -> Iterator[str]:
    """Files and folders of tests, or names of tests."""
    top = file.parts[0]
    if file.match("tests/javascript/*"):
        yield "tests/viewer/test_modules.py"
    elif top == "tests" and file.name.startswith("test_") and file.suffix == ".py":
        yield str(file)
    elif top == "tests":  # what others share: with what is shared by all, not all are run
        folders = (one for one in file.parents if any((ROOT / one).rglob("test_*.py")))
        folder = str(next(folders, "tests"))
        yield from SMOKE if folder == "tests" else [folder]
    elif page := next((page for page in PAGES if file.is_relative_to(page)), None):
        yield from PAGES[page]
    elif top == "src":
        yield from SMOKE
        yield from near(file.relative_to("src/sidestep"))
    elif file.suffix == ".md":
        yield from ELSEWHERE["docs"]
    else:
        yield from SMOKE if top == "cpp" else ()
        yield from ELSEWHERE.get(top, [])


def near(module: Path) -> list[str]:
    """The tests of a module of the package: files by its name, or all in the folder of its folder's name.

    Of a solver, which has a page, those that say its name are enough.
    """
    folder = Path("tests") / module.parent
    named = sorted((ROOT / folder).glob(f"test_*{module.stem}*.py"))
    if not named and (ROOT / "docs" / "algorithms" / f"{module.stem}.md").exists():
        says = re.compile(rf"\b{module.stem}\b", re.IGNORECASE)
        named = [path for path in sorted((ROOT / folder).glob("test_*.py")) if says.search(path.read_text())]
    if named:
        return [str(path.relative_to(ROOT)) for path in named]
    while not (ROOT / folder).exists():
        folder = folder.parent
    return [] if folder == Path("tests") else [str(folder)]


def strictly(files: Iterable[str]) -> Iterator[list[str]]:
    """Commands that read sources as they were compiled last, and fail on a warning; they write no object."""
    built = sorted(ROOT.glob("build/cp[0-9]*/build.ninja"), key=lambda path: path.stat().st_mtime)
    if not built:
        return
    asked = [".venv/bin/ninja", "-C", str(built[-1].parent), "-t", "compdb"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True)
    sources = {str(ROOT / file) for file in files}
    for unit in json.loads(done.stdout):
        if unit["file"] in sources and " -c " in unit["command"]:
            options = unit["command"].partition(" -MD ")[0]  # what follows names files to write
            yield [*shlex.split(options), "-Werror", "-fsyntax-only", unit["file"]]


def run(*command: str) -> bool:
    """Shows a command and runs it. False: it failed."""
    print("+", *command, flush=True)
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def main() -> int:
    """Linters first: they are fast. Returns 1 if anything failed."""
    jobs = sys.argv[1]
    files = touched()
    python = [file for file in files if file.endswith(".py")]
    cpp = [file for file in files if file.endswith((".hpp", ".cpp"))]
    fine = not python or run(sys.executable, "-m", "ruff", "check", *python)
    fine &= not python or run(sys.executable, "-m", "ruff", "format", "--check", *python)
    fine &= not cpp or run(".venv/bin/clang-format", "--dry-run", "-Werror", *cpp)
    for command in strictly(file for file in cpp if file.startswith("cpp/src/")):
        fine &= run(*command)
    if any(file.startswith("src/") for file in python):
        fine &= run(sys.executable, "scripts/lint_docstrings.py")
        fine &= run(sys.executable, "-m", "mypy")
    if chosen := tests_for(files):
        pytest = [sys.executable, "-m", "pytest", "-q", "-m", "not slow", "-n", jobs, "--dist", "worksteal"]
        fine &= run(*pytest, *chosen)
    return not fine


if __name__ == "__main__":
    sys.exit(main())
