"""Which clauses of the source a clause of the rule tells again, by the words that they share.

A clause of the rule belongs to the source clause that has most of its telling words, weighed by
how rare they are, and to further ones as long as they bring words that are still missing. The
same texts are aligned in the same way; of equal ones the first wins.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from review.clause_strength.clauses import Clause
from review.clause_strength.words import beginnings, same

LEAST: Final = 40
"""Hundredths of a clause's weight that its source has to share; below it there is no source."""

_FURTHER: Final = 50
"""Hundredths of a further source clause that have to be words that were still missing."""

_ASIDE: Final = 2
"""A word inside of a condition counts by this less: a clause is about its own words first."""

_MOST: Final = 4


@dataclass(frozen=True)
class Pair:
    """One clause of the rule, and the source clauses it tells again, best first."""

    rule: Clause
    sources: tuple[Clause, ...]
    shared: int
    """Hundredths of the weight of the rule's words that the sources share."""


class Words:
    """Which words of the rule are which words of the sources, in both directions."""

    def __init__(self, rule: Iterable[str], sources: Iterable[str]) -> None:
        """Compare all different words of both sides once."""
        by_start: dict[str, list[str]] = defaultdict(list)
        for key in sorted(set(sources)):
            for start in beginnings(key):
                by_start[start].append(key)
        self.of_rule: dict[str, frozenset[str]] = {}
        of_source: dict[str, set[str]] = defaultdict(set)
        for key in sorted(set(rule)):
            near = {one for start in beginnings(key) for one in by_start.get(start, ())}
            self.of_rule[key] = frozenset(one for one in near if same(key, one))
            for one in self.of_rule[key]:
                of_source[one].add(key)
        self.of_source: Mapping[str, set[str]] = of_source


def align(rule: Sequence[Clause], sources: Sequence[Clause], words: Words) -> list[Pair]:
    """A pair for every clause of the rule, in order; without sources where none is near enough."""
    holders: dict[str, list[tuple[int, bool]]] = defaultdict(list)
    known: set[frozenset[str]] = set()
    for n, clause in enumerate(sources):
        told = frozenset(word.key for word in clause.about)
        if told in known:
            continue  # of equal ones the first wins
        known.add(told)
        main = {word.key for word in clause.words}
        for key in dict.fromkeys(word.key for word in clause.about):
            holders[key].append((n, key in main))
    same_words: dict[str, Clause] = {}
    for clause in sources:
        same_words.setdefault(clause.told, clause)
    return [
        Pair(clause, (same_words[clause.told],), 100)
        if clause.told in same_words
        else _pair(clause, sources, words, holders)
        for clause in rule
    ]


def _pair(
    clause: Clause,
    sources: Sequence[Clause],
    words: Words,
    holders: Mapping[str, list[tuple[int, bool]]],
) -> Pair:
    wanted = {word.key: word.weight for word in clause.about}
    total = sum(wanted.values())
    chosen: list[int] = []
    found: set[str] = set()
    while total and len(chosen) < _MOST and len(found) < len(wanted):
        shares: dict[int, int] = defaultdict(int)
        for key, weight in wanted.items():
            if key not in found:
                near: dict[int, bool] = {}
                for n, main in (
                    told for one in words.of_rule[key] for told in holders.get(one, ())
                ):
                    near[n] = near.get(n, False) or main
                for n, main in near.items():
                    shares[n] += weight if main else weight // _ASIDE
        best = _best(shares, sources, chosen, further=bool(chosen))
        if best is None:
            break
        chosen.append(best)
        held = {word.key for word in sources[best].about}
        found |= {key for key in wanted if not held.isdisjoint(words.of_rule[key])}
    shared = 100 * sum(wanted[key] for key in found) // total if total else 0
    if shared < LEAST:
        return Pair(clause, (), shared)
    return Pair(clause, tuple(sources[n] for n in chosen), shared)


def _best(
    shares: Mapping[int, int], sources: Sequence[Clause], chosen: list[int], *, further: bool
) -> int | None:
    def rank(n: int) -> tuple[int, int, int]:
        return (-shares[n], sum(word.weight for word in sources[n].about), n)

    for n in sorted(shares, key=rank):
        own = sum({word.key: word.weight for word in sources[n].about}.values())
        if n not in chosen and (not further or 100 * shares[n] >= _FURTHER * own):
            return n
    return None
