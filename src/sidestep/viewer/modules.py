"""The player's modules, joined into one: for the studio, a page, a site or a notebook.

To join modules is to leave out their imports: they share one scope then. So every import has the form that
`IMPORT` describes, no name is renamed on the way, no two modules declare the same name, and none import each
other in a circle. tests/viewer/test_modules.py holds the modules to that.
"""

from __future__ import annotations

import json
import re
from functools import cache
from graphlib import TopologicalSorter
from importlib.resources import files

IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+\.js)";\n', re.MULTILINE)
STYLES = ("palette.css", "player.css")


@cache
def player_files() -> dict[str, str]:
    """Modules and style sheets by their names; `styles.js` has the sheets for the modules."""
    folder = files(__package__).joinpath("player")
    found = {entry.name: entry.read_text(encoding="utf-8") for entry in folder.iterdir()}
    texts = {name: found[name] for name in sorted(found) if name.endswith((".js", ".css"))}
    sheet = json.dumps("".join(texts[name] for name in STYLES), ensure_ascii=False)
    return {**texts, "styles.js": f"export const STYLES = {sheet};\n"}


@cache
def player_source() -> str:
    """All modules as one, each after those that it imports."""
    modules = {name: text for name, text in player_files().items() if name.endswith(".js")}
    needs = {name: [match[2] for match in IMPORT.finditer(text)] for name, text in modules.items()}
    return "\n".join(IMPORT.sub("", modules[name]) for name in TopologicalSorter(needs).static_order())


def player_script(then: str) -> str:
    """The same as a script that is no module, for pages that are opened from a disk, followed by `then`.

    Browsers load no modules from there. What the modules export is known to `then` only.
    """
    closed = re.sub(r"^export (?!default)", "", player_source(), flags=re.MULTILINE)
    closed = re.sub(r"^export default ", "void ", closed, flags=re.MULTILINE)
    return f"(() => {{\n{closed}\n{then}}})();\n"
