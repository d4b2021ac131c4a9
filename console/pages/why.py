"""One answer, one verdict, all numbers: why a fact reached it, then and now, and from where."""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import (
    address,
    press,
    refusals,
    result_line,
    signing_bar,
    untrusted,
    why_chain,
    why_document,
    why_gate,
    why_head,
    why_more,
    why_moves,
    why_trim,
    why_what_if,
    why_words,
)
from console.cards.address import Address
from console.cards.visit import Visit
from console.cards.why import erased, funnel, numbers, walking
from console.cards.why.numbers import Where
from console.cards.why_gate import Shown
from review.auditing.answers import NoSuchAnswerError
from review.auditing.audit import Account, Audit, Why
from review.auditing.why import PartWhy
from review.desk import Desk

DEFAULTS: Final = {
    "answer": "",
    "fact": "",
    "as": walking.VIEWS[0],
    "intent": "",
    funnel.PARAMETER: funnel.RETRIEVED,
    "view": "bars",
}
ALLOWED: Final = {
    "as": walking.VIEWS,
    "intent": list(why_what_if.ABOUT),
    funnel.PARAMETER: funnel.STEPS,
    "view": ["bars", "table"],
}
_DIFFERING: Final = 20
"""Rows that differ from their record which are named; the downloads have them all."""


def render(desk: Desk, visit: Visit) -> None:
    """Draw the page."""
    at = address.read(DEFAULTS, ALLOWED)
    press.keep_dialog("keys")
    say, audit = visit.say, desk.audit
    walking.top(visit)
    with desk.held():
        try:
            answer = audit.one(at["answer"])
        except NoSuchAnswerError as error:
            refusals.show(error, say)
            visit.link("answers", "why.back")
            return
        address.note_unknown(at, say)
        account = audit.account(answer, at["fact"])
        told, item = account.why, account.item
        gone = erased.by_request(desk.standing())
        shown = Shown(at[funnel.PARAMETER], at["view"], gone)
        why_head.about(visit, answer, desk.now(), gone)
        if item:
            cells = audit.cells([item, *(one.item for one in account.since)])
            why_head.verdict(visit, account, cells, gone)
            with st.container(
                horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
            ):
                walking.facts(visit, _items(told, at["as"], shown.step), item)
                why_more.label(desk, visit, told, item)
            with st.expander(say("why.source"), key=walking.SOURCE, on_change="rerun"):
                why_chain.source(desk, visit, item)
            if result_line.told()[0]:
                signing_bar.said(visit)
            st.subheader(say("why.chain"), anchor=False)
            why_chain.draw(visit, account.chain)
        else:
            st.info(say("why.nothing_found"))
        for one in account.flat:
            score = why_words.number(one.score)
            st.warning(
                say("why.flat", part=one.part + 1, n=one.count, score=score),
                icon=":material/notification_important:",
            )
            if one.others:
                st.caption(say("why.flat.others", n=one.others))
        st.subheader(say("why.weighed"), anchor=False)
        _gate(desk, visit, told, at, shown)
        if item:
            _below(visit, audit, told)
        _downloads(visit, account)
        visit.link("answers", "why.back")


def _items(told: Why, view: str, step: str) -> list[str]:
    """The cells in the rows of a view, in their order: J and K go from one to the next."""
    if view == "diff":
        return list(dict.fromkeys(one.item for one in told.movements))
    parts = told.then if view == "then" else told.now
    rows = (row for part in parts for row in funnel.left_after(part.rows, step))
    return list(dict.fromkeys(row.item for row in rows))


def _gate(desk: Desk, visit: Visit, told: Why, at: Address, shown: Shown) -> None:
    """The switches and, under them, what would be so otherwise, or the chosen view."""
    view, about, audit = at["as"], at["intent"], desk.audit
    known = audit.replay.question_of(told.explanation.answer) is not None
    with st.container(horizontal=True, vertical_alignment="center", key="switches"):
        _switch(visit, view)
        walking.next_view(visit, view)
        if known:
            st.caption(visit.say("what_if.about"), width="content")
            why_what_if.question(visit, about)
            walking.next_question(visit, about, list(why_what_if.ABOUT))
        walking.other_form(visit, shown.form)
    what = why_what_if.controls(visit, audit, told, about)
    if what is None or not why_what_if.draw(visit, audit, told, what, shown):
        _views(visit, audit, told, view, shown)


def _switch(visit: Visit, view: str) -> None:
    say = visit.say
    st.session_state["as"] = view
    st.segmented_control(
        say("why.as"),
        list(walking.VIEWS),
        required=True,
        key="as",
        format_func=lambda one: say(f"why.as.{one}"),
        label_visibility="collapsed",
        on_change=address.follow,
        args=("as", "then", ()),
    )


def _views(visit: Visit, audit: Audit, told: Why, view: str, shown: Shown) -> None:
    say = visit.say
    if view == "diff":
        why_moves.draw(visit, told, shown)
        return
    if view == "then":
        rows = [row for part in told.then for row in part.rows]
        st.text(why_words.agreement(say, told))
        for one in told.agreement.differing[:_DIFFERING] if told.agreement else ():
            name = why_gate.named(rows, one.item)
            untrusted.line(f"{name}   {', '.join(one.fields)}")
    elif view == "now":
        st.warning(say("why.now.banner"), icon=":material/update:")
    if view == "then" and told.ours and told.then:
        st.warning(say("why.ours"), icon=":material/calculate:")
    parts = told.then if view == "then" else told.now
    scores = told.explanation.answer.scores
    if not parts:
        fetched = scores is not None and scores.fetched
        st.info(say("why.because.fetched") if fetched else say("why.cannot_ask"))
    answer = told.explanation.answer
    recorded = view == "then" and not told.ours
    where = Where(answer.seq if recorded else -1, audit.replay.policy_set(answer))
    for n, part in enumerate(parts):
        _part(visit, told, n, part, view, shown, where)


def _part(
    visit: Visit, told: Why, n: int, part: PartWhy, view: str, shown: Shown, where: Where
) -> None:
    say, recorded = visit.say, part.recorded
    intent = say.plain(f"what_if.about.{recorded.intent}")
    st.subheader(say("why.part", n=n + 1, intent=intent), anchor=False)
    if len(told.then) > 1:
        untrusted.line(recorded.question)
    happened = view == "then" and not told.ours
    chosen = why_gate.draw(
        visit, n, part, focus=told.focus, key=view, as_=shown, happened=happened
    )
    if chosen is not None and chosen != told.focus:
        address.put(fact=chosen)
        st.rerun()
    row = next((one for one in part.rows if one.item == told.focus), None)
    if row is not None:
        numbers.draw(visit, part, row, where, key=f"{view}-{n}")
    why_trim.draw(visit, part, n=n, key=view)


def _below(visit: Visit, audit: Audit, told: Why) -> None:
    say, matching = visit.say, told.explanation.matching
    if matching is not None:
        st.subheader(say("why.read"), anchor=False)
        why_more.read(visit, matching)
    with st.expander(say("leave.title"), key="leave-fold"):
        why_more.left_out(visit, audit, told)


def _downloads(visit: Visit, account: Account) -> None:
    say, name = visit.say, account.why.explanation.answer.id
    text = why_document.as_markdown(account, say)
    value = why_document.as_json(why_document.as_value(account))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(say("why.downloads"), width="content")
        st.download_button(
            say("why.download.md"), text, f"why-{name}.md", "text/plain", key="get-md"
        )
        st.download_button(
            say("why.download.json"), value, f"why-{name}.json", "application/json", key="get-json"
        )
