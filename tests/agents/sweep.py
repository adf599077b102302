"""Many simulated runs with faults at random, counted; `make test` has 200 of them.

python -m tests.agents.sweep 10000 --plot refusals.svg    # with a guard, and as many without; tables, a plot
python -m tests.agents.sweep 2500 --first 7500            # a part of them
python -m tests.agents.sweep 10000 --minutes 60           # those that fit into an hour
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from sidestep import agents

from .faulty import attack, attack_without_guard, faults_of

SAID_EVERY = 200


@dataclass
class Count:
    """Runs with one chance of loss."""

    runs: int = 0
    solved: int = 0
    moves: int = 0
    refused: int = 0
    deaths: int = 0

    def add(self, run: agents.Run) -> None:
        """One more."""
        self.runs += 1
        self.solved += bool(run)
        self.moves += int((np.diff(run.moves.vertices, axis=0) != 0).sum())
        self.refused += len(run.refusals)
        self.deaths += len(run.deaths)

    @property
    def rate(self) -> float:
        """Refusals per 1,000 moves."""
        return 1000 * self.refused / max(self.moves, 1)


@dataclass
class Sweep:
    """Runs of one kind.

    Attributes:
        name: what the guard does.
        one: runs the one of a number, and raises AssertionError where something does not hold.
        crashes: whether agents crash and are parted, too.
        counts: by the chance of loss.
        failed: what did not hold.
        reasons: why runs ended whose agents did not arrive.
    """

    name: str
    one: Callable[[int], agents.Run]
    crashes: bool
    counts: dict[float, Count] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    def try_one(self, number: int) -> None:
        """The run of this number."""
        try:
            run = self.one(number)
        except (AssertionError, RuntimeError) as error:
            self.failed.append(f"{self.name}, run {number}: {error}")
            print(self.failed[-1], file=sys.stderr, flush=True)
            return
        self.counts.setdefault(faults_of(number, crashes=self.crashes).loss, Count()).add(run)
        if not run:
            why = run.result.reason.rsplit(": ", 1)[-1].split(" after ")[0]
            self.reasons[("after a death: " if run.deaths else "") + why] += 1

    @property
    def runs(self) -> int:
        """How many were tried."""
        return sum(one.runs for one in self.counts.values()) + len(self.failed)

    def show(self) -> None:
        """The table, and what did not hold."""
        print(f"\n{self.name}: {self.runs:,} runs, {len(self.failed)} failed\n")
        print(
            "| loss | runs | solved | moves | deaths | refused per 1,000 moves |\n|---|---|---|---|---|---|"
        )
        for loss, one in sorted(self.counts.items()):
            print(
                f"| {loss:.0%} | {one.runs:,} | {one.solved:,} | {one.moves:,} "
                f"| {one.deaths:,} | {one.rate:.1f} |"
            )
        for why, times in self.reasons.most_common():
            print(f"- not solved, {times} times: {why}")


def plot(counts: dict[float, Count], path: Path) -> None:
    """Refusals per 1,000 moves over loss, as a file."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "sidestep"
    from matplotlib import pyplot

    losses = sorted(counts)
    figure, axes = pyplot.subplots(figsize=(5, 3))
    axes.plot([100 * loss for loss in losses], [counts[loss].rate for loss in losses], marker="o")
    axes.set_xlabel("lost messages in %")
    axes.set_ylabel("refusals per 1,000 moves")
    axes.set_ylim(bottom=0)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> int:
    """Obeys the command line; 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.agents.sweep", description=__doc__)
    parser.add_argument("runs", type=int, help="with a guard, and as many without")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--plot", type=Path, help="draw refusals over loss into this SVG")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="end after these")
    arguments = parser.parse_args()
    guarded = Sweep("with a guard, crashes and partitions", attack, crashes=True)
    alone = Sweep("without a guard, following forbidden", attack_without_guard, crashes=False)
    until = time.monotonic() + 60 * arguments.minutes
    for number in range(arguments.first, arguments.first + arguments.runs):
        if time.monotonic() >= until:
            break
        guarded.try_one(number)
        alone.try_one(number)
        if number % SAID_EVERY == SAID_EVERY - 1:
            failed = len(guarded.failed) + len(alone.failed)
            print(f"{guarded.runs:,} of each, {failed} failed", file=sys.stderr, flush=True)
    guarded.show()
    alone.show()
    if arguments.plot is not None:
        plot(guarded.counts, arguments.plot)
    return int(bool(guarded.failed or alone.failed))


if __name__ == "__main__":
    sys.exit(main())
