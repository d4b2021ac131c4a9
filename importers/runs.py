"""Builds one run: steps in order, the bytes that are kept of it, and the decisions in it.

The one place that applies the bounds of evidence, so that every format keeps the same. Two ways to
give bytes: ``RunBuilder()`` collects the lines it is given, for a run over many lines;
``RunBuilder(element=raw)`` has one JSON element and finds each step's text in it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from importers.json_reading.slices import Slice
from store.cells import Span
from store.records import Nothing, NothingReason, Place, Read, RemarkCode
from store.trajectories import HumanDecision, Omitted, RunStatus, Step, StepKind, Trajectory

MAX_TEXT: Final = 64 * 1024
"""Bytes of UTF-8 that are kept of one step's text."""

MAX_LINE: Final = 64 * 1024
"""Bytes of one line that are kept as they stand."""

MAX_RAW: Final = 512 * 1024
"""Bytes of one run that are kept as they stand; further steps keep their text and place."""

MAX_ELEMENT: Final = 128 * 1024
"""Bytes of a run that is one element, kept whole or not at all."""

MAX_TEXTS: Final = 8 * 1024 * 1024
"""Characters of one run's steps that are kept in all; later steps keep their first 256."""

_LATE: Final = 256

MAX_STEPS: Final = 2_000
"""Steps of one run; what follows is counted in ``foreign.steps_beyond``."""


class RunBuilder:
    """Collects one run. ``read`` gives what it came to."""

    def __init__(self, element: Slice | None = None, *, member: str = "") -> None:
        """Begin a run, over one element or over the lines that will be given."""
        self._member = member
        self._kept = bytearray()
        self._element = element
        whole = element is not None and len(element.raw) <= MAX_ELEMENT
        self._bytes = element.raw if element is not None and whole else b""
        self._cursor = 0
        self._held: dict[int, Span | None] = {}
        self._first: Slice | None = element
        self._end = element.end if element is not None else 0
        self.steps: list[Step] = []
        self.decisions: list[HumanDecision] = []
        self.run: dict[str, str] = {}
        self.foreign: dict[str, object] = {}
        self.remarks: dict[str, None] = {}
        self.status = RunStatus.UNKNOWN
        self.branch_of: str | None = None
        self.beyond = 0
        self._kept_texts = 0

    def add(  # noqa: PLR0913 - each is a field of the step
        self,
        kind: StepKind,
        text: str,
        line: Slice | None = None,
        *,
        who: str = "",
        at: str | None = None,
        name: str = "",
        call: str = "",
        failed: bool = False,
        omitted: Omitted | None = None,
    ) -> int:
        """Add a step and return its index; -1 once the run has ``MAX_STEPS``.

        Args:
            kind: What it is.
            text: Its text, cut to ``MAX_TEXT`` with a digest of the whole.
            line: The line it stands in, of a run over lines.
            who: Who acted, as the file says.
            at: When, RFC 3339.
            name: The tool.
            call: The id that joins action and result.
            failed: Whether the format calls it an error.
            omitted: Bulk that the importer left out.
        """
        place = line or self._element
        assert place is not None, "a run over lines needs the line of each step"
        if len(self.steps) >= MAX_STEPS:
            self.beyond += 1
            return -1
        if self._first is None or place.start < self._first.start:
            self._first = place
        self._end = max(self._end, place.end)
        most = MAX_TEXT if self._kept_texts < MAX_TEXTS else _LATE
        shown, cut = _bounded(text, most)
        self._kept_texts += len(shown)
        if cut is not None:
            self.remarks[RemarkCode.STEPS_CUT] = None
        self.steps.append(
            Step(
                kind=kind,
                text=shown,
                span=self._span(shown, place),
                line=place.line,
                start=place.start,
                end=place.end,
                who=who,
                at=at,
                name=name,
                call=call,
                failed=failed,
                omitted=omitted or cut,
            )
        )
        return len(self.steps) - 1

    def decide(self, decision: HumanDecision) -> None:
        """Add what a person decided. Only what the format really has."""
        self.decisions.append(decision)

    def replaced(self, index: int, **changes: object) -> None:
        """Change fields of a step already added, such as the kind of a call's result."""
        self.steps[index] = replace(self.steps[index], **changes)  # type: ignore[arg-type]

    def read(
        self, source_id: str, *, started_at: str | None = None, ended_at: str | None = None
    ) -> Read:
        """The run as one record; ``EMPTY_RUN`` if it has no step.

        Times left out are those of the first and the last step that have one.
        """
        first = self._first
        place = Place(
            line=first.line if first else 0,
            start=first.start if first else 0,
            end=self._end,
            member=self._member,
        )
        raw = self._bytes if self._element is not None else bytes(self._kept)
        if not self.steps:
            return Read(place, raw[:1024], Nothing(NothingReason.EMPTY_RUN))
        times = [step.at for step in self.steps if step.at]
        foreign: Mapping[str, object] = self.foreign | (
            {"steps_beyond": self.beyond} if self.beyond else {}
        )
        found = Trajectory(
            source_id=source_id,
            steps=tuple(self.steps),
            run={name: value for name, value in self.run.items() if value},
            decisions=tuple(self.decisions),
            status=self.status,
            started_at=started_at or (times[0] if times else None),
            ended_at=ended_at or (times[-1] if times else None),
            branch_of=self.branch_of,
            foreign=foreign,
            remarks=tuple(self.remarks),
        )
        return Read(place, raw, found)

    def _span(self, text: str, place: Slice) -> Span | None:
        """Where the step stands in the bytes that are kept."""
        if self._element is not None:
            return self._found(text)
        if place.start not in self._held:
            self._held[place.start] = self._keep(place)
        line = self._held[place.start]
        if line is None:
            return None
        inside = text_in(place.raw, text)
        return line if inside is None else Span(line.start + inside.start, line.start + inside.end)

    def _keep(self, place: Slice) -> Span | None:
        if len(place.raw) > MAX_LINE or len(self._kept) + len(place.raw) >= MAX_RAW:
            return None
        start = len(self._kept)
        self._kept += place.raw + b"\n"
        return Span(start, start + len(place.raw))

    def _found(self, text: str) -> Span | None:
        span = text_in(self._bytes, text, self._cursor) or text_in(self._bytes, text)
        if span is not None and span.start >= self._cursor:
            self._cursor = span.end
        return span


def text_in(raw: bytes, text: str, start: int = 0) -> Span | None:
    """Where ``text`` is written in JSON bytes, under any usual way of escaping it, or ``None``.

    Looks for the text as UTF-8 JSON, as ASCII JSON, each also inside a JSON string inside JSON,
    and plainly.
    """
    if not text:
        return None
    probe = text if len(text) <= 4_096 else text[:4_096]
    utf8 = json.dumps(probe, ensure_ascii=False)[1:-1]
    ascii_ = json.dumps(probe)[1:-1]
    forms = [utf8, ascii_, utf8.replace("/", "\\/")]
    forms += [json.dumps(one, ensure_ascii=False)[1:-1] for one in (utf8, ascii_)]
    for form in dict.fromkeys([*forms, probe]):
        written = form.encode("utf-8", "surrogatepass")
        at = raw.find(written, start)
        if at >= 0:
            return Span(at, at + len(written))
    return None


def _bounded(text: str, most: int) -> tuple[str, Omitted | None]:
    if len(text) * 4 <= most:
        return text, None
    whole = text.encode("utf-8", "replace")
    if len(whole) <= most:
        return text, None
    shown = whole[:most].decode("utf-8", "ignore")
    return shown, Omitted(len(whole), hashlib.sha256(whole).hexdigest(), "text/plain")
