"""The rule a person is wording, kept in the session until the page is left for good.

It has no effect. The text is read from its box before every act, so a press never works on an
older text than the one on the screen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from review.rules.drafting import RuleDraft
from review.text.visible import unescape

_MOST: Final = 20
"""Rules that are kept at hand; the oldest goes first."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """A text that a model wrote, and what a person had in the box before."""

    text: str
    model: str
    prompt: str
    before: RuleDraft


@dataclass
class Wording:
    """One draft, the number of its box, and the place that keys act on."""

    draft: RuleDraft
    box: int = 0
    """Changes when the text was changed by a press, so that a new box shows it."""

    at: str = ""
    """Key of the current place; blank is the first one."""

    drafted: Drafted | None = None
    """The model's draft that the text was begun from, if it was."""


def of(item: str, begun: RuleDraft) -> Wording:
    """The wording of a candidate, begun if there is none."""
    told: dict[str, Wording] = st.session_state.setdefault("rule-wordings", {})
    if item not in told:
        told[item] = Wording(begun)
        for old in list(told)[:-_MOST]:
            del told[old]
    return told[item]


def box_key(item: str, wording: Wording) -> str:
    """The key of the text's box."""
    return f"rule-text-{item}-{wording.box}"


def take_in(item: str, wording: Wording) -> None:
    """Read the text from its box, if it is on the screen."""
    told = st.session_state.get(box_key(item, wording))
    if isinstance(told, str):
        take(wording, told)


def take(wording: Wording, told: str) -> None:
    """Take ``told``, with marks for hidden characters, as the text."""
    text = unescape(told)
    if text != wording.draft.text:
        wording.draft = replace(wording.draft, text=text)


def settle(wording: Wording, key: str, reason: str) -> None:
    """Keep a written reason for a place; a blank one takes it back."""
    reasons = {name: why for name, why in wording.draft.reasons.items() if name != key}
    if reason.strip():
        reasons[key] = reason.strip()
    wording.draft = replace(wording.draft, reasons=reasons)
