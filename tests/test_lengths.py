"""Files have at most 500 lines, bodies of functions 40 in Python and 45 in C++.

A body is what a function does: in Python the lines from its first statement, the docstring aside, to its
last; in C++ the lines between its braces. Tests are free, and so are the `bind_` functions of the bindings,
which are tables of contents.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("src", "cpp", "benchmarks", "scripts", "examples")
SUFFIXES = (".py", ".cpp", ".hpp", ".js", ".css", ".html", ".sh")
MOST_IN_FILE, MOST_IN_PYTHON, MOST_IN_CPP = 500, 40, 45

# What may hold braces and semicolons without being code: comments, texts, and what is for the preprocessor.
NOT_CODE = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | R"\(.*?\)" | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])+'
    | ^[ ]*\#(?:[^\n]*\\\n)*[^\n]*""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
OPENS_SCOPE = re.compile(
    r"(?:^|[\s)])(?:namespace(?:\s[\w:]+)?|(?:class|struct|union|enum)\b[^()]*)$", re.DOTALL
)


def sources(*suffixes: str) -> list[Path]:
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in suffixes]
    return [path for path in files if not path.is_relative_to(ROOT / "cpp" / "tests")]


def python_bodies(text: str) -> Iterator[tuple[str, int]]:
    """Functions and methods, and how many lines their bodies have."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[ast.get_docstring(node, clean=False) is not None :]
            yield node.name, body[-1].end_lineno - body[0].lineno + 1 if body else 0


def cpp_bodies(text: str) -> Iterator[tuple[str, int]]:
    """Functions, by what stands before their brace, and how many lines they have between their braces.

    A brace opens a scope (a namespace, a type), a function, or something within a function.
    """
    text = re.sub(r"(?<=\d)'(?=\d)", "_", text)  # 1'000 is no text
    text = NOT_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    opened: list[tuple[str, int]] = []  # the functions that are open, and "" for scopes; where they begin
    begin = 0
    for mark in re.finditer("[{};]", text):
        head = " ".join(text[begin : mark.start()].split())
        if mark.group() == "{":
            is_function = "(" in head and not OPENS_SCOPE.search(head) and not any(name for name, _ in opened)
            opened.append((head if is_function else "", mark.end()))
        elif mark.group() == "}":
            name, start = opened.pop()
            if name:
                yield name, max(text.count("\n", start, mark.start()) - 1, 0)
        begin = mark.end()
    assert not opened


def test_no_file_is_too_long() -> None:
    lines = {str(path.relative_to(ROOT)): path.read_text().count("\n") for path in sources(*SUFFIXES)}
    assert len(lines) > 300
    assert {file: count for file, count in lines.items() if count > MOST_IN_FILE} == {}


def test_no_python_function_is_too_long() -> None:
    found = [(path.name, *one) for path in sources(".py") for one in python_bodies(path.read_text())]
    assert len(found) > 2000
    assert [one for one in found if one[-1] > MOST_IN_PYTHON] == []


def test_no_cpp_function_is_too_long() -> None:
    found = [(path.name, *one) for path in sources(".cpp", ".hpp") for one in cpp_bodies(path.read_text())]
    assert len(found) > 1000
    assert [one for one in found if one[-1] > MOST_IN_CPP and " bind_" not in one[1]] == []


PYTHON = '''
def first(self):
    """Text
    of two lines."""
    one = [
        2,
    ]

    def second(): return one
'''
CPP = r"""
#define A { \
    {
SIDESTEP_MACRO(sidestep::Thing, )
namespace sidestep {
template <class T>
struct Thing : Base<T> {
    Thing(int a) : a_{a}, b_(a) {}
    void bind_it() const {  // }
        if (a_ == '}') {
            say("}{", 1'000);

        }
    }
    struct Order { int a; };
};
Order made(struct Order order) {
    return {[&] {
        return 1; }()};
}
}  // namespace sidestep
"""


def test_lines_are_counted_from_the_first_statement_to_the_last() -> None:
    assert list(python_bodies(PYTHON)) == [("first", 5), ("second", 1)]


def test_lines_are_counted_between_the_braces() -> None:
    found = [count for name, count in cpp_bodies(CPP) if name]
    assert found == [0, 0, 4, 2]


@pytest.mark.parametrize("text", ["int f() {", "int f() { } }"])
def test_braces_that_do_not_match_are_an_error(text: str) -> None:
    with pytest.raises((AssertionError, IndexError)):
        list(cpp_bodies(text))
