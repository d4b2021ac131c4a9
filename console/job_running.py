"""Does a job: takes its sources apart, reads each part in the limited process, and stages it.

Every import of the product goes through here, in front of a person or in the background. What has
happened is kept after each batch, so a process that is killed leaves whole batches and a job that
can be taken up again: what is in the store by then is known.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from console import job_parts, job_rows
from console.job_files import JobFiles
from console.job_stopping import Stop, StoppedError, watched
from console.job_words import JobState, PartState, Step, StepState
from console.jobs import MEMBERS, ROWS, Asked, Attempt, Job, Part, StepTold
from importers import sandbox
from importers.catalogue import UnknownFormatError
from importers.source import SourceRefusedError
from review import secrets
from review.desk import Desk
from review.identities import Clock, stamp
from review.staged.staging import Receipt
from store.records import Outcome, Reading

_OFTEN: Final = 0.5
"""Seconds between two times that progress is kept."""

_ITEMS: Final = 200

Told = Callable[[Job, Part | None], None]
"""Told of every step forward; of a part when it has ended, too."""


class Running:
    """One attempt at one job, by the process that holds its lock."""

    def __init__(
        self,
        job: Job,
        files: JobFiles,
        *,
        clock: Clock,
        stop: Stop,
        explain: Callable[[Exception], str],
        told: Told | None = None,
    ) -> None:
        """Prepare. ``explain`` gives the sentence that is kept of an error that ended it."""
        self._job, self._files, self._clock = job, files, clock
        self._stop, self._explain, self._told = stop, explain, told
        self._kept = 0.0

    def run(
        self,
        desk: Callable[[], Desk],
        *,
        pid: int,
        opened: dict[int, tuple[sandbox.Part, ...]] | None = None,
    ) -> None:
        """Do the job until it has ended in some way, which is kept.

        Args:
            desk: Opens the desk to stage at; its errors end the job.
            pid: This process.
            opened: Parts of sources that were taken apart already, by the source's number.

        Raises:
            StoppedError: If it was asked to stop.
            Exception: Whatever ended it; the job is kept as failed.
        """
        job = self._job
        job.state, job.pid, job.problem, job.ended_at = JobState.RUNNING, pid, "", ""
        job.started_at, job.put_away = stamp(self._clock()), False
        job.attempts += 1
        self._keep()
        try:
            with self._stop.listening():
                if self._files.stop_asked(job.id):
                    self._stop.asked = True
                self._stop.check()
                self._sources(desk(), opened or {})
        except (StoppedError, KeyboardInterrupt):
            self._end(JobState.STOPPED, PartState.STOPPED)
            raise
        except Exception as error:
            job.problem = self._explain(error)
            self._end(JobState.FAILED, PartState.FAILED)
            raise
        nothing = bool(job.unreadable) and not job.read
        self._end(JobState.FAILED if nothing else JobState.FINISHED, PartState.FAILED)

    def _sources(self, desk: Desk, opened: dict[int, tuple[sandbox.Part, ...]]) -> None:
        found: list[tuple[Part, sandbox.Part]] = []
        for number in range(len(self._job.sources)):
            found += self._apart(number, opened.get(number))
        for number, asked in enumerate(self._job.sources):
            for part, piece in found:
                if part.source == number:
                    self._stop.check()
                    self._part(desk, asked, part, piece)
            if self._job.uploaded:
                self._files.drop_upload(self._job.id, asked.path)

    def _apart(
        self, number: int, opened: tuple[sandbox.Part, ...] | None
    ) -> list[tuple[Part, sandbox.Part]]:
        """The parts of one source that are still to be read."""
        asked, job = self._job.sources[number], self._job
        before = [part for part in job.parts if part.source == number]
        # An upload that could not be read is not kept either.
        over = (PartState.DONE, PartState.UNREADABLE) if job.uploaded else (PartState.DONE,)
        if before and all(part.state in over for part in before):
            return []
        self._stop.check()
        try:
            pieces = opened or job_parts.apart(asked, uploaded=job.uploaded)
        except (UnknownFormatError, SourceRefusedError) as error:
            told = Part(number, _safe(asked.name), state=PartState.UNREADABLE)
            told.problem = _safe(str(error))
            _steps_end(told)
            self._replace(number, [told])
            return []
        fresh = [_part(number, piece, before) for piece in pieces]
        self._replace(number, fresh)
        pairs = zip(fresh, pieces, strict=True)
        return [(part, piece) for part, piece in pairs if part.state is not PartState.DONE]

    def _replace(self, number: int, parts: Sequence[Part]) -> None:
        others = [part for part in self._job.parts if part.source != number]
        self._job.parts = sorted([*others, *parts], key=lambda part: part.source)
        self._keep()

    def _part(self, desk: Desk, asked: Asked, part: Part, piece: sandbox.Part) -> None:
        part.state = PartState.RUNNING
        part.earlier = _left_before(desk, part.earlier)
        taken = self._job.records_read - part.records_read
        limits = job_parts.limits(piece.source, uploaded=self._job.uploaded, taken=taken)
        try:
            reading = job_parts.opened(piece, asked, limits)
            part.sha256 = reading.origin.sha256
            self._stage(desk, part, reading)
        except SourceRefusedError as error:
            part.state, part.problem = PartState.UNREADABLE, _safe(str(error))
            _steps_end(part)
        else:
            part.state = PartState.DONE
        self._name_rows(desk, part)
        attempts = {part.import_id, *(one.import_id for one in part.earlier)} - {""}
        part.runs = sum(desk.experience.count_of(one) for one in attempts)
        self._keep(part)

    def _stage(self, desk: Desk, part: Part, reading: Reading) -> None:
        def progress(receipt: Receipt) -> None:
            in_store = receipt.batches != part.batches
            part.import_id, part.batches = receipt.import_id, receipt.batches
            part.items = receipt.items[:_ITEMS]
            part.counts = {outcome: receipt.counts[outcome] for outcome in Outcome}
            _step(part, receipt)
            if in_store or not receipt.taken:
                self._keep()
            else:
                self._keep_sometimes()

        def watcher(done: int, records: int) -> None:
            part.bytes_read, part.records_read = done, records
            part.steps[Step.READ] = StepTold(StepState.RUNNING, records)
            self._keep_sometimes()

        read = watched(reading, watcher, self._stop)
        receipt = desk.stage(read, verbatim=self._job.verbatim, progress=progress)
        part.bytes_read = part.size
        part.remarks |= dict(receipt.remarks)
        for told in part.steps.values():
            told.state = StepState.DONE

    def _name_rows(self, desk: Desk, part: Part) -> None:
        """Name the first records that failed or were refused, and list all of them."""
        if part.left:
            rows = job_rows.left(desk, part.import_id)
            part.rows = rows[:ROWS]
            self._files.add_errors(self._job.id, (job_rows.line(part.name, row) for row in rows))

    def _end(self, state: JobState, running: PartState) -> None:
        job = self._job
        for part in job.parts:
            if part.state is PartState.RUNNING:
                part.state = running
                _steps_end(part)
            elif part.state is PartState.WAITING and state is not JobState.FINISHED:
                part.state = PartState.STOPPED
                _steps_end(part)
        for number, asked in enumerate(job.sources):
            told = [part.state for part in job.parts if part.source == number]
            if told and all(one is PartState.DONE for one in told):
                asked.path = _safe(asked.path)  # it is not opened again
        job.state, job.ended_at = state, stamp(self._clock())
        self._files.ask_to_stop(job.id, wanted=False)
        self._keep()

    def _keep(self, ended: Part | None = None) -> None:
        self._kept = time.monotonic()
        self._files.write(self._job)
        self._stop.asked = self._stop.asked or self._files.stop_asked(self._job.id)
        if self._told is not None:
            self._told(self._job, ended)

    def _keep_sometimes(self) -> None:
        if time.monotonic() - self._kept >= _OFTEN:
            self._keep()
        elif self._told is not None:
            self._told(self._job, None)


def _part(number: int, piece: sandbox.Part, before: Sequence[Part]) -> Part:
    """A part as it begins: what an earlier attempt has done of it is kept."""
    source, importer = piece.source, piece.importer
    part = Part(
        number,
        _safe(source.name),
        size=source.size,
        importer=importer.name,
        version=importer.version,
        remarks=dict.fromkeys(importer.cannot_tell, 0),
        files=len(source.members),
        members=[_safe(one.name) for one in source.members[:MEMBERS]],
    )
    for one in before:
        if (one.name, one.importer, one.version) == (part.name, part.importer, part.version):
            if one.state is PartState.DONE:
                return one
            own = [Attempt(one.import_id, one.counts)] if one.import_id else []
            part.earlier = [*one.earlier, *own]
    return part


def _left_before(desk: Desk, earlier: Sequence[Attempt]) -> list[Attempt]:
    """Earlier attempts with what the log says of them, which is more than was kept at times."""
    if not earlier:
        return []
    known = {one.import_id: one.counts for one in desk.journal.imports()}
    told = []
    for one in earlier:
        counts = known.get(one.import_id)
        now = {Outcome(name): n for name, n in counts.items()} if counts else one.counts
        told.append(Attempt(one.import_id, now))
    return told


def _step(part: Part, receipt: Receipt) -> None:
    """Where the steps are after a receipt has grown."""
    steps = part.steps
    steps[Step.CHECKED].records, steps[Step.FACTS].records = receipt.examined, receipt.with_facts
    steps[Step.WRITTEN].records = receipt.read
    behind = receipt.examined > receipt.read
    steps[Step.WRITTEN].state = StepState.RUNNING if behind else StepState.WAITING
    checking = receipt.taken > receipt.examined
    for step in (Step.CHECKED, Step.FACTS):
        steps[step].state = StepState.RUNNING if checking and not behind else StepState.WAITING


def _steps_end(part: Part) -> None:
    """Leave the steps as they are at an end before their time."""
    for told in part.steps.values():
        if told.state is StepState.RUNNING:
            told.state = StepState.FAILED
        elif told.state is StepState.WAITING:
            told.state = StepState.NOT_DONE


def _safe(text: str) -> str:
    """Foreign words as they may be kept: secrets in them are masked."""
    return secrets.mask(text)[0]
