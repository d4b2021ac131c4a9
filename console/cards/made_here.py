"""Which drafts this browser session made, and a signature over nothing but what was shown.

The drafts file can be written by any program of this user. A draft that did not come from a press
in this window is named as such, and one that comes in behind the dialog is not signed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import streamlit as st

from review.deciding import Signer
from store.drafts import Draft
from store.link_drafts import LinkDraft
from store.statements import SignedStatement, Verdict, read_decision

AnyDraft = Draft | LinkDraft
_Any = TypeVar("_Any", Draft, LinkDraft)


class NotShownError(RuntimeError):
    """What is about to be signed is not what the dialog listed. Nothing was signed."""


def keep(drafts: Iterable[AnyDraft]) -> None:
    """Remember drafts that a press in this session made."""
    _made().update({str(one.nonce): one for one in drafts})


def forget(draft: AnyDraft) -> None:
    """Forget one that was taken back: if it comes again, it comes from elsewhere."""
    _made().pop(str(draft.nonce), None)


def from_elsewhere(drafts: Iterable[_Any]) -> list[_Any]:
    """Those that this session did not make, or not as they are now."""
    made = _made()
    return [one for one in drafts if made.get(str(one.nonce)) != one]


def only(signer: Signer, shown: Iterable[Draft]) -> Signer:
    """A signer that signs decisions about ``shown`` drafts alone.

    It looks into the statements themselves, so nothing can slip in after the last look.
    """
    listed = {_told(one) for one in shown}

    def sign(statements: Sequence[bytes]) -> Sequence[SignedStatement]:
        for statement in statements:
            for one in read_decision(statement).verdicts:
                if _told(one) not in listed:
                    raise NotShownError
        return signer(statements)

    return sign


def _told(one: Draft | Verdict) -> tuple[str, ...]:
    """What a draft and its verdict share, as text: a draft may have come from anywhere."""
    told = (one.item, one.rev, one.artifact, one.decision, one.reason, one.nonce)
    return tuple(str(word) for word in told)


def _made() -> dict[str, AnyDraft]:
    made: dict[str, AnyDraft] = st.session_state.setdefault("made_here", {})
    return made
