"""Keeps what a model said, as it said it, and finds it again: the same request is asked once.

The log has ids, codes, counts and a keyed digest of the request. What was asked and what was said
are content in the vault, and the lineage names what they were made from, so that erasing a text
finds every proposal that quotes it.

A record is believed where its event is the one that the log was continued with, where its content
opens to its commitment, and where what it says was asked is what its key was made from. Any other
answers nothing and is shown nowhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from review import secrets
from review.identities import stamp
from review.proposals import prompts, requests
from review.proposals.jobs import Failure, Job, Outcome, Sort
from review.proposals.protocol import ModelError, Reply, Request, Usage
from review.proposals.shapes import LONGEST_REPLY
from review.staged.placing import Writer
from store import canonical, model_queries
from store.events import ActorKind, EventType, Happening, chain_hash
from store.forget_standing import contents_of
from store.log import DamagedStoreError, Entry, LogMovedError, Store
from store.vault import Payload, Role, digester

RELATION: Final = "proposed_from"
"""What the vault's lineage calls the way from a text to what a model proposed over it."""

_PURPOSE: Final = "model.request"
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
    return digester(store.digest_key(), _PURPOSE)(request.spelled())


def find(store: Store, request: Request) -> Record | None:
    """The record of a request; None if it was never answered."""
    rows = store.rows(model_queries.BY_KEY, key=key_of(store, request))
    return next((one for one in _read(store, rows) if _answers(one, request)), None)


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
    """Append a reply, or find it if another process kept the same meanwhile.

    Raises:
        ModelError: If what it is about was erased meanwhile: its words would come back with it.
    """
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
        before = find(store, request)
        if before is not None:
            return before
        if len(store.payloads(about.made_from)) < len(set(about.made_from)):
            raise ModelError(Failure.ERASED, "what it is about was erased meanwhile")
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


def _answers(one: Record, request: Request) -> bool:
    """Whether a record is of this request. Of an erased one, only its key and its names say so."""
    named = (one.job, one.prompt, one.model) == (request.job, request.prompt, request.model)
    return named and (one.asked is None or one.asked.encode("utf-8") == request.data)


def _read(store: Store, rows: Sequence[Mapping[str, Any]]) -> tuple[Record, ...]:
    """The records of some events, without those that are not to be believed.

    Raises:
        DamagedStoreError: If an event is not the one that the log was continued with, or content
            does not open to its commitment.
    """
    told = [(row["seq"], _event(row)) for row in rows]
    if not told:
        return ()
    contents = store.payloads([str(event["body"]["proposal"]) for _, event in told])
    erased = contents_of(store.standing().forgets)
    digest = digester(store.digest_key(), _PURPOSE)
    found = []
    for seq, event in told:
        content = str(event["body"]["proposal"])
        one = _record(int(seq), event, contents.get(content))
        if one is None:
            continue
        if content in erased if one.asked is None else _is_whole(one, digest):
            found.append(one)
    return tuple(found)


def _record(seq: int, event: Mapping[str, Any], payload: Payload | None) -> Record | None:
    """An event and its content as a record; None when they are none that this program makes."""
    body = event["body"]
    try:
        said = {} if payload is None else canonical.decode(payload.body)
        return Record(
            seq=seq,
            recorded_at=str(event["recorded_at"]),
            key=body["key"],
            job=Job(body["job"]),
            prompt=body["prompt"],
            model=body["model"],
            outcome=Outcome(body["outcome"]),
            items=tuple(body["items"]),
            runs=tuple(body["runs"]),
            usage=Usage(body["input_tokens"], body["output_tokens"], body["cost_micros"]),
            pieces=Counter({Sort(name): int(n) for name, n in body["pieces"].items()}),
            dropped=int(body["dropped"]),
            text=said.get("text"),
            asked=said.get("asked"),
            answered_by=said.get("answered_by", ""),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _event(row: Mapping[str, Any]) -> dict[str, Any]:
    canon = bytes(row["canon"])
    if chain_hash(bytes(row["before"]), canon) != bytes(row["h"]):
        msg = (
            f"event {row['seq']}, a model's reply, is not the one that the log was continued "
            "with. Nothing of it was used. Run memory-console verify."
        )
        raise DamagedStoreError(msg)
    value: dict[str, Any] = canonical.decode(canon)
    return value


def _is_whole(one: Record, digest: Callable[[bytes], str]) -> bool:
    """Whether a record's key is made from what it says was asked.

    A version of instructions that is not known here cannot have been asked by this program.
    """
    if one.asked is None or one.prompt != prompts.version(one.job):
        return False
    request = requests.again(one.model, one.job, one.asked.encode("utf-8"))
    return digest(request.spelled()) == one.key


def _whole(text: str) -> str:
    """Half characters, which have no UTF-8 form, as replacement characters."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
