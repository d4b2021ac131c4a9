"""One record in full, as it will be signed: its source, what will be stored, what would follow.

The digest on the card is computed from the manifest in the log, and every content opens to the
commitment in that manifest; a card that cannot say so is not shown.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from review import evidence, independence
from review.cards import card_flags
from review.cards.card_links import Link, links_of
from review.evidence import Beside, Told
from review.independence import Count
from review.leaves import flags_in, leaves_of
from review.staged import batches
from review.staged.flags import Flag, in_order
from review.staged.manifests import read_conclusion, read_facts
from review.text.visible import escape
from store import canonical, link_queries, queries
from store.cells import Case, Conclusion, EdgeKind, Fact, Pointer, Span, Stance
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
        return canonical.sha256(self.view.encode("utf-8")).hex()


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
    row = found[0]
    (leaf,) = leaves_of(store, [row])
    manifest, staged = leaf["artifact"], store.event(row["seq"])
    source_c, raw_c = batches.source_of(store, staged), leaf["raw"] or ""
    parts = ("text", "provenance", "scope", "facts", "conclusion")
    wanted = [manifest[name] for name in parts if manifest[name]]
    bodies = {c: p.body for c, p in store.payloads([*wanted, raw_c, source_c]).items()}

    def told(name: str) -> Any:  # noqa: ANN401 - JSON
        body = bodies.get(manifest[name] or "")
        return None if body is None else canonical.decode(body)

    text = bodies.get(manifest["text"])
    provenance = told("provenance") or {}
    scope = told("scope") or {"scope": {}, "entities": []}
    facts = bodies.get(manifest["facts"] or "")
    conclusion = bodies.get(manifest["conclusion"] or "")
    found_source = json.loads(bodies.get(source_c, b"{}"))
    claim = None if text is None else text.decode("utf-8")
    read_facts_ = read_facts(facts) if facts is not None else ()
    spans = tuple(Span(*span) for span in provenance.get("evidence", []))
    raw = bodies.get(raw_c)
    links = links_of(store, item, manifest["edges"], standing)
    told_of = Told(
        claim=claim or "",
        facts=read_facts_,
        source_type=manifest["source_type"],
        scope=scope["scope"],
        provenance=provenance,
        links=tuple(str(target) for _kind, target, *_ in manifest["edges"]),
        import_id=staged.body["import"],
        start=leaf["start"],
        end=leaf["end"],
        member=provenance.get("member", ""),
        quotes=_quotes(raw, spans),
    )
    runs = evidence.beside(store, told_of)
    made_from = [
        link.other
        for link in links
        if link.outgoing and link.kind == EdgeKind.DERIVED_FROM and link.asserter != "person"
    ]
    return Card(
        item=item,
        rev=int(row["rev"]),
        artifact=row["digest"],
        stage=standing.stage_of(item, int(row["rev"])),
        claim=claim,
        kind=manifest["kind"],
        source_type=manifest["source_type"],
        valid_from=manifest["valid_from"],
        valid_to=manifest["valid_to"],
        expires_at=manifest["expires_at"],
        verbatim=manifest["verbatim"],
        immutable=provenance.get("immutable") if manifest["immutable"] else None,
        scope=scope["scope"],
        entities=tuple(scope["entities"]),
        facts=read_facts_,
        conclusion=read_conclusion(conclusion) if conclusion is not None else None,
        provenance=provenance,
        source=Source(
            name=found_source.get("name", ""),
            sha256=found_source.get("sha256", ""),
            media_type=found_source.get("media_type", ""),
            importer=manifest["parser"],
            member=provenance.get("member", ""),
            line=leaf["line"],
            start=leaf["start"],
            end=leaf["end"],
            raw=raw,
            evidence=spans,
        ),
        flags=in_order(
            (*flags_in(leaf, claim), *card_flags.beyond(store, item, told_of, runs, made_from))
        ),
        links=links,
        import_id=staged.body["import"],
        recorded_at=staged.recorded_at,
        look_alikes=_look_alikes(store, item, leaf["look"]),
        text_c=manifest["text"],
        pointer=Pointer(manifest["pointer"], *provenance["pointer"])
        if manifest["pointer"]
        else None,
        cases=_cases(provenance),
        beside=runs,
    )


_QUOTES: Final = 8
_QUOTE: Final = 4_000
"""Texts under evidence that are looked for in runs, and bytes of each; a file may name many."""


def _quotes(raw: bytes | None, spans: Sequence[Span]) -> tuple[str, ...]:
    """The texts under the first evidence spans, as JSON strings are read."""
    if raw is None:
        return ()
    short = [span for span in dict.fromkeys(spans) if span.end - span.start <= _QUOTE][:_QUOTES]
    told = (raw[span.start : span.end].decode("utf-8", "replace") for span in short)
    return tuple(one.strip().strip('"') for one in told)


def _cases(provenance: Mapping[str, Any]) -> tuple[Case, ...]:
    return tuple(
        Case(run, Stance(stance), session, review, by, recalled)
        for run, stance, session, review, by, recalled in provenance.get("cases", ())
    )


def _look_alikes(store: Store, item: str, look: str) -> tuple[str, ...]:
    found = store.rows(queries.LOOK_ALIKES, look=look, item=item)
    return tuple(str(one["item"]) for one in found)
