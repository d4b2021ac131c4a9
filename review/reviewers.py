"""Records who may sign, and who no longer may, under a present reviewer's signature."""

from __future__ import annotations

from review.identities import stamp
from review.placing import Writer
from store.events import ActorKind, Event, EventType, Happening
from store.log import Entry, Store
from store.statements import SignedStatement
from store.vault import Payload, Role


def record(
    store: Store, signed: SignedStatement, *, writer: Writer, added: bool, name: str = ""
) -> Event:
    """Append that a reviewer was added or revoked; the name is content of its own.

    Raises:
        store.standing.NotAcceptedError: If no present reviewer of this store signed it.
    """
    kind = EventType.REVIEWER_ADDED if added else EventType.REVIEWER_REVOKED
    payload = Payload(Role.NAME, writer.chance(32), name.encode("utf-8"))
    happening = Happening(
        kind,
        recorded_at=stamp(writer.clock()),
        actor=writer.process,
        actor_kind=ActorKind.PROCESS,
        process=writer.process,
        body={"name": payload.commitment},
    )
    return store.append(Entry(happening, payloads=[payload], signed=signed))
