"""The scope of a forget request, as a person states it: whom or what, when, and which ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from console.cards import untrusted
from console.cards.visit import Visit
from console.words import Say
from review.desk import Desk
from review.forget.forgetting import Match
from review.forget.scope import BadScopeError, Scope
from review.identities import short

MOST: Final = 200
"""Matches of some words that are listed."""

_FIELDS: Final = (
    "subject",
    "sources",
    "run",
    "imports",
    "since",
    "until",
    "ids",
    "reference",
    "due",
)


def draw(desk: Desk, visit: Visit, *, item: str) -> Scope | None:
    """The form; the scope that was stated when it was sent.

    Args:
        desk: Whose records.
        visit: The visit.
        item: An id that a link filled in, or an empty text.
    """
    say = visit.say
    if item and not st.session_state.get("forget-ids"):
        st.session_state["forget-ids"] = item
    st.caption(say("forget.rules"))
    sent = _form(say)
    if words := _words(say):
        ticked = _matches(desk, say, words)
        if ticked and st.button(say("forget.take", n=len(ticked)), key="forget-take"):
            st.session_state["forget-add"] = ticked
            st.rerun()
    if not sent:
        return None
    try:
        return _stated()
    except BadScopeError as error:
        st.error(say("forget.bad_scope"))
        untrusted.line(str(error))
        return None


def take_ticked() -> None:
    """Put ids that were ticked below into the form, before it is drawn."""
    ticked = st.session_state.pop("forget-add", None)
    if ticked:
        told = st.session_state.get("forget-ids", "").split()
        st.session_state["forget-ids"] = "\n".join(dict.fromkeys((*told, *ticked)))


def fill(scope: Scope) -> None:
    """Put a scope back into the form."""
    told = {
        "subject": scope.subject,
        "sources": "\n".join(scope.sources),
        "run": scope.run,
        "imports": " ".join(scope.imports),
        "since": scope.since,
        "until": scope.until,
        "ids": "\n".join(scope.items),
        "reference": scope.reference,
        "due": scope.due,
    }
    for name in _FIELDS:
        st.session_state[f"forget-{name}"] = told[name]
    st.session_state["forget-tenant"] = scope.tenant


def _form(say: Say) -> bool:
    with st.form("forget-scope", border=True):
        about, ids = st.columns(2)
        with about:
            st.text_input(say("forget.subject"), key="forget-subject", help=say("forget.literal"))
            st.text_area(say("forget.sources"), key="forget-sources", height=90)
            st.text_input(say("forget.run"), key="forget-run")
            st.checkbox(say("forget.tenant"), key="forget-tenant")
        with ids:
            st.text_area(say("forget.ids"), key="forget-ids", height=90)
            st.text_input(say("forget.imports"), key="forget-imports")
            since, until = st.columns(2)
            since.text_input(say("forget.since"), key="forget-since", placeholder="2026-01-01")
            until.text_input(say("forget.until"), key="forget-until", placeholder="2026-03-31")
            case, due = st.columns(2)
            case.text_input(say("forget.reference"), key="forget-reference")
            due.text_input(say("forget.due"), key="forget-due", placeholder="2026-04-10")
        return st.form_submit_button(say("forget.preview"), type="primary", key="forget-preview")


def _words(say: Say) -> str:
    """Words to look for: they only ever lead to ids that a person ticks."""
    return st.text_input(say("forget.words"), key="forget-words", help=say("forget.words.help"))


def _matches(desk: Desk, say: Say, words: str) -> list[str]:
    with desk.held():
        found = desk.forget.matches(words, most=MOST)
    if not found:
        st.info(say("forget.words.none"))
        return []
    st.caption(say("forget.words.found", n=len(found)))
    chosen = st.dataframe(
        [_row(say, one) for one in found],
        hide_index=True,
        key="forget-matches",
        on_select="rerun",
        selection_mode="multi-row",
        height=min(38 + 35 * len(found), 300),
        column_config={
            "id": st.column_config.TextColumn(say("list.id"), width=110),
            "claim": st.column_config.TextColumn(say("list.claim"), width=620),
            "kind": st.column_config.TextColumn(say("forget.col.kind"), width=120),
            "stage": st.column_config.TextColumn(say("forget.col.stage"), width=110),
        },
        alt=say("forget.words.found", n=len(found)),
    )
    places: Sequence[int] = chosen["selection"]["rows"]
    return [found[place].item for place in places if place < len(found)]


def _row(say: Say, one: Match) -> dict[str, str]:
    return {
        "id": short(one.item),
        "claim": untrusted.cell(one.claim),
        "kind": say.plain(f"kind.{one.kind}") if one.kind else "",
        "stage": say.plain(f"stage.{one.stage}"),
    }


def _stated() -> Scope:
    told = {name: str(st.session_state.get(f"forget-{name}") or "").strip() for name in _FIELDS}
    return Scope(
        subject=told["subject"],
        imports=tuple(dict.fromkeys(told["imports"].split())),
        sources=tuple(dict.fromkeys(_lines(told["sources"]))),
        run=told["run"],
        since=told["since"],
        until=told["until"],
        items=tuple(dict.fromkeys(told["ids"].split())),
        tenant=bool(st.session_state.get("forget-tenant")),
        reference=told["reference"],
        due=told["due"],
    )


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
