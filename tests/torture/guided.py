"""Coverage-guided fuzzing of one reader: `python -m tests.torture.guided FORMAT --seconds 600 --keep FOLDER`.

Needs atheris, which is in a group of its own: `scripts/setup.sh group .venv fuzz`. The corpus grows in the
folder, so that a run begins where the last one ended; what fails is a file beside it, and the exit code is 77
or that of the signal.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import sys
from pathlib import Path
from types import FunctionType

import atheris

from tests.torture import reading
from tests.torture.mutations import mutated

WATCHED = ("sidestep.io", "sidestep.model", "sidestep.judge", "sidestep.dialogue.transcript", "yaml")
MEGABYTES = 1500
LONGEST = 20_000


def mutator(data: bytes, most: int, number: int) -> bytes:
    """Half of the time what libFuzzer does to bytes, else what we do to texts."""
    if number % 2:
        return atheris.Mutate(data, most)
    text = data.decode("utf-8", "replace")
    return mutated(text, random.Random(number)).encode("utf-8", "replace")[:most]


def watch() -> None:
    """Counts branches of the readers. Hooks of imports would miss a package that is installed as editable."""
    for found in gc.get_objects():
        if isinstance(found, FunctionType) and str(found.__module__).startswith(WATCHED):
            atheris.instrument_func(found)


def main() -> None:
    """Runs until the time is over or something fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("format", choices=reading.NAMES)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("out/torture/readers"))
    asked = parser.parse_args()
    watch()
    corpus = asked.keep / asked.format
    corpus.mkdir(parents=True, exist_ok=True)
    for index, text in enumerate(reading.seeds(asked.format)):
        (corpus / f"seed-{index}").write_text(text)

    def one(data: bytes) -> None:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            return
        if "\0" not in text:
            reading.attempt(asked.format, text)

    options = {
        "max_total_time": asked.seconds,
        "seed": asked.seed,
        "max_len": LONGEST,
        "timeout": 20,
        "rss_limit_mb": MEGABYTES,
        "artifact_prefix": f"{asked.keep}{os.sep}{asked.format}-",
        "print_final_stats": 1,
        "verbosity": 1,
    }
    arguments = [sys.argv[0], *(f"-{name}={value}" for name, value in options.items()), str(corpus)]
    atheris.Setup(arguments, one, custom_mutator=mutator)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
