"""What a person signs to have content forgotten: a plan's digest, its records and its contents.

Contents are named by the commitments that stand in the log; no word of them is signed. A plan that
is too large for one statement is signed in several parts under one forget id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from store import canonical
from store.statements import (
    MOST_SUBJECTS,
    STATEMENT_TYPE,
    Seen,
)
from store.whole_statements import read_whole

FORGET: Final = "urn:memory-console:forget:v1"
MOST_CONTENTS: Final = 5_000
"""One statement names at most this many contents: about 330 kB."""

_COMMITMENT: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Forgotten:
    """One record in the scope of a forget request: all revisions of ``item`` go."""

    item: str
    rev: int
    """The revision that was shown in the plan: the latest."""

    artifact: str
    """Digest of its manifest."""


@dataclass(frozen=True, slots=True)
class ForgetStatement:
    """One part of a signed forget request, tied to one store and reviewer."""

    store: str
    tenant: str
    forget: str
    """Id of the request, the same in all its parts."""

    part: int
    """Counted from 1 to ``parts``."""

    parts: int
    plan_sha256: str
    """Of the whole plan, as it was shown."""

    items: tuple[Forgotten, ...]
    contents: tuple[str, ...]
    """Commitments of the payloads to erase, 64 hex digits each."""

    prev: Seen
    reviewer: str
    reviewer_seq: int
    signed_at: str
    nonce: str
    guard: str = ""
    """Digest of the request's keyed digests, which keep its content from coming back: 64 hex
    digits, the same in all parts; empty where none are kept. See ``guard_digest``."""

    def encode(self) -> bytes:
        """The exact bytes to sign.

        Raises:
            ValueError: For more than 200 records or 5,000 contents, for none of either, for a
                commitment that is none, or for a part that is not one of the parts.
        """
        self._check()
        return canonical.encode(
            {
                "_type": STATEMENT_TYPE,
                "subject": [
                    _subject(_plan_name(self.forget, self.part), self.plan_sha256),
                    *(_subject(_name(one.item, one.rev), one.artifact) for one in self.items),
                ],
                "predicateType": FORGET,
                "predicate": {
                    "store": self.store,
                    "tenant": self.tenant,
                    "forget": self.forget,
                    "part": self.part,
                    "parts": self.parts,
                    "plan_sha256": self.plan_sha256,
                    "items": [{"item": one.item, "rev": one.rev} for one in self.items],
                    "contents": list(self.contents),
                    "prev": {"size": self.prev.size, "root": self.prev.root},
                    "reviewer": self.reviewer,
                    "reviewer_seq": self.reviewer_seq,
                    "signed_at": self.signed_at,
                    "nonce": self.nonce,
                    **({"guard": self.guard} if self.guard else {}),
                },
            }
        )

    def _check(self) -> None:
        if len(self.items) > MOST_SUBJECTS or len(self.contents) > MOST_CONTENTS:
            msg = (
                f"one signature covers at most {MOST_SUBJECTS} records and {MOST_CONTENTS} "
                f"contents, got {len(self.items)} and {len(self.contents)}."
            )
            raise ValueError(msg)
        if not self.items and not self.contents:
            msg = "a forget request with nothing in its scope is not signed."
            raise ValueError(msg)
        if not 1 <= self.part <= self.parts:
            msg = f"part {self.part} is not one of {self.parts}."
            raise ValueError(msg)
        if self.guard and not _COMMITMENT.fullmatch(self.guard):
            msg = "a forget statement names its guard by a digest."
            raise ValueError(msg)
        odd = [one for one in self.contents if not _COMMITMENT.fullmatch(one)]
        if odd or len(set(self.contents)) != len(self.contents):
            msg = "a forget statement names each content once, by its commitment."
            raise ValueError(msg)


def read_forget(data: bytes) -> ForgetStatement:
    """The forget statement that signed bytes hold.

    Raises:
        BadStatementError: If the bytes are none, or their subjects and records differ.
    """
    return read_whole(data, FORGET, _read, "forget statement")


def _read(subjects: Any, predicate: dict[str, Any]) -> ForgetStatement:  # noqa: ANN401 - JSON
    words = ("store", "tenant", "forget", "plan_sha256", "reviewer", "signed_at", "nonce")
    numbers = ("part", "parts", "reviewer_seq")
    if not all(type(predicate[name]) is str for name in words) or not all(
        type(predicate[name]) is int for name in numbers
    ):
        msg = "a forget statement has a value of another type."
        raise TypeError(msg)
    return ForgetStatement(
        store=predicate["store"],
        tenant=predicate["tenant"],
        forget=predicate["forget"],
        part=predicate["part"],
        parts=predicate["parts"],
        plan_sha256=predicate["plan_sha256"],
        items=tuple(
            Forgotten(one["item"], one["rev"], subject["digest"]["sha256"])
            for one, subject in zip(predicate["items"], subjects[1:], strict=True)
        ),
        contents=tuple(predicate["contents"]),
        prev=Seen(predicate["prev"]["size"], predicate["prev"]["root"]),
        reviewer=predicate["reviewer"],
        reviewer_seq=predicate["reviewer_seq"],
        signed_at=predicate["signed_at"],
        nonce=predicate["nonce"],
        guard=str(predicate.get("guard", "")),
    )


def guard_digest(keys: Iterable[str]) -> str:
    """What a statement says of the keyed digests of its request, in whatever order they come."""
    return canonical.sha256(canonical.encode({"keys": sorted(set(keys))})).hex()


def _subject(name: str, sha256: str) -> dict[str, Any]:
    return {"name": name, "digest": {"sha256": sha256}}


def _name(item: str, rev: int) -> str:
    return f"item:{item}/rev/{rev}"


def _plan_name(forget: str, part: int) -> str:
    return f"forget:{forget}/part/{part}"
