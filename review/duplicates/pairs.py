"""Which texts are alike enough to be looked at together, among many, without comparing all.

Each text is a set of telling stems with weights. MinHash over it says, for any two, how large the
shared part is; texts that agree in a band of hashes are neighbours, and of those the shared part
is then computed exactly. The work grows with the number of texts, whatever they say.

Source: A. Broder, "On the resemblance and containment of documents", 1997 (MinHash); P. Indyk and
R. Motwani, 1998 (bands). That a stem counts by its weight, as so many copies of itself, is ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from zlib import crc32

import numpy as np
import numpy.typing as npt

from review.memory.columns import Bools, Ints

_ROWS: Final = 3
_BANDS: Final = 24
"""A pair with 0.55 in common is found with a chance of 0.99 (1 - (1 - 0.55³)²⁴)."""

_COPIES: Final = 150
"""Weight of one copy of a stem."""

_BESIDE: Final = 4
"""Neighbours on each side that a text is compared with in each band."""

_CHUNK: Final = 200_000
_SLACK: Final = 0.2
"""How far the estimate of 72 hashes may be below the bar."""

Floats = npt.NDArray[np.float64]
Words = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Bags:
    """Texts as weighted stems. Text ``i`` has ``terms[first[i]:first[i + 1]]``, ascending."""

    first: Ints
    terms: Ints
    weights: Ints
    total: Ints

    def __len__(self) -> int:
        return len(self.total)


def bags(weights: Sequence[dict[str, int]]) -> Bags:
    """The weighted stems of texts, as arrays."""
    numbers: dict[str, int] = {}
    count = np.array([len(one) for one in weights], dtype=np.int64)
    terms = np.fromiter(
        (numbers.setdefault(stem, len(numbers)) for one in weights for stem in one),
        dtype=np.int64,
        count=int(count.sum()),
    )
    worth = np.fromiter(
        (worth for one in weights for worth in one.values()), np.int64, int(count.sum())
    )
    # What a stem is hashed to must not depend on which texts came before.
    hashed = np.array([crc32(stem.encode()) for stem in numbers], dtype=np.int64)
    terms = hashed[terms] if len(terms) else terms
    row = np.repeat(np.arange(len(count), dtype=np.int64), count)
    order = np.lexsort((terms, row))
    first = np.zeros(len(count) + 1, dtype=np.int64)
    np.cumsum(count, out=first[1:])
    total = np.bincount(row, weights=worth, minlength=len(count)).astype(np.int64)
    return Bags(first, terms[order], worth[order], total)


def alike(told: Bags, bar: float) -> tuple[Ints, Ints, Floats]:
    """Pairs of texts that have at least ``bar`` in common, each once, the smaller place first.

    Args:
        told: The texts. One without a telling stem is like none.
        bar: In (0.0, 1.0].

    Returns:
        Places of both texts, and the share of the weight of both that they have in common. Pairs
        near the bar can be missed; in a crowd of alike texts each is found with some of the
        others, not with all.
    """
    (some,) = np.nonzero(told.total)
    if len(some) < 2:
        return _nothing()
    signed = _signatures(told, some)
    found = []
    for band in range(_BANDS):
        found.append(_beside(signed, band))
    pairs = np.sort(np.concatenate(found))
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]
    one, two = pairs // len(some), pairs % len(some)
    likely = np.zeros(len(pairs), dtype=bool)
    by_text = np.ascontiguousarray(signed.T)
    for start in range(0, len(pairs), _CHUNK):
        part = slice(start, start + _CHUNK)
        agree = (by_text[one[part]] == by_text[two[part]]).mean(axis=1)
        likely[part] = agree >= bar - _SLACK
    one, two = some[one[likely]], some[two[likely]]
    shared = overlap(told, one, two)
    keep = shared >= bar
    return one[keep], two[keep], shared[keep]


def overlap(told: Bags, one: Ints, two: Ints) -> Floats:
    """The share of their weight that each pair of texts has in common, in [0.0, 1.0].

    1.0 for the same stems, 0.0 for none in common, and 0.0 when neither has any.
    """
    if not len(told.terms):
        return np.zeros(len(one))
    keys = np.repeat(np.arange(len(told)), np.diff(told.first)) * 2**32 + told.terms
    shared = np.zeros(len(one), dtype=np.int64)
    for start in range(0, len(one), _CHUNK):
        part = slice(start, start + _CHUNK)
        low, high = told.first[one[part]], told.first[one[part] + 1]
        which = np.repeat(np.arange(len(low)), high - low)
        begin = np.cumsum(high - low) - (high - low)
        at = np.arange(len(which)) + (low - begin)[which]
        wanted = two[part][which] * 2**32 + told.terms[at]
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        hit = keys[place] == wanted
        np.add.at(shared, start + which[hit], told.weights[at[hit]])
    both = told.total[one] + told.total[two] - shared
    return np.where(both > 0, shared / np.maximum(both, 1), 0.0)


def common(one: Mapping[str, int], other: Mapping[str, int]) -> float:
    """``overlap`` of two texts by their stems and weights."""
    both = sum(one[stem] for stem in one.keys() & other.keys())
    whole = sum(one.values()) + sum(other.values()) - both
    return both / whole if whole else 0.0


def beside(group: Ints, most: int = _BESIDE) -> tuple[Ints, Ints]:
    """Pairs of members of one group, each with the next few; every group is connected by them.

    Args:
        group: Number of each row's group; negative for none.
        most: How many following members each is paired with.
    """
    order = np.argsort(group, kind="stable")
    order = order[group[order] >= 0]
    told = group[order]
    ones, twos = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for shift in range(1, most + 1):
        same = told[shift:] == told[:-shift]
        ones.append(order[:-shift][same])
        twos.append(order[shift:][same])
    return np.concatenate(ones), np.concatenate(twos)


def parts(count: int, one: Ints, two: Ints, joined: Bools | slice = slice(None)) -> Ints:
    """For each of ``count`` rows, the smallest row that it is joined with through pairs."""
    label = np.arange(count, dtype=np.int64)
    one, two = one[joined], two[joined]
    while len(one):
        least = np.minimum(label[one], label[two])
        before = label.copy()
        np.minimum.at(label, label[one], least)
        np.minimum.at(label, label[two], least)
        label = label[label]
        if (label == before).all():
            break
    return label


def _signatures(told: Bags, some: Ints) -> npt.NDArray[np.uint32]:
    """72 minima of hashes for each text; shape ``(72, texts)``."""
    copies = np.maximum(np.round(told.weights / _COPIES).astype(np.int64), 1)
    inside = np.repeat(np.arange(len(told.terms)), copies)
    upto = np.concatenate([[0], np.cumsum(copies)])
    nth = np.arange(len(inside)) - upto[inside]
    hashed = _mixed((told.terms[inside] + nth * 2**33).astype(np.uint64))
    # Texts without a stem have no part in this, so no two begin at one place.
    starts = upto[told.first[some]]
    signed = np.empty((_ROWS * _BANDS, len(some)), dtype=np.uint32)
    draw = np.random.default_rng(2026)
    factors = draw.integers(1, 2**63, size=_ROWS * _BANDS, dtype=np.uint64) | np.uint64(1)
    for n, factor in enumerate(factors):
        turned = ((hashed * factor) >> np.uint64(32)).astype(np.uint32)
        signed[n] = np.minimum.reduceat(turned, starts)
    return signed


def _mixed(words: Words) -> Words:
    """Spread bits. Source: the finaliser of splitmix64."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _beside(signed: npt.NDArray[np.uint32], band: int) -> Ints:
    """Neighbours in one band, as ``smaller * texts + larger``."""
    rows = signed[band * _ROWS : (band + 1) * _ROWS].astype(np.uint64)
    key = _mixed(rows[0] * np.uint64(2**32) + rows[1]) ^ _mixed(rows[2] + np.uint64(2**40))
    after = signed[(band + 1) % _BANDS * _ROWS]
    order = np.lexsort((after, key))
    told, count = key[order], len(order)
    found = []
    for shift in range(1, _BESIDE + 1):
        same = told[shift:] == told[:-shift]
        one, two = order[:-shift][same], order[shift:][same]
        found.append(np.minimum(one, two) * count + np.maximum(one, two))
    return np.concatenate(found)


def _nothing() -> tuple[Ints, Ints, Floats]:
    empty = np.empty(0, dtype=np.int64)
    return empty, empty, np.empty(0)
