"""What an agent is said to have read, held against the cells of the store.

A document belongs to a cell by the id that its system gave it, by its exact words, by its look, or
because one of the two stands in the other. Each match says how it was made and what the cell was
at that moment; a document without a match is said, and so is a revision that came later. Likeness
alone is no match: what only sounds alike was not read here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from review import named_cells
from review.auditing.reported import Document
from review.memory.knowing import Known
from review.named_cells import NamedCell, stands_in
from review.staged.manifests import look_of
from store.log import Store
from store.stages import Stage
from store.standing import Standing
from store.vault import digester

MOST: Final = 200
"""Documents of one answer that are matched; more are said to be left out."""

_LEAST: Final = 12
"""Letters of a text that is looked for inside of another."""

_ALIKE: Final = 20
"""Likest cells that are held against a document."""


class Match(StrEnum):
    """How a document belongs to a cell, the surest first."""

    ID = "id"
    TEXT = "text"
    LOOK = "look"
    """The same words but for case, punctuation and spacing."""

    WITHIN = "within"
    """The cell's words stand in the document, or the document's in the cell's."""


class Then(StrEnum):
    """What a cell was at a moment."""

    DURABLE = "durable"
    NOT_DURABLE = "not_durable"
    """In the store, and not approved: staged, deferred, rejected or withdrawn."""

    NOT_THERE = "not_there"
    """It came into the store later."""


@dataclass(frozen=True, slots=True)
class Matched:
    """One cell that a document belongs to."""

    cell: NamedCell
    match: Match
    then: Then


@dataclass(frozen=True, slots=True)
class Read:
    """A document, and the cells that it is; without any, it is not known here."""

    place: int
    """Which document of the answer, from 0."""

    document: Document
    matched: tuple[Matched, ...]


@dataclass(frozen=True, slots=True)
class Matching:
    """All documents of one answer, in their order."""

    read: tuple[Read, ...]
    size: int
    """Position of the log that stands for the moment of the answer."""

    left_out: int = 0
    """Documents beyond ``MOST``, which nobody looked at."""

    @property
    def unknown(self) -> tuple[Read, ...]:
        """Documents that are not known here."""
        return tuple(one for one in self.read if not one.matched)

    @property
    def items(self) -> tuple[str, ...]:
        """The cells, each once, in the order of the documents."""
        told = (one.cell.item for read in self.read for one in read.matched)
        return tuple(dict.fromkeys(told))


def match(
    store: Store,
    documents: Sequence[Document],
    *,
    system: str,
    known: Known,
    standing: Standing,
    size: int,
) -> Matching:
    """Documents against the cells of the store.

    Args:
        store: Where.
        documents: What an agent is said to have read.
        system: The system that says so; some write it before their ids.
        known: Every cell there is now, staged ones too.
        standing: Which decisions stood at the moment of the answer.
        size: Position of the log at that moment.
    """
    looked = documents[:MOST]
    by_id = _by_id(store, looked, system)
    by_look = _by_look(store, looked)
    then = _then(standing, size)
    read = []
    for place, document in enumerate(looked):
        found: dict[str, Matched] = {}
        for cell in by_id.get(document.id, ()):
            found.setdefault(cell.item, Matched(cell, Match.ID, then(cell)))
        for cell in by_look.get(place, ()):
            same = cell.claim is not None and cell.claim.strip() == document.text.strip()
            how = Match.TEXT if same else Match.LOOK
            found.setdefault(cell.item, Matched(cell, how, then(cell)))
        if not found:
            for cell in _within(store, document.text, known):
                found.setdefault(cell.item, Matched(cell, Match.WITHIN, then(cell)))
        read.append(Read(place, document, tuple(found.values())))
    return Matching(tuple(read), size, left_out=len(documents) - len(looked))


def _by_id(store: Store, documents: Sequence[Document], system: str) -> dict[str, list[NamedCell]]:
    """Cells by the id of a document: their own id, or their identity in their source."""
    ids = list(dict.fromkeys(one.id for one in documents if one.id))
    if not ids:
        return {}
    digest = digester(store.digest_key(), "source")
    names: dict[str, str] = {}
    for own in ids:
        for form in (own, f"{system}:{own}"):
            names[digest(form.encode("utf-8"))] = own
    items: dict[str, list[str]] = {own: [own] for own in ids}
    for key, held in store.by_source(list(names)).items():
        items[names[key]] += [one.item for one in held if one.rev]
    cells = named_cells.latest(store, [item for told in items.values() for item in told])
    return {
        own: [cells[item] for item in dict.fromkeys(told) if item in cells]
        for own, told in items.items()
    }


def _by_look(store: Store, documents: Sequence[Document]) -> dict[int, list[NamedCell]]:
    digest = digester(store.digest_key(), "look")
    keys = {place: digest(look_of(one.text)) for place, one in enumerate(documents) if one.text}
    found = named_cells.by_look(store, keys.values())
    return {place: found[key] for place, key in keys.items() if key in found}


def _within(store: Store, text: str, known: Known) -> list[NamedCell]:
    """Cells whose words stand in a text, or in whose words it stands, the likest first."""
    indexed, scores = known.index.similarity(text)
    which, rows = known.with_words(indexed)
    best = rows[np.argsort(-scores[which], kind="stable")][:_ALIKE]
    items, revs = known.cells.text("item"), known.cells.text("rev")
    wanted = [(str(items[row]), int(revs[row])) for row in best]
    cells = named_cells.cells(store, wanted)
    told = [cells[one] for one in wanted if one in cells]
    return [
        cell
        for cell in told
        if cell.claim is not None
        and (
            stands_in(cell.claim, text, least=_LEAST) or stands_in(text, cell.claim, least=_LEAST)
        )
    ]


def _then(standing: Standing, size: int) -> Callable[[NamedCell], Then]:
    def then(cell: NamedCell) -> Then:
        stands = standing.items.get(cell.item)
        if stands is not None and stands.stage is Stage.DURABLE:
            return Then.DURABLE
        if cell.seq < size or stands is not None:
            return Then.NOT_DURABLE
        return Then.NOT_THERE

    return then
