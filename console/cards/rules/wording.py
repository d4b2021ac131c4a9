"""The rule a person is wording: in the session, and in their file of drafts for the next one.

It has no effect. The text is read from its box before every act, so a press never works on an
older text than the one on the screen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from review.desk import Desk
from review.rules.drafting import Opened, RuleDraft
from review.rules.keeping import Drafted
from review.text.visible import unescape

_KEY: Final = "rule-wordings"
_MOST: Final = 20
"""Rules that are kept at hand; the oldest goes first."""


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

    kept: tuple[RuleDraft, Drafted | None] | None = None
    """What the file of drafts has; None before it was looked at."""

    found: bool = False
    """Whether it was taken up from an earlier session."""

    secret: bool = False
    """Whether it was not kept, because something in it looks like a secret."""


def of(desk: Desk, opened: Opened) -> Wording:
    """The wording of a candidate: of this session, of an earlier one, or a new one.

    Raises:
        store.draft_file.DraftsUnreadableError: If the file of drafts is not one of ours.
    """
    told: dict[str, Wording] = st.session_state.setdefault(_KEY, {})
    item = opened.learned.item
    if item not in told:
        kept = desk.rules.drafts.found(opened)
        begun = desk.rules.begun(opened)
        told[item] = (
            Wording(begun, kept=(begun, None))
            if kept is None
            else Wording(
                kept.draft, drafted=kept.by_model, kept=(kept.draft, kept.by_model), found=True
            )
        )
        for old in list(told)[:-_MOST]:
            del told[old]
    return told[item]


def keep(desk: Desk, opened: Opened, wording: Wording) -> None:
    """Keep what changed since it was kept last, for a reload or another session."""
    now = (wording.draft, wording.drafted)
    if now != wording.kept:
        wording.secret = not desk.rules.drafts.keep(opened, *now)
        wording.kept = now


def forget(desk: Desk, item: str) -> None:
    """Give up the wording of a candidate, here and in the file of drafts."""
    desk.rules.drafts.drop(item)
    st.session_state.get(_KEY, {}).pop(item, None)


def start_over(begun: RuleDraft, wording: Wording) -> None:
    """The insight in its own words again, without reasons; where it goes stays."""
    target, owner = wording.draft.target, wording.draft.owner
    wording.draft = replace(begun, target=target, owner=owner)
    wording.drafted, wording.found = None, False
    wording.box, wording.at = wording.box + 1, ""


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
