"""How an answer of ``ask`` is told: lines for a person, or one JSON value with everything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from review.text.visible import clip, escape_line

if TYPE_CHECKING:
    from review.gate.scored import Scored
    from review.inquiry import Answered, Preview
    from review.recall import Part
    from review.trimming.trim import CellTrim
    from store.cells import Fact

_LONGEST: Final = 300
"""Characters of a claim that are shown to a person."""

_SHOWN: Final = 20
"""Candidates of a sub-question that are shown to a person; ``--json`` has them all."""


def lines(answered: Answered, language: str) -> Iterator[str]:
    """The answer for a person, with foreign text made visible."""
    for n, part in enumerate(answered.parts):
        if n:
            yield ""
        yield from _part(part, language)
        if answered.previews:
            yield from _preview(answered.previews[n], language)


def as_value(answered: Answered, language: str) -> dict[str, Any]:
    """The answer as a JSON value: the same numbers and reasons, and exact texts."""
    recall = answered.recall
    parts = [_part_value(part, language) for part in recall.parts]
    for part, preview in zip(parts, answered.previews, strict=False):
        part["would_be"] = {
            "staged": [_scored_value(one, language) for one in preview.staged],
            "changed": [
                {
                    "item": one.item,
                    "status": one.status,
                    "would_be_status": one.would_be_status,
                    "admitted": one.admitted,
                    "would_be_admitted": one.would_be_admitted,
                }
                for one in preview.changed
            ],
        }
    return {
        "asked_at": recall.asked_at.isoformat(),
        "as_of": recall.as_of,
        "log_size": recall.size,
        "characters_left_out": recall.cut,
        "parts": parts,
    }


def _part(part: Part, language: str) -> Iterator[str]:
    from review.gate import reasons
    from review.trimming import context

    intent = part.sub.intent
    yield f"question   {escape_line(part.sub.text)}"
    yield f"intent     {intent.kind} {_period(part)}{_cue(intent.cue)}"
    for one in part.scored[:_SHOWN]:
        yield from _scored(one, language)
    if len(part.scored) > _SHOWN:
        yield f"           and {len(part.scored) - _SHOWN} more; see --json"
    if not part.scored:
        yield "           no memory is about this"
    for reason, count in part.excluded.items():
        yield f"left out   {count} ({reason})"
    for change in part.due:
        yield f"due        {reasons.due_sentence(change, language)}"
    for gap in part.gaps:
        yield f"gap        {escape_line(reasons.gap_sentence(gap, language))}"
    yield from _trim(part)
    yield "context"
    for line in context.as_text(part.context, language).split("\n"):
        yield f"  {escape_line(line)}"


def _period(part: Part) -> str:
    from review import instants
    from review.gate import numbers as gate

    span = gate.asked_time(part.sub.intent)
    if span.end - span.start == 1:
        return f"at {instants.day(span.start)}"
    return f"from {instants.day(span.start)} to {instants.day(span.end)}"


def _cue(cue: str) -> str:
    return f' ("{escape_line(cue)}")' if cue else ""


def _scored(one: Scored, language: str) -> Iterator[str]:
    from review.gate import reasons

    verdict = "admitted" if one.admitted else ("would be" if one.would_be else "kept out")
    yield (
        f"{verdict:<9}  {one.item}  {one.status}  F {one.score:.3f}"
        f" = (ζ {one.zeta:.2f} + V {one.validity:.2f} + ψ {one.psi:.2f}"
        f" + 1−R {1 - one.risk:.2f}) / 4, h {int(one.h)}, θ {one.theta:.2f}"
    )
    if one.fitted is not None:
        yield f"           fitted gate {one.fitted:.3f}"
    head, left = clip(escape_line(one.claim), _LONGEST)
    yield f"           {head}{'…' if left else ''}"
    told = "; ".join(reasons.sentence(reason, language) for reason in one.reasons)
    yield f"           {escape_line(told)}"


def _trim(part: Part) -> Iterator[str]:
    for cell in part.trim.cells:
        for one in cell.facts:
            words = f"{one.fact.parameter_key} = {one.fact.value}"
            yield f"{one.group!s:<11}{cell.item}  {escape_line(words)}"
        if cell.fate is not None:
            because = ", ".join(one.parameter_key or one.parameter for one in _because(cell))
            yield f"{'conclusion':<11}{cell.item}  {cell.fate}{f' ({because})' if because else ''}"
    for told in part.trim.disagreements:
        yield f"{'disagree':<11}{', '.join(told.items)}  {escape_line(told.parameter)}"
    if part.trim.overlap is not None:
        yield f"overlap    {part.trim.overlap:.2f} ({part.trim.zone})"


def _preview(preview: Preview, language: str) -> Iterator[str]:
    for one in preview.staged:
        yield from _scored(one, language)
    for change in preview.changed:
        now = "admitted" if change.admitted else "kept out"
        then = "admitted" if change.would_be_admitted else "kept out"
        yield (
            f"would be   {change.item}: {change.status} → {change.would_be_status}, {now} → {then}"
        )


def _part_value(part: Part, language: str) -> dict[str, Any]:
    from review import instants
    from review.gate import numbers as gate
    from review.gate import reasons
    from review.trimming import context

    span = gate.asked_time(part.sub.intent)
    return {
        "question": part.sub.text,
        "intent": str(part.sub.intent.kind),
        "cue": part.sub.intent.cue,
        "asked_from": instants.day(span.start),
        "asked_until": instants.day(span.end),
        "asked": [
            {"parameter": one.parameter_key, "subject": one.subject_key, "words": one.words}
            for one in part.asked.asked
        ],
        "candidates": [_scored_value(one, language) for one in part.scored],
        "excluded": dict(part.excluded),
        "gaps": [
            {
                "parameter": gap.parameter,
                "entity": gap.entity,
                "known_by": list(gap.known_by),
                "sentence": reasons.gap_sentence(gap, language),
            }
            for gap in part.gaps
        ],
        "due": [
            {"item": one.item, "since": one.since, "sentence": reasons.due_sentence(one, language)}
            for one in part.due
        ],
        "trim": _trim_value(part),
        "context": context.as_value(part.context),
    }


def _because(cell: CellTrim) -> list[Fact]:
    """The support facts that decided the fate of a conclusion."""
    return list(cell.judged.because)


def _trim_value(part: Part) -> dict[str, Any]:
    trim = part.trim
    return {
        "overlap": trim.overlap,
        "zone": None if trim.zone is None else str(trim.zone),
        "cells": [
            {
                "item": cell.item,
                "fate": None if cell.fate is None else str(cell.fate),
                "because": [one.parameter_key or one.parameter for one in _because(cell)],
                "facts": [
                    {
                        "subject": one.fact.subject_key,
                        "parameter": one.fact.parameter_key,
                        "value": one.fact.value,
                        "role": str(one.fact.role),
                        "group": str(one.group),
                        "withheld": None if one.held is None else str(one.held),
                    }
                    for one in cell.facts
                ],
            }
            for cell in trim.cells
        ],
        "disagreements": [
            {"parameter": one.parameter, "items": list(one.items)} for one in trim.disagreements
        ],
    }


def _scored_value(one: Scored, language: str) -> dict[str, Any]:
    from review.gate import reasons

    return {
        "item": one.item,
        "rev": one.rev,
        "source_id": one.source_id,
        "claim": one.claim,
        "kind": one.kind,
        "source_type": one.source_type,
        "would_be": one.would_be,
        "status": str(one.status),
        "zeta": one.zeta,
        "V": one.validity,
        "psi": one.psi,
        "R": one.risk,
        "h": int(one.h),
        "F": one.score,
        "theta": one.theta,
        "admitted": one.admitted,
        "fitted": one.fitted,
        "bars": [str(bar) for bar in one.bars],
        "reasons": [
            {"code": reason.code, "sentence": reasons.sentence(reason, language)}
            for reason in one.reasons
        ],
        "valid_from": one.valid.start,
        "valid_to": one.valid.end,
        "since_written": one.since_written,
        "path": list(one.path),
    }
