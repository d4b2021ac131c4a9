"""Records who may sign, and who no longer may, under a present reviewer's signature."""

from __future__ import annotations

from typing import Final

from review.identities import stamp
from review.staged.placing import Writer
from store.events import ActorKind, Event, EventType, Happening
from store.log import Entry, Store
from store.statements import SignedStatement, read_reviewer
from store.vault import Payload, Role

_ADDED: Final = (
    "with added as (select json_extract_string(decode(canon), '$.body.statement') as statement,"
    " json_extract_string(decode(canon), '$.body.name') as name_c from log_event"
    " where type = 'reviewer.added')"
    " select s.statement, a.name_c from added a"
    " join log_signature s on s.statement_sha256 = a.statement"
)


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


def names(store: Store) -> dict[str, str]:
    """The names that were given when reviewers were added, by their ids. Foreign text.

    The signature is over the key alone: a name is what somebody said, and it identifies nobody.
    """
    found = store.rows(_ADDED)
    told = store.payloads([str(one["name_c"]) for one in found]) if found else {}
    return {
        read_reviewer(bytes(one["statement"])).reviewer: told[one["name_c"]].body.decode()
        for one in found
        if one["name_c"] in told
    }
