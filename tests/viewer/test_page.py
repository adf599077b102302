"""The page: one file that loads nothing, runs nothing but the player, and shows hostile text as text."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import sidestep as ss
from sidestep import io
from sidestep.cli import main

from .conftest import Show, Shown, film

WALK = "a b . .\n\n. a b .\n\n. . a b"

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>window.hacked=1</script>",
    "<!--<script>",
    "${window.hacked=1}`'\"\\",
    "&lt;b&gt;&amp;",
    "\u202egnp.exe\u202c",
    "javascript:alert(1)",
    "]]>\x00\x07\x1b[31m",
    "\u200b",
    " ",
    "long " + "x" * 10_000,
    "__proto__",
]


class Tags(HTMLParser):
    """The elements of a page and what they load."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)
        self.loaded += [f"{tag} {name}" for name, _ in attrs if name in ("src", "href", "srcset", "style")]


def tags(html: str) -> Tags:
    parser = Tags()
    parser.feed(html)
    parser.close()
    return parser


def named(names: list[str], title: str | None = None, note: str = "") -> ss.Replay:
    """A replay in which agents with these names stand in a row."""
    row = [(0, col) for col in range(len(names))]
    problem = ss.Problem(ss.Grid(np.ones((2, len(names)), dtype=np.bool_)), row, row, names=names)
    return ss.replay(ss.Plan(problem, [problem.starts, problem.starts]), title=title, note=note)


def harmless(shown: Shown) -> None:
    """Nothing of what was shown has run or become an element."""
    assert shown.page.evaluate("window.hacked === undefined && ({}).hacked === undefined")
    assert shown.find("img, iframe, object, embed, main script, main style, main a").count() == 0


# ----------------------------------------------------------------------------------- the file by itself


def test_the_file_loads_nothing_and_says_so_in_its_policy() -> None:
    html = ss.replay(film(WALK)).html()
    found = tags(html)
    assert found.loaded == []
    assert "link" not in found.found
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert policy
    rules = dict(rule.strip().split(" ", 1) for rule in policy[1].split(";"))
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in policy[1]
    scripts = re.findall(r'<script type="module">(.*?)</script>', html, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    for rule, texts in (("script-src", scripts), ("style-src", styles)):
        (text,) = texts
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"


def test_the_same_replay_is_the_same_file() -> None:
    assert ss.replay(film(WALK)).html() == ss.replay(film(WALK)).html()


def test_a_title_cannot_leave_its_element() -> None:
    usual = tags(ss.replay(film(WALK), title="usual").html()).found
    for text in HOSTILE:
        assert tags(ss.replay(film(WALK), title=text, note=text, labels=[text]).html()).found == usual


def test_no_text_of_a_replay_stands_in_its_file() -> None:
    """Names and sentences are in the compressed part, where no parser of HTML meets them."""
    html = named(["<b>Bobby Tables", "</script>Mallory"]).html()
    assert "Bobby" not in html
    assert "Mallory" not in html


def test_text_that_is_no_unicode_can_be_saved(tmp_path: Path) -> None:
    lone = "lone \ud800 surrogate"
    replay = named([lone, "other"], title=lone, note=lone)
    replay.save(tmp_path / "lone.html")
    assert "<title>lone ? surrogate</title>" in (tmp_path / "lone.html").read_text("utf-8")


def test_line_ends_of_the_page_are_those_that_its_policy_names(tmp_path: Path) -> None:
    """A browser reads CR LF as LF, and would then refuse a script whose digest was taken before."""
    ss.replay(film(WALK)).save(tmp_path / "page.html")
    assert b"\r" not in (tmp_path / "page.html").read_bytes()


# ---------------------------------------------------------------------------------------- in a browser


def test_hostile_names_and_titles_are_shown_as_text(show: Show) -> None:
    window = {"width": 1200, "height": 800}  # in which the whole list is seen
    shown = show(named(HOSTILE, title=HOSTILE[0], note="\n".join(HOSTILE[:4])), viewport=window)
    harmless(shown)
    assert shown.page.title() == HOSTILE[0]
    assert shown.find("h1").text_content() == HOSTILE[0]
    assert shown.find(".header p").all_text_contents() == HOSTILE[:4]
    shown.open_tab("Agents")
    assert shown.find(".list[aria-label=Agents] .grow").all_text_contents() == HOSTILE
    for agent, name in enumerate(HOSTILE):
        shown.call("select", agent)
        assert shown.text(".card h2") == name
        assert name[:30] in shown.ticker  # long names are cut, those that turn the line are isolated
        assert shown.ticker.endswith(" is at its goal.")
    shown.press("ArrowRight")
    assert HOSTILE[-1] in shown.text("[aria-live]")
    harmless(shown)


def test_hostile_labels_facts_and_captions_are_shown_as_text(show: Show) -> None:
    plan = film("a # A\n\na # .")
    result = ss.Result(plan.problem, HOSTILE[1], 0, ss.Status.SOLVED, plan, stats={HOSTILE[0]: 3})
    caption = ss.Caption(0, (0,), HOSTILE[1], kind=HOSTILE[0])
    shown = show(result, captions=[caption, ss.Caption(0, (0,), HOSTILE[0])])
    assert shown.find("figcaption strong").text_content() == HOSTILE[1]
    assert HOSTILE[0] in shown.find("[role=tabpanel] tbody th").all_text_contents()
    assert ("0", f"{HOSTILE[0]}: {HOSTILE[1]}") in shown.events()
    assert shown.ticker == HOSTILE[0]
    harmless(shown)
    labels = show(plan, plan, labels=[HOSTILE[0], HOSTILE[1]])
    assert labels.find("select[aria-label=Run] option").all_text_contents() == HOSTILE[:2]
    harmless(labels)


def test_hostile_names_do_not_make_the_page_wider(show: Show) -> None:
    long = HOSTILE[-2]
    shown = show(named([long, "b"], title=long, note=long), viewport={"width": 390, "height": 844})
    shown.call("select", 0)
    shown.open_tab("Agents")
    wide, seen = shown.page.locator("html").evaluate("(html) => [html.scrollWidth, html.clientWidth]")
    assert wide <= seen


def test_a_lone_surrogate_is_shown_as_something(show: Show) -> None:
    shown = show(named(["lone \ud800", "b"], title="t \udfff"))
    shown.open_tab("Agents")
    assert shown.find(".list[aria-label=Agents] .grow").first.text_content() == "lone ?"
    assert shown.find("h1").text_content() == "t ?"


def test_hostile_files_are_shown_as_text(show: Show, tmp_path: Path) -> None:
    name = "<img src=x onerror=alert(1)>.json"
    plan = film("a b . .\n\n. a b .\n\n. . a b")
    agents = [
        ss.Agent(one.start, one.goal, name=text)
        for one, text in zip(plan.problem.agents, HOSTILE, strict=False)
    ]
    problem = ss.Problem.from_agents(plan.problem.space, agents)
    result = ss.Result(
        problem, HOSTILE[1], 0, ss.Status.SOLVED, ss.Plan(problem, plan.vertices), stats={HOSTILE[0]: 1}
    )
    io.write_result(result, tmp_path / name)
    assert main(["view", str(tmp_path / name), "-o", str(tmp_path / "page.html")]) == 0
    shown = show(tmp_path / "page.html")
    assert shown.find("h1").text_content() == name
    shown.open_tab("Agents")
    assert shown.find(".list[aria-label=Agents] .grow").all_text_contents() == HOSTILE[:2]
    harmless(shown)


def test_a_hostile_map_is_walls_and_floor(show: Show, tmp_path: Path) -> None:
    row = "<script>alert(1)</script>"
    (tmp_path / "m.map").write_text(f"type octile\nheight 2\nwidth {len(row)}\nmap\n{row}\n{row}\n")
    (tmp_path / "result.txt").write_text(
        "agents=1\nsolver=x\nstarts=(0,0),\ngoals=(1,0),\nsolution=\n0:(0,0),\n1:(1,0),\n"
    )
    arguments = ["view", str(tmp_path / "result.txt"), "--map", str(tmp_path / "m.map")]
    assert main([*arguments, "--passable", "<scripta"]) == 2  # '>' and others are no terrain
    assert main([*arguments, "--passable", row]) == 0
    harmless(show(tmp_path / "result.html"))


def test_a_file_whose_name_is_no_unicode_can_be_viewed(show: Show, tmp_path: Path) -> None:
    source = tmp_path / "plan \udcff.json"
    plan = film(WALK)
    io.write_plan(plan, source)
    assert main(["view", str(source), "-o", str(tmp_path / "page.html")]) == 0
    assert show(tmp_path / "page.html").find("h1").text_content() == "plan ?.json"


# ------------------------------------------------------------------------------------- broken payloads


def with_payload(html: str, text: str) -> str:
    return re.sub(r'(id="scenes">)[^<]*', lambda match: match[1] + text, html)


def broken_payloads() -> dict[str, str]:
    data = ss.replay(film(WALK)).payload
    whole = gzip.decompress(data)

    def text(content: bytes) -> str:
        return base64.b64encode(content).decode()

    return {
        "empty": "",
        "not base64": "%%% this is no replay",
        "cut off": text(data)[:-41],
        "cut off in its stream": text(data[:-40]),
        "not gzip": text(b"\0" * 400),
        "another version": text(gzip.compress(whole.replace(b'"version":1', b'"version":9'))),
        "no header": text(gzip.compress(b"\xff\xff\xff\xff")),
        "no JSON": text(gzip.compress(whole.replace(b"{", b"<"))),
        "arrays missing": text(gzip.compress(whole[: 4 + int.from_bytes(whole[:4], "little")])),
    }


@pytest.mark.parametrize("name", broken_payloads())
def test_a_broken_page_says_that_it_is_broken(show: Show, tmp_path: Path, name: str) -> None:
    html = ss.replay(film(WALK)).html()
    (tmp_path / "broken.html").write_text(with_payload(html, broken_payloads()[name]))
    shown = show(tmp_path / "broken.html", ready=False)
    alert = shown.page.get_by_role("alert")
    alert.wait_for()
    sentence = alert.text_content() or ""
    assert sentence.startswith("This replay cannot be shown: ")
    assert re.search(r"[^.]\.$", sentence)
    assert "fetch" not in sentence  # nothing was to be fetched
    assert alert.is_visible()
    assert all(problem.startswith("console: ") for problem in shown.problems)
    shown.problems.clear()


def test_without_scripts_the_page_says_what_it_needs(browser, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    ss.replay(film(WALK)).save(tmp_path / "page.html")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    assert page.locator("noscript").inner_text() == "This replay needs JavaScript."
    context.close()
