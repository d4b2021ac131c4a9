"""Which forget requests stand: the fold over what people signed to have forgotten.

A request that stands is never taken back: from its first part on, what it names is not served.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from store.forget_statements import ForgetStatement, guard_digest
from store.stages import ArtifactsOf, Stage, Stands


class ForgetNotAcceptedError(ValueError):
    """A forget statement may not take effect. The message says what was refused and why."""


@dataclass(frozen=True, slots=True)
class Request:
    """One forget request, as far as its signed parts stand."""

    forget: str
    plan_sha256: str
    parts: int
    by: str
    signed_at: str
    """Of its first part."""

    standing: frozenset[int] = frozenset()
    """Which parts stand."""

    items: frozenset[str] = frozenset()
    contents: frozenset[str] = field(default_factory=frozenset)
    """Commitments."""

    statements: tuple[str, ...] = ()
    """Digests of the signed parts, in the order in which they took effect."""

    guard: str = ""
    """What its parts say of its keyed digests: see ``forget_statements.guard_digest``."""

    @property
    def whole(self) -> bool:
        """Whether every part of it stands."""
        return len(self.standing) == self.parts


ForgetStanding = dict[str, Request]
"""Requests by forget id."""


def items_of(forgets: ForgetStanding) -> frozenset[str]:
    """Every item that a person signed to have forgotten: told as of no moment any more."""
    return frozenset[str]().union(*(request.items for request in forgets.values()))


def contents_of(forgets: ForgetStanding) -> frozenset[str]:
    """Every content that a person signed to have erased."""
    return frozenset[str]().union(*(request.contents for request in forgets.values()))


def examine(
    statement: ForgetStatement,
    forgets: ForgetStanding,
    *,
    artifacts_of: ArtifactsOf,
    erased: Callable[[str], bool],
    replayed: bool = False,
) -> None:
    """Whether ``statement`` may take effect now. Changes nothing.

    Args:
        statement: One signed part of a request.
        forgets: What stands.
        artifacts_of: Digests of the artifacts staged as (item, revision).
        erased: Whether an item is erased already.
        replayed: Whether it is applied again to a store that was restored from before it: then
            records that this store never had, or has erased already, are passed over.

    Raises:
        ForgetNotAcceptedError: For a part that stands already, one of another plan, or a record
            that is not the artifact that was signed.
    """
    request = forgets.get(statement.forget)
    if request is not None:
        if statement.part in request.standing:
            msg = f"part {statement.part} of forget request {statement.forget} stands already."
            raise ForgetNotAcceptedError(msg)
        told = (statement.parts, statement.plan_sha256, statement.guard)
        if (request.parts, request.plan_sha256, request.guard) != told:
            msg = f"this is a part of another plan than forget request {statement.forget}'s."
            raise ForgetNotAcceptedError(msg)
    if len({one.item for one in statement.items}) != len(statement.items):
        msg = "one statement forgets an item twice. Nothing was saved."
        raise ForgetNotAcceptedError(msg)
    artifacts = artifacts_of((one.item, one.rev) for one in statement.items)
    for one in statement.items:
        found = artifacts.get((one.item, one.rev))
        if replayed and (found is None or erased(one.item)):
            continue
        if found != one.artifact:
            msg = (
                f"item {one.item} is not the artifact that was signed. Nothing was saved. "
                "Make the plan again and look at what it is now."
            )
            raise ForgetNotAcceptedError(msg)
        if erased(one.item):
            msg = f"item {one.item} was erased already. Nothing was saved. Make the plan again."
            raise ForgetNotAcceptedError(msg)


def examine_guard(forgets: ForgetStanding, forget: str, keys: Iterable[str]) -> None:
    """Whether keyed digests may be recorded for a request: those that its signer named.

    Raises:
        ForgetNotAcceptedError: If they are others. Of a request that does not stand, or was signed
            before requests named their digests, nothing is known, and nothing is said.
    """
    request = forgets.get(forget)
    if request is not None and request.guard and guard_digest(keys) != request.guard:
        msg = f"these are not the keyed digests that were signed with forget request {forget}."
        raise ForgetNotAcceptedError(msg)


def record(
    statement: ForgetStatement,
    sha256: str,
    forgets: ForgetStanding,
    items: dict[str, Stands],
) -> None:
    """Let an accepted statement take effect: in ``forgets``, and on where ``items`` stand."""
    for one in statement.items:
        stood = items.get(one.item)
        items[one.item] = Stands(
            rev=one.rev,
            artifact=one.artifact,
            stage=Stage.ERASED,
            by=statement.reviewer,
            signed_at=statement.signed_at,
            statement=sha256,
            count=(stood.count if stood is not None and stood.rev == one.rev else 0) + 1,
        )
    before = forgets.get(statement.forget)
    if before is None:
        before = Request(
            statement.forget,
            statement.plan_sha256,
            statement.parts,
            statement.reviewer,
            statement.signed_at,
            guard=statement.guard,
        )
    forgets[statement.forget] = Request(
        before.forget,
        before.plan_sha256,
        before.parts,
        before.by,
        before.signed_at,
        before.standing | {statement.part},
        before.items | {one.item for one in statement.items},
        before.contents | frozenset(statement.contents),
        (*before.statements, sha256),
        before.guard,
    )


def unfinished(forgets: ForgetStanding, completed: Iterable[str]) -> tuple[str, ...]:
    """Ids of requests that stand and of which no completion was recorded, oldest first."""
    done = set(completed)
    return tuple(forget for forget in forgets if forget not in done)
