"""The shapes of every text in a report, so that a file that somebody brings holds no other words.

A report is codes, ids, days and digests. A file that has anything else in their place is no report
of ours, whoever wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from review.forget.scope import Scope, is_day
from review.forget.wording import says_too_much

_CODE: Final = re.compile(r"[a-z_]{0,40}")
_ID: Final = re.compile(r"[0-9A-Za-z_./:-]{0,120}")
_DIGEST: Final = re.compile(r"(?:[0-9a-f]{64})?")
_REFERENCE: Final = re.compile(r"[A-Za-z0-9._:/#-]{0,64}")
_CODES: Final = {
    "location": ("method", "residual_reason", "next_step"),
    "row": ("checked_by",),
    "head": (),
}
_IDS: Final = {
    "location": ("location_id", "path_hint", "recipient"),
    "row": ("id",),
    "head": ("forget_id", "requested_by"),
}
_NUMBERS: Final = {
    "location": ("items",),
    "row": ("depth", "contents", "gone"),
    "head": (
        *("items_requested", "items_erased", "derivatives_erased", "derivatives_withdrawn"),
        *("needs_decision", "missing", "unlinked", "answers_given"),
    ),
}
_EVIDENCE: Final = ("version", "files_scanned", "bytes", "patterns", "hits", "control_hits")
_TOOL: Final = re.compile(r"[a-z -]{0,40}")
_SAID: Final = ("removed", "beyond_use")
_PARTS: Final = frozenset(Scope.__dataclass_fields__)


def head(told: Mapping[str, Any]) -> None:
    """Refuse a head with anything but ids, moments, digests and numbers.

    Raises:
        ValueError, KeyError, TypeError: If it has.
    """
    _plain("head", told)
    _all(_is_moment(told[name]) for name in ("started", "ended"))
    _all(_DIGEST.fullmatch(told[name]) for name in ("store_root_before", "store_root_after"))
    _all(_DIGEST.fullmatch(one) for one in told["statement_sha256"])
    _all(name in _PARTS for name in told["scope_by"])
    _all([_REFERENCE.fullmatch(told["reference"]), not says_too_much(told["reference"])])
    _all([not told["due"] or is_day(told["due"])])


def row(told: Mapping[str, Any]) -> None:
    """Refuse a row with anything else. Raises as ``head``."""
    _plain("row", told)
    if told["hold"] is not None:
        basis, until = told["hold"]
        _all([_REFERENCE.fullmatch(basis), not says_too_much(basis), is_day(until)])


def location(told: Mapping[str, Any]) -> None:
    """Refuse a place with anything else. Raises as ``head``."""
    _plain("location", told)
    _all([not told["delete_by"] or is_day(told["delete_by"]), _is_moment(told["told_at"])])
    evidence = told["evidence"]
    _all([_TOOL.fullmatch(evidence["tool"]), _DIGEST.fullmatch(evidence["sha256_after"])])
    _all(type(evidence[name]) is int for name in _EVIDENCE)
    for said in told["confirmed"]:
        _all([_ID.fullmatch(said["by"]), _is_moment(said["at"]), said["what"] in _SAID])
        _all(_DIGEST.fullmatch(said[name]) for name in ("evidence", "statement"))


def ending(told: Mapping[str, Any]) -> None:
    """Refuse what a report says of itself as a whole, likewise."""
    _all([told["outcome"] in ("completed", "partial"), _is_moment(told["checked_at"])])


def _plain(part: str, told: Mapping[str, Any]) -> None:
    _all(_CODE.fullmatch(told[name]) for name in _CODES[part])
    _all(_ID.fullmatch(told[name]) and not says_too_much(told[name]) for name in _IDS[part])
    _all(type(told[name]) is int for name in _NUMBERS[part])


def _is_moment(text: str) -> bool:
    if not text:
        return True
    return text.isascii() and datetime.fromisoformat(text).tzinfo is not None


def _all(tests: Iterable[object]) -> None:
    if not all(tests):
        msg = "a word where a code, an id, a day or a digest belongs"
        raise ValueError(msg)
