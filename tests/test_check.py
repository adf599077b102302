"""Which tests `make check` runs for what was touched."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

_spec = importlib.util.spec_from_file_location("check", ROOT / "scripts" / "check.py")
assert _spec is not None
assert _spec.loader is not None
check = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(check)


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("src/sidestep/viewer/film.py", {"tests/viewer/test_films.py"}),
        ("src/sidestep/viewer/sheet.py", {"tests/viewer"}),
        ("src/sidestep/studio/guard.py", {"tests/studio/test_guard.py"}),
        ("src/sidestep/__init__.py", set()),
    ],
)
def test_a_module_has_the_tests_of_its_name_or_of_its_folder_and_the_smoke_test(
    file: str, tests: set[str]
) -> None:
    assert set(check.tests_for([file])) == tests | set(check.SMOKE)


def test_other_files_have_their_tests() -> None:
    assert check.tests_for(["tests/io/test_text.py"]) == ["tests/io/test_text.py"]
    assert check.tests_for(["tests/cli/conftest.py"]) == ["tests/cli"]
    assert check.tests_for(["tests/javascript/view.test.js"]) == ["tests/viewer/test_modules.py"]
    assert check.tests_for(["tests/golden/old/plan.json"]) == ["tests/golden"]
    assert set(check.tests_for(["tests/conftest.py"])) == set(check.SMOKE)
    pages = ["tests/test_docs.py", "tests/test_teaching.py"]
    assert check.tests_for(["README.md", "docs/formats.md"]) == pages
    assert {"tests/core", *check.SMOKE} <= set(check.tests_for(["cpp/include/sidestep/model/space.hpp"]))
    assert check.tests_for(["LICENSE"]) == []


def test_a_solver_has_the_tests_that_say_its_name() -> None:
    chosen = set(check.tests_for(["src/sidestep/solvers/whca.py"]))
    assert {"tests/solvers/test_silver.py", *check.SMOKE} <= chosen
    assert "tests/solvers/test_icts.py" not in chosen
    assert "tests/solvers" in check.tests_for(["src/sidestep/solvers/offline.py"])


def test_what_a_page_is_made_of_has_the_tests_that_open_it() -> None:
    assert check.tests_for(["src/sidestep/studio/static/board.js"]) == [
        "tests/studio/page",
        "tests/studio/test_static.py",
    ]
    player = check.tests_for(["src/sidestep/viewer/player/words.js"])
    assert "tests/viewer/test_player.py" in player
    assert not set(player) & set(check.SMOKE)


def test_a_warning_in_a_touched_source_is_an_error() -> None:
    (command,) = check.strictly(["cpp/src/model/space.cpp", "README.md"])
    assert command[-3:] == ["-Werror", "-fsyntax-only", str(ROOT / "cpp" / "src" / "model" / "space.cpp")]
    assert "-Wconversion" in command
    assert "-o" not in command


def test_what_is_in_a_chosen_folder_is_not_run_twice() -> None:
    assert check.tests_for(["tests/cli/conftest.py", "tests/cli/test_cli_view.py"]) == ["tests/cli"]


def test_all_that_is_named_exists() -> None:
    tables = (check.ELSEWHERE, check.PAGES)
    named = [test for table in tables for tests in table.values() for test in tests] + check.SMOKE
    assert [one for one in named if not (ROOT / one.partition("::")[0]).exists()] == []
    assert [one for table in tables for one in table if not (ROOT / one).exists()] == []


def test_what_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[tuple[str, ...]] = []
    monkeypatch.setattr(check, "touched", lambda: ["tests/io/test_text.py", "cpp/tests/check.hpp"])
    monkeypatch.setattr(check, "run", lambda *command: ran.append(command) or "ruff" not in command)
    monkeypatch.setattr(sys, "argv", ["check.py", "2"])
    assert check.main() == 1
    assert ["ruff" in one for one in ran] == [True, True, False, False]
    assert "pytest" in ran[-1]
