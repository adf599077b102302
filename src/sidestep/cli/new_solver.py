"""`sidestep new-solver`: a package with a solver that works, to begin one's own from."""

from __future__ import annotations

import keyword
import re
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from string import Template

import click

from ..io.files import store_text
from ..model.errors import InputError
from ..solvers import SOLVERS
from ..solvers.plugins import plugins
from .console import FILE, show

FILES = {  # what is written, and its template
    "pyproject.toml": "pyproject.toml.txt",
    "README.md": "README.md.txt",
    "src/{module}/__init__.py": "init.py.txt",
    "src/{module}/solver.py": "solver.py.txt",
    "tests/test_contract.py": "test_contract.py.txt",
}


@click.command("new-solver")
@click.argument("name")
@click.option("--folder", type=FILE, help="Where to write it. [default: sidestep-NAME]")
def command(name: str, folder: Path | None) -> None:
    """Write a package with a solver called NAME, which keeps the contract of solvers.

    Installed beside sidestep, it is found by its name: in Python, on the command line and in the studio.
    """
    words = words_for(name)
    target = Path(words["package"]) if folder is None else folder
    if target.exists():
        raise InputError(f"{target} exists already: choose another place with --folder")
    for path, text in package_files(words).items():
        file = target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        store_text(file, text)
    show(
        f"The solver {name} is in {target}.",
        f"pip install -e {target} makes it known; src/{words['module']}/solver.py is the algorithm.",
    )


def words_for(name: str) -> dict[str, str]:
    """What stands for what in the templates; an InputError if no solver can be called that."""
    if not re.fullmatch(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise InputError(
            f"a solver's name is lower-case letters, digits and '-', such as my-solver, not {name!r}"
        )
    if name in SOLVERS or name in plugins():
        raise InputError(f"there is a solver {name!r} already: choose another name")
    parts = re.split("[-_]", name)
    return {
        "name": name,
        "Class": "".join(part.capitalize() for part in parts),
        "module": "sidestep_" + "_".join(parts),
        "package": "sidestep-" + "-".join(parts),
        "version": version("sidestep"),
    }


def package_files(words: dict[str, str]) -> dict[str, str]:
    """The texts of the package by their paths in it."""
    folder = files(__package__).joinpath("template")
    return {
        path.format(module=words["module"]): Template(
            folder.joinpath(source).read_text(encoding="utf-8")
        ).substitute(words)
        for path, source in FILES.items()
    }
