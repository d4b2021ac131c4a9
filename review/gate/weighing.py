"""Weighs the candidates of one question: from columns to a verdict with reasons for each.

Source: the gate's specification, section 3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

from review import instants, read_rules
from review.gate import numbers as gate
from review.gate import verdicts
from review.gate.candidates import Relevance, best
from review.gate.framing import Frame
from review.gate.numbers import Bar, Scores, Span
from review.gate.scored import Reason, Scored
from review.gate.verdicts import DECIMALS, Moments, Numbers
from review.memory import lineage
from review.memory.columns import Bools, Columns, Ints
from review.memory.knowing import Known
from review.question.intents import Intent, IntentKind
from review.read_rules import Purpose


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
    visible, excluded = _visible(frame, cells, found)
    links = found.stated if chain is None else chain
    ends_of = _ends(known, found)

    def ties(rows: Ints) -> tuple[Ints, Scores, Ints]:
        """Of many that state what is asked: those that hold, those most alike, the newest."""
        holds = gate.held(life.begins[rows], ends_of(rows), asked)
        return holds.astype(np.int64), found.text[rows], life.begins[rows]

    rows = best(found.zeta, found.rows[visible], ties, frame.most)
    begins, ends = life.begins[rows], ends_of(rows)
    holds = gate.held(begins, ends, asked)
    moment = asked.start if frame.intent.kind is IntentKind.CURRENT else frame.asked_at
    inside = links if frame.intent.kind is IntentKind.CHANGE else np.zeros(len(cells), dtype=bool)
    worth_of = partial(life.validity, moment, cells.durable)
    risks = gate.risks(rows, cells, life, known.slots, worth_of, asked=asked, chain=inside)
    psi = gate.compatibility(frame.intent.kind, holds, links[rows])
    worth, zeta = worth_of(rows), found.zeta[rows]
    danger = np.array([one.value for one in risks] or [0.0])[: len(rows)]
    fits = np.round(gate.fit(zeta, worth, psi, danger), DECIMALS)
    share = gate.overlap_share(begins, ends, asked)
    numbers = map(
        Numbers,
        *(rows.tolist(), zeta.tolist(), worth.tolist(), psi.tolist(), risks, fits.tolist()),
        *(share.tolist(), holds.tolist(), ends.tolist()),
    )
    moments = Moments(asked, moment)
    told = [verdicts.verdict(one, frame, known, found, moments) for one in numbers]
    order = sorted(range(len(told)), key=lambda n: (-told[n].score, -told[n].order, n))
    return Weighed(
        tuple(told[n] for n in order), tuple(int(rows[n]) for n in order), asked, excluded
    )


def asked_span(intent: Intent, known: Known, found: Relevance) -> Span:
    """The asked time; "before the current version" ends where that version begins."""
    asked = gate.asked_time(intent)
    if not intent.before_current:
        return asked
    life, target = known.life, instants.of(intent.target)
    rows = found.rows[(found.stated & known.cells.durable)[found.rows]]
    begins = life.begins[rows]
    now = (begins <= target) & (target < life.ends[rows])
    if not now.any():
        return asked
    begin = int(begins[now].max())
    if not (begins < begin).any():
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


def _visible(frame: Frame, cells: Columns, found: Relevance) -> tuple[Bools, dict[str, int]]:
    """Which of ``found.rows`` the reader may be told of; how many relevant ones are left out."""
    scope = cells.scope[found.rows]
    in_scope = np.array(
        [lineage.meets(scope, frame.scope) for scope in cells.scopes] or [True], dtype=bool
    )[scope]
    readable = np.ones(len(scope), dtype=bool)
    if frame.purpose is not Purpose.REVIEW or frame.kinds is not None:
        kinds, names = cells.kinds
        which, pairs = pd.factorize(kinds[found.rows] * len(cells.scopes) + scope)
        allowed = [
            (frame.kinds is None or names[kind] in frame.kinds)
            and read_rules.readable(names[kind], frame.purpose, cells.scopes[at], frame.scope)
            for kind, at in (divmod(int(pair), len(cells.scopes)) for pair in pairs)
        ]
        readable = np.array(allowed, dtype=bool)[which]
    about = found.zeta[found.rows] >= frame.floor
    excluded = {
        str(Bar.OTHER_SCOPE): int(np.count_nonzero(about & ~in_scope)),
        str(Bar.NOT_READABLE): int(np.count_nonzero(about & in_scope & ~readable)),
    }
    return in_scope & readable, {name: count for name, count in excluded.items() if count}


def _ends(known: Known, found: Relevance) -> Callable[[Ints], Ints]:
    """Until when cells hold for this question, by row: until what is asked of them was closed.

    A cell of several facts can have lost just the one that the question is about.
    """
    ends, over = known.life.ends, known.life.over
    facts = np.concatenate([*found.answers, np.empty(0, dtype=np.int64)])
    cell = known.cells.facts.cell[facts]
    last = np.empty(len(ends), dtype=np.int64)  # of cells that state nothing asked, never read
    last[cell] = instants.ALWAYS
    np.maximum.at(last, cell, over[facts])
    return lambda rows: np.where(
        found.stated[rows], np.minimum(ends[rows], last[rows]), ends[rows]
    )
