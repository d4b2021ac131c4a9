"""An explanation as a file: Markdown for a ticket, JSON for a program. Both are inert text.

Memory text stands in fences longer than any run of backticks in it, with hidden characters as
marks, so that no mention, link or markup in it comes alive where the file is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from console.cards import why_words
from console.cards.times import moment
from console.words import Say
from review.auditing.audit import Account, Why
from review.auditing.why import PartWhy, Row
from review.text.visible import escape

_TICKS: Final = re.compile(r"`+")


def as_markdown(told: Account, say: Say) -> str:
    """The explanation as Markdown, in one language."""
    return "\n".join(_markdown(told, say)) + "\n"


def as_value(account: Account) -> dict[str, Any]:
    """The explanation as plain values: every number as it was recorded."""
    told = account.why
    answer, agreed = told.explanation.answer, told.agreement
    return {
        "answer": {
            "id": answer.id,
            "source": str(answer.source),
            "observed": answer.observed,
            "asked_at": answer.asked_at,
            "recorded_at": answer.recorded_at,
            "question": answer.question,
            "said": answer.said,
            "system": answer.system,
            "log_size": told.size,
            "policy": answer.policy,
            "erased": answer.erased,
        },
        "fact": account.item,
        "verdict": str(account.verdict),
        "recomputed_by_us": told.ours,
        "agreement": None
        if agreed is None
        else {
            "agrees": agreed.agrees,
            "same_policy": agreed.same_policy,
            "differing": [
                {"part": one.part, "item": one.item, "fields": list(one.fields)}
                for one in agreed.differing
            ],
        },
        "flat": [
            {"part": one.part, "candidates": one.count, "F": one.score, "others": one.others}
            for one in account.flat
        ],
        "then": [_part_value(one) for one in told.then],
        "now": [_part_value(one) for one in told.now],
        "read": _read_value(told),
        "chain": [
            {
                "step": str(one.step),
                "gap": None if one.gap is None else str(one.gap),
                "id": one.id,
                "when": one.when,
                "entry": one.seq if one.seq >= 0 else None,
                "name": one.name,
                "decided_together": one.count,
                "bytes": [one.start, one.end],
            }
            for one in account.chain
        ],
        "since": [
            {"item": one.item, "decision": one.decision, "signed_at": one.signed_at}
            for one in account.since
        ],
        "honest": "what was in the prompt can be shown; that the model relied on it cannot"
        if answer.observed
        else "what was reported can be shown; that it was in the prompt cannot",
    }


def as_json(value: dict[str, Any]) -> str:
    """A value as JSON whose every odd character is an escape."""
    return json.dumps(value, ensure_ascii=True, indent=1) + "\n"


def fenced(text: str) -> list[str]:
    """A foreign text as a block that nothing in it can end or bring to life."""
    shown = escape(text)
    longest = max((len(run) for run in _TICKS.findall(shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", shown, fence]


def _markdown(account: Account, say: Say) -> Iterator[str]:
    told, answer = account.why, account.why.explanation.answer
    yield f"# {say.plain('why.title')}: {answer.id}"
    yield ""
    yield f"{why_words.origin(say, answer)}. {moment(answer.when)}."
    for name, text in (("why.question", answer.question), ("why.said", answer.said)):
        if text:
            yield from ("", f"{say.plain(name)}:", "", *fenced(text))
    if not account.item:
        yield from ("", say.plain("why.nothing_found"))
        return
    yield from _verdict(account, say)
    for n, part in enumerate(told.then):
        yield from ("", f"## {say.plain('why.gate')} {n + 1}", "")
        yield from _table(part, say)
    yield from ("", f"## {say.plain('why.chain')}", "")
    for one in account.chain:
        yield f"- {say.plain(f'why.step.{one.step}')}: {why_words.link(say, one)}"
        if one.name:
            yield from ("", *(f"  {line}" for line in fenced(one.name)), "")
    yield from ("", why_words.honest(say, account))


def _verdict(account: Account, say: Say) -> Iterator[str]:
    told, row = account.why, account.why.explanation.row_of(account.item)
    yield from ("", f"**{why_words.verdict(say, account.item, account.verdict)}**", "")
    if row is not None and row.cell is not None and row.cell.claim is not None:
        yield from (*fenced(row.cell.claim), "")
    lines = (
        *why_words.because(say, account.verdict, row),
        *why_words.today(say, told, account.item),
        *why_words.since(say, account.since),
        *why_words.flat(say, account.flat),
        why_words.agreement(say, told),
        *([say.plain("why.ours")] if told.ours else ()),
    )
    yield from (f"- {line}" for line in lines)


def _table(part: PartWhy, say: Say) -> Iterator[str]:
    names = ("id", "h", "zeta", "V", "psi", "1-R", "F", "theta", say.plain("why.table.verdict"))
    yield f"| {' | '.join(names)} |"
    yield f"|{' --- |' * len(names)}"
    for row in part.rows:
        one = row.score
        numbers = (*one.parts.values(), one.score, one.theta)
        cells = (
            row.item,
            str(int(one.h)),
            *(f"{value:.3f}" for value in numbers),
            why_words.word(say, row.verdict),
        )
        yield f"| {' | '.join(cells)} |"


def _part_value(part: PartWhy) -> dict[str, Any]:
    told, funnel = part.recorded, part.funnel
    return {
        "question": told.question,
        "intent": told.intent,
        "target": told.target,
        "start": told.start,
        "end": told.end,
        "retrieved": funnel.retrieved,
        "passed": funnel.passed,
        "admitted": funnel.admitted,
        "in_the_prompt": funnel.kept,
        "quoted": None,
        "overlap": told.overlap,
        "candidates": [_row_value(row) for row in part.rows],
        "gaps": [list(one) for one in told.gaps],
    }


def _row_value(row: Row) -> dict[str, Any]:
    one = row.score
    return {
        "item": one.item,
        "rev": one.rev,
        "digest": one.digest,
        "claim": None if row.cell is None else row.cell.claim,
        "verdict": str(row.verdict),
        "status": one.status,
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
        "reasons": [{"code": reason.code, **reason.told} for reason in one.reasons],
    }


def _read_value(told: Why) -> list[dict[str, Any]]:
    matching = told.explanation.matching
    return [
        {
            "text": one.document.text,
            "id": one.document.id,
            "score": one.document.score,
            "cells": [
                {"item": two.cell.item, "match": str(two.match), "then": str(two.then)}
                for two in one.matched
            ],
        }
        for one in (() if matching is None else matching.read)
    ]
