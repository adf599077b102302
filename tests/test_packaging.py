"""What is published of the package: one version, links that lead somewhere, jobs that are scripts of ours."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml

import sidestep as ss

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HOME = PYPROJECT["project"]["urls"]["Repository"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def published_readme() -> str:
    """The README as a package index shows it: as hatch-fancy-pypi-readme makes it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for one in PYPROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        text = re.sub(one["pattern"], one["replacement"], text)
    return text.replace("$HFPR_VERSION", ss.__version__)


def test_the_version_is_written_in_one_place() -> None:
    assert "version" in PYPROJECT["project"]["dynamic"]
    assert PYPROJECT["tool"]["scikit-build"]["metadata"]["version"]["input"] == "src/sidestep/__init__.py"
    for name in ("pyproject.toml", "CITATION.cff", "CMakeLists.txt"):
        assert ss.__version__ not in (ROOT / name).read_text(encoding="utf-8"), name


def test_links_and_pictures_on_a_package_index_lead_to_files_of_the_tag() -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", published_readme())
    raw = HOME.replace("//github.com/", "//raw.githubusercontent.com/")
    pages, pictures = f"{HOME}/blob/v{ss.__version__}/", f"{raw}/v{ss.__version__}/"
    for target in targets:
        assert target.startswith(("#", pages, pictures)), target
        if not target.startswith("#"):
            name = target.removeprefix(pages).removeprefix(pictures).partition("#")[0]
            assert (ROOT / name).is_file(), target
    assert sum(target.startswith(pictures) for target in targets) >= 2


def test_only_links_differ_on_a_package_index() -> None:
    as_written = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.sub(r"\]\([^)\s]+\)", "]()", published_readme()) == re.sub(r"\]\([^)\s]+\)", "]()", as_written)


def test_all_addresses_of_the_repository_agree() -> None:
    for name in ("CITATION.cff", ".github/ISSUE_TEMPLATE/config.yml", "pyproject.toml"):
        found = re.findall(
            r"github(?:usercontent)?\.com/([\w-]+/[\w-]+)", (ROOT / name).read_text(encoding="utf-8")
        )
        assert found, name
        assert {*found} == {HOME.removeprefix("https://github.com/")}, name


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_job_is_one_call_of_a_script_of_ours(path: Path) -> None:
    for name, job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].items():
        commands = [step["run"] for step in job.get("steps", []) if "run" in step]
        assert len(commands) <= 1, name
        for command in commands:
            script = command.removeprefix("python3 ").removeprefix("python ").split()[0]
            assert (ROOT / script).is_file(), command
            assert "\n" not in command


def test_a_release_needs_its_tag_and_a_dated_section() -> None:
    def said(tag: str, changelog: str) -> list[str]:
        code = (
            "import sys; sys.path.insert(0, 'scripts'); from check_release import complaints;"
            "print(*complaints(*sys.argv[1:]), sep='\\n')"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, tag, changelog], cwd=ROOT, capture_output=True, text=True, check=True
        )
        return done.stdout.split("\n")[:-1]

    version = ss.__version__
    assert said(f"v{version}", f"## {version} - 2026-12-01\n") == [""]
    assert "CHANGELOG.md has no dated section" in said(f"v{version}", f"## {version} - unreleased\n")[0]
    assert f"is v{version}, not v99" in said("v99", f"## {version} - 2026-12-01\n")[0]


def test_the_stub_of_the_core_is_installed_with_it() -> None:
    """A wheel has what is installed by name: the stub is in no list of files of the repository."""
    installed = {path.name for path in metadata.files("sidestep") or () if path.parent.name == "sidestep"}
    assert any(name.startswith("_core.") and name != "_core.pyi" for name in installed)
    assert "_core.pyi" in installed
