"""Requests of a store: which are unfinished, their reports, and what people confirmed since."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from review.forget import reporting, started, wording
from review.forget.ground import RequestFiles
from review.forget.locations import Confirmation, Location
from review.forget.report import BadReportError, Report, read_report
from review.forget.running import NoSuchRequestError
from review.forget.started import BadRequestFileError
from review.forget.statuses import LocationKind, Status
from store import canonical, erase_queries, forget_queries
from store.events import EventType
from store.forget_confirmations import ConfirmStatement, Said, read_confirm
from store.log import Store
from store.statements import SignedStatement

_REQUEST: Final = started.file_of("")
_REPORT: Final = reporting.file_of("")


@dataclass(frozen=True, slots=True)
class Ended:
    """What the log says of a request that was carried out, last."""

    forget: str
    at: str
    completed: bool
    """In full; else in part."""

    counts: dict[Status, int]
    """Its rows by status, as its report counted them then."""


@dataclass(frozen=True, slots=True)
class Unsigned:
    """A request that was begun and that nobody signed: nothing of it was erased."""

    forget: str
    started_at: str
    """Empty where the file about it cannot be read."""

    rows: int = 0
    """That it was to erase."""

    withdrawn: int = 0
    """That were to be taken out of use first: that may have happened."""


def unfinished(store: Store) -> tuple[str, ...]:
    """Ids of requests that stand and of which no completion is recorded, oldest first."""
    done = {row["forget"] for row in store.rows(erase_queries.ENDED)}
    return tuple(forget for forget in store.standing().forgets if forget not in done)


def unsigned(store: Store, ground: RequestFiles) -> tuple[Unsigned, ...]:
    """Requests with a file and without a signature. One that is being begun is among them."""
    standing = store.standing().forgets
    named = (name.removesuffix(_REQUEST) for name in ground.names() if name.endswith(_REQUEST))
    return tuple(_unsigned(ground, forget) for forget in named if forget not in standing)


def _unsigned(ground: RequestFiles, forget: str) -> Unsigned:
    try:
        begun = started.read(ground.read(started.file_of(forget)) or b"", forget)
    except BadRequestFileError:
        return Unsigned(forget, "")
    return Unsigned(forget, begun.started_at, len(begun.erased), len(begun.withdrawn))


def ended(store: Store) -> dict[str, Ended]:
    """What the log says last of each request that was carried out, oldest first."""
    found: dict[str, Ended] = {}
    for row in store.rows(forget_queries.ENDS):
        body = json.loads(row["canon"])["body"]
        counts = {Status(name): int(count) for name, count in body["counts"].items()}
        forget, full = str(body["forget"]), row["type"] == EventType.FORGET_COMPLETED
        found[forget] = Ended(forget, str(row["recorded_at"]), full, counts)
    return found


def reported(ground: RequestFiles) -> tuple[str, ...]:
    """Ids of requests with a report, newest first."""
    return tuple(
        sorted(
            (n.removesuffix(_REPORT) for n in ground.names() if n.endswith(_REPORT)), reverse=True
        )
    )


def report(store: Store, ground: RequestFiles, forget: str) -> Report:
    """The report of one request, held against the log, with what people confirmed.

    Raises:
        NoSuchRequestError: If there is none.
        BadReportError: If the file is not the one of which the log holds the digest.
    """
    return _report(store, ground, forget, _digests(store))


def reports(store: Store, ground: RequestFiles) -> tuple[tuple[str, Report | None], ...]:
    """Every report that is here, newest first; None for one that the log does not name."""
    named = _digests(store)
    told: list[tuple[str, Report | None]] = []
    for forget in reported(ground):
        try:
            told.append((forget, _report(store, ground, forget, named)))
        except BadReportError:
            told.append((forget, None))
    return tuple(told)


def _report(
    store: Store, ground: RequestFiles, forget: str, named: Mapping[str, set[str]]
) -> Report:
    data = ground.read(reporting.file_of(forget))
    if data is None:
        raise NoSuchRequestError
    if canonical.sha256(data).hex() not in named.get(forget, ()):
        open_ = forget in unfinished(store)
        next_ = "Go on with the request." if open_ else "Bring the file as it was made."
        msg = f"the report of request {forget} is not the one that the log names. {next_}"
        raise BadReportError(msg)
    try:
        told = _read(data)
    except canonical.NotCanonicalError as error:
        msg = f"the report of request {forget} is no canonical file."
        raise BadReportError(msg) from error
    return confirmed(store, told)


@lru_cache(maxsize=8)
def _read(data: bytes) -> Report:
    """The report that these bytes hold: pages ask for the same ones again and again."""
    return read_report(canonical.decode(data))


def as_made(told: Report) -> Report:
    """A report without what was added to it later: what people confirmed, and later looks."""
    return replace(told, checked_at="", locations=tuple(map(_as_made, told.locations)))


def is_named(store: Store, told: Report) -> bool:
    """Whether the log holds the digest of this report, as it was made."""
    digest = canonical.sha256(as_made(told).encode()).hex()
    return digest in _digests(store).get(told.head.forget_id, ())


def is_signed(store: Store, told: Report) -> bool:
    """Whether every statement that this report tells of stands in the log."""
    request = store.standing().forgets.get(told.head.forget_id)
    named = set(told.head.statement_sha256)
    return request is not None and bool(named) and named <= set(request.statements)


def _as_made(one: Location) -> Location:
    beyond = one.status is Status.PUT_BEYOND_USE
    status = Status.OUTSIDE_CONTROL if beyond else one.status
    return replace(one, confirmed=(), status=status)


def confirmed(store: Store, told: Report) -> Report:
    """``told`` with what people signed about its places since."""
    said = _confirmations(store, told.head.forget_id)
    if not said:
        return told
    return replace(told, locations=tuple(_with(one, said) for one in told.locations))


def _with(one: Location, said: list[tuple[ConfirmStatement, Confirmation]]) -> Location:
    mine = tuple(told for statement, told in said if statement.location == one.location_id)
    if not mine:
        return one
    beyond = one.kind is LocationKind.BACKUP and any(c.what == Said.BEYOND_USE for c in mine)
    status = Status.PUT_BEYOND_USE if beyond else one.status
    return replace(one, confirmed=mine, status=status)


def _confirmations(store: Store, forget: str) -> list[tuple[ConfirmStatement, Confirmation]]:
    """What stands of what people said, oldest first."""
    used, found = store.standing().used, []
    for row in store.rows(forget_queries.CONFIRMED):
        signed = SignedStatement(bytes(row["statement"]), str(row["sshsig"]))
        if signed.sha256 not in used:
            continue
        told = read_confirm(signed.statement)
        if told.forget != forget:
            continue
        body = json.loads(row["canon"])["body"]
        name = str(body.get("name") or "")
        names = store.payloads([name]) if name else {}
        by = names[name].body.decode("utf-8") if name in names else ""
        found.append(
            (
                told,
                Confirmation(
                    by=told.reviewer,
                    name=wording.person(by),
                    at=told.signed_at,
                    what=str(told.said),
                    evidence=told.evidence or "",
                    statement=signed.sha256,
                ),
            )
        )
    return found


def _digests(store: Store) -> dict[str, set[str]]:
    """Digests of the reports of each request, as the log holds them."""
    found: dict[str, set[str]] = {}
    for row in store.rows(forget_queries.ENDS):
        body = json.loads(row["canon"])["body"]
        found.setdefault(str(body["forget"]), set()).add(str(body.get("report")))
    return found
