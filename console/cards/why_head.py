"""The top of an explanation: what was asked and said, and the verdict before all numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import streamlit as st

from console.cards import untrusted, why_words
from console.cards.times import ago, moment
from console.cards.visit import Visit
from console.cards.why import erased
from review.auditing.answers import Answer
from review.auditing.audit import Account
from review.auditing.why import Row
from review.identities import short
from review.named_cells import NamedCell

_LONG: Final = 60


def about(visit: Visit, answer: Answer, now: str, erased_by: erased.By) -> None:
    """Which answer it is, when it was given, and whether anybody here saw it."""
    say = visit.say
    when = f"{moment(answer.when)} ({ago(answer.when, now, say)})"
    st.text(f"{why_words.origin(say, answer)}   ·   {answer.id}   ·   {when}")
    if answer.erased:
        by = erased_by.get(answer.recall)
        st.info(say("why.erased"))
        if by is not None:
            st.text(erased.text(say, erased_by, answer.recall, "answers.erased_by"))
        return
    rows = [(say.plain("why.question"), untrusted.cell(answer.question, 400))]
    said = answer.said if answer.said is not None else say.plain("why.said.none")
    rows.append((say.plain("why.said"), untrusted.cell(said, 400)))
    untrusted.fields(rows)


def verdict(
    visit: Visit, account: Account, cells: Mapping[str, NamedCell], erased_by: erased.By
) -> None:
    """The verdict on one cell, why it came so, and what the same question gives today.

    Args:
        visit: The drawing of the page.
        account: What is told of the cell.
        cells: The cell, and those that were decided on since, by id; what is not there is absent.
        erased_by: Which request took a text.
    """
    say, told, item = visit.say, account.why, account.item
    row, cell = told.explanation.row_of(item), cells.get(item)
    with st.container(border=True, key="verdict"):
        if cell is not None:
            gone = cell.claim is None
            untrusted.headline(erased.text(say, erased_by, item) if gone else cell.headline)
        st.header(say(f"why.record.{account.verdict}"), anchor=False)
        for line in why_words.because(say, account.verdict, row):
            st.text(line)
        if row is not None:
            _otherwise(row)
        for line in why_words.today(say, told, item):
            st.text(line)
        for line in why_words.since(say, account.since, lambda one: _named(cells, one)):
            untrusted.line(line)
        st.text(why_words.honest(say, account))
        st.caption(say("why.record.id", item=short(item)))


def _named(cells: Mapping[str, NamedCell], item: str) -> str:
    cell = cells.get(item)
    return short(item) if cell is None or cell.claim is None else untrusted.cell(cell.claim, _LONG)


def _otherwise(row: Row) -> None:
    """Which values the question gives otherwise: what is in memory, and what was asked."""
    changed = why_words.otherwise(row)
    if changed:
        untrusted.fields([(untrusted.cell(one), f"{old} → {new}") for one, old, new in changed])
