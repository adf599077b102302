"""Solvers of other packages, by name: one that `new-solver` wrote and pip installed, and broken ones."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

import sidestep as ss
from sidestep.cli import main
from sidestep.solvers import SOLVERS
from sidestep.solvers.plugins import GROUP
from sidestep.solvers.registry import all_solvers, solver_class

GOOD = """
    from dataclasses import dataclass
    from typing import ClassVar
    from sidestep.authoring import SolverInfo, Result, Status, unit_agents_only

    @dataclass(frozen=True)
    class Idler:
        '''Gives up at once.'''
        name: ClassVar[str] = "idler"
        info: ClassVar[SolverInfo] = SolverInfo()
        supports = unit_agents_only

        def solve(self, problem, *, budget, seed=0):
            return Result(problem, self, seed, Status.GAVE_UP, reason="it never tries")
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Puts a package on the path, with its entry points, as pip does."""

    def install(package: str, code: str, **solvers: str) -> None:
        folder = tmp_path / package
        about = folder / f"{package}-1.0.dist-info"
        about.mkdir(parents=True)
        (folder / f"{package}.py").write_text(dedent(code), encoding="utf-8")
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = [f"{name} = {package}:{value}" for name, value in solvers.items()]
        (about / "entry_points.txt").write_text("\n".join([f"[{GROUP}]", *lines]))
        monkeypatch.syspath_prepend(folder)
        monkeypatch.delitem(sys.modules, package, raising=False)

    return install


PROBLEM = ss.Problem.from_text("a . A")


def test_a_solver_of_another_package_is_found_by_name(installed, capfd):
    installed("lazy_pack", GOOD, idler="Idler")
    assert "it never tries" in ss.solve(PROBLEM, "idler").reason
    assert ss.solvers()["idler"] == "Gives up at once"
    assert list(ss.solvers())[: len(SOLVERS)] == list(SOLVERS)
    assert main(["solvers", "idler"]) == 0
    assert "Gives up at once" in capfd.readouterr().out


def test_a_name_of_ours_is_never_looked_up(installed):
    installed("greedy_pack", "raise RuntimeError('loaded')", whca="Mine")
    assert solver_class("whca") is ss.WHCA
    assert ss.solve(PROBLEM, "whca")
    assert list(all_solvers()[0]) == list(SOLVERS)
    assert "greedy_pack" not in sys.modules


@pytest.mark.parametrize(
    ("code", "value", "reason"),
    [
        ("raise RuntimeError('no licence')", "Mine", "RuntimeError: no licence"),
        ("import sys; sys.exit(3)", "Mine", "SystemExit"),
        ("import no_such_package_anywhere", "Mine", "No module named 'no_such_package_anywhere'"),
        ("x = 1", "Mine", "AttributeError"),
        ("Mine = 5", "Mine", "is not a dataclass"),
        (GOOD.replace('"idler"', '"other"'), "Idler", "is called 'other'"),
        (GOOD.replace("supports =", "helps ="), "Idler", "has no supports"),
        (GOOD.replace("SolverInfo()", "None"), "Idler", "has no info"),
        (GOOD.replace("    supports", "    depth: int\n        supports"), "Idler", "no default"),
        (GOOD.replace("    supports", "    depth: Nonsense = 1\n        supports"), "Idler", "Nonsense"),
    ],
)
def test_a_broken_one_names_its_package_and_leaves_the_others_alone(code, value, reason, installed, capfd):
    package = "broken_pack"
    installed(package, f"from __future__ import annotations\n{dedent(code)}", idler=value)
    with pytest.raises(
        ss.PluginError, match=f"the solver 'idler' of the package {package} cannot be used"
    ) as caught:
        ss.solve(PROBLEM, "idler")
    assert reason in str(caught.value)
    assert isinstance(caught.value, ImportError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert ss.solve(PROBLEM, "whca")
    assert package in ss.solvers()["idler"]
    with pytest.raises(ss.InputError, match="did you mean 'whca'"):
        ss.solve(PROBLEM, "whcaa")
    assert main(["solve", "nowhere.map", "--solver", "idler"]) == 2
    assert package in capfd.readouterr().err
    assert main(["solvers"]) == 0
    told = capfd.readouterr()
    assert "whca" in told.out
    assert package in told.err


def test_two_packages_with_one_name_are_both_named(installed):
    installed("first_pack", GOOD, idler="Idler")
    installed("second_pack", GOOD, idler="Idler")
    with pytest.raises(ss.PluginError, match=r"first_pack, second_pack.*more than one package"):
        solver_class("idler")


def test_a_misspelt_name_is_told_those_of_other_packages(installed):
    installed("lazy_pack", GOOD, idler="Idler")
    with pytest.raises(ss.InputError, match="did you mean 'idler'"):
        ss.solve(PROBLEM, "idle")


# A package as a user makes it


@pytest.fixture(scope="module")
def beside(tmp_path_factory):
    """The folder into which pip has installed what `sidestep new-solver last-mile` wrote."""
    folder = tmp_path_factory.mktemp("beside")
    assert main(["new-solver", "last-mile", "--folder", str(folder / "package")]) == 0
    command = [*(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")]
    command += ["--no-deps", "--no-build-isolation", "--no-index", "--target", str(folder / "site")]
    env = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    subprocess.run([*command, str(folder / "package")], check=True, env=env)
    return folder


def outside(beside: Path, *arguments: str) -> str:
    """What a fresh interpreter says that has the package beside ours."""
    env = {**os.environ, "PYTHONPATH": str(beside / "site")}
    done = subprocess.run(
        [sys.executable, *arguments], env=env, cwd=beside, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


IN_PYTHON = """
import json, sidestep as ss
from sidestep.testing import check_solver
from sidestep.studio.forms import chosen_solver, solver_forms

problem = ss.Problem.from_text("a . . . .\\n# # . # #\\nB . b . A")
result = ss.solve(problem, "last-mile", rounds=3)
check_solver(type(result.solver)())
form = next(form for form in solver_forms() if form["name"] == "last-mile")
print(json.dumps({
    "valid": bool(ss.validate(problem, result.plan)),
    "solver": repr(result.solver),
    "line": ss.solvers()["last-mile"],
    "form": [field["name"] for field in form["parameters"]],
    "chosen": repr(chosen_solver("last-mile", {"rounds": 2})),
}))
"""


def test_what_new_solver_writes_works_everywhere_and_keeps_the_contract(beside):
    """In Python with the contract, in the studio's forms and what its workers make of them, in the shell."""
    said = json.loads(outside(beside, "-c", IN_PYTHON))
    assert said == {
        "valid": True,
        "solver": "LastMile(rounds=3)",
        "line": "LastMile: one agent moves at a time, the others stand",
        "form": ["rounds"],
        "chosen": "LastMile(rounds=2)",
    }
    (beside / "door.txt").write_text("a . A\n")
    solve = ("-m", "sidestep", "solve", "door.txt", "--solver", "last-mile", "--rounds", "4", "--json")
    assert json.loads(outside(beside, *solve))["parameters"] == {"rounds": 4}
    assert "last-mile" in json.loads(outside(beside, "-m", "sidestep", "solvers", "--json"))


def test_its_own_test_is_the_contract(beside):
    text = (beside / "package" / "tests" / "test_contract.py").read_text(encoding="utf-8")
    assert "check(LastMile())" in text
    compile(text, "test_contract.py", "exec")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("whca", "there is a solver 'whca' already"),
        ("Mine", "lower-case"),
        ("a b", "lower-case"),
        ("class", "lower-case"),
    ],
)
def test_new_solver_refuses_what_cannot_be_a_name(name, sentence, tmp_path, capfd):
    assert main(["new-solver", name, "--folder", str(tmp_path / "package")]) == 2
    assert sentence in capfd.readouterr().err
    assert not (tmp_path / "package").exists()


def test_new_solver_overwrites_nothing(tmp_path, capfd):
    assert main(["new-solver", "mine", "--folder", str(tmp_path)]) == 2
    assert "exists already" in capfd.readouterr().err


def test_the_example_of_contributing_is_what_new_solver_writes():
    from sidestep.cli.new_solver import package_files, words_for

    written = package_files(words_for("relay"))["src/sidestep_relay/solver.py"]
    page = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"```python\n{written}```" in page
    assert "_core" not in written
