"""What the log itself says about staged records; lists are only a way to find them.

A table that pages query can be edited by whoever has the file. What a person reads and signs comes
from the canonical bytes of the batch, and is compared with what the list said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from review.policy import Policy
from review.staged.flags import Flag, FlagCode, flags_of, read_flags
from store import artifact, canonical
from store.cells import Kind, Proposal, SourceType, Span
from store.log import DamagedStoreError, Readable

_ORDER: Final = {code: place for place, code in enumerate(FlagCode)}
_ANY: Final = Policy(
    allowed_kinds=frozenset(Kind),
    deny_sources=frozenset(),
    require_tenant_id=False,
    reject_if_contains=frozenset(),
    write_mode={},
)
"""What words show does not depend on a policy."""


def leaves_of(store: Readable, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The batch items that list rows point at, in the same order.

    Args:
        store: Where they are.
        rows: Rows with ``seq``, ``n``, ``item`` and ``digest``.

    Raises:
        DamagedStoreError: If a row is not the artifact that the log holds at its place.
    """
    found = store.leaves_at([(row["seq"], row["n"]) for row in rows]) if rows else {}
    leaves = []
    for row in rows:
        try:
            leaf: dict[str, Any] = canonical.decode(found[(row["seq"], row["n"])])
            manifest = leaf["artifact"]
            fits = artifact.digest(manifest) == row["digest"] and manifest["item"] == row["item"]
        except (KeyError, ValueError, TypeError) as error:
            raise _differs(row) from error
        if not fits:
            raise _differs(row)
        leaves.append(leaf)
    return leaves


def flags_in(leaf: Mapping[str, Any], claim: str | None) -> tuple[Flag, ...]:
    """The flags that were found when the record was staged, and those its words show now."""
    staged = read_flags(leaf["flags"])
    known = {flag.code for flag in staged}
    bare = Proposal(
        claim=claim or "-",
        kind=Kind.FACT,
        source_type=SourceType.DOCUMENT,
        source_id="",
        written_at=None,
        evidence=(Span(0, 1),),
        verbatim=True,
    )
    shown = (flag for flag in flags_of(bare, _ANY) if flag.code not in known)
    return tuple(sorted((*staged, *shown), key=lambda flag: _ORDER[flag.code]))


def _differs(row: Mapping[str, Any]) -> DamagedStoreError:
    return DamagedStoreError(
        f"item {row['item']} in the list is not the one in the log. Nothing was changed. "
        "Run memory-console verify."
    )
