"""Weighs the candidates of one question: from columns to a verdict with reasons for each.

Source: the gate's specification, section 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from review import gate, instants, lineage, read_rules, verdicts
from review.candidates import Relevance, best
from review.columns import Bools, Columns, Ints
from review.framing import Frame
from review.gate import Bar, Scores, Span
from review.intents import Intent, IntentKind
from review.knowing import Known
from review.read_rules import Purpose
from review.scored import Reason, Scored
from review.verdicts import DECIMALS, Moments, Numbers


@dataclass(frozen=True)
class Weighed:
    """The candidates of one question, best first, and what was left out unread."""

    scored: tuple[Scored, ...]
    rows: tuple[int, ...]
    """Row of each in the columns."""

    asked: Span
    excluded: Mapping[str, int]
    """How many relevant cells the reader was not told of, by reason."""


def weigh(frame: Frame, known: Known, found: Relevance, chain: Bools | None = None) -> Weighed:
    """The verdicts on the candidates of a question.

    Args:
        frame: The question's time frame and limits.
        known: What it is weighed against.
        found: ζ of all cells.
        chain: Cells of the chain that CHANGE asks for; by default those that state what is asked.
    """
    cells, life = known.cells, known.life
    asked = asked_span(frame.intent, known, found)
    visible, excluded = _visible(frame, cells, found.zeta)
    links = found.stated if chain is None else chain
    begins, ends = life.begins, _ends(known, found, frame.intent.kind, asked)
    holds = gate.held(begins, ends, asked)
    tie = np.where(holds, 1, 0) * (2**61) + np.clip(begins, -(2**60), 2**60)
    rows = best(found.zeta, tie, visible, frame.most)
    moment = asked.start if frame.intent.kind is IntentKind.CURRENT else frame.asked_at
    worth = life.validity(moment, cells.durable)
    inside = links if frame.intent.kind is IntentKind.CHANGE else np.zeros(len(cells), dtype=bool)
    risks = [
        gate.risk(int(row), cells, life, known.slots, worth, asked=asked, chain=inside)
        for row in rows
    ]
    psi = gate.compatibility(frame.intent.kind, holds[rows], links[rows])
    danger = np.array([one.value for one in risks] or [0.0])[: len(rows)]
    fits = np.round(gate.fit(found.zeta[rows], worth[rows], psi, danger), DECIMALS)
    share = gate.overlap_share(begins[rows], ends[rows], asked)
    told = [
        verdicts.verdict(
            Numbers(
                row=int(row),
                zeta=float(found.zeta[row]),
                validity=float(worth[row]),
                psi=float(psi[n]),
                risk=risks[n],
                score=float(fits[n]),
                share=float(share[n]),
                held=bool(holds[row]),
                end=int(ends[row]),
            ),
            frame,
            known,
            found,
            Moments(asked, moment),
        )
        for n, row in enumerate(rows)
    ]
    order = sorted(range(len(told)), key=lambda n: (-told[n].score, -told[n].order, n))
    return Weighed(
        tuple(told[n] for n in order), tuple(int(rows[n]) for n in order), asked, excluded
    )


def asked_span(intent: Intent, known: Known, found: Relevance) -> Span:
    """The asked time; "before the current version" ends where that version begins."""
    asked = gate.asked_time(intent)
    if not intent.before_current:
        return asked
    life = known.life
    now = found.stated & known.cells.durable & life.in_force(instants.of(intent.target))
    if not now.any():
        return asked
    begin = int(life.begins[now].max())
    if not (found.stated & known.cells.durable & (life.begins < begin)).any():
        return asked  # there is one version only; it is the first one too
    return Span(asked.start, max(min(asked.end, begin), asked.start + 1))


def left_out(weighed: Weighed, items: frozenset[str]) -> Weighed:
    """The same candidates without some of them, for a "what if"."""
    kept = [
        (row, one)
        for row, one in zip(weighed.rows, weighed.scored, strict=True)
        if one.item not in items
    ]
    return replace(
        weighed, scored=tuple(one for _, one in kept), rows=tuple(row for row, _ in kept)
    )


def withheld(one: Scored, bar: Bar, **told: str) -> Scored:
    """The same candidate, kept out by one more part of the hard filter."""
    return replace(
        one,
        h=False,
        admitted=False,
        bars=(*one.bars, bar),
        reasons=(*one.reasons, Reason(str(bar), told)),
    )


def _visible(frame: Frame, cells: Columns, zeta: Scores) -> tuple[Bools, dict[str, int]]:
    """Cells of the asked scope and of readable kinds; how many relevant ones are left out."""
    in_scope = np.array(
        [lineage.meets(scope, frame.scope) for scope in cells.scopes] or [True], dtype=bool
    )[cells.scope]
    kinds = cells.text("kind")
    pairs: dict[tuple[str, int], bool] = {}
    readable = np.ones(len(cells), dtype=bool)
    if frame.purpose is not Purpose.REVIEW:
        for row in np.nonzero((zeta > 0) & in_scope)[0]:
            key = (str(kinds[row]), int(cells.scope[row]))
            if key not in pairs:
                scope = cells.scopes[key[1]]
                pairs[key] = read_rules.readable(key[0], frame.purpose, scope, frame.scope)
            readable[row] = pairs[key]
    about = zeta >= frame.floor
    excluded = {
        str(Bar.OTHER_SCOPE): int((about & ~in_scope).sum()),
        str(Bar.NOT_READABLE): int((about & in_scope & ~readable).sum()),
    }
    return in_scope & readable, {name: count for name, count in excluded.items() if count}


def _ends(known: Known, found: Relevance, kind: IntentKind, asked: Span) -> Ints:
    """Until when each cell holds for this question: until what is asked of it was closed.

    A cell of several facts can have lost just the one that the question is about.
    """
    ends = known.life.ends
    asked_facts = np.concatenate([*found.answers, np.empty(0, dtype=np.int64)])
    if not len(asked_facts):
        return ends
    cell = known.cells.facts.cell[asked_facts]
    last = np.full(len(ends), instants.ALWAYS, dtype=np.int64)
    np.maximum.at(last, cell, known.life.over[asked_facts])
    return np.where(found.stated, np.minimum(ends, last), ends)
