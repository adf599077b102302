"""Every public name has a place in docs/reference, and every page a place in the site."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
LINTED = re.findall(
    r'"([\w.]+)"',
    re.search(r"^MODULES = \((.*?)\)", (ROOT / "scripts/lint_docstrings.py").read_text(), re.M | re.S)[1],
)
MODULES = [*LINTED, "sidestep.dialogue"]  # whose docstrings are not of one form


def described() -> set[str]:
    pages = "".join(page.read_text(encoding="utf-8") for page in (DOCS / "reference").glob("*.md"))
    return set(re.findall(r"^\.\. (?:autoclass|autofunction|py:data):: (\S+)$", pages, re.MULTILINE))


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_in_the_reference(module):
    names = {f"{module}.{name}" for name in import_module(module).__all__}
    assert names - described() == set()


def test_the_reference_has_no_other_names():
    assert {name.rpartition(".")[0] for name in described()} == set(MODULES)
    for name in described():
        module, _, attribute = name.rpartition(".")
        assert attribute in import_module(module).__all__


def test_every_page_is_in_the_contents():
    """Sphinx says so too, but takes a minute."""
    contents = re.findall(
        r"```\{toctree\}(.*?)```", (DOCS / "index.md").read_text(encoding="utf-8"), re.DOTALL
    )
    entries = [line for part in contents for line in part.splitlines() if line and not line.startswith(":")]
    listed = {page for entry in entries for page in DOCS.glob(f"{entry}.md")}
    assert set(DOCS.rglob("*.md")) - listed == {DOCS / "index.md"}
