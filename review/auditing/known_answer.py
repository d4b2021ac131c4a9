"""One answer as it is known here: observed by this program, or reported by somebody else."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from review import instants
from review.auditing import recorded
from review.auditing.recorded import Recorded
from review.auditing.reported import Document
from review.identities import stamp
from review.trimming.fate import Fate
from store.canonical import NotCanonicalError
from store.log import DamagedStoreError


class Source(StrEnum):
    """Where an answer is known from."""

    RECALLED = "memory.recalled"
    """A recall of ours that was used, from the command line."""

    SERVED = "read.observed"
    """Our own door served it to an agent."""

    REPORTED = "read.reported"
    """Somebody says what an agent answered and had read."""

    RUN = "run"
    """A run of another system, imported as evidence."""

    @property
    def observed(self) -> bool:
        """Whether this program served it itself."""
        return self in (Source.RECALLED, Source.SERVED)


@dataclass(frozen=True)
class Answer:
    """One answer as it is known. Question, words and documents are foreign text."""

    id: str
    source: Source
    seq: int
    """Position of its event, or of the batch that brought its run."""

    recorded_at: str
    asked_at: str | None
    """When it was asked, as it says itself."""

    question: str | None
    """None when it was erased."""

    said: str | None
    """What the agent answered; None when nobody says, or when it was erased."""

    system: str
    items: tuple[str, ...]
    """Cells in its context, where that was observed."""

    candidates: int
    documents: tuple[Document, ...]
    """What it is said to have read."""

    recall: str = ""
    """Commitment of the recorded numbers, if there are any."""

    policy: str = ""
    """Digest of the policy it was made under."""

    size: int = 0
    """Position of the log it was made from."""

    run: str = ""
    """The run it was read from."""

    numbers: bytes | None = field(default=None, repr=False)
    """The recorded numbers as they are kept; None where there are none, or when erased."""

    erased: bool = False
    """Whether its text was erased."""

    @cached_property
    def scores(self) -> Recorded | None:
        """The recorded numbers, read when they are asked for first: a list does not need them.

        Raises:
            store.log.DamagedStoreError: If they are not what was written.
        """
        if self.numbers is None:
            return None
        try:
            return recorded.read(self.numbers)
        except (NotCanonicalError, KeyError, TypeError, ValueError) as error:
            msg = f"the numbers of {self.id} are not what was written. Run verify."
            raise DamagedStoreError(msg) from error

    @property
    def observed(self) -> bool:
        """Whether this program served it itself."""
        return self.source.observed

    @property
    def when(self) -> str:
        """The moment it says it was asked at, if that is one; else when we learned of it."""
        told = None if self.asked_at is None else instants.read(self.asked_at)
        moment = None if told is None else instants.moment_of(told)
        return self.recorded_at if moment is None else stamp(moment)

    @property
    def conflict(self) -> bool:
        """Whether something in its context stood against something else, as recorded."""
        parts = self.scores.parts if self.scores is not None else ()
        return any(one.admitted and one.risk > 0.0 for part in parts for one in part.scored)

    @property
    def conclusion(self) -> bool:
        """Whether an old conclusion was handed over, as an answer or as a reference."""
        parts = self.scores.parts if self.scores is not None else ()
        kept = (Fate.KEPT, Fate.DEMOTED)
        return any(one.fate in kept for part in parts for one in part.trimmed)
