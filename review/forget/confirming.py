"""Records, signed, what a person says was done about a copy that is out of our reach.

It is shown as said: "Oleg says removed, 2 March", never as "removed".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from review import secrets
from review.deciding import Signer
from review.forget.report import Report
from review.forget.statuses import LocationKind, Status
from review.identities import new_id, stamp
from review.person import Person
from review.staged.placing import Writer
from store import forget_confirmations
from store.events import ActorKind, EventType, Happening
from store.forget_confirmations import ConfirmStatement
from store.log import Entry, Store
from store.standing import OutOfTurnError
from store.statements import Seen
from store.vault import Payload, Role

REMOVED: Final = str(forget_confirmations.Said.REMOVED)
BEYOND_USE: Final = str(forget_confirmations.Said.BEYOND_USE)
LONGEST: Final = 1_000
"""Characters of the evidence."""

_ROUNDS: Final = 20


class NotConfirmedError(ValueError):
    """Nobody can confirm this of that place. The message says why."""


@dataclass(frozen=True, slots=True)
class Said:
    """Who says what, on which evidence."""

    person: Person
    what: str
    evidence: str = ""


def confirm(
    store: Store, report: Report, location_id: str, sign: Signer, said: Said, writer: Writer
) -> None:
    """Sign and append what ``said`` says of a place of ``report``.

    Raises:
        NotConfirmedError: For a place that is not in the report, or about which nothing can be
            said: it is ours to keep clean, or nobody can know.
        Exception: Whatever ``sign`` raises.
    """
    _allowed(report, location_id, said)
    payloads = [
        Payload(Role.NAME, writer.chance(32), said.person.name.encode("utf-8")),
    ]
    evidence = secrets.mask(said.evidence.strip())[0][:LONGEST]
    note = None
    if evidence:
        note = Payload(Role.NOTE, writer.chance(32), evidence.encode("utf-8"))
        payloads.append(note)
    for _ in range(_ROUNDS):
        head, now = store.head(), writer.clock()
        statement = ConfirmStatement(
            store=store.store_id,
            tenant=store.tenant_id,
            forget=report.head.forget_id,
            location=location_id,
            said=forget_confirmations.Said(said.what),
            evidence=None if note is None else note.commitment,
            prev=Seen(head.size, head.root),
            reviewer=said.person.reviewer,
            reviewer_seq=store.standing().sequence.get(said.person.reviewer, 0) + 1,
            signed_at=stamp(now),
            nonce=new_id(now, writer.chance(10)),
        )
        (signed,) = sign([statement.encode()])
        happening = Happening(
            EventType.FORGET_CONFIRMED,
            recorded_at=stamp(now),
            actor=said.person.reviewer,
            actor_kind=ActorKind.HUMAN_KEY,
            process=writer.process,
            body={
                "forget": report.head.forget_id,
                "name": payloads[0].commitment,
                "evidence": statement.evidence,
            },
        )
        try:
            store.append(Entry(happening, payloads=payloads, signed=signed))
        except OutOfTurnError:
            continue
        return
    msg = "others keep signing first. Nothing was recorded. Try again."
    raise NotConfirmedError(msg)


def _allowed(report: Report, location_id: str, said: Said) -> None:
    place = report.location(location_id)
    if place is None or location_id.startswith("always:"):
        msg = "the report has no such place that somebody could see to. Nothing was recorded."
        raise NotConfirmedError(msg)
    if place.status not in (Status.OUTSIDE_CONTROL, Status.PUT_BEYOND_USE):
        msg = "this place is the program's own to keep clean. Run the request again instead."
        raise NotConfirmedError(msg)
    if said.what not in list(forget_confirmations.Said):
        msg = f"what can be said is: {', '.join(forget_confirmations.Said)}."
        raise NotConfirmedError(msg)
    if said.what == BEYOND_USE and place.kind is not LocationKind.BACKUP:
        msg = "only a backup can be put beyond use. Nothing was recorded."
        raise NotConfirmedError(msg)
