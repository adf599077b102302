"""A build of the core with the address and undefined behaviour sanitizers, for rows that run in it.

`python -m tests.torture.sanitized` makes it, in build/sanitized-core. A process that is started with
`environment()` uses it instead of the one that is installed, if it calls `load` before it imports sidestep.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "sanitized-core"
VARIABLE = "SIDESTEP_SANITIZED_CORE"
FLAGS = (
    "-O1 -g1 -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS -fsanitize=address,undefined,float-cast-overflow "
    "-fno-sanitize=vptr -fno-sanitize-recover=all"
)


def module() -> Path | None:
    """The library, if it was built."""
    return next(iter(BUILD.glob("_core*.so")), None)


def needs() -> str:
    """What is missing, in a sentence."""
    built = module()
    sources = [path for path in (ROOT / "cpp").rglob("*.?pp") if "tests" not in path.parts]
    if built is None or built.stat().st_mtime < max(path.stat().st_mtime for path in sources):
        return "the sanitized core is not up to date: make sanitize-bindings"
    return ""


def environment() -> Mapping[str, str]:
    """The variables of a process that is to use it."""
    compiler = os.environ.get("CXX", "c++")
    runtimes = [
        subprocess.run([compiler, f"-print-file-name={name}.so"], capture_output=True, text=True, check=True)
        for name in ("libasan", "libubsan")
    ]
    return {
        VARIABLE: str(module()),
        "LD_PRELOAD": " ".join(run.stdout.strip() for run in runtimes),
        # Python leaks on purpose; a hundred gigabytes are refused by the core itself, or by malloc.
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }


def load() -> None:
    """Makes the sanitized core `sidestep._core`, in a process with that environment; else does nothing."""
    path = os.environ.get(VARIABLE)
    if path is None or "sidestep._core" in sys.modules:
        return
    spec = importlib.util.spec_from_file_location("sidestep._core", path)
    assert spec is not None
    assert spec.loader is not None
    core = importlib.util.module_from_spec(spec)
    sys.modules["sidestep._core"] = core
    spec.loader.exec_module(core)


def build() -> None:
    """Builds it, or what has changed of it."""
    tools = Path(sys.executable).parent
    nanobind = subprocess.run(
        [sys.executable, "-m", "nanobind", "--cmake_dir"], capture_output=True, text=True, check=True
    )
    options = {
        "CMAKE_BUILD_TYPE": "None",
        "CMAKE_CXX_FLAGS": FLAGS,
        "CMAKE_MAKE_PROGRAM": str(tools / "ninja"),
        "Python_EXECUTABLE": sys.executable,
        "nanobind_DIR": nanobind.stdout.strip(),
    }
    cmake = str(tools / "cmake")
    settings = [f"-D{name}={value}" for name, value in options.items()]
    configure = [cmake, "-S", str(ROOT), "-B", str(BUILD), "-G", "Ninja", "--log-level=WARNING", *settings]
    subprocess.run(configure, check=True)
    subprocess.run([cmake, "--build", str(BUILD), "--target", "_core"], check=True)


if __name__ == "__main__":
    build()
