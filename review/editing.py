"""Edit as new: the person becomes the writer of a new record, derived from the old one.

Nothing is changed in place. The new record is staged like any import and needs its own approval;
the old one gets a drafted decision ``edit``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

from review.cards.card import Card
from review.cards.marking import Marking, carried, marked
from store.cells import (
    Asserter,
    Edge,
    EdgeKind,
    Fact,
    Interval,
    Kind,
    Pointer,
    Precision,
    Proposal,
    SourceType,
    Span,
)
from store.records import Origin, Place, Read, Reading


class NothingToEditError(ValueError):
    """The edit has no text, or changes nothing."""


class InvalidDateError(ValueError):
    """A bound of the edit is no date, or the end does not come after the start."""

    def __init__(self, *, backwards: bool = False) -> None:
        """Say what is wrong and how to write it."""
        self.backwards = backwards
        wrong = "the end comes before its beginning" if backwards else "a date cannot be read"
        super().__init__(f"{wrong}. Nothing was staged. Write it like 2026-03-01.")


EDITOR: Final = "console_edit"
"""The importer of what a person made of a record here. No file is read by it."""

LONGEST_OWNER: Final = 200
"""Characters of an owner's name."""

_OWNER: Final = "owner:"
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_INSTANT: Final = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Edit:
    """What the person wants the new record to say. Blank dates are open."""

    claim: str
    kind: Kind
    valid_from: str = ""
    valid_to: str = ""
    verbatim: bool = False
    pointer: bool = False
    """Keep the old text as content apart; ``claim`` then only names it."""

    marking: Marking | None = None
    """The task and the support of an old answer, where the source gave none."""

    owner: str | None = None
    """Whose value it is, so that nothing that is only found supersedes it; blank for nobody's,
    None for as it was."""

    facts: tuple[Fact, ...] = ()
    """Facts of the claim that the person takes over from a proposal, beside those of the grammar.

    They count only while ``claim`` is the text that they were read from.
    """


def owner_of(shown: Card) -> str:
    """Whose value a record is, blank for nobody's. Foreign text."""
    guard = shown.immutable or ""
    return guard.removeprefix(_OWNER) if guard.startswith(_OWNER) else ""


def reading_of(
    shown: Card, edit: Edit, *, reviewer: str, now: str, replacing: bool = False
) -> Reading:
    """A reading with the one record that ``edit`` makes out of ``shown``.

    Args:
        shown: The record that is edited.
        edit: What the new one says.
        reviewer: The person, who becomes its writer.
        now: RFC 3339.
        replacing: Whether ``shown`` is durable: the new one supersedes it once it is approved.

    Raises:
        NothingToEditError: If the claim is blank or everything is as it was.
        InvalidDateError: If a bound is neither YYYY-MM-DD nor RFC 3339, or they are backwards.
    """
    claim = edit.claim.strip()
    if not claim:
        msg = "an edited record needs a text. Nothing was staged."
        raise NothingToEditError(msg)
    before = (shown.claim, shown.kind, shown.valid_from or "", shown.valid_to or "")
    if before == (claim, str(edit.kind), edit.valid_from, edit.valid_to) and (
        shown.verbatim == edit.verbatim
        and edit.marking is None
        and edit.owner in (None, owner_of(shown))
        and not edit.facts
    ):
        msg = "nothing was changed, so there is nothing to stage. Close the form to go back."
        raise NothingToEditError(msg)
    start, end = _instant(edit.valid_from), _instant(edit.valid_to)
    if start is not None and end is not None and end <= start:
        raise InvalidDateError(backwards=True)
    told = {
        "claim": claim,
        "kind": str(edit.kind),
        "valid_from": edit.valid_from,
        "valid_to": edit.valid_to,
        "verbatim": edit.verbatim,
        "edited_from": shown.item,
        "edited_by": reviewer,
        "edited_at": now,
    }
    kept = None if edit.pointer else carried(shown.conclusion, shown.claim or "", claim)
    marking = edit.marking or kept
    conclusion = None if marking is None else marked(claim, marking)
    if conclusion is not None:
        told["task"] = conclusion.task
        told["support"] = [[one.parameter, one.value] for one in conclusion.support]
    facts = edit.facts if claim == shown.claim else ()
    if facts:
        told["facts"] = [[one.parameter, one.value, one.reader] for one in facts]
    guard = _guard(shown, edit)
    if guard != shown.immutable:
        told["immutable"] = guard
    pointer = _pointer(shown) if edit.pointer else None
    if pointer is not None:
        told["pointer"] = {"bytes": pointer.size, "sha256": pointer.sha256}
    raw = json.dumps(told, ensure_ascii=False, sort_keys=True).encode("utf-8")
    quoted = json.dumps(claim, ensure_ascii=False).encode("utf-8")
    place = raw.find(quoted)
    bounds = edit.valid_from or edit.valid_to
    proposal = Proposal(
        claim=claim,
        kind=edit.kind,
        source_type=SourceType.HUMAN_REVIEW,
        source_id=f"edit:{shown.item}/{shown.rev}:{sha256(raw).hexdigest()[:16]}",
        written_at=now,
        valid=Interval(
            edit.valid_from or None,
            edit.valid_to or None,
            Precision.DAY if bounds else Precision.UNKNOWN,
        ),
        scope=shown.scope,
        entities=shown.entities,
        facts=facts,
        conclusion=conclusion,
        verbatim=edit.verbatim,
        immutable=guard,
        pointer=pointer,
        edges=_edges(str(shown.provenance.get("source_id", shown.item)), replacing=replacing),
        evidence=(Span(place, place + len(quoted)),),
        foreign={"claimed_writer": reviewer, "edited_from": shown.item},
    )
    origin = Origin(
        name=f"edit of {shown.item}",
        sha256=sha256(raw).hexdigest(),
        size=len(raw),
        media_type="application/json",
        importer=EDITOR,
        importer_version="1",
        modified_at=now,
    )
    return Reading(origin, iter([Read(Place(1, 0, len(raw)), raw, proposal)]))


def _guard(shown: Card, edit: Edit) -> str | None:
    """What keeps the new record from being superseded. A named procedure stays with it."""
    if edit.owner is None:
        return shown.immutable
    owner = edit.owner.strip()[:LONGEST_OWNER]
    if owner:
        return f"{_OWNER}{owner}"
    return None if owner_of(shown) else shown.immutable


def _edges(target: str, *, replacing: bool) -> tuple[Edge, ...]:
    """The links of the new record to what it was made of."""
    kinds = (EdgeKind.DERIVED_FROM, *((EdgeKind.SUPERSEDES,) if replacing else ()))
    return tuple(Edge(kind, target, asserter=Asserter.PERSON) for kind in kinds)


def _pointer(shown: Card) -> Pointer | None:
    if shown.claim is None:
        return None
    body = shown.claim.encode("utf-8")
    return Pointer(shown.text_c, len(body), sha256(body).hexdigest())


def _instant(bound: str) -> datetime | None:
    """The first instant of a bound; None when it is blank."""
    if not bound:
        return None
    if not _DAY.fullmatch(bound) and not _INSTANT.fullmatch(bound):
        raise InvalidDateError
    try:
        found = datetime.fromisoformat(bound)
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidDateError from None
