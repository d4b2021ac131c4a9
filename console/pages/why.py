"""One answer, one verdict, all numbers: why a fact reached it, then and now, and from where."""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import (
    address,
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
from console.cards.visit import Visit
from review.answers import NoSuchAnswerError
from review.audit import Account, Why
from review.desk import Desk
from review.identities import short
from review.why import PartWhy

VIEWS: Final = ("then", "now", "diff")
DEFAULTS: Final = {"answer": "", "fact": "", "as": "then"}
ALLOWED: Final = {"as": VIEWS}
_DIFFERING: Final = 20
"""Rows that differ from their record which are named; the downloads have them all."""


def render(desk: Desk, visit: Visit) -> None:
    """Draw the page."""
    at = address.read(DEFAULTS, ALLOWED)
    say, audit = visit.say, desk.audit
    st.title(say("why.title"), anchor=False)
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
        why_head.about(visit, answer, desk.now())
        if item:
            why_head.verdict(visit, account, audit.cells([item]).get(item))
            with st.expander(say("why.source"), key="source"):
                why_chain.source(desk, visit, item)
            why_more.label(desk, visit, told, item)
            if result_line.told()[0]:
                signing_bar.said(visit)
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
        _views(visit, told, at["as"])
        if item:
            _below(desk, visit, told)
            st.subheader(say("why.chain"), anchor=False)
            why_chain.draw(visit, account.chain)
        _downloads(visit, account)
        visit.link("answers", "why.back")


def _views(visit: Visit, told: Why, view: str) -> None:
    say = visit.say
    st.session_state["as"] = view
    st.segmented_control(
        say("why.as"),
        list(VIEWS),
        required=True,
        key="as",
        format_func=lambda one: say(f"why.as.{one}"),
        label_visibility="collapsed",
        on_change=address.follow,
        args=("as", "then", ()),
    )
    if view == "diff":
        why_moves.draw(visit, told)
        return
    if view == "then":
        st.text(why_words.agreement(say, told))
        for one in told.agreement.differing[:_DIFFERING] if told.agreement else ():
            st.text(f"{short(one.item)}   {', '.join(one.fields)}")
    elif view == "now":
        st.warning(say("why.now.banner"), icon=":material/update:")
    if view == "then" and told.ours and told.then:
        st.warning(say("why.ours"), icon=":material/calculate:")
    parts = told.then if view == "then" else told.now
    scores = told.explanation.answer.scores
    if not parts:
        fetched = scores is not None and scores.fetched
        st.info(say("why.because.fetched") if fetched else say("why.cannot_ask"))
    for n, part in enumerate(parts):
        _part(visit, told, n, part, view)


def _part(visit: Visit, told: Why, n: int, part: PartWhy, view: str) -> None:
    say, recorded = visit.say, part.recorded
    intent = say.plain(f"what_if.about.{recorded.intent}")
    st.subheader(say("why.part", n=n + 1, intent=intent), anchor=False)
    if len(told.then) > 1:
        untrusted.line(recorded.question)
    happened = view == "then" and not told.ours
    chosen = why_gate.draw(visit, n, part, focus=told.focus, key=view, happened=happened)
    if chosen is not None and chosen != told.focus:
        address.put(fact=chosen)
        st.rerun()
    why_trim.draw(visit, part, n=n)


def _below(desk: Desk, visit: Visit, told: Why) -> None:
    say, audit, matching = visit.say, desk.audit, told.explanation.matching
    if matching is not None:
        st.subheader(say("why.read"), anchor=False)
        why_more.read(visit, matching)
    st.subheader(say("what_if.title"), anchor=False)
    why_what_if.draw(visit, audit, told)
    st.subheader(say("leave.title"), anchor=False)
    why_more.left_out(visit, audit, told)


def _downloads(visit: Visit, account: Account) -> None:
    say, name = visit.say, account.why.explanation.answer.id
    text = why_document.as_markdown(account, say)
    value = why_document.as_json(why_document.as_value(account))
    with st.container(horizontal=True):
        st.download_button(
            say("why.download.md"), text, f"why-{name}.md", "text/plain", key="get-md"
        )
        st.download_button(
            say("why.download.json"), value, f"why-{name}.json", "application/json", key="get-json"
        )
