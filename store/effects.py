"""Brings about what a signed statement says: decisions, links between records, forgetting."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection

from store import condemning, projections
from store.events import Event
from store.forget_statements import ForgetStatement
from store.links import LinkStatement
from store.rule_exports import ExportStatement
from store.standing import Effect

_LINK: Final = (
    *("seq", "place", "kind", "item", "rev", "target", "target_rev", "verdict", "strength"),
    *("reviewer", "signed_at", "statement"),
)


def add(connection: Connection, event: Event, effect: Effect, sha256: str) -> None:
    """Add the rows of a statement that was found to stand."""
    if isinstance(effect, LinkStatement):
        _add_links(connection, event, effect, sha256)
    elif isinstance(effect, ForgetStatement):
        condemning.condemn(connection, effect)
    elif not isinstance(effect, ExportStatement):  # exports are told by the fold alone
        projections.add_decisions(connection, event, effect, sha256)


def _add_links(
    connection: Connection, event: Event, statement: LinkStatement, sha256: str
) -> None:
    rows = [
        (
            *(event.seq, place, str(one.kind), one.start.item, one.start.rev, one.target.item),
            *(one.target.rev, str(one.verdict), one.strength),
            *(statement.reviewer, statement.signed_at, sha256),
        )
        for place, one in enumerate(statement.links)
    ]
    projections.insert_few(connection, "proj_link", _LINK, rows)
