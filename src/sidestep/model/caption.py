"""Something to read about a run at a time of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Caption:
    """Something to read about agents at a time: an answer to *why*, or what was said in a dialogue.

    Attributes:
        time: When it is shown.
        agents: Indices, the one that it is about (or that speaks) first.
        text: What is to be read.
        kind: `why` for the answer that a click on the agent shows, `first` for one about who of two went
            first, which is shown with the agent from then on; anything else names what it is in the list of
            events.
    """

    time: int
    agents: tuple[int, ...]
    text: str
    kind: str = "why"
