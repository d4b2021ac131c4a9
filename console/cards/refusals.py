"""What was refused, what is so now, and what to do: our own errors in words people can use.

Only errors that can be explained are caught. The sentences come from the catalogue; ids and
numbers are all they take from an error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import duckdb
import streamlit as st
from sqlalchemy.exc import DBAPIError

from console.cards.made_here import NotShownError
from console.cards.times import moment
from console.signing import LockedError, PassphraseError
from console.words import Say
from review.auditing.answers import NoSuchAnswerError
from review.auditing.verdict_labels import NoNumbersError
from review.cards.card import NoSuchItemError
from review.deciding import ChangedError, NotDraftedError
from review.duplicates.link_signing import NotLinkedError
from review.editing import NothingToEditError
from review.forget.ground import AtWorkError
from review.graphs.edges_by_hand import NotDrawnError
from review.identities import short
from review.person import NotForBulkError, ReadOnlyError
from review.runs import NoSuchRunError
from store.connections import StoreAwayError, StoreBusyError, StoreUnreadableError
from store.drafts import AlreadyDraftedError, DraftsUnreadableError
from store.link_drafts import LinkAlreadyDraftedError
from store.log import AlreadyDecidedError, DamagedStoreError
from store.migrations import StoreNewerError
from store.stages import IllegalMoveError
from store.standing import NotAcceptedError

OF_THE_STORE: Final = (
    DBAPIError,
    DamagedStoreError,
    StoreAwayError,
    StoreBusyError,
    StoreNewerError,
    StoreUnreadableError,
    duckdb.Error,
)
"""Errors that leave nothing of a page to draw."""

EXPLAINED: Final = (
    *OF_THE_STORE,
    AlreadyDecidedError,
    AlreadyDraftedError,
    AtWorkError,
    ChangedError,
    DraftsUnreadableError,
    IllegalMoveError,
    LinkAlreadyDraftedError,
    LockedError,
    NoNumbersError,
    NoSuchAnswerError,
    NoSuchItemError,
    NoSuchRunError,
    NotAcceptedError,
    NotDraftedError,
    NotForBulkError,
    NotLinkedError,
    NotShownError,
    NothingToEditError,
    OSError,
    PassphraseError,
    ReadOnlyError,
)
"""Errors that a page may catch, because it can say what to do about them."""

Told = tuple[str, dict[str, object]]
"""A key of the catalogue and its parameters; ``about`` is foreign: what the record says."""


def told(error: Exception) -> Told:
    """The words for one of the errors above."""
    if isinstance(error, AlreadyDraftedError):
        return "refused.drafted", {"item": short(error.item)}
    if isinstance(error, AlreadyDecidedError):
        when = moment(error.when)
        return "refused.decided", {"item": short(error.item), "who": error.by, "when": when}
    if isinstance(error, IllegalMoveError):
        return "refused.move", {"item": short(error.item)}
    if isinstance(error, ChangedError):
        return "refused.changed", {"item": short(error.item)}
    if isinstance(error, StoreBusyError):
        return "refused.busy", {"who": error.holder}
    if isinstance(error, StoreNewerError):
        return "refused.newer", {"found": error.found, "known": error.known}
    if isinstance(error, NotDrawnError):
        return f"refused.edge.{error.code}", {}
    for kind, key in _PLAIN.items():
        if isinstance(error, kind):
            return key, {}
    why = error.strerror if isinstance(error, OSError) else None
    return "refused.disk", {"why": why or type(error).__name__}


_PLAIN: Final[dict[type[Exception], str]] = {
    AtWorkError: "refused.at_work",
    DBAPIError: "refused.database",
    DamagedStoreError: "refused.damaged",
    DraftsUnreadableError: "refused.drafts",
    LinkAlreadyDraftedError: "refused.link_drafted",
    LockedError: "refused.locked",
    NoNumbersError: "refused.no_numbers",
    NoSuchAnswerError: "refused.no_answer",
    NoSuchItemError: "refused.none",
    NoSuchRunError: "refused.no_run",
    NotAcceptedError: "refused.not_accepted",
    NotDraftedError: "refused.ticks",
    NotForBulkError: "refused.bulk",
    NotLinkedError: "refused.not_linked",
    NotShownError: "refused.not_shown",
    NothingToEditError: "refused.edit",
    PassphraseError: "refused.passphrase",
    ReadOnlyError: "refused.readonly",
    StoreAwayError: "refused.away",
    StoreUnreadableError: "refused.unreadable",
    duckdb.Error: "refused.database",
}
"""Errors that say no more than what they are. Their kinds do not overlap."""


def show(error: Exception, say: Say) -> None:
    """Draw the refusal where it happened."""
    key, params = told(error)
    st.error(say(key, **params))


def attempt(act: Callable[[], Told]) -> None:
    """Run one act of a button and keep its result for the fixed line above the bar."""
    try:
        st.session_state["said"] = act()
    except EXPLAINED as error:
        st.session_state["said"] = told(error)
