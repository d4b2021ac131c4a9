"""The part of verification that looks at what people signed to have forgotten. Reads only.

Content may be missing from the vault only where a signed request names it: that request is its
receipt. Content that a request names may not be there to be read any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import duckdb

from store.audit_log import Audit
from store.forget_standing import contents_of
from store.vault import commit

_WAITING: Final = "vault_condemned"


@dataclass
class Erasures:
    """What is missing by request, what still waits for the rewrite, and what does not fit."""

    requests: int = 0
    erased: int = 0
    """Contents that are missing and that a signed request names."""

    waiting: int = 0
    unfinished: list[str] = field(default_factory=list)
    """Ids of requests of which no completion is recorded."""

    wrong: list[str] = field(default_factory=list)

    @property
    def detail(self) -> str:
        """All of it in one line."""
        done = self.requests - len(self.unfinished)
        return (
            f"{done} of {self.requests} forget requests carried out, {self.erased} contents "
            f"erased, {self.waiting} waiting"
        )


def erasures(
    connection: duckdb.DuckDBPyConnection, audit: Audit, present: set[bytes], missing: set[bytes]
) -> Erasures:
    """Hold what is present in the vault, and what is missing, against the signed requests."""
    forgets = audit.standing.forgets
    requested = {bytes.fromhex(one) for one in contents_of(forgets)}
    waiting = _waiting(connection)
    found = Erasures(
        requests=len(forgets),
        erased=len(missing & requested),
        waiting=len(waiting),
        unfinished=[forget for forget in forgets if forget not in audit.completed],
    )
    found.wrong += [
        f"content {one.hex()[:12]} can be read although its erasure was signed"
        for one in sorted(present & requested)
    ]
    for commitment, opens in waiting.items():
        if not opens or commitment not in requested:
            name = commitment.hex()[:12]
            found.wrong.append(f"content {name} waits for an erasure that nobody signed")
    for forget, request in forgets.items():
        left = waiting.keys() & {bytes.fromhex(one) for one in request.contents}
        if forget in audit.completed and (left or not request.whole):
            found.wrong.append(f"forget request {forget} is recorded as completed and is not")
    found.wrong += _guards(audit)
    found.wrong += [
        f"forget request {forget} is recorded as completed and was never signed"
        for forget in sorted(audit.completed - forgets.keys())
    ]
    return found


def _guards(audit: Audit) -> Iterator[str]:
    """Keyed digests that nobody signed for, and those that a carried out request lacks."""
    there = set[str]()
    for forget, digest in audit.guards:
        there.add(forget)
        request = audit.standing.forgets.get(forget)
        if request is not None and request.guard and request.guard != digest:
            yield f"the keyed digests of forget request {forget} are not those that were signed"
    for forget in sorted(audit.completed - there):
        request = audit.standing.forgets.get(forget)
        if request is not None and request.guard:
            yield f"the keyed digests of forget request {forget} are missing"


def _waiting(connection: duckdb.DuckDBPyConnection) -> dict[bytes, bool]:
    """What waits for the rewrite, and whether it opens to its commitment."""
    there = connection.execute(
        "select count(*) from duckdb_tables() where table_name = ?", [_WAITING]
    ).fetchall()
    if there == [(0,)]:
        return {}
    rows = connection.execute(f"select commitment, salt, role, body from {_WAITING}").fetchall()
    found: dict[bytes, bool] = {}
    for commitment, salt, role, body in rows:
        try:
            opens = commit(role, bytes(salt), bytes(body)) == commitment
            found[bytes.fromhex(commitment)] = opens
        except (ValueError, UnicodeEncodeError):
            found[str(commitment).encode("utf-8", "replace")] = False
    return found
