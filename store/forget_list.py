"""What was asked to be forgotten, kept outside the store, for a restored backup to hear first.

A backup is older than the requests that were signed after it. The list holds them, the reviewers
who may sign, and the keyed digests that keep content from coming back, in the order of the log. It
holds no content: ids, digests and signatures only. It is a file of JSON lines beside the store.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from store import whole_files
from store.events import EventType
from store.forget_statements import ForgetStatement, guard_digest, read_forget
from store.statements import BadStatementError, SignedStatement

FORMAT: Final = 1
SUFFIX: Final = ".forgets"

KINDS: Final = (
    EventType.REVIEWER_ADDED,
    EventType.REVIEWER_REVOKED,
    EventType.FORGET_REQUESTED,
    EventType.FORGET_GUARDED,
)
"""What a restored store has to hear. A request that was replayed is still that request."""


class ForgetListError(RuntimeError):
    """The list is missing or cannot be read, so nobody knows what must not come back."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One event that a restored store has to hear."""

    kind: EventType
    signed: SignedStatement | None = None
    """Of a reviewer or a forget request."""

    forget: str = ""
    keys: tuple[str, ...] = ()
    """Of a guard: the keyed digests."""

    @property
    def guard(self) -> str:
        """The digest over them, as a signed request names it."""
        return guard_digest(self.keys)


@dataclass(frozen=True, slots=True)
class ForgetList:
    """Everything that a restored store has to hear, oldest first, for one store."""

    store: str
    tenant: str
    heard: tuple[Heard, ...]

    def begins_with(self, other: ForgetList) -> bool:
        """Whether nothing of ``other`` is missing from its place here."""
        same = (self.store, self.tenant) == (other.store, other.tenant)
        return same and self.heard[: len(other.heard)] == other.heard


def write(path: Path, told: ForgetList) -> None:
    """Put the list in ``path``, whole or not at all.

    Raises:
        ForgetListError: If what is there is not the beginning of ``told``: then it knows of
            requests that ``told`` does not.
        OSError: If it cannot be written.
    """
    if path.exists() and not told.begins_with(read(path)):
        msg = f"{path.name} holds requests that this store does not. Nothing was changed."
        raise ForgetListError(msg)
    head = {"format": FORMAT, "store": told.store, "tenant": told.tenant}
    lines = [head, *(_told(one) for one in told.heard)]
    data = "".join(json.dumps(line, sort_keys=True) + "\n" for line in lines)
    whole_files.put(path, data.encode("ascii"))


def read(path: Path) -> ForgetList:
    """The list that ``path`` holds.

    Raises:
        ForgetListError: If it is missing, or is not one of ours.
    """
    try:
        lines = path.read_text(encoding="ascii").splitlines()
        head, *more = (json.loads(line) for line in lines)
        if head["format"] != FORMAT:
            msg = f"{path.name} is of a newer format."
            raise ForgetListError(msg)
        return ForgetList(head["store"], head["tenant"], tuple(_read(one) for one in more))
    except FileNotFoundError as error:
        msg = f"{path.name} is missing. Without it nobody knows what must not come back."
        raise ForgetListError(msg) from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        msg = f"{path.name} cannot be read ({type(error).__name__}). Nothing was changed."
        raise ForgetListError(msg) from error


def joined(lists: Sequence[ForgetList]) -> ForgetList:
    """The longest of several lists of one store, if each of the others is its beginning.

    Raises:
        ForgetListError: If there is none, or they disagree.
    """
    if not lists:
        msg = "there is no list of what was forgotten."
        raise ForgetListError(msg)
    longest = max(lists, key=lambda one: len(one.heard))
    if not all(longest.begins_with(one) for one in lists):
        msg = "two lists of what was forgotten disagree. Nothing was changed."
        raise ForgetListError(msg)
    return longest


def examine_guards(told: ForgetList, heard: int) -> None:
    """Refuse keyed digests that no signed request of the list names, and requests that lack them.

    A guard is no signed event, so it is believed as far as the request that it belongs to says so:
    whoever edits the list can neither drop one nor add one.

    Args:
        told: The whole list. That its requests are signed is for whoever applies them to see.
        heard: How many of its entries the log of the backup holds itself.

    Raises:
        ForgetListError: If there is one of either.
    """
    signed: dict[str, str] = {}
    for one in told.heard:
        if one.kind == EventType.FORGET_REQUESTED and one.signed is not None:
            statement = _statement(one.signed)
            signed[statement.forget] = statement.guard
    guarded = {one.forget for one in told.heard if one.kind == EventType.FORGET_GUARDED}
    for one in told.heard[heard:]:
        if one.kind == EventType.FORGET_GUARDED and signed.get(one.forget, "") != one.guard:
            msg = (
                f"the keyed digests of forget request {one.forget} in the list are not those that "
                "were signed. Nothing was restored. Use a copy of the list that nobody changed."
            )
            raise ForgetListError(msg)
    lacking = sorted(forget for forget, guard in signed.items() if guard and forget not in guarded)
    if lacking:
        msg = (
            f"the list lacks the keyed digests of {len(lacking)} forget requests: {lacking[0]}. "
            "Without them the content could come back. Nothing was restored. Use a copy of the "
            "list that nobody changed."
        )
        raise ForgetListError(msg)


def _statement(signed: SignedStatement) -> ForgetStatement:
    try:
        return read_forget(signed.statement)
    except BadStatementError as error:
        msg = f"the list holds a request that is none: {error} Nothing was restored."
        raise ForgetListError(msg) from error


def _told(one: Heard) -> dict[str, Any]:
    told: dict[str, Any] = {"kind": str(one.kind)}
    if one.signed is not None:
        told["statement"] = base64.b64encode(one.signed.statement).decode("ascii")
        told["signature"] = one.signed.signature
    if one.kind == EventType.FORGET_GUARDED:
        told |= {"forget": one.forget, "keys": list(one.keys)}
    return told


def _read(told: dict[str, Any]) -> Heard:
    kind = EventType(told["kind"])
    if kind not in KINDS:
        msg = "not something that a restored store hears."
        raise ValueError(msg)
    if kind == EventType.FORGET_GUARDED:
        return Heard(kind, forget=str(told["forget"]), keys=tuple(map(str, told["keys"])))
    try:
        statement = base64.b64decode(told["statement"], validate=True)
    except binascii.Error as error:
        msg = "a statement that is no base64."
        raise ValueError(msg) from error
    signed = SignedStatement(statement, str(told["signature"]))
    return Heard(kind, signed)


def beside(store: Path) -> Path:
    """Where the list of a store is kept."""
    return store.with_name(f"{store.name}{SUFFIX}")


def refuse_older(store: Path, known: int) -> None:
    """Refuse a store that was put back to before something was forgotten.

    Args:
        store: Its file.
        known: How many entries of such a list its log can tell, at most.

    Raises:
        ForgetListError: If the list beside it has more, or cannot be read.
    """
    path = beside(store)
    if path.exists() and len(read(path).heard) > known:
        msg = (
            f"{store.name} is older than what was forgotten since, as {path.name} tells. Nothing "
            "was opened. Restore it, so that it is forgotten again."
        )
        raise ForgetListError(msg)
