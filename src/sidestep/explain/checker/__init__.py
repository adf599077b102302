"""Recomputes every claim of an answer from the problem, parameters, the plan or trace and the transcript.

It shares no code with what finds claims or words them: it imports the records of claims, the model, the judge
and the names of acts and stages, and reads spaces, paths and utterances itself. A test looks at its imports.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import claims as said
from ..grounds import Grounds
from .record import Record
from .run_claims import RunChecks
from .talk_claims import TalkChecks


class Checker:
    """Checks claims about one run; what many checks need is kept."""

    def __init__(self, grounds: Grounds) -> None:
        self.grounds, self.record = grounds, Record(grounds)
        self._talks: TalkChecks | None = None

    def faults(self, claims: Sequence[said.Claim]) -> list[str]:
        """A sentence for everything that is not so; none if all of it is."""
        ways = {(one.agent, one.time): one.path for one in claims if isinstance(one, said.Way)}
        runs = RunChecks(self.grounds, self.record, ways)
        return [f"{claim.kind()}: {fault}" for claim in claims for fault in self._faults(claim, runs)]

    def _faults(self, claim: said.Claim, runs: RunChecks) -> Iterator[str]:
        if not claim.checkable:
            yield "nothing proves it"
            return
        check = getattr(runs, claim.kind(), None)
        if check is None:
            if self.grounds.transcript is None:
                yield "nothing was said"
                return
            if self._talks is None:
                self._talks = TalkChecks(self.grounds, self.record)
            check = getattr(self._talks, claim.kind())
        yield from check(claim)
