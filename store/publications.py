"""What people sign for readers outside the store: what is durable, and what is so no more.

A publish statement covers the state of the durable set, a deny list what of an earlier state must
not be served. Both name the exact head of the log that they were signed at. Neither moves a stage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from store import canonical, merkle
from store.events import EventType
from store.statements import STATEMENT_TYPE, BadStatementError, Seen, opened

PUBLISH: Final = "urn:memory-console:publish:v1"
DENY: Final = "urn:memory-console:deny:v1"
MOST_DENIED: Final = 100_000
"""Items of one deny list at most."""


@dataclass(frozen=True, slots=True)
class PublishStatement:
    """The state of the durable set at one head of the log, and the file that holds it."""

    store: str
    tenant: str
    size: int
    """Events of the log that the snapshot shows."""

    root: str
    """Merkle root of these events, hex."""

    state_root: str
    """``state_root`` of the durable cells, hex."""

    snapshot_sha256: str
    """Of the snapshot file's bytes, hex."""

    reviewer: str
    reviewer_seq: int
    signed_at: str
    valid_until: str | None
    """RFC 3339, UTC: a reader refuses the snapshot from then on. None: it has no such end."""

    @property
    def prev(self) -> Seen:
        """The head that it was signed at."""
        return Seen(self.size, self.root)

    def encode(self) -> bytes:
        """The exact bytes to sign."""
        return _spelled(
            [{"name": "snapshot", "digest": {"sha256": self.snapshot_sha256}}],
            PUBLISH,
            {
                **_tied(self),
                "state_root": self.state_root,
                "snapshot_sha256": self.snapshot_sha256,
                "valid_until": self.valid_until,
            },
        )


@dataclass(frozen=True, slots=True)
class Denied:
    """One cell that was durable in an earlier snapshot and is no more."""

    item: str
    artifact: str
    """Digest of the manifest that the snapshot holds."""


@dataclass(frozen=True, slots=True)
class DenyStatement:
    """All cells of the last snapshot that must not be served from it any more."""

    store: str
    tenant: str
    size: int
    root: str
    items: tuple[Denied, ...]
    reviewer: str
    reviewer_seq: int
    signed_at: str

    @property
    def prev(self) -> Seen:
        """The head that it was signed at."""
        return Seen(self.size, self.root)

    def encode(self) -> bytes:
        """The exact bytes to sign.

        Raises:
            ValueError: For no item, or more than ``MOST_DENIED``.
        """
        if not 1 <= len(self.items) <= MOST_DENIED:
            msg = f"a deny list names 1 to {MOST_DENIED:,} items, got {len(self.items)}."
            raise ValueError(msg)
        return _spelled(
            [
                {"name": f"item:{one.item}", "digest": {"sha256": one.artifact}}
                for one in self.items
            ],
            DENY,
            {**_tied(self), "items": [[one.item, one.artifact] for one in self.items]},
        )


Publication = PublishStatement | DenyStatement


@dataclass(frozen=True, slots=True)
class Written:
    """A snapshot that is on the disk and that nobody is pointed at yet."""

    name: str
    sha256: str
    cells: int


def state_root(cells: Iterable[tuple[str, int, str]]) -> str:
    """Merkle root, hex, over the sorted (item, revision, artifact digest) of durable cells."""
    leaves = [merkle.leaf_hash(canonical.spell(list(cell))) for cell in sorted(cells)]
    return merkle.root(leaves).hex()


def read_publish(data: bytes) -> PublishStatement:
    """The state that signed bytes publish.

    Raises:
        BadStatementError: If they are no such statement.
    """
    subjects, told = opened(data, PUBLISH)
    try:
        (subject,) = subjects
        statement = PublishStatement(
            **_read_tie(told),
            state_root=_hex(told["state_root"]),
            snapshot_sha256=_hex(told["snapshot_sha256"]),
            valid_until=None if told["valid_until"] is None else _text(told["valid_until"]),
        )
        if subject["digest"]["sha256"] != statement.snapshot_sha256:
            raise ValueError(PUBLISH)  # noqa: TRY301 - one place tells what is malformed
    except (KeyError, TypeError, ValueError) as error:
        raise _malformed(PUBLISH, error) from error
    return statement


def read_deny(data: bytes) -> DenyStatement:
    """The deny list that signed bytes hold.

    Raises:
        BadStatementError: If they are no such statement.
    """
    _subjects, told = opened(data, DENY)
    try:
        items = tuple(Denied(_text(item), _hex(artifact)) for item, artifact in told["items"])
        return DenyStatement(**_read_tie(told), items=items)
    except (KeyError, TypeError, ValueError) as error:
        raise _malformed(DENY, error) from error


READ_AS: Final[dict[str, Callable[[bytes], Publication]]] = {
    EventType.SNAPSHOT_PUBLISHED: read_publish,
    EventType.READERS_DENIED: read_deny,
}
"""How the statement of each event is read."""


def _tied(statement: Publication) -> dict[str, Any]:
    return {
        "store": statement.store,
        "tenant": statement.tenant,
        "size": statement.size,
        "root": statement.root,
        "reviewer": statement.reviewer,
        "reviewer_seq": statement.reviewer_seq,
        "signed_at": statement.signed_at,
    }


def _read_tie(told: dict[str, Any]) -> dict[str, Any]:
    size, place = told["size"], told["reviewer_seq"]
    if type(size) is not int or type(place) is not int:
        msg = "a position is a whole number."
        raise TypeError(msg)
    words = {name: _text(told[name]) for name in ("store", "tenant", "reviewer", "signed_at")}
    return {**words, "size": size, "reviewer_seq": place, "root": _hex(told["root"])}


def _text(value: object) -> str:
    if type(value) is not str:
        msg = "a name or time is a text."
        raise TypeError(msg)
    return value


def _hex(value: object) -> str:
    told = _text(value)
    if len(bytes.fromhex(told)) != 32:
        msg = "a digest has 64 hex digits."
        raise ValueError(msg)
    return told


def _spelled(subject: list[dict[str, Any]], kind: str, predicate: dict[str, Any]) -> bytes:
    return canonical.encode(
        {
            "_type": STATEMENT_TYPE,
            "subject": subject,
            "predicateType": kind,
            "predicate": predicate,
        }
    )


def _malformed(which: str, error: Exception) -> BadStatementError:
    return BadStatementError(f"the statement {which} is malformed ({type(error).__name__}).")
