"""Builds staged items and signed decisions straight over a store, without the desk."""

from __future__ import annotations

from store import artifact, canonical
from store.events import ActorKind, EventType, Happening, LeafType
from store.log import Entry, Store
from store.stages import MOVES, DecisionKind, Stage
from store.statements import DecisionStatement, Seen, SignedStatement, Verdict
from store.vault import Payload, Role, keyed_digest

TIME = "2026-03-10T12:00:00.000000Z"


def happening(kind: EventType, **body: object) -> Happening:
    human = kind == EventType.BATCH_DECIDED
    return Happening(
        kind,
        recorded_at=TIME,
        actor="r-irina" if human else "p-test",
        actor_kind=ActorKind.HUMAN_KEY if human else ActorKind.PROCESS,
        process="p-test",
        body=body,
    )


def stage(store: Store, chance, *texts: str, rev: int = 1, names: tuple[str, ...] = ()) -> Entry:
    """One batch of items called ``item-<text>`` unless named otherwise."""
    leaves, payloads, key = [], [], store.digest_key()
    for n, claim in enumerate(texts):
        item = names[n] if names else f"item-{claim}"
        text = Payload(Role.TEXT, chance(32), claim.encode())
        origin = Payload(Role.PROVENANCE, chance(32), b'{"source_id":"t:1"}')
        raw = Payload(Role.RAW, chance(32), claim.encode())
        manifest = {
            "item": item,
            "rev": rev,
            "tenant": store.tenant_id,
            "kind": "fact",
            "source_type": "foreign_memory",
            "text": text.commitment,
            "provenance": origin.commitment,
            "valid_from": None,
            "valid_to": None,
            "precision": "unknown",
            "expires_at": None,
            "scope": None,
            "verbatim": False,
            "immutable": False,
            "facts": None,
            "conclusion": None,
            "edges": [["depends_on", "item-other", "1", "source"]] if claim == "linked" else [],
            "pointer": None,
            "parser": "test/1",
        }
        leaves.append(
            canonical.encode(
                {
                    "type": str(LeafType.WRITTEN),
                    "n": n,
                    "item": item,
                    "rev": rev,
                    "digest": artifact.digest(manifest),
                    "artifact": manifest,
                    "key": keyed_digest(key, "content", claim.encode()),
                    "ext": keyed_digest(key, "source", item.encode()),
                    "look": keyed_digest(key, "look", claim.lower().encode()),
                    "raw": raw.commitment,
                    "place": None,
                    "line": n + 1,
                    "start": 0,
                    "end": len(claim),
                    "flags": [],
                    "worst": 0,
                }
            )
        )
        payloads += [text, origin, raw]
    counts = {
        "written": len(texts),
        "nothing_extracted": 0,
        "already_known": 0,
        "refused": 0,
        "parse_failed": 0,
    }
    body = {
        "import": "imp-1",
        "importer": "test",
        "importer_version": "1",
        "source": None,
        "policy": "0" * 64,
        "counts": counts,
        "last": True,
    }
    return Entry(happening(EventType.IMPORT_STAGED, **body), leaves=leaves, payloads=payloads)


def artifact_of(store: Store, item: str) -> tuple[int, str]:
    rows = store.rows("select rev, digest from proj_item where item = :item and latest", item=item)
    return rows[0]["rev"], rows[0]["digest"]


def verdict(
    store: Store, item: str, decision: DecisionKind = DecisionKind.APPROVE, **changes
) -> Verdict:
    with store.held():
        rev, digest = artifact_of(store, item)
        stage_now, size = store.standing().stage_of(item, rev), store.head().size
    told = {
        "item": item,
        "rev": rev,
        "artifact": digest,
        "decision": decision,
        "came_from": stage_now,
        "goes_to": MOVES[decision][1],
        "view_sha256": "0" * 64,
        "nonce": f"n-{item}-{decision}-{size}",
        "reason": "wrong" if decision == DecisionKind.REJECT else None,
    }
    return Verdict(**(told | changes))


def decide(store: Store, reviewer, *verdicts: Verdict, changes=None, **more) -> Entry:
    """A signed batch of decisions, ready to append."""
    with store.held():
        head, standing = store.head(), store.standing()
    told = {
        "store": store.store_id,
        "tenant": store.tenant_id,
        "verdicts": verdicts,
        "prev": Seen(head.size, head.root),
        "policy_sha256": "0" * 64,
        "reviewer": reviewer.name,
        "reviewer_seq": standing.sequence.get(reviewer.name, 0) + 1,
        "signed_at": TIME,
        "nonce": f"b-{head.size}",
    }
    statement = DecisionStatement(**(told | (changes or {}) | more)).encode()
    (signed,) = reviewer.key.sign([statement], now=reviewer_time(reviewer))
    return Entry(happening(EventType.BATCH_DECIDED), signed=signed)


def reviewer_time(reviewer):
    return reviewer.key._until


__all__ = ["SignedStatement", "Stage", "artifact_of", "decide", "stage", "verdict"]
