"""Reads the built site as a crawler does: every link leads to a page, and every anchor to a place in it.

    python scripts/crawl_site.py build/docs           links and anchors, in seconds
    python scripts/crawl_site.py build/docs --look    and pages with replays in a browser, with axe

Addresses on the web are not visited. With `--look`, replays are mounted and a step is made, in a light, wide
window and in a dark, narrow one. What axe calls serious or critical is a fault, and so is a page that scrolls
sideways or complains. Part of `make docs`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

LOOKED_AT = 10  # pages with replays
WINDOWS = [({"width": 1440, "height": 900}, "light"), ({"width": 390, "height": 844}, "dark")]
SERIOUS = ("serious", "critical")
WITHOUT_LINKS = ("genindex.html", "search.html")  # of the theme, with nothing of ours in them


class _Reader(HTMLParser):
    """Collects what a page links to and what can be linked to in it."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.replays = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Of a start tag: what it names, what it leads to, what it loads."""
        named = {key: value for key, value in attrs if value is not None}
        self.anchors.update(named[key] for key in ("id", "name") if key in named)
        if tag in ("a", "link") and "href" in named:
            self.links.append(named["href"])
        if tag in ("img", "script", "source") and "src" in named:
            self.links.append(named["src"])
        self.replays += tag == "figure" and named.get("class") == "replay"


@dataclass
class Site:
    """The pages of a folder, read once each."""

    root: Path
    pages: dict[Path, _Reader] = field(default_factory=dict)

    def read(self) -> None:
        """Reads all of them."""
        for path in sorted(self.root.rglob("*.html")):
            if "_static" not in path.relative_to(self.root).parts:
                reader = _Reader()
                reader.feed(path.read_text(encoding="utf-8"))
                self.pages[path] = reader

    def broken(self) -> Iterator[str]:
        """A line for every link that leads nowhere."""
        for path, page in self.pages.items():
            for link in dict.fromkeys(page.links):
                if why := self.why_broken(path, link):
                    yield f"{path.relative_to(self.root)}: {link}: {why}"

    def why_broken(self, path: Path, link: str) -> str:
        """What is missing; empty if nothing is."""
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            return ""
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        target = target / "index.html" if target.is_dir() else target
        if not target.exists():
            return "there is no such file"
        anchor = unquote(parts.fragment)
        if not anchor or target.suffix != ".html" or target not in self.pages:
            return ""
        return "" if anchor in self.pages[target].anchors else "there is no such place in the page"

    def unreached(self) -> list[str]:
        """Pages that no other page leads to."""
        reached = {self.root / "index.html"}
        for path, page in self.pages.items():
            for link in page.links:
                parts = urlsplit(link)
                if not parts.scheme and parts.path:
                    reached.add((path.parent / unquote(parts.path)).resolve())
        names = {path.relative_to(self.root).as_posix() for path in self.pages if path not in reached}
        return sorted(names - {*WITHOUT_LINKS, "404.html"})

    def with_replays(self) -> list[Path]:
        """The pages that have any, those with most of them first."""
        found = [path for path, page in self.pages.items() if page.replays]
        return sorted(found, key=lambda path: (-self.pages[path].replays, str(path)))


def look_at(pages: list[Path]) -> Iterator[str]:
    """A line for everything that a reader with a browser would complain of."""
    from find_browser import installed_browser  # noqa: PLC0415  # beside this script
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # of the group docs

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed_browser(), chromium_sandbox=False)
        for viewport, scheme in WINDOWS:
            for page in pages:
                window = browser.new_page(viewport=viewport, color_scheme=scheme)
                for fault in _faults(window, page):
                    yield f"{page.name}, {viewport['width']} pixels, {scheme}: {fault}"
                window.close()
        browser.close()


def _faults(window: Any, page: Path) -> Iterator[str]:
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415

    said: list[str] = []
    window.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    window.on("pageerror", lambda error: said.append(str(error)))
    window.goto(page.as_uri())
    figures = window.locator("figure.replay")
    for number in range(figures.count()):
        figures.nth(number).scroll_into_view_if_needed()
        window.wait_for_function("(k) => document.querySelectorAll('figure.replay')[k].player", arg=number)
        figures.nth(number).evaluate("(figure) => figure.player.seek(1)")
    if window.evaluate("document.documentElement.scrollWidth > innerWidth"):
        yield "it scrolls sideways"
    for one in Axe().run(window, options={"preload": False}).response["violations"]:
        if one["impact"] in SERIOUS:
            yield from (f"{one['id']} at {node['target']}" for node in one["nodes"])
    yield from said


def main() -> int:
    """Prints what is wrong. Returns 1 if anything is."""
    parser = argparse.ArgumentParser(description="checks the built site")
    parser.add_argument("site", type=Path)
    parser.add_argument("--look", action="store_true", help="also look at pages with replays in a browser")
    options = parser.parse_args()
    site = Site(options.site.resolve())
    site.read()
    links = sum(len(page.links) for page in site.pages.values())
    faults = [*site.broken(), *(f"{page}: no page leads to it" for page in site.unreached())]
    looked = site.with_replays()[:LOOKED_AT] if options.look else []
    faults += look_at(looked) if looked else []
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{len(site.pages)} pages, {links} links, {len(looked)} looked at: {len(faults)} faults")
    return bool(faults) or not site.pages


if __name__ == "__main__":
    sys.exit(main())
