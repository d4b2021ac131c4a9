"""Answers that are known: paste one to find it, or look through all. Observed is not reported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pandas as pd
import streamlit as st

from console.cards import address, heading, paging, row_choice, untrusted
from console.cards.address import ANY_WORDS, Address
from console.cards.explain import pasting, shares
from console.cards.times import moment
from console.cards.visit import Visit
from console.cards.why import erased
from console.words import Say
from review.auditing.answer_finding import Findings, FoundCell
from review.auditing.answers import PAGE, Answer, AnswersWanted, Source
from review.desk import Desk
from review.identities import short

DEFAULTS: Final = {"q": "", "source": "", "seen": "", "has": "", "p": "1"}
ALLOWED: Final = {
    "q": ANY_WORDS,
    "source": [str(source) for source in Source],
    "seen": ["1", "0"],
    "has": ["fallen", "conflict", "conclusion"],
}
"""Which values the URL may have; those of ``has`` are the marks of an answer."""


def render(desk: Desk, visit: Visit) -> None:
    """Draw the page."""
    at = address.read(DEFAULTS, ALLOWED)
    say, audit = visit.say, desk.audit
    heading.draw(visit, "answers")
    address.note_unknown(at, say)
    with desk.held():
        pasted = _paste(say)
        if pasted:
            _found(visit, audit.find(pasted))
            return
        known, since = audit.total()
        if not known:
            st.info(say("answers.empty"))
            st.code("memory-console ask QUESTION --record", language=None)
            return
        fallen = audit.fallen()
        _filters(say, at)
        has = at["has"]
        wanted = AnswersWanted(
            source=at["source"],
            observed=at["seen"],
            q=at["q"],
            fallen=fallen if has == "fallen" else None,
            mark=has if has != "fallen" else "",
        )
        page = audit.page(wanted, at.page)
        if not page.answers:
            key = "answers.no_match.words" if at["q"] else "answers.no_match"
            st.info(say(key, n=known, since=moment(since), week=audit.this_week()))
        else:
            _table(visit, page.answers, at, fallen, erased.by_request(desk.standing()))
            paging.draw(page.total, at.page, say, per=PAGE)
        with st.expander(say("shares.title")):
            shares.draw(say, audit)


def _paste(say: Say) -> str:
    """The box for an answer, a ticket's text or an id. It stays in the session, not in the URL."""
    pasting.handed("pasted")
    told = st.text_input(
        say("answers.paste"),
        key="pasted",
        placeholder=say("answers.paste.eg"),
        max_chars=pasting.LONGEST,
    )
    return (told or "").strip()


def _found(visit: Visit, found: Findings) -> None:
    say = visit.say
    st.button(say("start.explain.all"), key="act-all", type="tertiary", on_click=_clear)
    if not found.found:
        st.info(say("answers.none", n=found.known, since=moment(found.since) or "–"))
        if found.cells:
            st.caption(say("answers.cells"))
        for cell in found.cells:
            _cell(visit, cell)
        return
    st.caption(say("answers.found", n=len(found.found)))
    for one in found.found:
        with st.container(border=True):
            answer = one.answer
            st.text(f"{_seen(answer, say)}   {moment(answer.when)}   {answer.id}")
            rows = [
                (say.plain("why.question"), untrusted.cell(answer.question, 300)),
                (say.plain("why.said"), untrusted.cell(answer.said, 300)),
            ]
            untrusted.fields([(name, text) for name, text in rows if text])
            where = "question" if one.in_question else "answer"
            st.caption(say(f"answers.how.{one.how}") + " " + say(f"answers.in.{where}"))
            visit.link("why", "answers.why", to={"answer": answer.id}, id=answer.id)


def _clear() -> None:
    """Take what was pasted out of the box, so that all answers are listed."""
    st.session_state["pasted"] = ""


def _cell(visit: Visit, one: FoundCell) -> None:
    """A cell that stands in what was pasted, where no answer is known."""
    say = visit.say
    with st.container(border=True):
        untrusted.line(one.cell.claim or "")
        state = say.plain("answers.cell.durable" if one.durable else "answers.cell.waits")
        st.text(f"{short(one.cell.item)}   {state}")
        untrusted.fields([(say.plain("answers.cell.stands"), word) for word in one.values])
        visit.link("fact", "answers.to_passport", to={"id": one.cell.item})


def _filters(say: Say, at: Address) -> None:
    words, seen, source, has = st.columns([3, 1.4, 1.7, 1.1])
    with words:
        st.session_state["q"] = at["q"]
        st.text_input(
            say("inbox.search"),
            key="q",
            placeholder=say("answers.search"),
            label_visibility="collapsed",
            on_change=address.follow,
            args=("q", "", ("p",)),
        )
    with seen:
        st.session_state["seen"] = at["seen"]
        st.selectbox(
            say("answers.seen"),
            ["", "1", "0"],
            key="seen",
            format_func=lambda one: say(f"answers.seen.{one or 'any'}"),
            label_visibility="collapsed",
            on_change=address.follow,
            args=("seen", "", ("p",)),
        )
    with source:
        st.session_state["source"] = at["source"]
        st.selectbox(
            say("list.source"),
            ["", *(str(source) for source in Source)],
            key="source",
            format_func=lambda one: (
                say(f"answers.source.{one}") if one else say("answers.source.any")
            ),
            label_visibility="collapsed",
            on_change=address.follow,
            args=("source", "", ("p",)),
        )
    with has:
        st.session_state["has"] = at["has"]
        st.selectbox(
            say("answers.marks"),
            ["", *ALLOWED["has"]],
            key="has",
            format_func=lambda one: (
                say(f"answers.mark.{one}") if one else say("answers.marks.any")
            ),
            label_visibility="collapsed",
            on_change=address.follow,
            args=("has", "", ("p",)),
        )


def _table(
    visit: Visit,
    answers: tuple[Answer, ...],
    at: Address,
    fallen: frozenset[str],
    gone: erased.By,
) -> None:
    say = visit.say
    rows = [
        (
            _seen(one, say),
            moment(one.when),
            _channel(one, say),
            _question(one, say, gone),
            untrusted.cell(one.said, 120),
            _count(one, say),
            _marks(one, fallen, say),
            one.id if one.observed or not one.run else short(one.id),
            say.plain("list.why"),
        )
        for one in answers
    ]
    names = ["seen", "when", "channel", "question", "said", "facts", "marks", "id"]
    choice = row_choice.Choice("answers", [one.id for one in answers])
    st.dataframe(
        pd.DataFrame(rows, columns=[*names, row_choice.OPEN], dtype="str"),
        hide_index=True,
        key=choice.key,
        on_select=choice.taken,
        selection_mode=row_choice.MODES,
        selection_default=choice.default,
        row_height=34,
        height=38 + 34 * len(rows),
        column_config={
            "seen": st.column_config.TextColumn(
                say("answers.seen"), width=110, help=say("answers.seen.help")
            ),
            "when": st.column_config.TextColumn(say("answers.when"), width=150),
            "channel": st.column_config.TextColumn(
                say("answers.channel"), width=130, help=say("answers.channel.help")
            ),
            "question": st.column_config.TextColumn(say("why.question"), width=300),
            "said": st.column_config.TextColumn(say("why.said"), width=250),
            "facts": st.column_config.TextColumn(say("answers.facts"), width=95),
            "marks": st.column_config.TextColumn(
                say("answers.marks"), width=200, help=say("answers.marks.help")
            ),
            "id": st.column_config.TextColumn(say("list.id"), width=100),
            row_choice.OPEN: choice.column(visit),
        },
        alt=say("answers.alt", n=len(rows)),
    )
    if opened := choice.bar(visit, _words(answers), "answers.open_chosen"):
        visit.go("why", {"answer": opened})


def _words(answers: tuple[Answer, ...]) -> Callable[[int], str]:
    return lambda place: answers[place].question or answers[place].said or ""


def _seen(one: Answer, say: Say) -> str:
    """Whether we saw it ourselves, by shape and by word."""
    return f"{'●' if one.observed else '○'} {say.plain(f'answers.seen.{int(one.observed)}')}"


def _channel(one: Answer, say: Say) -> str:
    """By which way it is known: ours by name, another system by what it calls itself."""
    if one.observed:
        return say.plain(f"answers.channel.{one.system}")
    return untrusted.cell(one.system, 30)


def _question(one: Answer, say: Say, gone: erased.By) -> str:
    if one.erased:
        return erased.text(say, gone, one.recall, "answers.erased_by")
    return untrusted.cell(one.question, 120)


def _count(one: Answer, say: Say) -> str:
    if one.observed:
        return say.plain("answers.admitted", admitted=len(one.items), candidates=one.candidates)
    return say.plain("answers.read", n=len(one.documents))


def _marks(one: Answer, fallen: frozenset[str], say: Say) -> str:
    told = []
    if fallen & set(one.items):
        told.append(say.plain("answers.mark.fallen"))
    if one.conflict:
        told.append(say.plain("answers.mark.conflict"))
    if one.conclusion:
        told.append(say.plain("answers.mark.conclusion"))
    return "   ".join(told)
