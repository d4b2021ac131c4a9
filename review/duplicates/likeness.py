"""Finds records that say the same: by their bytes, by their look, or by being alike.

Pure and over all records at once. What it finds are pairs, each with what the two differ in; a
pair that differs in a value, number, date, name, person, tenant, negation or event is kept apart
from those that may be one claim. Nothing is stored, merged or chosen here.

Source: ours; the ways of comparing are in ``review.duplicates.pairs`` and
``review.duplicates.differences``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import pandas as pd

from review import instants
from review.duplicates import pairs as duplicate_pairs
from review.duplicates.differences import SOFT, TALK, Difference, Member, Stated, between
from review.duplicates.pairs import Floats
from review.duplicates.words import Said, said
from review.memory.columns import NOBODY, ROLES, Bools, Columns, Ints
from review.memory.conflicts import ONE
from review.staged.manifests import look_of

BAR: Final = 0.5
"""Share of their telling words that two records have in common from which they are looked at."""

FACTS_BAR: Final = 0.25
"""The same for two records that state the same facts, in whatever words."""

_BESIDE: Final = 2
"""How many of those that follow it in its group a record is compared with."""

LONGEST: Final = 4_000
"""Characters of a claim that are compared as words; longer ones only as a whole."""


@dataclass(frozen=True)
class Marks:
    """What records are compared by besides their columns; lists as long as the cells."""

    look: Sequence[str]
    """Keyed digest of the look."""

    content: Sequence[str]
    """Keyed digest of the content, by which the same record is known when it comes again."""

    polarity: Sequence[str]
    tenant: Sequence[str]
    """What the file claims of whose it is."""


@dataclass(frozen=True)
class Alike:
    """Pairs of records that are alike. Rows are those of ``cells``."""

    cells: Columns
    marks: Marks
    exact: Ints
    """Number of each row's text."""

    look: Ints
    """Number of each row's look."""

    node: Ints
    """Number of what cannot be told apart: the same look, of the same person and time."""

    first: Ints
    """The first row of each node."""

    one: Ints
    two: Ints
    """Pairs of nodes."""

    share: Floats
    """What each pair has in common, in [0.0, 1.0]."""

    hard: Bools
    """Whether the two differ in what makes them two claims."""

    def __len__(self) -> int:
        return len(self.cells)

    @cached_property
    def _facts(self) -> list[frozenset[Stated]]:
        return stated(self.cells)

    def member(self, row: int) -> Member:
        """One record, as it is held against another."""
        return _member(self.cells, self.marks, self._facts, row)

    def differences(self, one: int, other: int) -> tuple[Difference, ...]:
        """In what two rows differ, worst first."""
        same = bool(self.look[one] == self.look[other])
        return between(self.member(one), self.member(other), same_look=same)


def find(cells: Columns, marks: Marks, *, bar: float = BAR) -> Alike:
    """All pairs of ``cells`` that are alike.

    Args:
        cells: Staged and durable cells of one tenant.
        marks: Of the same cells.
        bar: Share of telling words in common, in (0.0, 1.0].
    """
    claims = cells.text("claim")
    exact = pd.factorize(claims)[0].astype(np.int64)
    texts, at = np.unique(exact, return_index=True)
    looks, _ = pd.factorize(np.array([_look(claims[row]) for row in at], dtype=object))
    look = looks.astype(np.int64)[np.searchsorted(texts, exact)]
    read: list[Said] = [said(claim) for claim in claims]
    node, first = _nodes(cells, marks, look, read)
    facts = stated(cells)
    long = np.array([len(claim) > LONGEST for claim in claims[first]], dtype=bool)
    bags = duplicate_pairs.bags(
        [{} if over else read[row].weights for row, over in zip(first, long, strict=True)]
    )
    one, two, share = _pairs(bags, (look[first], *_fact_sets(cells, first)), bar)
    hard = _hard(cells, marks, facts, first, (one, two), look)
    return Alike(cells, marks, exact, look, node, first, one, two, share, hard)


def _look(claim: str) -> bytes:
    """The look of a claim; of one that is marks alone, the claim as it is."""
    return look_of(claim) or claim.encode("utf-8", "surrogatepass")


def stated(cells: Columns) -> list[frozenset[Stated]]:
    """The facts of each row by their keys: subject, parameter, value and role."""
    facts, names, parameters = cells.facts, cells.name_texts, cells.parameter_names
    told: dict[int, set[Stated]] = {}
    (known,) = np.nonzero((facts.parameter != NOBODY) & (facts.value != NOBODY))
    for row, subject, parameter, value, role in zip(
        facts.cell[known].tolist(),
        facts.subject[known].tolist(),
        facts.parameter[known].tolist(),
        facts.value[known].tolist(),
        facts.role[known].tolist(),
        strict=True,
    ):
        told.setdefault(row, set()).add(
            (names[subject], parameters[parameter], names[value], str(ROLES[role]))
        )
    nothing: frozenset[Stated] = frozenset()
    return [frozenset(told[row]) if row in told else nothing for row in range(len(cells))]


def _nodes(cells: Columns, marks: Marks, look: Ints, read: Sequence[Said]) -> tuple[Ints, Ints]:
    """Rows that nothing tells apart get one number; and the first row of each."""
    frame = pd.DataFrame(
        {
            "look": look,
            "of": pd.factorize(np.array([_of_whom(s) for s in cells.scopes], object))[0][
                cells.scope
            ]
            if len(cells.scopes)
            else look,
            "start": np.where(cells.start_known, cells.start, instants.ALWAYS),
            "end": cells.end,
            "polarity": pd.factorize(np.array(marks.polarity, object))[0],
            "tenant": pd.factorize(np.array(marks.tenant, object))[0],
            # The look leaves out marks that can tell numbers and names apart: -5, C++.
            "said": pd.factorize(pd.Series([(one.numbers, one.names) for one in read]))[0],
        }
    )
    node = frame.groupby(list(frame.columns), sort=False).ngroup().to_numpy(np.int64)
    first: Ints = np.unique(node, return_index=True)[1].astype(np.int64)
    return node.astype(np.int64), first


def _of_whom(scope: frozenset[tuple[str, str]]) -> str:
    return repr(sorted((key, value) for key, value in scope if key not in TALK))


def _fact_sets(cells: Columns, first: Ints) -> tuple[Ints, Ints]:
    """Numbers for what each node states, of whomever, and for its single-valued slots; else -1."""
    facts = cells.facts
    (known,) = np.nonzero((facts.parameter != NOBODY) & (facts.value != NOBODY))
    names = len(cells.names) + 1
    values = facts.parameter[known] * names + facts.value[known]
    single = known[facts.cardinality[known] == ONE]
    slots = facts.parameter[single] * names + facts.subject[single]
    return (
        _sets(facts.cell[known], values, len(cells))[first],
        _sets(facts.cell[single], slots, len(cells))[first],
    )


def _sets(cell: Ints, values: Ints, count: int) -> Ints:
    """A number for the set of values that each of ``count`` cells has; -1 for none."""
    frame = pd.DataFrame({"cell": cell, "value": values}).drop_duplicates()
    told = np.full(count, -1, dtype=np.int64)
    if len(frame):
        sets = frame.sort_values(["cell", "value"]).groupby("cell")["value"].agg(tuple)
        told[sets.index.to_numpy(np.int64)] = pd.factorize(sets)[0]
    return told


def _pairs(
    bags: duplicate_pairs.Bags, groups: tuple[Ints, Ints, Ints], bar: float
) -> tuple[Ints, Ints, Floats]:
    """Pairs of nodes that are alike by words, or of one of ``groups``; each pair once.

    ``groups`` number the looks, what is stated, and of what something is stated.
    """
    one, two, _ = duplicate_pairs.alike(bags, bar)
    ones, twos, (look, values, slots) = [one], [two], groups
    for group, least in ((look, 0.0), (values, FACTS_BAR), (slots, FACTS_BAR)):
        one, two = duplicate_pairs.beside(group, most=_BESIDE)
        enough = duplicate_pairs.overlap(bags, one, two) >= least
        ones.append(one[enough])
        twos.append(two[enough])
    one, two = np.concatenate(ones), np.concatenate(twos)
    count = max(len(bags), 1)
    pairs = np.unique(np.minimum(one, two) * count + np.maximum(one, two))
    one, two = pairs // count, pairs % count
    share = duplicate_pairs.overlap(bags, one, two)
    return one, two, np.where(look[one] == look[two], 1.0, share)


def _hard(
    cells: Columns,
    marks: Marks,
    facts: list[frozenset[Stated]],
    first: Ints,
    pairs: tuple[Ints, Ints],
    look: Ints,
) -> Bools:
    """For each pair of nodes, whether a difference makes them two claims."""
    known: dict[int, Member] = {}

    def member(row: int) -> Member:
        if row not in known:
            known[row] = _member(cells, marks, facts, row)
        return known[row]

    # Most pairs that are not one claim differ in a number, a date or a "not": told at once.
    claims = cells.text("claim")[first]
    counted = [(one.numbers, one.dates, one.negations) for one in map(said, claims)]
    number = pd.factorize(pd.Series(counted, dtype=object))[0]
    told: Bools = number[pairs[0]] != number[pairs[1]]
    (open_,) = np.nonzero(~told)
    ones, twos = first[pairs[0][open_]].tolist(), first[pairs[1][open_]].tolist()
    for n, one, two in zip(open_.tolist(), ones, twos, strict=True):
        found = between(member(one), member(two), same_look=bool(look[one] == look[two]))
        told[n] = any(kind not in SOFT for kind in found)
    return told


def _member(cells: Columns, marks: Marks, facts: Sequence[frozenset[Stated]], row: int) -> Member:
    end = int(cells.end[row])
    return Member(
        said=said(cells.text("claim")[row]),
        facts=facts[row],
        scope=cells.scopes[int(cells.scope[row])],
        starts=int(cells.start[row]) if cells.start_known[row] else None,
        ends=end if end < instants.NEVER else None,
        polarity=marks.polarity[row],
        tenant=marks.tenant[row],
    )
