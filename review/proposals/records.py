"""Keeps what a model said, as it said it, and finds it again: the same request is asked once.

The log has ids, codes, counts and a keyed digest of the request. What was asked and what was said
are content in the vault, and the lineage names what they were made from, so that erasing a text
finds every proposal that quotes it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from review import secrets
from review.identities import stamp
from review.placing import Writer
from review.proposals.jobs import Job, Outcome, Sort
from review.proposals.protocol import Reply, Request, Usage
from review.proposals.shapes import LONGEST_REPLY
from store import canonical, model_queries
from store.events import ActorKind, EventType, Happening
from store.log import Entry, LogMovedError, Store
from store.vault import Payload, Role, digester

RELATION: Final = "proposed_from"
"""What the vault's lineage calls the way from a text to what a model proposed over it."""

_ANSWERED: Final = 200
"""Characters of the names that a server gives to itself and to its reply."""


@dataclass(frozen=True, slots=True)
class About:
    """What a request is about, by ids of the store."""

    items: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    made_from: tuple[str, ...] = ()
    """Commitments of the texts that are quoted in it."""


@dataclass(frozen=True, slots=True)
class Record:
    """One reply as it is kept."""

    seq: int
    recorded_at: str
    key: str
    job: Job
    prompt: str
    model: str
    outcome: Outcome
    items: tuple[str, ...]
    runs: tuple[str, ...]
    usage: Usage
    pieces: Mapping[Sort, int]
    """How many things were proposed that the texts bear out."""

    dropped: int
    """How many were not borne out."""

    text: str | None
    """The reply. Foreign text; None when it was erased."""

    asked: str | None
    """The data that was sent, JSON; None when it was erased."""

    answered_by: str = ""
    """Which model the server says it was. Foreign text."""

    @property
    def reader(self) -> str:
        """Who read it, as it is recorded beside a fact: ``model/NAME/claim/1``."""
        return f"model/{self.model}/{self.prompt}"


@dataclass(frozen=True, slots=True)
class Counted:
    """What of a reply holds."""

    pieces: Mapping[Sort, int] = field(default_factory=dict)
    dropped: int = 0


def key_of(store: Store, request: Request) -> str:
    """The digest of a request under the tenant's key: nobody can guess a text by it."""
    return digester(store.digest_key(), "model.request")(request.spelled())


def find(store: Store, key: str) -> Record | None:
    """The record of a request; None if it was never answered."""
    return next(iter(_read(store, store.rows(model_queries.BY_KEY, key=key))), None)


def of_item(store: Store, item: str, *, most: int = 50) -> tuple[Record, ...]:
    """What was proposed over a record, newest first."""
    return _read(store, store.rows(model_queries.OF_ITEM, item=item, limit=most))


def last_of(store: Store, item: str, job: Job) -> Record | None:
    """What was proposed last over a record for one job."""
    return next((one for one in of_item(store, item) if one.job is job), None)


def newest(store: Store, *, most: int = 2_000) -> tuple[Record, ...]:
    """What was proposed last, newest first."""
    return _read(store, store.rows(model_queries.NEWEST, limit=most))


def keep(
    store: Store,
    request: Request,
    reply: Reply,
    outcome: Outcome,
    *,
    about: About,
    counted: Counted,
    writer: Writer,
) -> Record:
    """Append a reply, or find it if another process kept the same meanwhile."""
    key = key_of(store, request)
    payload = Payload(Role.MODEL, writer.chance(32), _content(request, reply))
    body: dict[str, Any] = {
        "proposal": payload.commitment,
        "key": key,
        "job": str(request.job),
        "prompt": request.prompt,
        "model": request.model,
        "outcome": str(outcome),
        "items": list(about.items),
        "runs": list(about.runs),
        "input_tokens": reply.usage.input_tokens,
        "output_tokens": reply.usage.output_tokens,
        "cost_micros": reply.usage.cost_micros,
        "pieces": {str(sort): n for sort, n in counted.pieces.items() if n},
        "dropped": counted.dropped,
        "masked": request.masked,
    }
    made = [(payload.commitment, parent, RELATION) for parent in dict.fromkeys(about.made_from)]
    while True:
        size = store.head().size
        before = find(store, key)
        if before is not None:
            return before
        happening = Happening(
            EventType.MODEL_PROPOSED,
            recorded_at=stamp(writer.clock()),
            actor=writer.process,
            actor_kind=ActorKind.PROCESS,
            process=writer.process,
            body=body,
        )
        try:
            store.append(Entry(happening, payloads=[payload], lineage=made), after=size)
        except LogMovedError:
            continue


def _content(request: Request, reply: Reply) -> bytes:
    """What was asked and said. A reply that shows a secret loses it: none enters the store."""

    def safe(text: str, most: int) -> str:
        masked, _ = secrets.mask_bytes(_whole(text)[:most].encode("utf-8"))
        return masked.decode("utf-8", "replace")

    return canonical.encode(
        {
            "asked": request.data.decode("utf-8"),
            "text": safe(reply.text, LONGEST_REPLY),
            "stop": safe(reply.stop, _ANSWERED),
            "answered_by": safe(reply.answered_by, _ANSWERED),
            "request_id": safe(reply.request_id, _ANSWERED),
        }
    )


def _read(store: Store, rows: Sequence[Mapping[str, Any]]) -> tuple[Record, ...]:
    bodies: list[dict[str, Any]] = [json.loads(row["body"]) for row in rows]
    contents = store.payloads([str(body["proposal"]) for body in bodies])
    found = []
    for row, body in zip(rows, bodies, strict=True):
        payload = contents.get(str(body["proposal"]))
        said = {} if payload is None else canonical.decode(payload.body)
        pieces = Counter({Sort(name): int(n) for name, n in body["pieces"].items()})
        found.append(
            Record(
                seq=int(row["seq"]),
                recorded_at=str(row["recorded_at"]),
                key=body["key"],
                job=Job(body["job"]),
                prompt=body["prompt"],
                model=body["model"],
                outcome=Outcome(body["outcome"]),
                items=tuple(body["items"]),
                runs=tuple(body["runs"]),
                usage=Usage(body["input_tokens"], body["output_tokens"], body["cost_micros"]),
                pieces=pieces,
                dropped=int(body["dropped"]),
                text=said.get("text"),
                asked=said.get("asked"),
                answered_by=said.get("answered_by", ""),
            )
        )
    return tuple(found)


def _whole(text: str) -> str:
    """Half characters, which have no UTF-8 form, as replacement characters."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
