"""The core built by other compilers, with other optimisation or under a sanitizer, each in its folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fcntl import LOCK_EX, flock
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILDS = ROOT / "build" / "torture" / "builds"
CORE = "SIDESTEP_CORE"  # the environment variable that names the module to load instead of the usual one
GCC, CLANG = "g++", "clang++-16"


@dataclass(frozen=True)
class Build:
    """One way to build.

    Attributes:
        name: Of its folder.
        compiler: The program.
        flags: What it is given beside the project's own options.
        tests: The C++ tests instead of the Python module.
    """

    name: str
    compiler: str
    flags: str
    tests: bool = False

    @property
    def folder(self) -> Path:
        return BUILDS / self.name

    @property
    def missing(self) -> str:
        """A sentence about what this machine lacks to build it, or nothing."""
        return "" if shutil.which(self.compiler) else f"there is no {self.compiler}"

    @property
    def product(self) -> Path:
        """The program of the tests, or the module; also where it is still to be built."""
        if self.tests:
            return self.folder / "cpp" / "tests" / "core_tests"
        found = [*self.folder.glob("_core*.so"), self.folder / "_core.so"]
        return found[0]

    def make(self) -> Path:
        """Builds what is not up to date; a RuntimeError with the end of the log if that fails."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("w") as lock:
            flock(lock, LOCK_EX)
            target = "core_tests" if self.tests else "_core"
            self._run(self._configuration())
            self._run(["--build", str(self.folder), "--target", target])
        return self.product

    def _configuration(self) -> list[str]:
        where = Path(sys.executable).parent
        options = {
            "CMAKE_MAKE_PROGRAM": where / "ninja",
            "CMAKE_CXX_COMPILER": self.compiler,
            "CMAKE_BUILD_TYPE": "Debug",  # its flags are replaced by ours; of Release, some are nanobind's
            "CMAKE_CXX_FLAGS_DEBUG": self.flags,
            "SIDESTEP_TESTS": "ON" if self.tests else "OFF",
            "SIDESTEP_SANITIZE": "OFF",
        }
        if not self.tests:
            options |= {"Python_EXECUTABLE": sys.executable, "nanobind_DIR": _nanobind()}
        if shutil.which("ccache"):
            options["CMAKE_CXX_COMPILER_LAUNCHER"] = "ccache"
        given = [f"-D{name}={value}" for name, value in options.items()]
        return ["-S", str(ROOT), "-B", str(self.folder), "-G", "Ninja", "--log-level=WARNING", *given]

    def _run(self, arguments: Iterable[str]) -> None:
        cmake = Path(sys.executable).parent / "cmake"
        done = subprocess.run([str(cmake), *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{self.name} does not build:\n{(done.stdout + done.stderr)[-3000:]}")

    def runtime(self, library: str) -> Path:
        """The shared library of a sanitizer, such as libasan.so, that a Python needs to load the module."""
        asked = [self.compiler, f"-print-file-name={library}"]
        done = subprocess.run(asked, capture_output=True, text=True, check=True)
        return Path(done.stdout.strip())

    def environment(self, preloaded: Iterable[str] = ()) -> Mapping[str, str]:
        """What lets a child process use this build; it is built first."""
        given = {CORE: str(self.make())}
        libraries = [str(self.runtime(library)) for library in preloaded]
        return given | ({"LD_PRELOAD": " ".join(libraries)} if libraries else {})


def _nanobind() -> str:
    asked = [sys.executable, "-m", "nanobind", "--cmake_dir"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError("nanobind is not installed beside the tests")
    return done.stdout.strip()


def other_core() -> None:
    """Loads the module that the environment names, before anybody imports the usual one."""
    if path := os.environ.get(CORE):
        from importlib.util import module_from_spec, spec_from_file_location

        spec = spec_from_file_location("sidestep._core", path)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        sys.modules["sidestep._core"] = module
        spec.loader.exec_module(module)
