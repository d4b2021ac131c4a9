"""The scope of a forget request: one plain question, the fields of its answer, the rest folded.

Every field is drawn in every run, on top or under "more", so nothing that narrows is out of sight.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from console.cards.forget import offers
from console.cards.visit import Visit
from console.words import Say
from review.desk import Desk
from review.forget.scope import BadScopeError, Scope

OWN: Final = {
    "subject": ("subject",),
    "source": ("imports", "sources"),
    "record": ("ids",),
    "run": ("run",),
    "period": ("since", "until"),
    "tenant": (),
}
"""What a request can be about, and the fields that state it."""

_NARROWING: Final = tuple(dict.fromkeys(name for names in OWN.values() for name in names))
_BESIDE: Final = ("reference", "due")
_FIELDS: Final = (*_NARROWING, *_BESIDE)
_EXAMPLES: Final = {"since": "2026-01-01", "until": "2026-03-31", "due": "2026-04-10"}
_TALL: Final = ("sources", "ids")
_ABOUT: Final = "forget-about"
_LINKED: Final = "forget-linked"
"""The id that a link filled in last: it does so once."""


def draw(desk: Desk, visit: Visit, *, item: str) -> Scope | None:
    """The question and its fields; the scope that was stated when a preview is asked for.

    Args:
        desk: Whose records.
        visit: The visit.
        item: An id that a link filled in, or an empty text.
    """
    say = visit.say
    if item and st.session_state.get(_LINKED) != item:
        st.session_state["forget-ids"] = item
        st.session_state[_ABOUT] = "record"
        st.session_state[_LINKED] = item
    offers.take()
    about = _question(say)
    with st.container(border=True, key="forget-scope"):
        _fields(say, OWN[about])
        if about == "tenant":
            st.warning(say("forget.about.tenant.all"), icon=":material/warning:")
        st.caption(say(f"forget.about.{about}.help"))
        _more(say, about)
        pressed = st.button(say("forget.preview"), type="primary", key="forget-preview")
    offers.draw(desk, visit, about)
    return _stated(say, about) if pressed else None


def fill(scope: Scope) -> None:
    """Put a scope back into the fields."""
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
    stated = (about for about, names in OWN.items() if any(told[name] for name in names))
    st.session_state[_ABOUT] = "tenant" if scope.tenant else next(stated, "subject")


def _question(say: Say) -> str:
    chosen = st.radio(
        say("forget.about"),
        list(OWN),
        key=_ABOUT,
        horizontal=True,
        format_func=lambda one: say(f"forget.about.{one}"),
    )
    return chosen or "subject"


def _fields(say: Say, names: Sequence[str]) -> None:
    if not names:
        return
    for name, column in zip(names, st.columns(max(len(names), 2)), strict=False):
        with column:
            _field(say, name)


def _field(say: Say, name: str) -> None:
    key, words = f"forget-{name}", f"forget.{name}"
    if name in _TALL:
        st.text_area(say(words), key=key, height=90)
    elif name == "subject":
        st.text_input(say(words), key=key, help=say("forget.literal"))
    elif name in _EXAMPLES:
        st.text_input(say(words), key=key, placeholder=say(f"forget.{name}.eg"))
    else:
        st.text_input(say(words), key=key)


def _more(say: Say, about: str) -> None:
    """What narrows it further, and what belongs to the case; open when something is in it."""
    rest = [name for name in _NARROWING if name not in OWN[about]]
    filled = sum(bool(_told(name)) for name in (*rest, *_BESIDE))
    with st.expander(say("forget.more", n=filled), expanded=bool(filled), key="forget-more"):
        _fields(say, _BESIDE)
        st.caption(say("forget.more.narrows"))
        for start in range(0, len(rest), 3):
            for name, column in zip(rest[start : start + 3], st.columns(3), strict=False):
                with column:
                    _field(say, name)


def _told(name: str) -> str:
    return str(st.session_state.get(f"forget-{name}") or "").strip()


def _stated(say: Say, about: str) -> Scope | None:
    told = {name: _told(name) for name in _FIELDS}
    if OWN[about] and not any(told[name] for name in OWN[about]):
        st.error(say(f"forget.need.{about}"))
        return None
    try:
        return Scope(
            subject=told["subject"],
            imports=tuple(dict.fromkeys(told["imports"].split())),
            sources=tuple(dict.fromkeys(_lines(told["sources"]))),
            run=told["run"],
            since=told["since"],
            until=told["until"],
            items=tuple(dict.fromkeys(told["ids"].split())),
            tenant=about == "tenant",
            reference=told["reference"],
            due=told["due"],
        )
    except BadScopeError as error:
        st.error(say(f"forget.bad_scope.{error.code}", n=error.n))
        return None


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
