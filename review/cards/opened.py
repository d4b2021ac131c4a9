"""Records with everything that they commit to, opened: what a card and a signature both rest on.

A list only finds a record. Its manifest comes from the log, and each content opens to the
commitment in the manifest. Many records are read with as few questions as one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import pandas as pd

from review import evidence
from review.cards import card_flags
from review.cards.card_links import made_from
from review.evidence import Beside, Told
from review.leaves import flags_in, leaves_of
from review.staged import batches
from review.staged.flags import Flag, in_order
from review.staged.manifests import read_facts
from review.text.visible import escape
from store import canonical, queries
from store.cells import Fact, Span
from store.events import Event
from store.log import Store
from store.standing import Standing

_QUOTES: Final = 8
_QUOTE: Final = 4_000
"""Texts under evidence that are looked for in runs, and bytes of each; a file may name many."""


@dataclass(frozen=True)
class Opened:
    """One revision of a record. Texts are foreign; what was erased is None or empty."""

    item: str
    rev: int
    artifact: str
    """Digest of the manifest, hex."""

    leaf: Mapping[str, Any]
    staged: Event
    """The batch that brought it."""

    bodies: Mapping[str, bytes]
    """Contents by commitment; of others, too."""

    source_c: str
    """Commitment of the source it was read from."""

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What is signed."""
        told: Mapping[str, Any] = self.leaf["artifact"]
        return told

    def body(self, name: str) -> bytes | None:
        """A part of the manifest; None without it."""
        return self.bodies.get(self.manifest[name] or "")

    @cached_property
    def claim(self) -> str | None:
        """What it says."""
        text = self.bodies.get(self.manifest["text"])
        return None if text is None else text.decode("utf-8")

    @cached_property
    def provenance(self) -> Mapping[str, Any]:
        """Where it comes from, by name."""
        return self._told("provenance") or {}

    @cached_property
    def scope(self) -> Mapping[str, Any]:
        """Where it holds, and whom or what it names."""
        return self._told("scope") or {"scope": {}, "entities": []}

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """What it states."""
        facts = self.body("facts")
        return read_facts(facts) if facts is not None else ()

    @cached_property
    def raw(self) -> bytes | None:
        """Its own bytes."""
        return self.bodies.get(self.leaf["raw"] or "")

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """Places of ``raw``, in bytes, that carry the claim."""
        return tuple(Span(*span) for span in self.provenance.get("evidence", []))

    @cached_property
    def told(self) -> Told:
        """What is known of it when its runs are looked for."""
        return Told(
            claim=self.claim or "",
            facts=self.facts,
            source_type=self.manifest["source_type"],
            scope=self.scope["scope"],
            provenance=self.provenance,
            links=tuple(str(target) for _kind, target, *_ in self.manifest["edges"]),
            import_id=self.staged.body["import"],
            start=self.leaf["start"],
            end=self.leaf["end"],
            member=self.provenance.get("member", ""),
            quotes=_quotes(self.raw, self.spans),
        )

    def _told(self, name: str) -> Any:  # noqa: ANN401 - JSON
        body = self.body(name)
        return None if body is None else canonical.decode(body)


def opened(store: Store, rows: Sequence[Mapping[str, Any]]) -> list[Opened]:
    """The records of rows of a list, in the same order.

    Raises:
        store.log.DamagedStoreError: If the log, the vault and the list disagree.
    """
    leaves = leaves_of(store, rows)
    events = {seq: store.event(seq) for seq in dict.fromkeys(row["seq"] for row in rows)}
    sources = {seq: batches.source_of(store, event) for seq, event in events.items()}
    wanted = dict.fromkeys(sources.values())
    for leaf in leaves:
        parts = ("text", "provenance", "scope", "facts", "conclusion")
        told = (*(leaf["artifact"][name] for name in parts), leaf["raw"])
        wanted |= dict.fromkeys(one for one in told if one)
    bodies = {c: p.body for c, p in store.payloads(wanted).items()}
    return [
        Opened(
            item=row["item"],
            rev=int(row["rev"]),
            artifact=row["digest"],
            leaf=leaf,
            staged=events[row["seq"]],
            bodies=bodies,
            source_c=sources[row["seq"]],
        )
        for row, leaf in zip(rows, leaves, strict=True)
    ]


def latest(store: Store, items: Sequence[str]) -> dict[str, Opened]:
    """The latest revision of each of ``items`` that there is.

    Raises:
        store.log.DamagedStoreError: If the log, the vault and the list disagree.
    """
    wanted = pd.DataFrame({"item": pd.Series(list(dict.fromkeys(items)), dtype="str")})
    rows = store.rows(queries.ITEMS, {"wanted": wanted}) if items else []
    return {one.item: one for one in opened(store, rows)}


def view_sha256(claim: str | None) -> str:
    """Digest of a claim as it is drawn, hex: a decision is bound to it."""
    return canonical.sha256(escape(claim or "").encode("utf-8")).hex()


def flags_of(store: Store, some: Sequence[Opened], standing: Standing) -> list[tuple[Flag, ...]]:
    """What a reviewer should know about each of ``some``, in their order."""
    runs = evidence.beside_each(store, [one.told for one in some])
    return [flags_with(store, one, here, standing) for one, here in zip(some, runs, strict=True)]


def flags_with(
    store: Store, one: Opened, runs: Sequence[Beside], standing: Standing
) -> tuple[Flag, ...]:
    """What a reviewer should know about a record, with ``runs`` beside it: Stop, Check, Note."""
    above = made_from(one.item, one.manifest["edges"], standing)
    beyond = card_flags.beyond(store, one.item, one.told, runs, above)
    return in_order((*flags_in(one.leaf, one.claim), *beyond))


def _quotes(raw: bytes | None, spans: Sequence[Span]) -> tuple[str, ...]:
    """The texts under the first evidence spans, as JSON strings are read."""
    if raw is None:
        return ()
    short = [span for span in dict.fromkeys(spans) if span.end - span.start <= _QUOTE][:_QUOTES]
    told = (raw[span.start : span.end].decode("utf-8", "replace") for span in short)
    return tuple(one.strip().strip('"') for one in told)
