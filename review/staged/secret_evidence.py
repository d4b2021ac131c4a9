"""What of a record's own bytes may be kept beside it: all but the secrets, or none of them.

Masking sees a secret where it stands, with the word that names it close by. An importer composes
texts from bytes that stand apart, and a search of those can see more. What it saw and masking did
not cannot be put back to one place in the bytes, so then every byte is blanked. The place of the
record and the digest of its source are kept all the same.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from review import secrets
from review.staged.placing import Found
from review.text.foreign_text import texts_of
from store.cells import Proposal
from store.records import Place

RAW_KEPT: Final = 64 * 1024
"""Bytes of a record that are kept as evidence beside it."""

_SEEN: Final = 2 * RAW_KEPT
"""Bytes that are searched: no rule needs more than 40,000 to see that a secret has begun."""

MARK: Final = "⟦secret⟧"
"""What stands where a secret cannot be told from what is around it."""

_APART: Final = "\n" * 4
"""No rule reaches over so many line ends."""

_LABELS: Final = 60
_NAMING: Final = re.compile(
    r"pass|pwd|парол|кодов|secret|секрет|token|токен|key|ключ|cv[vc]|bearer|authoriz|aws"
    r"|снилс|инн|snils|inn|itn"
)
_PASSWORDS: Final = re.compile(r"passw|passphrase|passcode|pwd|парол|кодов|secret|секрет")
_OPENED: Final = re.compile(r"(:\s*)[\[{][\[{\s]*")

Masked = tuple[bytes, tuple[secrets.Finding, ...]]


def masked_each(
    raws: Sequence[bytes], failed: Sequence[bool], *, keep: int = RAW_KEPT
) -> list[Masked]:
    """At most ``keep`` bytes of each with its secrets blanked, and what was found.

    Masked before it is cut, so that the cut hides no secret from its rule. ``failed`` says which
    records could not be read: where even their JSON cannot, a word for a password blanks them.
    """
    seen = [_whole_letters(raw) for raw in raws]
    told: list[Masked] = [(raw[:keep], ()) for raw in seen]
    for n, (masked, found) in secrets.mask_suspects(seen).items():
        kept = masked[:keep]
        left = _has_leftover(masked, failed=failed[n])
        told[n] = (blank(kept) if left else kept, found)
    return told


def blank(raw: bytes) -> bytes:
    """As many stars as ``raw`` has bytes: spans into it stay inside it."""
    return b"*" * len(raw)


def fit_to_keep(proposal: Proposal, masked: bytes, leaks: Sequence[secrets.Finding]) -> bool:
    """Whether masking blanked every secret that the texts of a refused proposal show."""
    found = [(text, hit) for _, text in texts_of(proposal) for hit in secrets.find(text)]
    if not found:
        return True
    if not {hit.category for _, hit in found} <= {leak.category for leak in leaks}:
        return False
    forms = secrets.plain_forms(secrets.decoded(masked)[0])
    values = (secrets.plain_forms(text[hit.start : hit.end])[0] for text, hit in found)
    return not any(part in form for value in values for part in value.split() for form in forms)


def without_overlaps(found: Sequence[Found], blanked: Sequence[Place]) -> list[Found]:
    """``found`` with the bytes blanked that a record shares with one that was blanked.

    Several records can stand on one line, and a topic's first record is its whole file.
    """
    if not blanked:
        return list(found)
    ranges: dict[str, list[tuple[int, int]]] = {}
    for place in sorted(set(blanked), key=lambda one: (one.member, one.start)):
        told = ranges.setdefault(place.member, [])
        if told and place.start < told[-1][1]:
            told[-1] = (told[-1][0], max(told[-1][1], place.end))
        else:
            told.append((place.start, place.end))
    return [_without(one, ranges.get(one.place.member, [])) for one in found]


def _without(one: Found, ranges: Sequence[tuple[int, int]]) -> Found:
    start, end = one.place.start, one.place.end
    raw = bytearray(one.raw)
    for low, high in ranges[max(0, bisect_right(ranges, (start, end)) - 1) :]:
        if low >= end:
            break
        begin, stop = max(low, start) - start, min(high, end) - start
        raw[begin:stop] = blank(bytes(raw[begin:stop]))
    return one if raw == one.raw else replace(one, raw=bytes(raw))


def _whole_letters(raw: bytes) -> bytes:
    """The first ``_SEEN`` bytes; a letter of several bytes is not cut in two."""
    if len(raw) <= _SEEN:
        return raw
    end = _SEEN
    while end > _SEEN - 4 and raw[end] & 0xC0 == 0x80:
        end -= 1
    return raw[:end]


def _has_leftover(masked: bytes, *, failed: bool) -> bool:
    """Whether masked bytes still show a secret once names are put beside the values they name."""
    text = secrets.decoded(masked)[0]
    try:
        value = json.loads(text, object_pairs_hook=_Members)
    except (ValueError, RecursionError):
        low = secrets.plain_forms(text)[-1].lower()
        named = failed and _PASSWORDS.search(low) is not None
        return named or bool(secrets.find(_OPENED.sub(r"\1", text)))
    if not isinstance(value, list):
        return False
    lines = list(_lines(value, ()))
    return bool(lines and secrets.find(_APART.join(lines)))


def named_values_masked(text: str) -> str:
    """``text``, if it is JSON, without the values that only the names beside or above tell.

    ``{"name": "password", "value": …}`` is how a form is filled in. Any other text stays.
    """
    if text.lstrip()[:1] not in ("{", "[") or _NAMING.search(text.lower()) is None:
        return text
    try:
        value = json.loads(text, object_pairs_hook=_Members)
        lines = list(_lines(value, ()))
        if not lines or not secrets.find(_APART.join(lines)):
            return text
        return json.dumps(_masked(value, ()), ensure_ascii=False)
    except (ValueError, RecursionError):
        return text


def _masked(value: object, names: tuple[str, ...]) -> object:
    """``value`` with a mark in place of each leaf that is a secret behind one of its names."""
    if isinstance(value, _Members):
        return {key: _masked(inner, own) for key, inner, own in _named_members(value, names)}
    if isinstance(value, list):
        return [_masked(inner, names) for inner in value]
    if value is None or isinstance(value, bool):
        return value
    return MARK if any(secrets.find(line) for line in _lines(value, names)) else value


class _Members(list[tuple[str, object]]):
    """The members of an object in their order, also those whose key is given twice."""


def _lines(value: object, names: tuple[str, ...]) -> Iterator[str]:
    """Every value below ``value`` after each name that may be its own.

    Names are the keys above it and the texts beside it or above that read like a secret's name.
    """
    if isinstance(value, _Members):
        for _, inner, own in _named_members(value, names):
            yield from _lines(inner, own)
    elif isinstance(value, list):
        for inner in value:
            yield from _lines(inner, names)
    elif value is not None and not isinstance(value, bool):
        yield from (f"{name}: {value}" for name in names[:8] if name != value)


def _named_members(
    value: _Members, names: tuple[str, ...]
) -> Iterator[tuple[str, object, tuple[str, ...]]]:
    """Each member with the names that may be its value's own."""
    labels = {
        inner
        for _, inner in value
        if isinstance(inner, str) and len(inner) <= _LABELS and _names_secret(inner)
    }
    for key, inner in value:
        more = {key} | labels if _names_secret(key) else labels
        yield key, inner, tuple(dict.fromkeys((*sorted(more)[:4], *names)))


def _names_secret(text: str) -> bool:
    return _NAMING.search(text.lower()) is not None
