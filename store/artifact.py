"""The exact thing a person signs for: a manifest of one cell, and its digest.

Everything on the card is in the manifest, content by its commitment. Change a byte anywhere and
the digest is another one, so an approval of the old digest does not reach it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from store import canonical

FIELDS: Final = (
    "item",
    "rev",
    "tenant",
    "kind",
    "source_type",
    "text",
    "provenance",
    "valid_from",
    "valid_to",
    "precision",
    "expires_at",
    "scope",
    "verbatim",
    "immutable",
    "facts",
    "conclusion",
    "edges",
    "pointer",
    "parser",
)
"""Every manifest has exactly these. ``text`` to ``conclusion`` are commitments or null; ``edges``
is a list of ``[kind, target item, strength, asserter]``; ``parser`` is ``importer/version``."""


def digest(manifest: Mapping[str, Any]) -> str:
    """SHA-256 of the canonical manifest, 64 hex digits.

    Raises:
        ValueError: If a field is missing or unknown: what is not on the card is not signed.
    """
    if set(manifest) != set(FIELDS):
        odd = sorted(set(manifest) ^ set(FIELDS))
        msg = f"a manifest has exactly {len(FIELDS)} fields; these differ: {', '.join(odd)}."
        raise ValueError(msg)
    return canonical.sha256(canonical.spell(dict(manifest))).hex()
