"""What the documentation says is true: its code runs, its commands exist, its links lead somewhere.

The Python blocks of a file run one after another in one namespace, in an empty folder. A block marked
`output` right after one of Python is what that prints.
"""

from __future__ import annotations

import io
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import pytest

from sidestep.cli import main
from sidestep.cli.commands import cli

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "examples/**/*.md")
    for path in ROOT.glob(pattern)
    if path.is_file()
)
README = ROOT / "README.md"
SLOW_COMMANDS = ("demo", "reproduce", "studio", "tune")  # these are only parsed

FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[^\n`]*)\n(?P<text>.*?)^ *```[ \t]*$", re.DOTALL | re.M)
LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block: the first word after its fence, its text, the line where that begins."""

    language: str
    text: str
    line: int


def blocks_of(text: str) -> list[Block]:
    return [
        Block(
            (match["language"].split() or [""])[0],
            dedent(match["text"]),
            text.count("\n", 0, match.start("text")) + 1,
        )
        for match in FENCE.finditer(text)
    ]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


# Code


def run_blocks(path: Path) -> None:
    """Runs the Python of a page; an error points to its line in the page."""
    # A module like any other, so that its classes can be pickled.
    module = ModuleType("docs_" + re.sub(r"\W", "_", name_of(path)))
    sys.modules[module.__name__] = module
    blocks = blocks_of(path.read_text(encoding="utf-8"))
    try:
        for block, following in pairwise([*blocks, None]):
            if block.language != "python":
                continue
            printed = io.StringIO()
            code = compile("\n" * (block.line - 1) + block.text, str(path), "exec")
            with redirect_stdout(printed):
                exec(code, module.__dict__)
            if following is not None and following.language == "output":
                assert printed.getvalue().strip() == following.text.strip(), f"{name_of(path)}:{block.line}"
    finally:
        del sys.modules[module.__name__]


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_the_code_of_a_page_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_blocks(path)


def test_code_that_fails_or_prints_something_else_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(1 + 1)\n```\n\n```output\n2\n```\n")
    run_blocks(page)
    page.write_text("```python\nprint(1 + 1)\n```\n\n```output\n3\n```\n")
    with pytest.raises(AssertionError, match=r"page\.md:2"):
        run_blocks(page)
    page.write_text("```python\nx = 1\n```\n```python\nraise KeyError(x)\n```\n")
    with pytest.raises(KeyError, match="1"):
        run_blocks(page)


# Commands


def commands_of(path: Path) -> list[list[str]]:
    """The `sidestep ...` lines of a page's shell blocks, split into words; comments do not count."""
    lines = [
        line.removeprefix("$ ")
        for block in blocks_of(path.read_text(encoding="utf-8"))
        if block.language in ("sh", "shell", "bash", "console")
        for line in block.text.replace("\\\n", " ").splitlines()
    ]
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("sidestep ")]


def parse(name: str, *arguments: str) -> None:
    """Everything that click does before a command runs."""
    assert name in cli.commands, f"there is no command {name}"
    cli.commands[name].make_context(name, list(arguments))


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_the_commands_of_a_page_exist(path):
    for arguments in commands_of(path):
        parse(*arguments)


def test_the_quick_commands_of_the_readme_work_one_after_another(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    for arguments in commands_of(README):
        if arguments[0] not in SLOW_COMMANDS:
            assert main(arguments) == 0, (arguments, capfd.readouterr().err)


# Links


def prose_of(path: Path) -> str:
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    return re.sub(r"`[^`\n]*`", "", text)


def anchors_of(path: Path) -> set[str]:
    """The fragments of a page's headings, as GitHub makes them."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ +(.+?) *$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(path: Path) -> Iterator[str]:
    for match in LINK.finditer(prose_of(path)):
        target, _, fragment = match["target"].partition("#")
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue  # an address on the web, which tests do not visit
        page = (path.parent / target).resolve() if target else path
        if not page.exists() or (fragment and page.suffix == ".md" and fragment not in anchors_of(page)):
            yield match["target"]


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_the_links_of_a_page_lead_somewhere(path):
    assert list(broken_links(path)) == []


def test_a_broken_link_is_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "# One, two\n[a](page.md#one-two) [b](page.md#three) [c](no.md) [d](https://x.org) `[e](no.md)`"
    )
    assert list(broken_links(page)) == ["page.md#three", "no.md"]
