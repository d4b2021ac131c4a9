"""Each number of one cell opened: its value, what it means, what it is made from, where it stands.

The leaf of each tree is an entry of the log: the cell's, the answer's, or the policy's. Nothing is
computed here but the mean that F is and the distance to the threshold.

Source: the UX specification, section 6.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from console.cards import why_words
from console.cards.times import moment
from console.cards.visit import Visit
from review.auditing.replay import PolicySet
from review.auditing.why import PART_NAMES, PartWhy, Row
from review.gate import reasons
from review.identities import short

_MADE_FROM: Final = {
    "zeta": ("states_asked", "one_step", "shares_words", "beside", "no_facts", "not_relevant"),
    "validity": ("superseded", "stale", "withdrawn", "renewed", "disowned"),
    "psi": ("since_written", "not_yet", "ended", "did_not_hold", "superseded"),
    "safe": ("conflict", "premise_waits", "stale"),
}
"""Codes of the reasons that tell of one of the four numbers."""


@dataclass(frozen=True, slots=True)
class Where:
    """Where the numbers of one answer stand in the log."""

    answer: int
    """Entry of the answer; -1 where the numbers are our recomputation."""

    policy: PolicySet | None
    """The entry that set the policy, where it is known."""


def draw(visit: Visit, part: PartWhy, row: Row, where: Where, *, key: str) -> None:
    """The numbers of one row, each behind a button with its tree; of a lone row large as well."""
    say = visit.say
    if len(part.rows) == 1:
        for name, column in zip(PART_NAMES, st.columns(4), strict=True):
            value = why_words.number(row.score.parts[name])
            column.metric(
                say(f"why.part.{name}"), value, help=say(f"why.part.{name}.help"), border=True
            )
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=f"numbers-{key}"
    ):
        st.caption(say("why.numbers", item=short(row.item)), width="content")
        for name, value, lines, entries in _trees(visit, part, row, where):
            short_name = say.plain(f"why.short.{name}")
            with st.popover(
                say("why.number", name=short_name, value=value), key=f"number-{name}-{key}"
            ):
                st.text("\n".join([f"{value} · {_meaning(visit, name)}", *lines]))
                for entry in dict.fromkeys(entries):
                    visit.link("ledger", "why.to_ledger", to={"seq": str(entry)}, n=entry)


def _meaning(visit: Visit, name: str) -> str:
    known = {
        "h": "why.h.help",
        "F": "why.f.help",
        "theta": "why.theta.help",
        "margin": "why.margin.help",
    }
    return visit.say.plain(known.get(name, f"why.part.{name}.help"))


_Tree = tuple[str, str, list[str], list[int]]
"""Name, value, what it is made from, and the entries of the log where that stands."""


def _trees(visit: Visit, part: PartWhy, row: Row, where: Where) -> list[_Tree]:
    say, score = visit.say, row.score
    own = [row.cell.seq] if row.cell is not None else []
    recorded = [where.answer] if where.answer >= 0 else []
    trees: list[_Tree] = []
    for name in PART_NAMES:
        told = [_made(visit, line) for line in _about(visit, part, row, name)]
        trees.append((name, why_words.number(score.parts[name]), told, [*own, *recorded]))
    barred = why_words.bars(say, row) or [say.plain("why.made.passed")]
    trees.append(("h", "1" if score.h else "0", [_made(visit, one) for one in barred], recorded))
    sum_ = " + ".join(why_words.number(value) for value in score.parts.values())
    mean = say.plain("why.made.mean", sum=sum_, score=why_words.number(score.score))
    trees.append(("F", why_words.number(score.score), [_made(visit, mean)], recorded))
    set_ = _threshold(visit, where.policy)
    entries = [where.policy.seq] if where.policy is not None else []
    trees.append(("theta", why_words.number(score.theta), [_made(visit, set_)], entries))
    key = "why.made.let_in" if score.h else "why.made.never"
    apart = say.plain(key, score=why_words.number(score.score))
    trees.append(("margin", f"{row.margin:+.2f}", [_made(visit, apart)], recorded))
    return trees


def _about(visit: Visit, part: PartWhy, row: Row, name: str) -> Sequence[str]:
    say, score, told = visit.say, row.score, part.recorded
    lines = []
    if name == "validity":
        lines.append(say.plain("why.made.status", status=say.plain(f"status.{score.status}")))
    if name == "psi":
        start, end = (moment(one) if one else "…" for one in score.valid)
        lines.append(say.plain("why.made.held", start=start, end=end))
        start, end = (moment(one) if one else "…" for one in (told.start, told.end))
        lines.append(say.plain("why.made.asked", start=start, end=end))
    if name == "safe":
        lines.append(say.plain("why.made.risk", risk=why_words.number(score.risk)))
    codes = _MADE_FROM[name]
    found = [reasons.sentence(one, say.lang) for one in score.reasons if one.code in codes]
    return [*lines, *(why_words.capital(one) for one in found)]


def _threshold(visit: Visit, policy: PolicySet | None) -> str:
    if policy is None:
        return visit.say.plain("why.made.policy_unknown")
    when = moment(policy.recorded_at)
    return visit.say.plain("why.made.policy", id=policy.sha256[:12], when=when, by=policy.process)


def _made(visit: Visit, line: str) -> str:
    return f"    {visit.say.plain('why.made')} {line}"
