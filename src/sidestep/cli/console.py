"""Where output goes: results on stdout, complaints on stderr, and files by their names."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.table import Table

from ..model.errors import InputError

FILE = click.Path(path_type=Path, readable=False)  # io says what is wrong with a file, and better
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")


def choice_option(flag: str, choices: Sequence[str], default: str, said: str) -> Callable[[Any], Any]:
    """An option with one of some words, whose help says which is the usual one."""
    return click.option(flag, type=click.Choice(choices), default=default, show_default=True, help=said)


def complain(sentence: str) -> None:
    """One line on stderr, whatever the sentence contains."""
    print("sidestep:", " ".join(sentence.split()), file=sys.stderr)


def say(line: str) -> None:
    """One line on stderr about what goes on."""
    print(line, file=sys.stderr)


def show(*things: Any) -> None:
    """Text and tables for people, on stdout."""
    console = Console(file=sys.stdout, highlight=False)
    for thing in things:
        # Text is not cut to the width of the terminal: paths stay whole.
        console.print(thing, markup=False, soft_wrap=isinstance(thing, str))


def show_json(value: Mapping[str, Any]) -> None:
    """One JSON object for machines, on stdout."""
    print(json.dumps(_plain(value), indent=2, allow_nan=False))


def _plain(value: Any) -> Any:
    """The value as JSON has it; a number that is not finite is null."""
    if isinstance(value, (np.generic, np.ndarray)):
        return _plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def facts(title: str, rows: Mapping[str, Any]) -> Table:
    """A table of two columns; rows without a value are left out."""
    table = Table(title=title, title_justify="left", show_header=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, value in rows.items():
        if value is not None:
            table.add_row(name, str(value))
    return table


def writable(path: Path, *inputs: Path | None) -> Path:
    """The same path, if a file can be written there and it is no input; asked before the work."""
    for given in inputs:
        if given is not None and path.exists() and given.exists() and path.samefile(given):
            raise InputError(f"{path} is read from: name another file to write")
    if path.is_dir():
        raise InputError(f"{path} is a folder: name a file to write")
    folder = path.parent
    if not folder.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {folder}")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise InputError(f"{path} cannot be written: permission denied")
    return path
