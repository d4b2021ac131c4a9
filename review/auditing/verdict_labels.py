"""What people say of recorded verdicts: that a cell should have been admitted, or should not.

A label is kept with the very numbers that were recorded, in the shape that the fitted gate learns
from. It changes no answer and no cell; the gate that learns from it decides only where the policy
says so. Of several labels on one verdict the last one counts, and all of them stay in the log.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from review.auditing.answers import Answer
from review.auditing.recorded import Score
from review.identities import stamp
from review.person import Person
from review.staged.placing import Writer
from store import read_queries
from store.events import ActorKind, Event, EventType, Happening
from store.log import Entry, Store
from store.vault import Payload, Role


class NoNumbersError(LookupError):
    """The verdict was not recorded with its numbers, so there is nothing to label."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__("No numbers were recorded for this. Nothing was labelled.")


@dataclass(frozen=True, slots=True)
class Label:
    """What a person said last of one recorded verdict."""

    answer: str
    part: int
    item: str
    admit: bool
    """Whether it should have been admitted."""

    by: str
    at: str


def record(
    store: Store,
    answer: Answer,
    part: int,
    item: str,
    *,
    admit: bool,
    person: Person,
    writer: Writer,
) -> Event:
    """Append what a person says of one recorded verdict.

    Args:
        store: Where to.
        answer: The answer that the verdict belongs to.
        part: Which of its sub-questions, from 0.
        item: The cell.
        admit: Whether it should have been admitted.
        person: Who says so.
        writer: The process that takes it in.

    Raises:
        NoNumbersError: If that verdict has no recorded numbers.
    """
    score = _score(answer, part, item)
    line = {
        "zeta": score.zeta,
        "V": score.validity,
        "psi": score.psi,
        "R": score.risk,
        "admit": admit,
    }
    payload = Payload(Role.LABELS, writer.chance(32), json.dumps(line).encode("ascii"))
    happening = Happening(
        EventType.GATE_LABELLED,
        recorded_at=stamp(writer.clock()),
        actor=person.reviewer,
        actor_kind=ActorKind.PROCESS,
        process=writer.process,
        body={
            "labels": payload.commitment,
            "answer": answer.id,
            "part": part,
            "item": item,
            "admit": admit,
        },
    )
    return store.append(Entry(happening, payloads=[payload]))


def labels(store: Store, answer: str = "") -> tuple[Label, ...]:
    """What people said last of each verdict, oldest first; of one answer, or of all."""
    return tuple(
        Label(
            row["answer"],
            int(row["part"]),
            row["item"],
            bool(row["admit"]),
            row["who"],
            row["recorded_at"],
        )
        for row in store.rows(read_queries.LABELLED)
        if answer in ("", row["answer"])
    )


def as_lines(store: Store) -> bytes:
    """Every label as JSON Lines, as ``review.gate.fitted_gate.read_labels`` takes them."""
    names = [str(row["labels"]) for row in store.rows(read_queries.LABELLED)]
    bodies = store.payloads(names)
    return b"".join(bodies[name].body + b"\n" for name in names if name in bodies)


def _score(answer: Answer, part: int, item: str) -> Score:
    parts = () if answer.scores is None else answer.scores.parts
    scored = parts[part].scored if 0 <= part < len(parts) else ()
    found = next((one for one in scored if one.item == item), None)
    if found is None:
        raise NoNumbersError
    return found
