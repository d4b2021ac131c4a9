"""Requests of a store: which are unfinished, their reports, and what people confirmed since."""

from __future__ import annotations

import json
from dataclasses import replace

from review.forget import reporting, started
from review.forget.ground import Ground
from review.forget.locations import Confirmation, Location
from review.forget.report import BadReportError, Report, read_report
from review.forget.running import NoSuchRequestError
from review.forget.statuses import LocationKind, Status
from store import canonical, erase_queries, forget_queries
from store.forget_confirmations import ConfirmStatement, Said, read_confirm
from store.log import Store
from store.statements import SignedStatement

_REQUEST = started.file_of("")
_REPORT = reporting.file_of("")


def unfinished(store: Store, ground: Ground | None) -> tuple[str, ...]:
    """Ids of requests that were begun and of which no completion is recorded, oldest first.

    A file about a request of which nothing stands is one that nobody signed: it is not told.
    """
    ended = {row["forget"] for row in store.rows(erase_queries.ENDED)}
    standing = [forget for forget in store.standing().forgets if forget not in ended]
    if ground is None:
        return tuple(standing)
    known = {name.removesuffix(_REQUEST) for name in ground.names() if name.endswith(_REQUEST)}
    return tuple(forget for forget in standing if forget in known)


def reported(ground: Ground) -> tuple[str, ...]:
    """Ids of requests with a report, newest first."""
    return tuple(
        sorted(
            (n.removesuffix(_REPORT) for n in ground.names() if n.endswith(_REPORT)), reverse=True
        )
    )


def report(store: Store, ground: Ground, forget: str) -> Report:
    """The report of one request, held against the log, with what people confirmed.

    Raises:
        NoSuchRequestError: If there is none.
        BadReportError: If the file is not the one of which the log holds the digest.
    """
    data = ground.read(reporting.file_of(forget))
    if data is None:
        raise NoSuchRequestError
    if canonical.sha256(data).hex() not in _digests(store, forget):
        msg = f"the report of request {forget} is not the one that the log names. Run it again."
        raise BadReportError(msg)
    try:
        told = read_report(canonical.decode(data))
    except canonical.NotCanonicalError as error:
        msg = f"the report of request {forget} is no canonical file."
        raise BadReportError(msg) from error
    return confirmed(store, told)


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
                    name=by,
                    at=told.signed_at,
                    what=str(told.said),
                    evidence=told.evidence or "",
                    statement=signed.sha256,
                ),
            )
        )
    return found


def _digests(store: Store, forget: str) -> set[str]:
    """Digests of the reports of one request, as the log holds them."""
    return {
        str(json.loads(row["canon"])["body"].get("report"))
        for row in store.rows(forget_queries.FORGET_EVENTS)
        if row["type"] in ("forget.completed", "forget.partial")
        and json.loads(row["canon"])["body"].get("forget") == forget
    }
