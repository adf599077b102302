"""The directives `pseudocode`, `picture` and `replay`, as Sphinx knows them."""

from __future__ import annotations

import base64
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from sidestep.viewer.modules import player_script

from .excerpts import ROOT, Excerpt
from .pseudocode import steps_of
from .scenes import Shown, pictures, shown, stills

HERE = Path(__file__).parent
SCRIPT, STYLES, PICTURES = "replays.js", "teaching.css", "_images"


class Pseudocode(SphinxDirective):
    """Pseudocode in the words of a paper, beside our lines."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """A row per step."""
        box = nodes.container(classes=["pseudocode"])
        if self.arguments:
            box += nodes.paragraph("", self.arguments[0], classes=["pseudocode-title"])
        try:
            for step in steps_of("\n".join(self.content)):
                row = nodes.container(classes=["pseudocode-step"])
                row += nodes.container("", self._code(step.said, "none"), classes=["pseudocode-said"])
                if step.done is not None:
                    row += nodes.container("", *self._lines(step.done), classes=["pseudocode-done"])
                    self.env.note_dependency(str(ROOT / step.done.path))
                box += row
        except LookupError as error:
            raise self.error(str(error)) from error
        return [box]

    def _lines(self, done: Excerpt) -> list[nodes.Node]:
        place = f"{self.config.repository}/{done.path}#L{done.first}-L{done.last}"
        words = f"{done.path}, line {done.first}" + (f" to {done.last}" if done.last > done.first else "")
        link = nodes.reference("", words, refuri=place)
        return [
            nodes.paragraph("", "", link, classes=["pseudocode-place"]),
            self._code(done.text, done.language),
        ]

    def _code(self, text: str, language: str) -> nodes.Node:
        return nodes.literal_block(text, text, language=language)


class _Scenes(SphinxDirective):
    """Lines of Python that show something; the argument is the caption."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = {"code": directives.flag}  # noqa: RUF012  # docutils' form

    def run(self) -> list[nodes.Node]:
        """The code if it is asked for, and the figure."""
        code = "\n".join(self.content)
        try:
            figure = self.figure(shown(code, self.env.docname, self.content_offset + 1))
        except Exception as error:
            raise self.error(f"{type(error).__name__}: {error}") from error
        made: list[nodes.Node] = [nodes.raw("", figure, format="html")]
        if "code" in self.options:
            made.insert(0, nodes.literal_block(code, code, language="python"))
        return made

    def figure(self, what: Shown) -> str:
        """HTML."""
        raise NotImplementedError

    @property
    def caption(self) -> str:
        return self.arguments[0] if self.arguments else ""

    def framed(self, kind: str, inside: str, marks: str = "") -> str:
        """The figure with its caption."""
        words = f"<figcaption>{escape(self.caption)}</figcaption>" if self.caption else ""
        return f'<figure class="{kind}"{marks}>{inside}{words}</figure>'


class Picture(_Scenes):
    """A still, drawn by the library."""

    def figure(self, what: Shown) -> str:
        """Writes the pictures beside the others of the site."""
        folder = Path(self.env.app.outdir) / PICTURES
        folder.mkdir(parents=True, exist_ok=True)
        up = "../" * self.env.docname.count("/")
        panels = []
        for drawn, label in zip(pictures(what), what.labels, strict=True):
            name = f"{self.env.docname.replace('/', '-')}-{self.env.new_serialno('picture')}.svg"
            (folder / name).write_text(drawn, encoding="utf-8")
            alt = escape(f"{label}: {self.caption}" if label else self.caption, quote=True)
            panels.append(
                f'<div class="panel"><p>{escape(label)}</p>'
                f'<img src="{up}{PICTURES}/{name}" alt="{alt}" loading="lazy"></div>'
            )
        return self.framed("picture", f'<div class="panels">{"".join(panels)}</div>')


class Replay(_Scenes):
    """The player, with a picture for who has no script."""

    def figure(self, what: Shown) -> str:
        """The scenes as text, which the script of the site unpacks."""
        replay = what.replay(self.caption)
        data = base64.b64encode(replay.payload).decode("ascii")
        still = f'<div class="replay-still">{"".join(stills(what))}</div>'
        self.env.metadata[self.env.docname]["replays"] = "yes"
        inside = f'{still}<script type="application/gzip">{data}</script>'
        return self.framed("replay", inside, f' data-runs="{len(what.runs)}"')


def write_files(app: Any) -> None:
    """The player once for all pages, and the styles."""
    folder = Path(app.outdir) / "_static"
    folder.mkdir(parents=True, exist_ok=True)
    then = (HERE / SCRIPT).read_text(encoding="utf-8")
    (folder / SCRIPT).write_text(player_script(then), encoding="utf-8")
    (folder / STYLES).write_text((HERE / STYLES).read_text(encoding="utf-8"), encoding="utf-8")


# What Sphinx and its theme leave out: boxes that scroll are reached by the keyboard, headings have a level.
AMENDMENTS = {
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    'class="caption" role="heading"': 'class="caption" role="heading" aria-level="2"',
}


def finish_page(app: Any, page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    """Amends what is written, and lets pages with replays load the player."""
    for part in ("body", "furo_navigation_tree"):
        for written, amended in AMENDMENTS.items() if part in context else ():
            context[part] = context[part].replace(written, amended)
    if "replays" in app.env.metadata.get(page, ()):
        app.add_js_file(SCRIPT, loading_method="defer")


def connect(app: Any) -> None:
    """All that Sphinx has to know."""
    app.add_config_value("repository", "", "env")
    for directive in (Pseudocode, Picture, Replay):
        app.add_directive(directive.__name__.lower(), directive)
    app.add_css_file(STYLES)
    app.connect("builder-inited", write_files)
    app.connect("html-page-context", finish_page, priority=900)  # after the theme
