"""What an act would change, said before anybody signs it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from console.cards.times import moment
from console.cards.visit import Visit
from console.words import Say
from review.blast import Blast, Change
from review.identities import short

SHOWN = 8
"""Cells that are named in one line."""


def draw(visit: Visit, told: Blast) -> None:
    """The consequences, one line each; that nothing changes is said too."""
    for line in lines(visit.say, told):
        st.text(line)


def lines(say: Say, told: Blast) -> list[str]:
    """The consequences in words."""
    found = {
        "superseded": told.superseded,
        "stale": told.stale,
        "restored": told.restored,
        "freed": told.freed,
    }
    out = [
        say.plain(f"blast.{name}", items=_named(changes), since=moment(changes[0].since))
        for name, changes in found.items()
        if changes
    ]
    if told.nothing:
        out.append(say.plain("blast.nothing"))
    out += [say.plain("blast.used", n=n, item=short(item)) for item, n in told.used]
    return out


def _named(changes: Sequence[Change]) -> str:
    more = f" +{len(changes) - SHOWN}" if len(changes) > SHOWN else ""
    return ", ".join(short(one.item) for one in changes[:SHOWN]) + more
