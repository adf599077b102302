"""`replay(result)`: something to look at, as a page, a picture, a film or a cell of a notebook."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from ..io.files import FilePath, source_of, store_text
from ..model.caption import Caption
from ..model.errors import InputError, MissingExtraError
from .colours import TeamOf, hues_of
from .page import page
from .payload import payload
from .scene import Run, Scene, scene_of

MAX_SCENES = 6  # beside each other on one page
NOTEBOOK_HEIGHT = 576  # pixels; marimo shows 610 of a cell's output without scrolling
STILLS, FILMS = (".png", ".svg", ".pdf"), (".gif", ".mp4")


class Replay:
    """One or more runs to look at; `save` writes it, and a notebook shows it by itself. Made by `replay`.

    Args:
        scenes: The runs, as the player shows them, side by side.
        title: What stands above the map.
        note: What stands below the title.

    Attributes:
        scenes: As given.
        title: As given.
        note: As given.
    """

    def __init__(self, scenes: Sequence[Scene], *, title: str, note: str = "") -> None:
        self.scenes = tuple(scenes)
        self.title = title
        self.note = note

    @cached_property
    def payload(self) -> bytes:
        """The scenes as the player reads them."""
        return payload(self.scenes, title=self.title, note=self.note)

    def html(self) -> str:
        """Makes a page that needs no other file and no network.

        Returns:
            The page.
        """
        return page(self.payload, self.title)

    def save(
        self,
        path: FilePath,
        *,
        time: int | None = None,
        steps_per_second: float = 4.0,
        on_frame: Callable[[int, int], None] | None = None,
    ) -> None:
        """Writes the replay; the name of the file decides what it becomes.

        Args:
            path: `.html` is the player; `.png`, `.svg` or `.pdf` the whole plan, or one moment; `.gif` or
                `.mp4` a film.
            time: For a picture: the moment.
            steps_per_second: For a film: how fast it is.
            on_frame: For a film: called with how many frames are done and how many there will be.

        Raises:
            InputError: The suffix is none of these, a time is given for something that is no picture, or the
                file cannot be written.
            MissingExtraError: A picture or a film needs a package that is not installed.
        """
        suffix = os.path.splitext(source_of(path))[1].lower()
        if time is not None and suffix not in STILLS:
            raise InputError(
                f"a moment is a picture, one of {', '.join(STILLS)}, not {suffix or 'a file without suffix'}"
            )
        if suffix == ".html":
            store_text(path, self.html())
        elif suffix in STILLS:
            from .still import save_still  # noqa: PLC0415  # needs matplotlib

            save_still(self.scenes, path, time=time)
        elif suffix in FILMS:
            from .film import save_film  # noqa: PLC0415  # needs matplotlib

            save_film(self.scenes, path, steps_per_second=steps_per_second, on_frame=on_frame)
        else:
            kinds = ", ".join((".html", *STILLS, *FILMS))
            raise InputError(f"{path}: a replay is written as one of {kinds}")

    @cached_property
    def widget(self) -> Any:
        """The player as an anywidget, which a notebook shows by itself when it shows the replay."""
        from .widget import widget  # noqa: PLC0415  # needs anywidget

        return widget(self.payload, NOTEBOOK_HEIGHT)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """What Jupyter shows: the widget, or how to get it."""
        try:
            bundle = self.widget._repr_mimebundle_(**options)
        except MissingExtraError as error:
            return {"text/plain": f"{self!r}: {error}"}
        (bundle[0] if isinstance(bundle, tuple) else bundle)["text/plain"] = repr(self)
        return bundle

    def _display_(self) -> Any:
        """What marimo shows: the same."""
        try:
            return self.widget
        except MissingExtraError as error:
            return f"{self!r}: {error}"

    def __repr__(self) -> str:
        return f"Replay({', '.join(scene.label for scene in self.scenes)})"


def replay(
    *runs: Run,
    title: str | None = None,
    note: str = "",
    labels: Sequence[str] | None = None,
    captions: Sequence[Caption] = (),
    teams: TeamOf | None = None,
    colours: Mapping[Any, str] | Sequence[str] | None = None,
) -> Replay:
    """Shows what happens in a run; several are shown side by side and in step.

    Args:
        *runs: From one to six results, plans, traces, worlds, or what plan files say.
        title: What stands above the map; the names of the runs if None.
        note: What stands below the title.
        labels: What stands above each run.
        captions: Sentences about agents at a time, such as answers to why they wait; with a single run only.
        teams: The team of every agent, a name or a number, in a list or by the agent's name; agents of a team
            have one colour. In a dict, those that are missing are a team of their own.
        colours: A colour such as `"#E3001B"` per agent, or, with `teams`, by team. It is shown as the nearest
            of the 24 hues of the player, as light as all the others.

    Returns:
        What can be saved, or shown in a notebook.

    Raises:
        InputError: An argument is not valid, or there is no plan to show.
    """
    if not 1 <= len(runs) <= MAX_SCENES:
        raise InputError(f"a replay shows from 1 to {MAX_SCENES} runs, not {len(runs)}")
    if len(runs) > 1 and captions:
        raise InputError("captions are about a single run, not about several")
    names = [""] * len(runs) if labels is None else _texts(labels, "labels")
    if len(names) != len(runs):
        raise InputError(f"{len(runs)} runs need as many labels, not {len(names)}")
    _texts([note if title is None else title, note], "title and note")
    scenes = [scene_of(run, name, captions) for run, name in zip(runs, names, strict=True)]
    if teams is not None or colours is not None:
        scenes = [replace(scene, chosen_hues=hues_of(scene.names, teams, colours)) for scene in scenes]
    return Replay(scenes, title=title or " and ".join(scene.label for scene in scenes), note=note)


def _texts(values: Any, what: str) -> list[str]:
    if isinstance(values, (list, tuple)) and all(isinstance(value, str) for value in values):
        return list(values)
    raise InputError(f"{what} must be text, not {values!r}")
