"""The rows of the programme, a module each, named like its row; `all_rows` finds them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from ..row import Row


def row_in(module: str) -> Row:
    """The row of a module beside this one, or of one such as `..broken`."""
    row: Row = import_module(module if module.startswith(".") else f".{module}", __package__).ROW
    return row


def all_rows() -> dict[str, Row]:
    """Every row by its name."""
    modules = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem != "__init__")
    rows = {module: row_in(module) for module in modules}
    for module, row in rows.items():
        if module != row.module:
            raise ValueError(f"the row {row.name!r} belongs into rows/{row.module}.py")
    return {row.name: row for row in rows.values()}
