"""Admitted cells against each other: what they repeat, and where they disagree.

Source: the gate's specification, section 4 ("across cells"). That values which follow one another
in time do not disagree is its section 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from review import instants
from review.trimming.partition import compatible, same_fact
from store.cells import Cardinality, Fact, FactRole, Interval

Given = tuple[str, Interval, tuple[Fact, ...]]
"""An item, when it holds, and the facts that are still to be handed over."""

Place = tuple[int, Fact]
"""A fact of the cell with that position."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Admitted cells give one parameter of one subject different values at one time."""

    parameter: str
    """Its key. Foreign text when it is not of the parameter table."""

    subject: str
    values: tuple[tuple[str, str], ...]
    """Item and value as written, in the order of the cells; withheld from the context."""

    @property
    def items(self) -> tuple[str, ...]:
        """The cells that disagree."""
        return tuple(dict.fromkeys(item for item, _ in self.values))


def across(
    cells: Sequence[Given],
) -> tuple[frozenset[Place], frozenset[Place], tuple[Disagreement, ...]]:
    """What several cells say.

    Only parameters with a single value can be in disagreement, and only for a time in which both
    cells hold. A repetition is a fact that an earlier cell states alike.

    Args:
        cells: Admitted cells, most relevant first, with facts that nothing else withholds.

    Returns:
        Places of repetitions, places of facts in disagreement, and the disagreements.
    """
    repeated: set[Place] = set()
    apart: dict[tuple[str, str], dict[Place, None]] = {}
    for first, second, _, _, one, other in _pairs(cells):
        if same_fact(one, other):
            if other.role is FactRole.RESTS_ON:
                continue  # a condition belongs to its own cell
            repeated.add((second, other))
        elif _differ(one, other) and _meet(cells[first], cells[second], one, other):
            key = (one.parameter_key, one.subject_key or other.subject_key)
            apart.setdefault(key, {}).update({(first, one): None, (second, other): None})
    disagreed = frozenset(place for places in apart.values() for place in places)
    told = tuple(
        Disagreement(
            parameter,
            next((fact.subject for _, fact in places if fact.subject), ""),
            tuple((cells[at][0], fact.value) for at, fact in sorted(places, key=_position)),
        )
        for (parameter, _), places in apart.items()
    )
    return frozenset(repeated) - disagreed, disagreed, told


def _position(place: Place) -> int:
    return place[0]


def _pairs(cells: Sequence[Given]) -> list[tuple[int, int, int, int, Fact, Fact]]:
    """Facts of two cells on one parameter of compatible subjects, in the order of the cells.

    Each with the positions of both cells and of the facts in them.
    """
    told = [
        (at, n, fact)
        for at, cell in enumerate(cells)
        for n, fact in enumerate(cell[2])
        if fact.parameter_key
    ]
    slots: dict[tuple[str, str], list[tuple[int, int, Fact]]] = {}
    parameters: dict[str, list[tuple[int, int, Fact]]] = {}
    for one in told:
        slots.setdefault((one[2].parameter_key, one[2].subject_key), []).append(one)
        parameters.setdefault(one[2].parameter_key, []).append(one)
    found = []
    for first, n, fact in told:
        rivals = parameters[fact.parameter_key]
        if fact.subject_key:  # what does not say its subject is compared with all
            same = slots[fact.parameter_key, fact.subject_key]
            rivals = [*same, *slots.get((fact.parameter_key, ""), ())]
        found += [(first, at, n, m, fact, other) for at, m, other in rivals if at > first]
    found.sort(key=itemgetter(0, 1, 2, 3))
    return found


def _differ(one: Fact, other: Fact) -> bool:
    return (
        one.role is other.role is FactRole.STATES
        and Cardinality.ONE in (one.cardinality, other.cardinality)
        and Cardinality.MANY not in (one.cardinality, other.cardinality)
        and bool(one.value_key)
        and bool(other.value_key)
        and one.value_key != other.value_key
        and compatible(one, other)
    )


def _meet(first: Given, second: Given, one: Fact, other: Fact) -> bool:
    """Whether both facts hold at some moment; an unknown bound is open."""
    begins = [_bound(told.start, instants.ALWAYS) for told in _times(first, one, second, other)]
    ends = [_bound(told.end, instants.NEVER) for told in _times(first, one, second, other)]
    return max(begins) < min(ends)


def _times(first: Given, one: Fact, second: Given, other: Fact) -> tuple[Interval, ...]:
    return first[1], one.valid, second[1], other.valid


def _bound(bound: str | None, otherwise: int) -> int:
    read = None if bound is None else instants.read(bound)
    return otherwise if read is None else read
