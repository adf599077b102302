"""A module imports only what the table "Map of the code" in ARCHITECTURE.md lets it know.

A row names a folder or a module of the package. Its last cell names what that may import: folders and
modules of the package, the core, other packages; or it begins with the word everything. After a semicolon,
"`file.py` also `name`" is for one file of the folder, and must be needed. Free are the standard library and
what is in the same row.

An import in a function counts like any other: it is late, but it is known. An import under `if TYPE_CHECKING`
is free: it names a type, and nothing of it runs.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "sidestep"
names = re.compile("`([^`]+)`").findall


def rows() -> Iterator[tuple[str, str]]:
    """A folder or a module of the package, and the cell of what it may know."""
    section = (ROOT / "ARCHITECTURE.md").read_text().split("\n## Map of the code\n")[1].split("\n## ")[0]
    for where, _, may_know in re.findall(r"^\| (`.+?) \| (.+) \| (.+?) \|$", section, re.MULTILINE):
        yield from ((name, may_know) for name in names(where) if not (ROOT / name).exists())


def imports(source: Path) -> Iterator[str]:
    """What a module imports when it runs: `model/grid.py` of the package, `numpy` of others."""
    waiting: list[ast.AST] = [ast.parse(source.read_text())]
    while waiting:
        node = waiting.pop()
        type_only = isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        waiting += node.orelse if type_only else ast.iter_child_nodes(node)
        if isinstance(node, ast.ImportFrom) and node.level:
            package = source.relative_to(PACKAGE).parts[: -node.level]
            yield from (module(*package, *filter(None, [node.module]), alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.split(".")[0]
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)


def module(*parts: str) -> str:
    """The file of the package in which a name is."""
    path = PACKAGE.joinpath(*".".join(parts).split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.exists():
            return file.relative_to(PACKAGE).as_posix()
    return "_core" if path == PACKAGE / "_core" else module(*parts[:-1])


def covers(name: str, file: str) -> bool:
    return file == name or (name.endswith("/") and file.startswith(name))


def permissions(row: str, cell: str) -> Iterator[tuple[str, str]]:
    """Pairs: this file or folder may import that one."""
    whole, *exceptions = cell.split(";")
    yield from ((row, name) for name in names(whole))
    for exception in exceptions:
        files, also = exception.split(" also ")
        yield from ((row + file, name) for file in names(files) for name in names(also))


def test_every_module_has_one_row() -> None:
    table = [name for name, _ in rows()]
    files = [path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py")]
    assert {file for file in files if sum(covers(name, file) for name in table) != 1} == set()
    assert [name for name in table if not (PACKAGE / name).exists()] == []


def test_no_module_imports_what_its_row_does_not_let_it_know() -> None:
    wrong, unneeded = set(), set()
    for row, cell in rows():
        if cell.startswith("everything"):
            continue
        allowed = set(permissions(row, cell))
        unneeded |= {one for one in allowed if one[0] != row}
        for source in [PACKAGE / row] if row.endswith(".py") else (PACKAGE / row).rglob("*.py"):
            file = source.relative_to(PACKAGE).as_posix()
            for target in {one for one in imports(source) if not covers(row, one)} - sys.stdlib_module_names:
                reasons = {(who, what) for who, what in allowed if covers(who, file) and covers(what, target)}
                unneeded -= reasons
                wrong |= set() if reasons else {f"{file} may not know {target}"}
    assert wrong == set()
    assert unneeded == set()
