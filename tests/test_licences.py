"""What is compiled into the module is named in what is installed, with its licence."""

from __future__ import annotations

from importlib.metadata import distribution
from pathlib import Path

import pytest

pytestmark = pytest.mark.bounds

ROOT = Path(__file__).parents[1]
BUNDLED = {"nanobind.txt": "Wenzel Jakob", "robin-map.txt": "Thibaut Goetghebuer-Planchon"}


@pytest.mark.parametrize("name", BUNDLED)
def test_the_installed_package_has_the_licences_of_what_is_compiled_into_it(name: str) -> None:
    files = distribution("sidestep").files or []
    (found,) = [file for file in files if file.name == name and "licenses" in file.parts]
    text = found.read_text(encoding="utf-8")
    assert text == (ROOT / "licenses" / name).read_text(encoding="utf-8")
    assert BUNDLED[name] in text
    assert any(file.name == "LICENSE" for file in files)
