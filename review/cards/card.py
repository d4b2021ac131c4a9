"""One record in full, as it will be signed: its source, what will be stored, what would follow.

The digest on the card is computed from the manifest in the log, and every content opens to the
commitment in that manifest; a card that cannot say so is not shown.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from review import evidence, independence
from review.cards import opened
from review.cards.card_links import Link, links_of
from review.evidence import Beside
from review.independence import Count
from review.staged.flags import Flag
from review.staged.manifests import read_conclusion
from review.text.visible import escape
from store import link_queries, queries
from store.cells import Case, Conclusion, Fact, Pointer, Span, Stance
from store.log import Store
from store.stages import Stage
from store.standing import Standing


class NoSuchItemError(LookupError):
    """There is no such record here, or it is not yours to see."""

    def __init__(self, item: str) -> None:
        """Keep the id; the sentence is the same for another tenant's item."""
        self.item = item
        super().__init__("No such record, or no access.")


@dataclass(frozen=True, slots=True)
class Source:
    """Where the record comes from, in the imported artifact. Names and bytes are foreign."""

    name: str
    sha256: str
    media_type: str
    importer: str
    member: str
    line: int
    start: int
    end: int
    raw: bytes | None
    """The record's own bytes, secrets blanked; None when erased."""

    evidence: tuple[Span, ...]
    """Spans of ``raw``, in bytes, that carry the claim."""


@dataclass(frozen=True, slots=True)
class Card:
    """Everything a person decides on. All texts are foreign and go through ``untrusted``."""

    item: str
    rev: int
    artifact: str
    stage: Stage
    claim: str | None
    kind: str
    source_type: str
    valid_from: str | None
    valid_to: str | None
    expires_at: str | None
    verbatim: bool
    immutable: str | None
    scope: Mapping[str, str]
    entities: tuple[str, ...]
    facts: tuple[Fact, ...]
    conclusion: Conclusion | None
    provenance: Mapping[str, Any]
    source: Source
    flags: tuple[Flag, ...]
    links: tuple[Link, ...]
    import_id: str
    recorded_at: str
    look_alikes: tuple[str, ...] = ()
    text_c: str = ""
    """Commitment of the claim, by which a pointer can name it."""

    pointer: Pointer | None = None
    """Content that the claim only names."""

    cases: tuple[Case, ...] = ()
    """Of an insight: the runs for and against it."""

    beside: tuple[Beside, ...] = ()
    """What happened: the runs that belong to it."""

    @property
    def support(self) -> Count:
        """Independent cases of an insight."""
        return independence.count(self.cases)

    @property
    def view(self) -> str:
        """The escaped claim as it is drawn; a decision is bound to its digest."""
        return escape(self.claim or "")

    @property
    def view_sha256(self) -> str:
        """Digest of ``view``, hex."""
        return opened.view_sha256(self.claim)


def card(
    store: Store, item: str, rev: int | None = None, *, standing: Standing | None = None
) -> Card:
    """The card of an item; of its latest revision unless another is named.

    Args:
        store: Where it is.
        item: Its id.
        rev: Its revision.
        standing: How decisions and links stood at an earlier moment, now by default. The
            revision is then the one of that moment, and links that came later are not told.

    Raises:
        NoSuchItemError: If there is no such item in this tenant, or was none at that moment.
        store.log.DamagedStoreError: If the log, the vault and the projection disagree.
    """
    with store.held():  # a dozen questions
        return _card(store, item, rev, standing)


def _card(store: Store, item: str, rev: int | None, standing: Standing | None) -> Card:
    if standing is not None and rev is None:
        then = store.rows(link_queries.ITEM_AT, item=item, size=standing.position)
        stands = standing.items.get(item)
        rev = stands.rev if stands is not None else int(then[0]["rev"]) if then else 0
    found = (
        store.rows(queries.ITEM, item=item)
        if rev is None
        else store.rows(queries.ITEM_REVISION, item=item, rev=rev)
    )
    if not found:
        raise NoSuchItemError(item)
    standing = store.standing() if standing is None else standing
    (one,) = opened.opened(store, found[:1])
    manifest, leaf = one.manifest, one.leaf
    conclusion, pointer = one.body("conclusion"), manifest["pointer"]
    found_source = json.loads(one.bodies.get(one.source_c, b"{}"))
    (runs,) = evidence.beside_each(store, [one.told])
    return Card(
        item=item,
        rev=one.rev,
        artifact=one.artifact,
        stage=standing.stage_of(item, one.rev),
        claim=one.claim,
        kind=manifest["kind"],
        source_type=manifest["source_type"],
        valid_from=manifest["valid_from"],
        valid_to=manifest["valid_to"],
        expires_at=manifest["expires_at"],
        verbatim=manifest["verbatim"],
        immutable=one.provenance.get("immutable") if manifest["immutable"] else None,
        scope=one.scope["scope"],
        entities=tuple(one.scope["entities"]),
        facts=one.facts,
        conclusion=read_conclusion(conclusion) if conclusion is not None else None,
        provenance=one.provenance,
        source=Source(
            name=found_source.get("name", ""),
            sha256=found_source.get("sha256", ""),
            media_type=found_source.get("media_type", ""),
            importer=manifest["parser"],
            member=one.provenance.get("member", ""),
            line=leaf["line"],
            start=leaf["start"],
            end=leaf["end"],
            raw=one.raw,
            evidence=one.spans,
        ),
        flags=opened.flags_with(store, one, runs, standing),
        links=links_of(store, item, manifest["edges"], standing),
        import_id=one.staged.body["import"],
        recorded_at=one.staged.recorded_at,
        look_alikes=_look_alikes(store, item, leaf["look"]),
        text_c=manifest["text"],
        pointer=Pointer(pointer, *one.provenance["pointer"]) if pointer else None,
        cases=_cases(one.provenance),
        beside=runs,
    )


def _cases(provenance: Mapping[str, Any]) -> tuple[Case, ...]:
    return tuple(
        Case(run, Stance(stance), session, review, by, recalled)
        for run, stance, session, review, by, recalled in provenance.get("cases", ())
    )


def _look_alikes(store: Store, item: str, look: str) -> tuple[str, ...]:
    found = store.rows(queries.LOOK_ALIKES, look=look, item=item)
    return tuple(str(one["item"]) for one in found)
