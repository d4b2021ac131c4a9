"""The words for imports: where a job is, where its parts and steps are, and what it came to."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from store.records import Outcome

LEFT: Final = (Outcome.PARSE_FAILED, Outcome.REFUSED)
"""Outcomes that leave something to do."""


class JobState(StrEnum):
    """Where a job is."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    """An error ended it, or none of its sources could be read."""

    STOPPED = "stopped"
    """A person ended it, between two batches."""

    INTERRUPTED = "interrupted"
    """Its process is gone."""


OPEN: Final = (JobState.QUEUED, JobState.RUNNING)
AGAIN: Final = (JobState.FAILED, JobState.STOPPED, JobState.INTERRUPTED)
"""States from which a job can be taken up again."""


class PartState(StrEnum):
    """Where one part of a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    UNREADABLE = "unreadable"
    """In no known format, or not to be opened as a whole. Nothing of it is in the store."""

    FAILED = "failed"
    STOPPED = "stopped"


class Step(StrEnum):
    """The steps of an import, in order."""

    READ = "read"
    CHECKED = "checked"
    """By the policy and the rules for secrets."""

    FACTS = "facts"
    WRITTEN = "written"


class StepState(StrEnum):
    """Where a step of a part is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    NOT_DONE = "not_done"
    """The part ended before it."""


class Verdict(StrEnum):
    """What a job or part came to, in one word. Only the first is good news alone."""

    WRITTEN = "written"
    LEFT = "left"
    """Something is written, and something failed, was refused or could not be read."""

    KNOWN = "known"
    """Nothing new: the store knew it all."""

    KNOWN_LEFT = "known_left"
    """Nothing new: the store knew a part, and the rest failed or was refused."""

    EMPTY = "empty"
    """Read, and nothing was extracted from it."""

    REFUSED = "refused"
    FAILED = "failed"
    """Nothing is written, and something failed."""


def verdict(counts: Mapping[Outcome, int], *, unreadable: bool) -> Verdict:
    """The one word for five counts. No records at all is ``EMPTY``, never good news."""
    failed = unreadable or counts[Outcome.PARSE_FAILED] > 0
    if counts[Outcome.WRITTEN]:
        return Verdict.LEFT if failed or counts[Outcome.REFUSED] else Verdict.WRITTEN
    if counts[Outcome.ALREADY_KNOWN]:
        left = failed or counts[Outcome.REFUSED]
        return Verdict.KNOWN_LEFT if left else Verdict.KNOWN
    if failed:
        return Verdict.FAILED
    return Verdict.REFUSED if counts[Outcome.REFUSED] else Verdict.EMPTY
