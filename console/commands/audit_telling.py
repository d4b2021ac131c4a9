"""How an explained answer is told on the command line: lines for people, values for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from console.cards import why_document, why_words
from console.cards.times import moment
from review.text.visible import clip, escape_line

if TYPE_CHECKING:
    from console.words import Say
    from review.auditing.answers import Answer
    from review.auditing.audit import Account
    from review.auditing.source_shares import Share, Shares
    from review.auditing.why import Row

_LONGEST: Final = 200
_SHOWN: Final = 20
_WIDE: Final = 10
"""Characters of a bar that stands for 1.0."""


def brief(answer: Answer) -> dict[str, Any]:
    """An answer of a list, as plain values."""
    return {
        "id": answer.id,
        "source": str(answer.source),
        "observed": answer.observed,
        "asked_at": answer.asked_at,
        "recorded_at": answer.recorded_at,
        "question": answer.question,
        "said": answer.said,
        "admitted": len(answer.items),
        "candidates": answer.candidates,
        "documents": len(answer.documents),
        "erased": answer.erased,
    }


def listed(answers: Sequence[Answer]) -> Iterator[str]:
    """Answers of a list, one line each."""
    for one in answers:
        seen = "observed" if one.observed else "reported"
        count = (
            f"{len(one.items)} of {one.candidates}"
            if one.observed
            else f"{len(one.documents)} read"
        )
        when = moment(one.when)
        words = "(erased)" if one.erased else _short(one.question)
        yield f"{one.id:<26}  {seen}  {when:<20}  {count:<9}  {words}"


def lines(told: Account, say: Say) -> Iterator[str]:
    """The explanation for a person at a terminal."""
    why, answer = told.why, told.why.explanation.answer
    yield f"{answer.id}  {why_words.origin(say, answer)}  {moment(answer.when)}"
    if answer.question:
        yield f"{say.plain('why.question')}: {_short(answer.question)}"
    if answer.said:
        yield f"{say.plain('why.said')}: {_short(answer.said)}"
    yield ""
    row = why.explanation.row_of(told.item)
    if not told.item:
        yield say.plain("why.nothing_found")
        return
    cell = row.cell if row is not None else None
    if cell is not None:
        yield _short(cell.headline)
    yield why_words.verdict(say, told.item, told.verdict).upper()
    yield from (f"  {line}" for line in why_words.because(say, told.verdict, row))
    if row is not None:
        yield f"  {_bars(row)}"
    yield from (f"  {line}" for line in why_words.today(say, why, told.item))
    yield from (f"  {line}" for line in why_words.since(say, told.since))
    yield from (f"  ! {line}" for line in why_words.flat(say, told.flat))
    yield from _gate(told, say)
    yield from _read(told, say)
    yield ""
    for one in told.chain:
        name = f"  {_short(one.name)}" if one.name else ""
        mark = "–" if one.gap is not None else "•"
        yield f"{mark} {say.plain(f'why.step.{one.step}'):<12} {why_words.link(say, one)}{name}"
    yield ""
    yield why_words.agreement(say, why)
    yield why_words.honest(say, told)


def markdown(told: Account, say: Say) -> Iterator[str]:
    """The explanation as Markdown."""
    yield from why_document.as_markdown(told, say).rstrip("\n").split("\n")


def shares(told: Shares) -> Iterator[str]:
    """The share of every source in what was handed over."""
    yield f"{told.uses:,} uses of {told.cells:,} durable cells"
    for one in (*told.source_types, *told.imports):
        ratio = "–" if one.ratio is None else f"{one.ratio:.1f}×"
        mark = "▲ far above its part" if one.flagged else ""
        name = _short(one.title) or one.name
        yield (
            f"{one.share:>6.1%} of uses  {one.part:>6.1%} of cells  {ratio:>6}  {name}  {mark}"
        ).rstrip()


def shares_value(told: Shares) -> dict[str, Any]:
    """The same as plain values."""
    return {
        "uses": told.uses,
        "cells": told.cells,
        "imports": [_share(one) for one in told.imports],
        "source_types": [_share(one) for one in told.source_types],
    }


def _share(one: Share) -> dict[str, Any]:
    return {
        "name": one.name,
        "title": one.title,
        "uses": one.uses,
        "cells": one.cells,
        "share": one.share,
        "low": one.low,
        "part": one.part,
        "ratio": one.ratio,
        "flagged": one.flagged,
    }


def _gate(told: Account, say: Say) -> Iterator[str]:
    for n, part in enumerate(told.why.then):
        yield ""
        if told.why.ours:
            yield say.plain("why.ours")
        yield f"{n + 1}. {_short(part.recorded.question)}"
        yield why_words.funnel(say, part, happened=not told.why.ours)
        for row in part.rows[:_SHOWN]:
            one = row.score
            claim = _short("" if row.cell is None else row.cell.claim or "")
            yield (
                f"  {why_words.word(say, row.verdict):<16} {row.item}  F {one.score:.3f}"
                f" θ {one.theta:.2f}  {claim}"
            )
        if len(part.rows) > _SHOWN:
            yield say.plain("why.more", n=len(part.rows) - _SHOWN)


def _read(told: Account, say: Say) -> Iterator[str]:
    matching = told.why.explanation.matching
    if matching is None:
        return
    yield ""
    yield say.plain("why.read")
    for one in matching.read:
        found = ", ".join(
            f"{two.cell.item} ({say.plain(f'match.{two.match}')})" for two in one.matched
        )
        yield f"  {found or say.plain('match.none')}  {_short(one.document.text)}"


def _bars(row: Row) -> str:
    names = ("ζ", "V", "ψ", "1−R")
    parts = zip(names, row.score.parts.values(), strict=True)
    return "   ".join(f"{name} {value:.2f} {_bar(value)}" for name, value in parts)


def _bar(value: float) -> str:
    return "#" * round(value * _WIDE)


def _short(text: str | None) -> str:
    head, left = clip(escape_line(text or ""), _LONGEST)
    return f"{head} …" if left else head
