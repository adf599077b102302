"""Takes demo.png: the page of `sidestep demo` at a moment in which much is going on.

pip install playwright        # and a chromium, which it drives
python docs/images/make_demo.py [OUT.png]
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from sidestep import cli

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
from find_browser import installed_browser

MOMENT, AGENT = 18, 46
READY = "document.getElementById('player').player?.frames > 1"


def main(arguments: list[str]) -> None:
    """Runs the demo, opens its page and takes the picture."""
    out = Path(arguments[0]) if arguments else Path(__file__).with_name("demo.png")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder) / "demo.html"
        if cli.main(["demo", "--no-open", "-o", str(page)]) != 0:
            sys.exit("the demo found no plan")
        browser = playwright.chromium.launch(executable_path=installed_browser(), chromium_sandbox=False)
        view = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme="light")
        view.goto(f"{page.as_uri()}#t={MOMENT}&agent={AGENT}")
        view.wait_for_function(READY)
        view.screenshot(path=out)
        browser.close()
    print(f"{out}: {out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
