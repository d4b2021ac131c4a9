"""An import as a job: what was asked, how far it is, and what became of every record.

A job is values only. It is kept in a small file that can be erased, and is not believed: what is
in the store is what the log says. Names of sources and members are foreign text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from console.job_words import LEFT, OPEN, JobState, PartState, Step, StepState, Verdict, verdict
from importers.mapped.choice import Mapping
from store.records import Outcome, RemarkCode

ROWS: Final = 50
"""Rows that are named in a part; all of them are in its list of errors."""


MEMBERS: Final = 3
"""Members that are named in a part."""


@dataclass
class Asked:
    """One source that is to be imported, and how."""

    name: str
    path: str
    """Where its bytes are: the person's own file, or an upload that is kept until it is read."""

    importer: str = ""
    encoding: str = ""
    mapping: Mapping | None = None


@dataclass
class StepTold:
    """One step of one part: where it is, and how many records it has behind it."""

    state: StepState = StepState.WAITING
    records: int = 0


@dataclass
class Row:
    """One record that failed or was refused: places and codes, no text of it."""

    outcome: Outcome
    reason: str
    line: int
    start: int
    end: int
    field: str = ""
    column: int = 0
    member: str = ""


def no_counts() -> dict[Outcome, int]:
    """All five outcomes, none of which has happened yet."""
    return dict.fromkeys(Outcome, 0)


@dataclass
class Attempt:
    """What an earlier process of the same job left in the store."""

    import_id: str
    counts: dict[Outcome, int]


@dataclass
class Part:
    """One source, or one part of a folder or archive: one receipt."""

    source: int
    """Which of the job's sources it belongs to."""

    name: str
    size: int = 0
    importer: str = ""
    version: str = ""
    state: PartState = PartState.WAITING
    sha256: str = ""
    bytes_read: int = 0
    records_read: int = 0
    import_id: str = ""
    counts: dict[Outcome, int] = field(default_factory=no_counts)
    batches: int = 0
    items: list[str] = field(default_factory=list)
    """Ids of the first staged items."""

    remarks: dict[RemarkCode, int] = field(default_factory=dict)
    """How often each was noticed; 0 for what no file of this format can tell."""

    steps: dict[Step, StepTold] = field(
        default_factory=lambda: {step: StepTold() for step in Step}
    )
    rows: list[Row] = field(default_factory=list)
    """The first records that failed or were refused, at most ``ROWS``."""

    problem: str = ""
    """Why it could not be read, in a sentence. It may hold foreign names."""

    earlier: list[Attempt] = field(default_factory=list)
    runs: int = 0
    """How many of the written records are runs: kept as evidence, waiting for nobody."""

    files: int = 0
    """Members that it is made of; 0 for a single file."""

    members: list[str] = field(default_factory=list)
    """Names of the first of them, at most ``MEMBERS``."""

    @property
    def read(self) -> int:
        """Records of which the outcome is in the store: the sum of the five counts."""
        return sum(self.counts.values())

    @property
    def totals(self) -> dict[Outcome, int]:
        """The counts over all attempts: what an earlier one wrote is written, not known before."""
        told = dict(self.counts)
        before = sum(one.counts.get(Outcome.WRITTEN, 0) for one in self.earlier)
        again = min(before, told[Outcome.ALREADY_KNOWN])
        told[Outcome.WRITTEN] += again
        told[Outcome.ALREADY_KNOWN] -= again
        return told

    @property
    def left(self) -> int:
        """Records that failed or were refused."""
        return sum(self.counts[outcome] for outcome in LEFT)

    @property
    def verdict(self) -> Verdict:
        """What it came to."""
        return verdict(self.totals, unreadable=self.state is PartState.UNREADABLE)


@dataclass
class Job:
    """One import command or upload."""

    id: str
    tenant: str
    """The tenant's id. A job is for one tenant and shown to no other."""

    created_at: str
    sources: list[Asked]
    verbatim: bool = False
    uploaded: bool = False
    """Whether it came through the console, where the totals of an upload bind."""

    state: JobState = JobState.QUEUED
    pid: int = 0
    attempts: int = 0
    started_at: str = ""
    ended_at: str = ""
    parts: list[Part] = field(default_factory=list)
    problem: str = ""
    """What ended it, in a sentence. It may hold foreign names."""

    put_away: bool = False
    """A person has seen what became of it."""

    @property
    def open(self) -> bool:
        """Whether it has not ended."""
        return self.state in OPEN

    @property
    def totals(self) -> dict[Outcome, int]:
        """The five counts over all parts and attempts."""
        told = no_counts()
        for part in self.parts:
            for outcome, n in part.totals.items():
                told[outcome] += n
        return told

    @property
    def read(self) -> int:
        """Records of which the outcome is in the store."""
        return sum(self.totals.values())

    @property
    def left(self) -> int:
        """Records that failed or were refused."""
        return sum(part.left for part in self.parts)

    @property
    def unreadable(self) -> list[Part]:
        """Parts of which nothing could be read."""
        return [part for part in self.parts if part.state is PartState.UNREADABLE]

    @property
    def size(self) -> int:
        """Bytes of all parts that are known by now."""
        return sum(part.size for part in self.parts)

    @property
    def bytes_read(self) -> int:
        """Bytes behind it."""
        return sum(part.bytes_read for part in self.parts)

    @property
    def records_read(self) -> int:
        """Records taken from the sources, in the store or not yet."""
        return sum(part.records_read for part in self.parts)

    @property
    def verdict(self) -> Verdict:
        """What it came to, once it has ended."""
        failed = self.state is JobState.FAILED
        return verdict(self.totals, unreadable=failed or bool(self.unreadable))

    @property
    def needs_a_person(self) -> bool:
        """Whether somebody should look: it has not ended well, or nothing came of it."""
        if self.open or self.put_away:
            return self.open
        well = (Verdict.WRITTEN, Verdict.KNOWN)
        return self.state is not JobState.FINISHED or self.verdict not in well
