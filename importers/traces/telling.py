"""Tells a trace once: what its spans repeat of each other is left out.

A model's input repeats the whole conversation, a wrapper repeats its parts, and a call of a tool
stands both in the model's answer and in the tool's own span. How often a thing was told already
is counted, so that a person who says the same twice is heard twice.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

from importers import fields
from importers.json_reading.slices import Slice
from importers.traces import json
from importers.traces.order import Tree, Visit
from importers.traces.spans import Sort, TraceSpan, Utterance
from store.trajectories import StepKind

_WAITING: Final = 64
"""Calls of one tool, not yet carried out, among which a tool's span looks for its own."""

_Sign = tuple[str, ...]


class Told(NamedTuple):
    """A step of the run, with the bytes it stands in."""

    said: Utterance
    piece: Slice
    at: str | None


class Telling:
    """The steps of one trace, in order, and which of them is each span's own."""

    def __init__(self, tree: Tree) -> None:
        self.steps: list[Told] = []
        self.main: dict[str, int] = {}
        """The step that a judgement of a span is about, by the span's id and by its place."""

        self.verdicts = 0
        """Notes that are verdicts of machines."""

        self.silent = False
        """Whether a model or a tool was called and the trace does not say with what."""

        self._owner: dict[str, str] = {}
        self._told: Counter[_Sign] = Counter()
        self._where: dict[_Sign, int] = {}
        self._waiting: dict[str, list[int]] = {}
        self._answered: set[str] = set()
        self._texts: set[str] = set()
        self._opener = json.Opener()
        for visit in tree.visits():
            (self._enter if visit.entering else self._leave)(visit)

    def note(self, said: Utterance, piece: Slice, at: str | None) -> int:
        """Add a step at the end and return its index."""
        return self._add(said, piece, at)

    def _enter(self, visit: Visit) -> None:
        span = visit.span
        if span.sort is Sort.TOOL:
            self._call(span)
        elif span.sort is Sort.RETRIEVER:
            for one in span.input:
                one.kind, one.name = StepKind.ACTION, span.tool or span.name
                self._add(one, span.piece, _start(span))
        elif span.sort is Sort.MODEL or _is_around(visit):
            early = [one for one in span.output if one.kind is StepKind.INSTRUCTION]
            loose = span.sort is Sort.MODEL or _speaks_itself(visit)
            self._heard(span, early + span.input, _start(span), loose=loose)

    def _leave(self, visit: Visit) -> None:
        span, at = visit.span, _end(visit.span)
        if span.sort is Sort.TOOL:
            self._result(span)
        elif span.sort is Sort.RETRIEVER:
            self._recalled(span)
        elif span.sort is Sort.MODEL:
            self._said(visit)
        elif _is_around(visit):
            self._heard(span, span.output, at, loose=_speaks_itself(visit), own=True)
        elif span.sort is Sort.CHECK:
            self.verdicts += self._noted(span)
        elif span.sort is not Sort.OTHER and visit.leaf:
            self._noted(span)
        for one in span.notes:
            if one.failed and one.text in self._texts:
                continue
            self._add(one, _last(span), at)
        if span.failed and span.sort is not Sort.TOOL:
            self._failed(span)

    def _heard(
        self,
        span: TraceSpan,
        said: list[Utterance],
        at: str | None,
        *,
        loose: bool,
        own: bool = False,
    ) -> None:
        """Tell what was not told before. ``own`` is for a span's own words."""
        seen: Counter[_Sign] = Counter()
        for one in said:
            if one.loose and not loose:
                continue
            sign = self._sign(one)
            seen[sign] += 1
            answered = one.kind is StepKind.RESULT and one.call in self._answered
            if seen[sign] > self._told[sign] and not answered:
                index = self._add(one, _last(span) if own else span.piece, at)
            else:
                index = self._where.get(sign, -1)
            if own and index >= 0:
                self._judged(span, index)

    def _said(self, visit: Visit) -> None:
        span, at = visit.span, _end(visit.span)
        said = [one for one in span.output if one.kind is not StepKind.INSTRUCTION]
        if visit.wraps_model or visit.wraps:
            self._heard(span, said, at, loose=True, own=True)
            return
        for one in said:
            one.who = one.who or span.model
            known = self._where.get(self._sign(one), -1) if one.call else -1
            self._judged(span, known if known >= 0 else self._add(one, _last(span), at))
        if not said and not span.failed:
            self.silent = True
            empty = Utterance(StepKind.SAID, "", who=span.model)
            self._judged(span, self._add(empty, _last(span), at))

    def _call(self, span: TraceSpan) -> None:
        """The call that a tool's span carries out: the model's, or one of its own."""
        own = next((one for one in span.input if one.kind is StepKind.ACTION), None)
        own = own or Utterance(StepKind.ACTION, "", name=span.tool or span.name)
        index = self._asked(span, own)
        if index < 0:
            own.call = span.call or span.id
            self.silent = self.silent or not own.text
            index = self._add(own, span.piece, _start(span), waits=False)
        else:
            asked = self.steps[index].said
            asked.call = asked.call or span.call or span.id
            if not asked.text:
                asked.text = own.text
        self._judged(span, index)

    def _asked(self, span: TraceSpan, own: Utterance) -> int:
        """Which call of a model this span carries out; -1 if none of those that wait."""
        waiting = self._waiting.get(own.name, [])
        found = -1
        for index in waiting[-_WAITING:]:
            asked = self.steps[index].said
            if span.call and asked.call:
                if span.call == asked.call:
                    found = index
                    break
            elif self._same(asked.text, own.text):
                found = index
                break
        if found < 0 and not span.call and waiting:
            found = waiting[0]
        if found < 0 and span.call:
            found = self._where.get(("action", span.call), -1)
        if found in waiting:
            waiting.remove(found)
        return found

    def _same(self, one: str, other: str) -> bool:
        return one == other or self._canonical(one) == self._canonical(other)

    def _result(self, span: TraceSpan) -> None:
        call = self.steps[self.main[place(span)]].said.call
        told = [one for one in span.output if one.text or one.omitted]
        if not told and span.error:
            told = [Utterance(StepKind.RESULT, span.error)]
        for one in told:
            one.kind, one.call = StepKind.RESULT, call
            one.name = one.name or span.tool or span.name
            one.failed = one.failed or span.failed
            if call in self._answered and self._told[self._sign(one)]:
                continue
            self._add(one, _last(span), _end(span))
        if not told and span.failed:
            failed = Utterance(StepKind.RESULT, "", name=span.tool, call=call, failed=True)
            self._add(failed, _last(span), _end(span))

    def _recalled(self, span: TraceSpan) -> None:
        for one in span.output:
            sign = (one.kind.value, one.call, one.text)
            if not self._told[sign]:
                self._told[sign] += 1
                index = self._add(one, _last(span), _end(span))
                self._judged(span, index, first=True)

    def _noted(self, span: TraceSpan) -> int:
        """What a step of a program gave out, where nothing else told it; how many notes."""
        said = span.output or span.input
        before = len(self.steps)
        for one in said:
            if one.text.strip() and one.text.strip() not in self._texts:
                self._add(
                    Utterance(StepKind.NOTE, one.text, name=span.name, omitted=one.omitted),
                    _last(span),
                    _end(span),
                )
        if len(self.steps) > before:
            self._judged(span, before, first=True)
        return len(self.steps) - before

    def _failed(self, span: TraceSpan) -> None:
        text = span.error
        if text and text.strip() not in self._texts:
            note = Utterance(StepKind.NOTE, text, name=span.name, failed=True)
            index = self._add(note, _last(span), _end(span))
            self._judged(span, index, first=True)

    def _judged(self, span: TraceSpan, index: int, *, first: bool = False) -> None:
        """Say which step a judgement of the span is about; of spans with one id, the first."""
        if not first or place(span) not in self.main:
            self.main[place(span)] = index
        if span.id and self._owner.setdefault(span.id, place(span)) == place(span):
            self.main[span.id] = self.main[place(span)]

    def _add(self, said: Utterance, piece: Slice, at: str | None, *, waits: bool = True) -> int:
        index = len(self.steps)
        self.steps.append(Told(said, piece, at))
        for sign in self._signs(said):
            self._told[sign] += 1
            self._where[sign] = index
        self._texts.add(said.text.strip())
        if said.kind is StepKind.ACTION and waits:
            self._waiting.setdefault(said.name, []).append(index)
        if said.kind is StepKind.RESULT and said.call:
            self._answered.add(said.call)
        return index

    def _sign(self, said: Utterance) -> _Sign:
        """By what a thing is known again."""
        return self._signs(said)[0]

    def _signs(self, said: Utterance) -> list[_Sign]:
        if said.kind is StepKind.ACTION:
            plain = ("action", said.name, self._canonical(said.text))
            return [("action", said.call), plain] if said.call else [plain]
        return [(said.kind.value, said.text.strip())]

    def _canonical(self, text: str) -> str:
        value = self._opener.open(text)
        return text.strip() if isinstance(value, str) else fields.canonical(value).decode()


def place(span: TraceSpan) -> str:
    """A name for a span that no other has."""
    return f"@{span.piece.start}"


def _is_around(visit: Visit) -> bool:
    """Whether a span speaks for an agent: an agent itself, or a program around its parts."""
    around = visit.span.sort is Sort.CHAIN and (visit.root or visit.wraps)
    return visit.span.sort is Sort.AGENT or around


def _speaks_itself(visit: Visit) -> bool:
    """Whether its plain input and output are more than what its parts say in messages."""
    return visit.root or (visit.span.sort is Sort.AGENT and not visit.wraps)


def _last(span: TraceSpan) -> Slice:
    return span.last or span.piece


def _start(span: TraceSpan) -> str | None:
    return span.start.text if span.start else None


def _end(span: TraceSpan) -> str | None:
    return span.end.text if span.end else _start(span)
