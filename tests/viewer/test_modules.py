"""The player's modules: that they can be joined, and what they have from Python."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from sidestep.model.events import EventKind
from sidestep.viewer.constants import constants_source
from sidestep.viewer.modules import IMPORT, player_files, player_script, player_source

ROOT = Path(__file__).parents[2]
PLAYER = ROOT / "src" / "sidestep" / "viewer" / "player"
STATIC = ROOT / "src" / "sidestep" / "studio" / "static"
UNIT_TESTS = sorted((ROOT / "tests" / "javascript").glob("*.test.js"))
MODULES = {name: text for name, text in player_files().items() if name.endswith(".js")}

DECLARED = re.compile(
    r"^(export )?(?:async )?(?:function\*?|class|const|let|var) (\w+|\{[^}]*\}|\[[^\]]*\])", re.M
)


def declared(text: str, *, exported: bool = False) -> list[str]:
    """The names that a module declares at its top level."""
    found = (names for export, names in DECLARED.findall(text) if export or not exported)
    return [name for names in found for name in re.findall(r"\w+", names)]


@pytest.mark.parametrize("name", sorted(MODULES))
def test_a_module_imports_by_name_and_exports_where_it_declares(name: str) -> None:
    """Other forms would be lost or wrong in the joined script."""
    text = MODULES[name]
    rest = IMPORT.sub("", text)
    assert not re.search(r"^import\b|\bimport\(|^export (\{|\*)", rest, re.M)
    imports = IMPORT.findall(text)
    for names, module in imports:
        wanted = [one.strip() for one in names.split(",") if one.strip()]
        assert all(re.fullmatch(r"\w+", one) for one in wanted), f"renamed in {names}"
        assert set(wanted) <= set(declared(MODULES[module], exported=True)), module
    assert "export default" not in text or name == "notebook.js"


def test_no_two_modules_declare_the_same_name() -> None:
    owners: dict[str, str] = {}
    for module, text in MODULES.items():
        for name in declared(text):
            assert owners.setdefault(name, module) == module, f"{name} is in {owners[name]} and {module}"
    assert {"Player", "Scene", "EVENT", "STYLES", "mountPage"} <= set(owners)


def test_no_modules_import_each_other_in_a_circle() -> None:
    needs = {name: [module for _, module in IMPORT.findall(text)] for name, text in MODULES.items()}
    assert len(list(TopologicalSorter(needs).static_order())) == len(MODULES)


def test_the_joined_script_has_every_module_after_what_it_imports() -> None:
    script = player_source()
    assert not re.search(r"^import\b", script, re.M)
    assert {"mount", "mountPage"} <= set(declared(script, exported=True))
    at = {name: script.index(IMPORT.sub("", text).strip()) for name, text in MODULES.items()}
    for name, text in MODULES.items():
        assert all(at[module] < at[name] for _, module in IMPORT.findall(text)), name


def test_as_a_script_it_exports_nothing_and_what_follows_knows_it() -> None:
    """Browsers load no modules from a disk, where a site may be opened."""
    script = player_script("globalThis.found = mount.name;\n")
    assert not re.search(r"^(?:export|import) ", script, re.MULTILINE)
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    done = subprocess.run(
        [node, "-"],  # as an argument it would be too long
        input=f"{script}console.log(globalThis.found, typeof mount);",
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.split() == ["mount", "undefined"]


def test_no_file_of_javascript_is_long() -> None:
    for path in [*PLAYER.glob("*.js"), *STATIC.glob("*.js")]:
        assert len(path.read_text("utf-8").splitlines()) <= 500, path.name


def test_the_constants_are_those_of_python() -> None:
    """If not: `.venv/bin/python scripts/write_constants.py` writes them again."""
    assert (PLAYER / "constants.js").read_text("utf-8") == constants_source()


def test_the_constants_have_every_kind_of_event() -> None:
    block = constants_source().partition("export const EVENT = {")[2].partition("}")[0]
    found = {name: int(value) for name, value in re.findall(r"(\w+): (\d+),", block)}
    assert found == {kind.name: kind.value for kind in EventKind}


def test_the_modules_that_need_no_browser_pass_their_own_tests() -> None:
    node = shutil.which("node")
    if node is None and os.environ.get("SIDESTEP_REQUIRE_BROWSER") == "1":
        pytest.fail("there is no node to run tests of JavaScript with: apt install nodejs")
    if node is None:
        pytest.skip("there is no node to run tests of JavaScript with: apt install nodejs")
    assert UNIT_TESTS
    done = subprocess.run(
        [node, "--test", *map(str, UNIT_TESTS)], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
