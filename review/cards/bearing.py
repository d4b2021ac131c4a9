"""What one cell would do to the others if it were approved now, and what stands against it.

It asks only the slots that the cell speaks of, so it costs the same among ten cells and a million.
What it finds is what ``review.memory.lifecycle`` computes for everybody once the cell is durable;
a test holds the two together.

Source: the gate's specification, section 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from review import instants
from review.memory import conflicts
from review.memory.columns import CARDINALITIES, NOBODY, Ints
from review.memory.conflicts import CANCELLED, CLEARLY_LATER, UNCLEAR, UNKNOWN_CARDINALITY
from review.memory.knowing import Known
from store.cells import Cardinality, Fact, FactRole


class Relation(StrEnum):
    """How the new cell and another bear on each other."""

    SUPERSEDES = "supersedes"
    """It takes the other's value from a moment on."""

    SUPERSEDED_BY = "superseded_by"
    """The other is later: the new cell belongs to the past of its slot."""

    CONFLICTS_WITH = "conflicts_with"
    """Neither is clearly later, or the other may not be closed: a person has to look."""

    DUPLICATE_OF = "duplicate_of"
    """Both state the same fact."""


@dataclass(frozen=True, slots=True)
class Newcomer:
    """The cell that is looked at, as far as its effect goes."""

    item: str
    facts: tuple[Fact, ...]
    start: int
    start_known: bool
    written: int
    scope: frozenset[tuple[str, str]]
    importer: str
    supersedes: tuple[str, ...] = ()
    """Items that it states to supersede."""

    signed: tuple[str, ...] = ()
    """Those of them that a person signed for: only these reach what is immutable."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One relation to another cell."""

    relation: Relation
    item: str
    strength: float
    """In [0, 1]."""

    parameter: str = ""
    other: str = ""
    """The other cell's value, as a key."""

    since: str = ""
    """From when it takes effect: a date or an instant."""

    whole: bool = False
    """The other cell as a whole, not one of its facts."""


@dataclass(frozen=True, slots=True)
class Bearing:
    """Everything that approving a cell would touch."""

    effects: tuple[Effect, ...]
    stale: tuple[str, ...]
    """Cells that would lose their footing, nearest first."""

    def of(self, relation: Relation) -> tuple[Effect, ...]:
        """The effects of one kind."""
        return tuple(one for one in self.effects if one.relation is relation)


def bearing(new: Newcomer, known: Known) -> Bearing:
    """What ``new`` would do to the durable cells of ``known``.

    Args:
        new: A cell that is not durable itself, with the keys of its facts.
        known: What is durable.

    Returns:
        Effects in the order of its facts; each other cell once for each relation and parameter.
    """
    found: dict[tuple[str, Relation, str], Effect] = {}
    for fact in new.facts:
        for effect in _of_fact(fact, new, known):
            found.setdefault((effect.item, effect.relation, effect.parameter), effect)
    for item in new.supersedes:
        row = known.cells.row_of.get(item)
        if row is not None:
            since = instants.day(new.start)
            free = not known.cells.guards[row] or item in new.signed
            relation = Relation.SUPERSEDES if free else Relation.CONFLICTS_WITH
            effect = Effect(relation, item, CANCELLED, since=since, whole=free)
            found[(item, relation, "")] = effect
    effects = tuple(found.values())
    closed = {one.item for one in effects if one.relation is Relation.SUPERSEDES and one.whole}
    return Bearing(effects, _stale(closed, known))


def _of_fact(fact: Fact, new: Newcomer, known: Known) -> Iterable[Effect]:
    if fact.role is FactRole.ENDS:
        yield from _ended(fact, new, known)
    elif fact.role is FactRole.STATES and fact.parameter_key and fact.value_key:
        for other in _same_thing(fact, known):
            told = _against(fact, int(other), new, known)
            if told is not None:
                yield told


def _same_thing(fact: Fact, known: Known) -> Ints:
    """Facts of the same slot, and the same value of the parameter where one side names nobody."""
    subject = known.cells.names.get(fact.subject_key, -1)
    slots, facts = known.slots, known.cells.facts
    told = slots.members(fact.parameter_key, subject) if subject >= 0 else np.empty(0, np.int64)
    alike = slots.with_value(known.cells.names.get(fact.value_key, NOBODY))
    alike = alike[facts.parameter[alike] == known.cells.parameters.get(fact.parameter_key, -1)]
    if fact.subject_key:
        alike = alike[facts.subject[alike] == NOBODY]
    return np.unique(np.concatenate([told, alike]))


def _against(fact: Fact, other: int, new: Newcomer, known: Known) -> Effect | None:
    """How a stated fact bears on another of the same slot."""
    cells, facts = known.cells, known.cells.facts
    row = int(facts.cell[other])
    item = str(cells.text("item")[row])
    value = known.cells.name_texts[int(facts.value[other])]
    scope = cells.scopes[cells.scope[row]]
    if item == new.item or not cells.durable[row]:
        return None
    if value == fact.value_key:
        return Effect(Relation.DUPLICATE_OF, item, 1.0, fact.parameter_key, value)
    single = Cardinality.ONE in (fact.cardinality, CARDINALITIES[facts.cardinality[other]])
    if Cardinality.MANY in (fact.cardinality, CARDINALITIES[facts.cardinality[other]]):
        return None
    start = instants.read(fact.valid.start or "") or new.start
    order = _order(start, new, other, known)
    if not single:
        unknown = UNKNOWN_CARDINALITY
        return Effect(Relation.CONFLICTS_WITH, item, unknown, fact.parameter_key, value)
    if order > 0 and new.scope <= scope and not cells.guards[row]:
        since = instants.day(start)
        whole = _loses_all(row, other, known)
        return Effect(
            Relation.SUPERSEDES, item, CLEARLY_LATER, fact.parameter_key, value, since, whole
        )
    if order < 0 and scope <= new.scope:
        since = instants.day(int(facts.start[other]))
        return Effect(
            Relation.SUPERSEDED_BY, item, CLEARLY_LATER, fact.parameter_key, value, since
        )
    strength = UNCLEAR if order == 0 else CLEARLY_LATER
    return Effect(Relation.CONFLICTS_WITH, item, strength, fact.parameter_key, value)


def _order(start: int, new: Newcomer, other: int, known: Known) -> int:
    """1 if the new fact is clearly later than the other, -1 if earlier, 0 if nobody can tell."""
    cells, facts = known.cells, known.cells.facts
    row = int(facts.cell[other])
    both_known = (new.start_known or start != new.start) and bool(facts.start_known[other])
    if not both_known and str(cells.text("importer")[row]) != new.importer:
        return 0
    return int(np.sign(start - int(facts.start[other])))


def _loses_all(row: int, lost: int, known: Known) -> bool:
    """Whether a cell that loses the fact ``lost`` has no single-valued fact left."""
    facts = known.cells.facts
    return not any(
        facts.role[fact] == conflicts.STATES
        and facts.cardinality[fact] == conflicts.ONE
        and known.life.closings.at[fact] == instants.NEVER
        for fact in known.cells.facts_of(row)
        if fact != lost
    )


def _ended(fact: Fact, new: Newcomer, known: Known) -> Iterable[Effect]:
    """Cells that state the value which the new one says has ended."""
    cells, facts = known.cells, known.cells.facts
    start = instants.read(fact.valid.start or "") or new.start
    for other in known.slots.with_value(cells.names.get(fact.value_key, NOBODY)):
        row = int(facts.cell[other])
        item = str(cells.text("item")[row])
        parameter = cells.parameter_names[int(facts.parameter[other])]
        subject = cells.name_texts[int(facts.subject[other])]
        fits = item != new.item and bool(cells.durable[row])
        fits &= not fact.parameter_key or not parameter or fact.parameter_key == parameter
        fits &= not fact.subject_key or not subject or fact.subject_key == subject
        fits &= new.scope <= cells.scopes[cells.scope[row]]
        later = start > int(facts.start[other]) or new.written > int(cells.written[row])
        if not (fits and later):
            continue
        free = not cells.guards[row]
        relation = Relation.SUPERSEDES if free else Relation.CONFLICTS_WITH
        since = instants.day(start)
        value = cells.name_texts[int(facts.value[other])]
        yield Effect(relation, item, CANCELLED, parameter, value, since, whole=free)


def _stale(closed: set[str], known: Known) -> tuple[str, ...]:
    """Cells that rest on closed ones, at any depth, nearest first."""
    cells, links = known.cells, known.life.links
    gone = {cells.row_of[item] for item in closed if item in cells.row_of}
    fallen: list[int] = []
    front = sorted(gone)
    while front:
        reached = known.links_from(np.array(front, dtype=np.int64))
        front = []
        for link in reached:
            row = int(links.dependent[link])
            if row in gone or row in fallen or not _stands_alone(int(link), gone, known):
                continue
            fallen.append(row)
            front.append(row)
        gone |= set(front)
    return tuple(str(cells.text("item")[row]) for row in fallen)


def _stands_alone(link: int, gone: set[int], known: Known) -> bool:
    """Whether no other premise of the same group is left."""
    links = known.life.links
    (same,) = np.nonzero(links.group == links.group[link])
    return all(int(links.premise[one]) in gone for one in same)
