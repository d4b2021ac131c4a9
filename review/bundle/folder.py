"""The files of a bundle, from what is to be said. The same input gives the same bytes.

``statement.json``, its signature and ``proof.json`` come later, when the export was signed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from review.bundle import case_texts, pull_request, reading_guide
from review.bundle.slugs import cut, slug
from review.bundle.targets import Looked, Placement
from review.rules.export_told import RuleExport
from store import canonical
from store.cells import Stance
from store.rule_exports import PROVENANCE
from store.signatures import PublicKey
from store.statements import STATEMENT_TYPE

BUNDLE: Final = "urn:memory-console:rule-bundle:v1"
STATEMENT: Final = "statement.json"
SIGNATURE: Final = "statement.json.sig"
PROOF: Final = "proof.json"
WRITTEN: Final = (
    "PULL_REQUEST.md",
    "README.md",
    "cases.md",
    "rule.md",
    "rule.patch",
    "source-vs-rule.diff",
    "source.txt",
)
"""The files that ``provenance.json`` names, sorted."""

ALL: Final = (*WRITTEN, PROVENANCE, STATEMENT, SIGNATURE, PROOF)
"""A bundle has exactly these files."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What ties a bundle to one store and reviewer."""

    store: str
    key: PublicKey
    """Of the reviewer who is about to sign."""

    salt: bytes
    """32 random bytes, so that no digest of the bundle can be guessed from its words."""


def name_of(export: RuleExport) -> str:
    """The folder's name: a slug of the title, and the beginning of the id."""
    return f"{cut(slug(export.title), 51)}-{export.export_id[:8]}"


def files(
    export: RuleExport, placement: Placement, bound: Bound, looked: Looked | None = None
) -> dict[str, bytes]:
    """Every file but the signature and the proof.

    Args:
        export: What is to be said.
        placement: Where the rule goes, with its patch.
        bound: The store and the reviewer it is tied to.
        looked: The checkout that the patch was made for.
    """
    made: dict[str, bytes] = {
        "PULL_REQUEST.md": pull_request.body(export, placement).encode("utf-8"),
        "README.md": reading_guide.guide(export, placement, bound.key).encode("utf-8"),
        "cases.md": case_texts.cases(export).encode("utf-8"),
        "rule.md": placement.text,
        "rule.patch": placement.patch,
        "source-vs-rule.diff": case_texts.difference(export).encode("utf-8"),
        "source.txt": case_texts.source(export),
    }
    return {**made, PROVENANCE: _provenance(export, placement, bound, looked, made)}


def sha256(data: bytes) -> str:
    """SHA-256 of a file, hex."""
    return canonical.sha256(data).hex()


def _provenance(
    export: RuleExport,
    placement: Placement,
    bound: Bound,
    looked: Looked | None,
    made: Mapping[str, bytes],
) -> bytes:
    supports = sum(one.stance == Stance.SUPPORTS for one in export.cases)
    told: dict[str, Any] = {
        "salt": bound.salt.hex(),
        "export": export.export_id,
        "store": bound.store,
        "tenant": export.tenant,
        "item": export.item,
        "rev": export.revision,
        "artifact": export.artifact_digest,
        "exported_at": export.exported_at,
        "exported_by": export.exported_by,
        "target": str(export.target),
        "path": placement.path,
        "commit": None if looked is None else looked.commit,
        "owner": export.owner,
        "validation_state": "unverified",
        "sources": [[one.item, one.revision, one.place, one.digest] for one in export.sources],
        "cases": {"supports": supports, "contradicts": len(export.cases) - supports},
        "thresholds": [
            {
                "name": str(one.name),
                "wanted": one.wanted,
                "found": one.found,
                "n": one.n,
                "passed": one.passed,
                "why": str(one.why),
            }
            for one in export.thresholds
        ],
        "tried": [[one.run, str(one.outcome), *map(str, one.differs_in)] for one in export.tried],
        "conflicts": [[str(one.with_), one.other] for one in export.conflicts],
        "unknown": [str(one) for one in export.unknown],
        "strength": export.strength.told(),
        "settled": [
            {
                "place": one.place,
                "drift": str(one.drift),
                "answer": str(one.answer),
                "reason": one.reason,
            }
            for one in export.settled
        ],
    }
    return canonical.encode(
        {
            "_type": STATEMENT_TYPE,
            "subject": [
                {"name": name, "digest": {"sha256": sha256(made[name])}} for name in WRITTEN
            ],
            "predicateType": BUNDLE,
            "predicate": told,
        }
    )
