"""The crawl of the built site finds what is broken; the site itself is crawled by `make docs`."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

_spec = importlib.util.spec_from_file_location("crawl_site", ROOT / "scripts" / "crawl_site.py")
assert _spec is not None
assert _spec.loader is not None
crawl = importlib.util.module_from_spec(_spec)
sys.modules["crawl_site"] = crawl
_spec.loader.exec_module(crawl)

INDEX = """
<h1 id="top">A</h1><a href="#top">here</a><a href="sub/b.html#there">b</a><a href="https://x.org/y">web</a>
<figure class="replay"></figure><img src="sub/">
"""
OTHER = '<p id="there">B</p><a href="../index.html">back</a>'


def site(folder: Path, index: str = INDEX, **pages: str) -> crawl.Site:
    (folder / "sub").mkdir()
    (folder / "index.html").write_text(index)
    for name, text in {"sub/index": OTHER, "sub/b": OTHER, **pages}.items():
        (folder / f"{name}.html").write_text(text)
    found = crawl.Site(folder)
    found.read()
    return found


def test_a_site_without_faults(tmp_path):
    found = site(tmp_path)
    assert list(found.broken()) == []
    assert found.unreached() == ["sub/index.html"]
    assert found.with_replays() == [tmp_path / "index.html"]


@pytest.mark.parametrize(
    ("link", "why"),
    [
        ("gone.html", "no such file"),
        ("#gone", "no such place"),
        ("sub/b.html#gone", "no such place"),
        ("sub/b.html?x#there", ""),
    ],
)
def test_a_link_that_leads_nowhere_is_said(tmp_path, link, why):
    broken = list(site(tmp_path, f'{INDEX}<a href="{link}">x</a>').broken())
    assert len(broken) == bool(why)
    assert all(why in line and link in line for line in broken)


def test_the_exit_code_says_whether_something_is_broken(tmp_path, monkeypatch, capsys):
    whole = INDEX.replace('src="sub/"', 'src="sub/index.html"')
    site(tmp_path, whole)
    monkeypatch.setattr(sys, "argv", ["crawl_site.py", str(tmp_path)])
    assert crawl.main() == 0
    assert capsys.readouterr().out == "3 pages, 6 links, 0 looked at: 0 faults\n"
    (tmp_path / "index.html").write_text(whole + '<a href="gone.html">x</a>')
    assert crawl.main() == 1
    assert "index.html: gone.html: there is no such file" in capsys.readouterr().out
