"""Recomputes every claim of an answer from the problem, parameters, the plan or trace and the transcript.

It shares no code with what finds claims or words them: it imports the records of claims, the model, the judge
and the names of acts and stages, and reads spaces, paths and utterances itself. A test looks at its imports.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import claims as said
from ..claim import Claim
from ..grounds import Grounds
from .failure_claims import FailureChecks
from .record import Record
from .run_claims import RunChecks
from .talk_claims import TalkChecks


class Checker:
    """Checks claims about one run; what many checks need is kept."""

    def __init__(self, grounds: Grounds) -> None:
        self.grounds, self.record = grounds, Record(grounds)
        self._talks: tuple[TalkChecks, FailureChecks] | None = None

    def faults(self, claims: Sequence[Claim]) -> list[str]:
        """A sentence for everything that is not so; none if all of it is."""
        ways = {(one.agent, one.time): one.path for one in claims if isinstance(one, said.Way)}
        runs = RunChecks(self.grounds, self.record, ways)
        return [f"{claim.kind()}: {fault}" for claim in claims for fault in self._faults(claim, runs)]

    def _faults(self, claim: Claim, runs: RunChecks) -> Iterator[str]:
        if not claim.checkable:
            yield "nothing proves it"
            return
        check = getattr(runs, claim.kind(), None)
        if check is None:
            if self.grounds.transcript is None:
                yield "nothing was said"
                return
            talks, failures = self._talks or self._of_talks()
            check = getattr(talks, claim.kind(), None) or getattr(failures, claim.kind())
        yield from check(claim)

    def _of_talks(self) -> tuple[TalkChecks, FailureChecks]:
        talks = TalkChecks(self.grounds, self.record)
        self._talks = talks, FailureChecks(self.grounds, self.record, talks.told)
        return self._talks
