"""What is served as it is: packaged files, and nothing that a policy would have to forbid."""

from __future__ import annotations

import re

from sidestep.studio.app import static_files


def test_the_page_and_its_parts_are_packaged(studio):
    names = set(static_files())
    assert {"index.html", "main.js", "player.js", "palette.css"} <= names
    for name in names:
        answer = studio.client.get(f"/static/{name}")
        assert answer.status_code == 200
        assert answer.content == static_files()[name]
        assert answer.headers["content-type"].startswith(("text/", "image/svg+xml"))


def test_the_page_needs_nothing_that_the_policy_forbids(studio):
    page = studio.client.get("/").text
    assert not re.search(r"<style|style=|<script(?![^>]*\bsrc=)|\son\w+=|javascript:", page)
    for address in re.findall(r'(?:src|href)="([^"]*)"', page):
        assert studio.client.get(address).status_code == 200, address
