"""Splits a request into signed parts, and appends those that do not stand yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from review.deciding import Signer
from review.forget.plan import PlanRow, RowKind
from review.forget.started import Started
from review.identities import new_id, stamp
from review.staged.placing import Writer
from store.events import ActorKind, EventType, Happening
from store.forget_statements import MOST_CONTENTS, ForgetStatement, Forgotten
from store.log import Entry, Store
from store.standing import OutOfTurnError
from store.statements import MOST_SUBJECTS, Seen

_ROUNDS: Final = 20


class NotSignedError(RuntimeError):
    """A part of a request could not be signed. What stands stays; go on with the request."""


@dataclass
class Part:
    """What one statement names."""

    items: list[Forgotten] = field(default_factory=list)
    contents: dict[str, None] = field(default_factory=dict)


def split(rows: Sequence[PlanRow]) -> list[Part]:
    """The parts of a request over ``rows``: each content once, at most 200 records a part."""
    parts, seen = [Part()], set[str]()
    for row in rows:
        if row.kind is RowKind.ITEM:
            if len(parts[-1].items) >= MOST_SUBJECTS:
                parts.append(Part())
            parts[-1].items.append(Forgotten(row.id, row.rev, row.artifact))
        for content in row.contents:
            if content in seen:
                continue
            if len(parts[-1].contents) >= MOST_CONTENTS:
                parts.append(Part())
            parts[-1].contents[content] = None
            seen.add(content)
    return [part for part in parts if part.items or part.contents]


def sign_missing(
    store: Store,
    started: Started,
    sign: Signer,
    writer: Writer,
    *,
    reviewer: str,
    appended: Callable[[int], None],
) -> tuple[int, int]:
    """Sign and append every part that does not stand yet.

    All of them are signed at once, so that the key is open for one moment; one that loses its turn
    is signed again.

    Args:
        store: Where to.
        started: The request.
        sign: Signs with the reviewer's key.
        writer: The process that appends.
        reviewer: Who signs.
        appended: Is told each part that stands now, by its number.

    Returns:
        How many parts stand, and how many there are.

    Raises:
        NotSignedError: If others keep signing first.
        store.standing.NotAcceptedError: If a record is another one than in the plan.
        Exception: Whatever ``sign`` raises.
    """
    parts = split(started.erased)
    for _ in range(_ROUNDS):
        missing = _missing(store, started.forget, len(parts))
        if not missing:
            return len(parts), len(parts)
        statements = _statements(store, started, parts, missing, writer, reviewer)
        signed = sign([one.encode() for one in statements])
        try:
            with store.held():  # opened once, and written to its file once, for all parts
                for number, one in zip(missing, signed, strict=True):
                    happening = Happening(
                        EventType.FORGET_REQUESTED,
                        recorded_at=stamp(writer.clock()),
                        actor=reviewer,
                        actor_kind=ActorKind.HUMAN_KEY,
                        process=writer.process,
                    )
                    store.append(Entry(happening, signed=one))
                    appended(number)
        except OutOfTurnError:
            continue
    msg = "others keep signing first. What was signed stands. Go on with the request."
    raise NotSignedError(msg)


def _missing(store: Store, forget: str, count: int) -> list[int]:
    request = store.standing().forgets.get(forget)
    stand = frozenset[int]() if request is None else request.standing
    return [number for number in range(1, count + 1) if number not in stand]


def _statements(
    store: Store,
    started: Started,
    parts: Sequence[Part],
    missing: Sequence[int],
    writer: Writer,
    reviewer: str,
) -> list[ForgetStatement]:
    head, now = store.head(), writer.clock()
    due = store.standing().sequence.get(reviewer, 0) + 1
    return [
        ForgetStatement(
            store=store.store_id,
            tenant=store.tenant_id,
            forget=started.forget,
            part=number,
            parts=len(parts),
            plan_sha256=started.plan_sha256,
            items=tuple(parts[number - 1].items),
            contents=tuple(parts[number - 1].contents),
            prev=Seen(head.size, head.root),
            reviewer=reviewer,
            reviewer_seq=due + place,
            signed_at=stamp(now),
            nonce=new_id(now, writer.chance(10)),
            guard=started.guard,
        )
        for place, number in enumerate(missing)
    ]
