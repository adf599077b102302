"""Lines of our sources, found by the name of a function and by what is written in it.

Nothing is found by its number, so a page does not go wrong when a file changes above. What is renamed or gone
is a `LookupError` with the name.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).resolve().parents[2]
MOST = 32  # lines of one excerpt: more is not read beside a line of pseudocode
LANGUAGES = {".py": "python", ".cpp": "cpp", ".hpp": "cpp"}


@dataclass(frozen=True)
class Excerpt:
    """Lines `first` to `last` of a file, without their common indentation."""

    path: str
    first: int
    last: int
    text: str

    @property
    def language(self) -> str:
        return LANGUAGES[Path(self.path).suffix]


def excerpt(path: str, name: str, beginning: str = "", end: str = "") -> Excerpt:
    """The lines of a function or class, or those from one with `beginning` in it to one with `end`."""
    lines = _lines(path)
    first, last = _python(path, name) if path.endswith(".py") else _cpp(path, name)
    if beginning:
        first = _line_with(path, name, beginning, first, last)
        last = _line_with(path, name, end, first, last) if end else first
    if last - first >= MOST:
        raise LookupError(f"{path}: {name} has {last - first + 1} lines; choose at most {MOST} of them")
    return Excerpt(path, first, last, dedent("\n".join(lines[first - 1 : last])))


@cache
def _lines(path: str) -> list[str]:
    file = ROOT / path
    if not file.is_file():
        raise LookupError(f"there is no file {path}")
    return file.read_text(encoding="utf-8").splitlines()


@cache
def _tree(path: str) -> ast.Module:
    return ast.parse("\n".join(_lines(path)))


def _line_with(path: str, name: str, words: str, first: int, last: int) -> int:
    lines = _lines(path)
    found = next((line for line in range(first, last + 1) if words in lines[line - 1]), None)
    if found is None:
        raise LookupError(f"{path}: {name} has no line with {words!r}")
    return found


def _python(path: str, name: str) -> tuple[int, int]:
    node: ast.AST = _tree(path)
    for part in name.split("."):
        inside = [child for child in ast.iter_child_nodes(node) if getattr(child, "name", "") == part]
        if not inside:
            raise LookupError(f"{path}: there is no {name}")
        node = inside[0]
    return node.lineno, node.end_lineno  # type: ignore[attr-defined]


def _cpp(path: str, name: str) -> tuple[int, int]:
    """A definition begins on a line with its name and ends at the first brace as far to the left.

    That is how clang-format writes it. Before the name stand only types: a call has more. What ends with a
    semicolon is a declaration.
    """
    lines = _lines(path)
    types, rest = r"(?:[\w:<>,&*~\[\] ]*[\s*&])?", r"(?:\(.*| final.*| :.*| \{)"
    begins = re.compile(rf"(?P<indent>\s*){types}{re.escape(name)}{rest}")
    for number, line in enumerate(lines):
        begun = begins.fullmatch(line)
        if begun is None or line.lstrip().startswith(("return ", "//", "else ")):
            continue
        opened = next((at for at in range(number, len(lines)) if re.search(r"[{;]", lines[at])), number)
        if lines[opened].endswith("}"):
            return number + 1, opened + 1
        if not lines[opened].endswith("{"):
            continue
        closed = re.compile(rf"{begun['indent']}\}};?( .*)?")
        for end in range(opened + 1, len(lines)):
            if closed.fullmatch(lines[end]):
                return number + 1, end + 1
    raise LookupError(f"{path}: there is no {name}")
