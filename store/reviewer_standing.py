"""Whether a statement about a reviewer may take effect: the fold over who signs for whom."""

from __future__ import annotations

from collections.abc import Mapping

from store.signatures import PublicKey
from store.statements import ReviewerStatement


def misfit(told: ReviewerStatement, key: PublicKey, keys: Mapping[str, PublicKey]) -> str:
    """Why ``told``, signed by ``key``, may not take effect among ``keys``; blank if it may."""
    if keys.get(told.by) != key:
        return f"{key.fingerprint} is not a key of reviewer {told.by}, so it can add nobody."
    if told.action == "added" and told.reviewer in keys:
        return f"reviewer {told.reviewer} already has a key here."
    if told.action == "revoked" and keys.get(told.reviewer) != told.key:
        return f"reviewer {told.reviewer} has no such key here."
    if told.action not in ("added", "revoked"):
        return f"{told.action!r} is not something that can happen to a reviewer."
    return ""
