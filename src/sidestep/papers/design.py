"""The design of an experiment: which trials are run, how one is measured, and which rows make a sample.

There are two kinds. In one, several settings are run on every sample; in the other, a trial is a sample: all
solvers on one instance. A row holds the raw numbers of a trial, as JSON has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

Trial = TypeVar("Trial")
Sample = TypeVar("Sample")
Setting = TypeVar("Setting")
Outcome = TypeVar("Outcome")
Made = TypeVar("Made")
Row = dict[str, Any]


class Size(NamedTuple):
    """How large a run is to be: the paper's size or a short version, or a number of instances instead."""

    full: bool
    instances: int | None = None

    def of(self, published: int, short: int) -> int:
        """The number of instances, by how many the paper and the short version have."""
        return self.instances or (published if self.full else short)


@dataclass(frozen=True)
class Design(Generic[Trial, Sample]):
    """What an experiment consists of.

    Attributes:
        trials: The trials of a run of some size, from a seed.
        measure: Runs one trial; other processes call it, so it must be a function of a module or a partial
            of one.
        samples: The independent samples that the rows of all trials make.
        unfinished: What tells one run from another besides paper, version and seed. With it, the rows of a
            run that was interrupted are kept, and the next run goes on from there; None keeps none.
    """

    trials: Callable[[Size, int], Sequence[Trial]]
    measure: Callable[[Trial], Row]
    samples: Callable[[Sequence[Row]], Sequence[Sample]]
    unfinished: Mapping[str, Any] | None = None


# Several settings on every sample


class SettingTrial(NamedTuple, Generic[Setting]):
    """One setting on the sample of a number."""

    setting: Setting
    number: int
    seed: int


def design_of_settings(
    trials: Callable[[Size, int], Sequence[SettingTrial[Setting]]],
    run: Callable[[SettingTrial[Setting]], Outcome],
    sample: str,
    setting: type[Setting],
    outcome: type[Outcome],
) -> Design[SettingTrial[Setting], Mapping[Setting, Outcome]]:
    """Rows have the fields of the setting and the outcome beside the seed and the number of the sample.

    Args:
        trials: As in `Design`.
        run: Runs one trial.
        sample: What a row calls the number of the sample.
        setting: A named tuple of what differs between the trials of a sample.
        outcome: A dataclass of what a trial came to.
    """
    samples = partial(by_setting, sample=sample, setting=setting, outcome=outcome)
    return Design(trials, partial(setting_row, run, sample), samples)


def setting_row(run: Callable[[SettingTrial[Any]], Any], sample: str, trial: SettingTrial[Any]) -> Row:
    """Runs one trial."""
    head = {"seed": trial.seed, sample: trial.number, **trial.setting._asdict()}
    return {**head, **asdict(run(trial))}


def by_setting(
    rows: Iterable[Row], sample: str, setting: type[Setting], outcome: type[Outcome]
) -> list[Mapping[Setting, Outcome]]:
    """The outcomes of every sample by their settings, in the order in which samples were run."""
    samples: dict[int, dict[Setting, Outcome]] = {}
    for row in rows:
        samples.setdefault(row[sample], {})[_made(setting, row)] = _made(outcome, row)
    return list(samples.values())


def _made(kind: type[Made], row: Row) -> Made:
    return kind(**{name: row[name] for name in kind.__annotations__})


PRINTED, OURS = "as printed", "ours"  # the `form` of the algorithm in a setting


def in_place_of_printed(samples: Sequence[Mapping[Any, Outcome]]) -> list[Mapping[Any, Outcome]]:
    """The outcomes of our algorithms under the settings of the printed ones, where these are not the same.

    Settings have a `form`, `PRINTED` or `OURS`.
    """
    return [
        outcomes
        | {
            setting._replace(form=PRINTED): outcome
            for setting, outcome in outcomes.items()
            if setting.form == OURS
        }
        for outcomes in map(dict, samples)
    ]


def every_outcome(samples: Iterable[Mapping[Setting, Outcome]]) -> list[Outcome]:
    """Of all settings of all samples."""
    return [outcome for outcomes in samples for outcome in outcomes.values()]


# All solvers on one instance


class InstanceTrial(NamedTuple):
    """All solvers on the instance of a number, each with a limit in seconds."""

    number: int
    seed: int
    seconds: float


def instance_trials(
    size: Size, seed: int, *, published: int, short: int, seconds: float
) -> list[InstanceTrial]:
    """The first instances: as many as the paper has, or the short version."""
    return [InstanceTrial(number, seed, seconds) for number in range(size.of(published, short))]


def design_of_outcomes(
    trials: Callable[[Size, int], Sequence[Trial]],
    run: Callable[[Trial], Outcome],
    outcome_of: Callable[[Row], Outcome],
    unfinished: Mapping[str, Any] | None = None,
) -> Design[Trial, Outcome]:
    """Every trial is a sample, and a row has the fields of its outcome.

    Args:
        trials: As in `Design`.
        run: Runs one trial; its outcome is a dataclass.
        outcome_of: The outcome that a row was made from.
        unfinished: As in `Design`.
    """
    samples = partial(_outcomes, outcome_of)
    return Design(trials, partial(outcome_row, run), samples, unfinished)


def outcome_row(run: Callable[[Any], Any], trial: Any) -> Row:
    """Runs one trial."""
    return asdict(run(trial))


def _outcomes(outcome_of: Callable[[Row], Outcome], rows: Iterable[Row]) -> list[Outcome]:
    return [outcome_of(row) for row in rows]
