"""What `scripts/setup.sh` says on machines that lack something, simulated with a PATH of stand-ins."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
SETUP = ROOT / "scripts" / "setup.sh"
PLAIN_TOOLS = ("sh", "dirname", "id", "mktemp", "rm", "cat", "mkdir", "touch", "chmod", "ln")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the set-up script is for POSIX shells")


class Machine:
    """A directory that serves as the whole PATH: plain tools, and the stand-ins a test adds."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.log = folder / "log"
        for name in PLAIN_TOOLS:
            found = shutil.which(name)
            assert found, f"{name} is not on this machine"
            (self.bin / name).symlink_to(found)
        self.program("apt", "exit 0")

    def program(self, name: str, body: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def python(self, name: str = "python3", *, before: str = "") -> None:
        """A Python like this one, for which `before` runs first; the headers are a stand-in too."""
        include = self.bin.parent / "include"
        include.mkdir(exist_ok=True)
        (include / "Python.h").touch()
        first = f"import sys, sysconfig; sysconfig.get_path = lambda name: {str(include)!r}; {before}"
        self.program(name, f'exec {shlex.quote(sys.executable)} -c "{first}\nexec(sys.argv[1])" "$2"')

    def compiler(self, name: str = "c++", *, works: bool = True) -> None:
        self.program(name, f"exit {0 if works else 1}")

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [shutil.which("sh") or "sh", str(SETUP), *arguments],
            env={"PATH": str(self.bin), **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def complaints(self, **environment: str) -> list[str]:
        """The sentences of a check that finds something missing."""
        done = self.run("check", **environment)
        assert done.returncode == 1, done.stderr
        return done.stderr.splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_complete_machine_is_silent(machine: Machine) -> None:
    machine.python()
    machine.compiler()
    done = machine.run("check")
    assert (done.returncode, done.stderr) == (0, "")


def test_no_python(machine: Machine) -> None:
    machine.compiler()
    (sentence,) = machine.complaints()
    assert "Python 3.11 or newer is needed, and there is no Python" in sentence
    assert re.search(r"apt install python3 python3-venv python3-dev$", sentence)


def test_an_old_python_is_named(machine: Machine) -> None:
    machine.program("python3", '[ "$1" = --version ] && echo Python 3.9.18 || exit 1')
    machine.compiler()
    (sentence,) = machine.complaints()
    assert "there is Python 3.9.18" in sentence


def test_an_old_python3_does_not_hide_a_newer_one(machine: Machine) -> None:
    machine.program("python3", "exit 1")
    machine.python("python3.12")
    machine.compiler()
    assert machine.run("check").returncode == 0


def test_the_chosen_python_is_the_only_one_looked_at(machine: Machine) -> None:
    machine.python()
    machine.program("python3.9", "exit 1")
    machine.compiler()
    (sentence,) = machine.complaints(PYTHON="python3.9")
    assert "PYTHON=python3.9 is not a Python 3.11 or newer" in sentence


@pytest.mark.parametrize("name", ["python3", "python3.12"])
def test_no_venv_module(machine: Machine, name: str) -> None:
    machine.python(name, before="sys.modules['ensurepip'] = None")
    machine.compiler()
    (sentence,) = machine.complaints()
    assert sentence.startswith(f"setup: {name} has no venv module: ")
    assert sentence.endswith(f"apt install {name}-venv")


def test_uv_needs_no_venv_module(machine: Machine) -> None:
    machine.python(before="sys.modules['ensurepip'] = None")
    machine.compiler()
    machine.program("uv", "exit 0")
    assert machine.run("check").returncode == 0


def test_no_headers(machine: Machine) -> None:
    machine.python(before="sysconfig.get_path = lambda name: '/nowhere'")
    machine.compiler()
    (sentence,) = machine.complaints()
    assert "has no C headers (Python.h)" in sentence
    assert sentence.endswith("apt install python3-dev")


def test_no_compiler(machine: Machine) -> None:
    machine.python()
    (sentence,) = machine.complaints()
    assert "There is no C++ compiler" in sentence
    assert sentence.endswith("apt install g++")


def test_a_compiler_that_is_too_old(machine: Machine) -> None:
    machine.python()
    machine.compiler(works=False)
    (sentence,) = machine.complaints()
    assert "c++ does not compile C++20" in sentence


def test_a_sentence_for_each_thing_that_is_missing(machine: Machine) -> None:
    machine.python(before="sys.modules['ensurepip'] = None; sysconfig.get_path = lambda name: '/nowhere'")
    assert [line.split()[-1] for line in machine.complaints()] == ["python3-venv", "python3-dev", "g++"]


def test_the_hint_fits_the_package_manager(machine: Machine) -> None:
    (machine.bin / "apt").unlink()
    machine.program("dnf", "exit 0")
    machine.python()
    assert machine.complaints()[0].endswith("dnf install gcc-c++")


def test_nothing_is_created_when_something_is_missing(machine: Machine, tmp_path: Path) -> None:
    done = machine.run("build", str(tmp_path / "venv"))
    assert done.returncode == 1
    assert not (tmp_path / "venv").exists()


def test_build_uses_uv_where_it_is_present(machine: Machine, tmp_path: Path) -> None:
    machine.python()
    machine.compiler()
    venv = tmp_path / "venv"
    makes = f'mkdir -p "{venv}/bin" && ln -sf "{sys.executable}" "{venv}/bin/python"'
    machine.program("uv", f'echo "$*" >> {machine.log}; {makes}')
    assert machine.run("build", str(venv)).returncode == 0
    created, required, installed = machine.log.read_text().splitlines()
    assert created == f"venv --quiet --python python3 {venv}"
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    assert required.split()[5 : 5 + len(declared)] == declared
    assert installed == f"pip install --quiet --python {venv}/bin/python --no-build-isolation --editable ."


def test_groups_are_read_from_pyproject(machine: Machine, tmp_path: Path) -> None:
    machine.program("uv", f'echo "$*" >> {machine.log}')
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    (tmp_path / "venv" / "bin" / "python").symlink_to(sys.executable)
    assert machine.run("group", str(tmp_path / "venv"), "lint").returncode == 0
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]["lint"]
    assert machine.log.read_text().split()[-len(declared) :] == declared


def test_a_wrong_call_says_how_to_call(machine: Machine) -> None:
    done = machine.run("install")
    assert done.returncode == 2
    assert "usage" in done.stderr


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_make_alone_lists_the_targets() -> None:
    done = subprocess.run(["make", "--silent"], cwd=ROOT, capture_output=True, text=True, check=True)
    for target in ("demo", "check", "test", "test-full", "sanitize", "lint", "bench", "clean"):
        assert f"make {target} " in done.stdout


def test_the_hooks_of_pre_commit_are_the_parts_of_make_lint() -> None:
    (local,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    parts = " ".join(re.findall("^lint: (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)).split()
    assert [hook["entry"] for hook in local["hooks"]] == [f"make {part}" for part in parts]
