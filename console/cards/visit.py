"""What a page is handed besides its desk: words, the way to a signature, and the other pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

import streamlit as st

from console.asking.starting import Asking
from console.backup.kept import Backups
from console.cards.people import People
from console.job_starting import Jobs
from console.left import Leaving
from console.model.settings import ModelSettings
from console.words import Say
from review.deciding import Signer
from review.proposals.proposing import Proposing
from review.publishing import Publishing

Unlock = Callable[[str], AbstractContextManager[Signer]]
"""Opens the reviewer's key with a passphrase for the length of one signing."""


class Switching(Protocol):
    """Reads and changes what model help is set to."""

    def settings(self) -> ModelSettings:
        """What is set now."""

    def change(self, changes: Mapping[str, str]) -> None:
        """Set what is named, from its words.

        Raises:
            console.model.settings.ModelSettingsError: If one of them cannot be used.
        """


@dataclass(frozen=True, slots=True)
class Visit:
    """One drawing of one page."""

    say: Say
    unlock: Unlock | None = None
    pages: Mapping[str, Any] = field(default_factory=dict)
    """Pages by their name in the URL. A page that does not exist is never linked."""

    why_read_only: str = ""
    """A code for why nothing can be decided here; empty when it can."""

    facts: Mapping[str, str] = field(default_factory=dict)
    """What the process was started with, for Settings: paths, names, versions."""

    jobs: Jobs | None = None
    """The imports of this tenant; None where nothing can be imported."""

    publishing: Publishing | None = None
    """What is published for agents when a signing ends; None where nobody reads it."""

    backups: Backups | None = None
    """Tells the backups of this tenant; None where there is no workspace."""

    leaving: Leaving | None = None
    """How rules leave; None where they cannot."""

    model: Proposing | None = None
    """What models proposed, and can be asked for; None where no workspace is behind the page."""

    asking: Asking | None = None
    """Asks a model about what waits, in a process of its own; None where nobody can."""

    switch: Switching | None = None
    """Changes what model help is set to; None where no workspace is behind the page."""

    people: People = field(default_factory=People)
    """Names of those who signed."""

    def who(self, signer: str) -> str:
        """Somebody who signed, by name and id: for plain text, a cell or a parameter of words."""
        return self.people.named(signer)

    def link(
        self, page: str, key: str, *, to: Mapping[str, str] | None = None, **params: object
    ) -> None:
        """Draw a link to another page, if there is such a page."""
        found = self.pages.get(page)
        if found is None:
            return
        st.page_link(found, label=self.say(key, **params), query_params=dict(to or {}))

    def go(self, page: str, to: Mapping[str, str]) -> None:
        """Leave for another page, if there is such a page."""
        found = self.pages.get(page)
        if found is not None:
            st.switch_page(found, query_params=dict(to))
