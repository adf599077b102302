"""`sidestep studio`: a local page to draw, solve, compare and run worlds live."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from ..model.errors import MissingExtraError
from .browser import open_in_browser
from .console import FILE, show

PACKAGES = ("starlette", "uvicorn", "websockets")


@click.command("studio")
@click.argument("file", type=FILE, required=False)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="[default: any that is free]")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def command(file: Path | None, *, port: int, no_browser: bool) -> None:
    """Serve the studio to this machine until Ctrl-C, and open it in the browser.

    FILE is shown first: a map, a drawing, or a problem, plan or trace of ours. No other file is ever read.
    Anybody who has the address with its token can use the studio, so keep it to yourself.
    """
    for package in PACKAGES:
        if find_spec(package) is None:
            raise MissingExtraError(package, "studio")
    server = _server(file, port)
    show(f"The studio is at {server.link}", "Ctrl-C ends it.")
    if not no_browser:
        open_in_browser(server.link)
    try:
        server.serve()
    except KeyboardInterrupt:
        show("The studio is closed.")


def _server(file: Path | None, port: int) -> Any:
    from ..studio.files import opened_paths  # noqa: PLC0415  # what needs the extra is loaded when it is there
    from ..studio.jobs import entry_of  # noqa: PLC0415
    from ..studio.server import StudioServer  # noqa: PLC0415

    return StudioServer(port, given=None if file is None else entry_of(opened_paths([file])))
