"""Runs the tests marked `bounds` with the lowest declared versions of everything, and with the newest.

    python scripts/check_bounds.py [lowest] [newest]

Both if none is named. Each has an environment and a copy of the project's files in build/bounds, builds the
package with its own versions of the build tools, and installs it there with all extras. Where there is uv it
installs, else pip does.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WHICH = ("lowest", "newest")
GROUP = "test"


def requirements() -> list[str]:
    """All that pyproject.toml names for building, running and testing, extras included."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = declared["project"]
    extras = [one for extra in project["optional-dependencies"].values() for one in extra]
    found = [*declared["build-system"]["requires"], *project["dependencies"], *extras]
    return list(dict.fromkeys([*found, *declared["dependency-groups"][GROUP]]))


def lowest(requirement: str) -> str:
    """`click>=8.1` as `click==8.1`. A requirement without a lower bound is a mistake."""
    found = re.fullmatch(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?(?:>=|==)([0-9][0-9a-z.]*)(?:,.*)?", requirement)
    if found is None:
        raise SystemExit(f"check_bounds: {requirement!r} in pyproject.toml has no lower bound")
    return f"{found[1]}=={found[2]}"


def wanted(which: str) -> list[str]:
    """What is installed: exactly the lower bounds, or whatever is newest."""
    names = requirements()
    return [lowest(name) for name in names] if which == "lowest" else names


def run(*command: str | Path, cwd: Path = ROOT) -> int:
    """Shows a command and runs it; returns its exit code."""
    print("+", *command, flush=True)
    return subprocess.run([str(part) for part in command], cwd=cwd, check=False).returncode


def must(*command: str | Path, cwd: Path = ROOT) -> None:
    """The same; a failure ends the script."""
    if run(*command, cwd=cwd):
        raise SystemExit("check_bounds: this command failed")


def environment(folder: Path) -> list[str | Path]:
    """Makes an empty environment. Returns the command that installs into it."""
    shutil.rmtree(folder, ignore_errors=True)
    python = folder / "bin" / "python"
    if shutil.which("uv"):
        must("uv", "venv", "--quiet", "--python", sys.executable, folder)
        return ["uv", "pip", "install", "--quiet", "--upgrade", "--python", python]
    must(sys.executable, "-m", "venv", folder)
    return [python, "-m", "pip", "install", "--quiet", "--upgrade", "--disable-pip-version-check"]


def copied(source: Path) -> None:
    """Copies what git knows or would add; a build writes a stub beside sources, which tests must not see."""
    shutil.rmtree(source, ignore_errors=True)
    names = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(names, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            target = source / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)


def check(which: str) -> bool:
    """Builds, installs and tests. True: all tests passed."""
    folder = ROOT / "build" / "bounds" / which
    install = environment(folder / "venv")
    must(*install, *wanted(which))
    copied(folder / "source")
    must(*install, "--no-build-isolation", "--no-deps", ".", cwd=folder / "source")
    python = folder / "venv" / "bin" / "python"
    # Old packages warn about new ones, which is not what is tested here.
    quiet = ["-o", "filterwarnings=default"] if which == "lowest" else []
    return run(python, "-m", "pytest", "-q", "-m", "bounds", *quiet, cwd=folder / "source") == 0


def main() -> int:
    """Returns 1 if anything failed."""
    chosen = sys.argv[1:] or [*WHICH]
    if not set(chosen) <= set(WHICH):
        raise SystemExit(__doc__)
    failed = [which for which in chosen if not check(which)]
    print("bounds:", ", ".join(f"{which} {'failed' if which in failed else 'passed'}" for which in chosen))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
