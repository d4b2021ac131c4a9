"""What agents get of a signing, and what of theirs was set aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from console.cards import refusals, untrusted
from console.cards.refusals import Told
from console.cards.visit import Visit
from console.ingesting import Aside
from console.signing import LockedError
from console.words import Say
from review.deciding import Signer
from review.publishing import NotPublishedError, PublishedNow

_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a publication after a signing: nobody reads, it is out, or why it is not."""

    now: PublishedNow | None = None
    why: str = ""

    def said(self, say: Say, key: str, **params: Any) -> Told:  # noqa: ANN401 - of a sentence
        """The sentence ``key`` of a signing, and then what became of the publication."""
        if self.why:
            more = say.plain("said.not_published", why=self.why)
        elif self.now is not None:
            more = say.plain("said.published", n=self.now.cells)
        else:
            return key, params
        return "said.both", {"first": say.plain(key, **params), "second": more}


def published(visit: Visit, signer: Signer) -> Outcome:
    """Publish for agents with the key that has just signed. What was signed stands anyway."""
    if visit.publishing is None or not visit.publishing.wanted:
        return Outcome()
    try:
        return Outcome(visit.publishing.publish(signer))
    except (NotPublishedError, *refusals.EXPLAINED) as error:
        return Outcome(why=_why(error, visit.say))


def _why(error: Exception, say: Say) -> str:
    """Why it failed. The words for a refused signing do not fit: what was signed stands."""
    if isinstance(error, NotPublishedError):
        return say.plain("published.moved")
    if isinstance(error, LockedError):
        return say.plain("published.locked")
    if isinstance(error, OSError) and error.strerror:
        return say.plain("published.disk", why=error.strerror)
    return say.plain("published.other", what=type(error).__name__)


def aside(say: Say, found: Sequence[Aside]) -> None:
    """Name what agents left that is no batch."""
    if not found:
        return
    st.warning(say("doors.aside", n=len(found)))
    for one in found[:_SHOWN]:
        untrusted.line(f"doors/{one.door}/spool/{one.name}: {one.why}")
