"""The client by itself: workers that die, and workers of another version."""

from __future__ import annotations

import pytest

import sidestep as ss
from sidestep.sweeps.run import Run
from sidestep.sweeps.worker import Answer


class Fakes:
    """Workers that lose every batch with a bad trial in it, as a process does that dies."""

    most_losses, capacity, batch_seconds = 2, 1, 0.25

    def __init__(self, bad=(), version=ss.__version__):
        self.bad, self.version, self.sent = set(bad), version, []

    def send(self, batch):
        self.sent.append(list(batch))

    def finished(self):
        batch = self.sent[-1]
        if self.bad & set(batch):
            return batch, None
        return batch, Answer("here", self.version, [10 * trial for trial in batch], 0.001 * len(batch))

    def close(self):
        pass


class Book:
    def __init__(self, found=()):
        self.found = dict(found)

    def missing(self, trials):
        return [trial for trial in trials if trial not in self.found]

    def add(self, machine, done):
        new = dict(done)
        assert not set(new) & set(self.found)
        self.found.update(new)
        return len(new)

    def name(self, trial):
        return trial

    def crashed(self, trial):
        return "crashed"


def test_of_a_lost_batch_every_trial_is_run_by_itself_and_only_the_bad_one_is_given_up():
    workers, book = Fakes(bad=[40]), Book({7: 70})
    assert Run(range(100), 100, book, workers).all() == 99
    assert book.found == {trial: "crashed" if trial == 40 else 10 * trial for trial in range(100)}
    assert max(map(len, workers.sent)) > 1
    lost = next(batch for batch in workers.sent if 40 in batch)
    assert len(lost) > 1
    assert [batch for batch in workers.sent if 40 in batch] == [lost, [40], [40]]
    assert not any(7 in batch for batch in workers.sent)


def test_a_worker_of_another_version_is_refused_and_nothing_of_it_is_kept():
    book = Book()
    with pytest.raises(ss.InputError, match=r"a worker has sidestep 0\.0\.9, and this is .* on here"):
        Run(range(3), 3, book, Fakes(version="0.0.9")).all()
    assert book.found == {}
