"""What the value of an item in a LangGraph store says: one text, or a text for each leaf.

LangMem puts its texts in an envelope, ``{"kind", "content"}``. Any other value has a shape of its
program's choice; each of its leaves is a claim, with the path to it in front.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from importers import fields
from importers.faults import RecordFaultError
from importers.json_reading.strict import JsonObject
from store.cells import Kind
from store.records import FailReason

MAX_LEAVES: Final = 500
_VECTOR: Final = 16
"""A list of at least so many numbers is a vector, not so many claims."""

_TRIPLE: Final = ("subject", "predicate", "object")
_KINDS: Final = (
    ("preference", Kind.PROFILE_PREFERENCE),
    ("profile", Kind.PROFILE_PREFERENCE),
    ("episode", Kind.EVENT),
    ("event", Kind.EVENT),
    ("decision", Kind.DECISION),
    ("procedure", Kind.PROCEDURE),
    ("instruction", Kind.PROCEDURE),
    ("summary", Kind.SESSION_SUMMARY),
)


@dataclass(frozen=True, slots=True)
class Leaf:
    """One claim of a value."""

    claim: str
    written: str
    """The text as it stands in the file, without the path in front."""

    path: str = ""
    """Empty for a value that is one text."""

    name: str = ""
    """The last key of the path."""

    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """All that a value says."""

    leaves: tuple[Leaf, ...]
    kind: Kind
    beside: dict[str, object]
    """Members that are no claim."""

    vectors: int = 0


def read(value: object) -> Told:
    """The claims of a value.

    Raises:
        RecordFaultError: ``TOO_MANY_KEYS`` if it has more than ``MAX_LEAVES``, ``FIELD_INVALID``
            if it is a mere number.
    """
    if value is not None and not isinstance(value, str | list | dict):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="value")
    beside: dict[str, object] = {}
    kind = Kind.FACT
    if isinstance(value, dict) and isinstance(value.get("kind"), str) and "content" in value:
        beside = {name: one for name, one in value.items() if name != "content"}
        kind = _kind(str(value["kind"]))
        value = value["content"]
    while isinstance(value, dict) and set(value) == {"content"}:
        value = value["content"]
    if isinstance(value, dict) and _is_text(value):
        beside |= {name: one for name, one in value.items() if name != "content"}
        value = value["content"]
    if isinstance(value, str):
        return Told((Leaf(value.strip(), value.strip()),) if value.strip() else (), kind, beside)
    if isinstance(value, dict) and (triple := _triple(value)):
        beside |= {name: one for name, one in value.items() if name not in _TRIPLE}
        return Told((triple,), kind, beside)
    vectors: list[int] = []
    leaves = tuple(_leaves(value, "", vectors))
    if vectors:
        beside["vector_dimensions"] = max(vectors)
    return Told(leaves, kind, beside, len(vectors))


def _is_text(value: JsonObject) -> bool:
    """Whether its ``content`` is the text and what stands beside it tells only of it."""
    return isinstance(value.get("content"), str) and all(
        name == "content" or not isinstance(one, str | list | dict) or name in _OF_A_TEXT
        for name, one in value.items()
    )


_OF_A_TEXT: Final = frozenset(
    {"context", "type", "category", "categories", "tags", "metadata", "source", "importance"}
    | {"created_at", "updated_at", "timestamp", "id", "user_id", "confidence", "embedding"}
)


def _triple(value: JsonObject) -> Leaf | None:
    words = [value.get(name) for name in _TRIPLE]
    texts = [one.strip() for one in words if isinstance(one, str) and one.strip()]
    if len(texts) != len(_TRIPLE):
        return None
    return Leaf(" ".join(texts), texts[2], name=_TRIPLE[2], entities=(texts[0], texts[2]))


def _leaves(value: object, path: str, vectors: list[int]) -> Iterator[Leaf]:
    for count, (where, written) in enumerate(_texts(value, path, vectors)):
        if count >= MAX_LEAVES:
            raise RecordFaultError(FailReason.TOO_MANY_KEYS, name="value")
        keys = [part for part in where.split(".") if not part.isdigit()]
        claim = f"{'.'.join(keys)}: {written}" if keys else written
        yield Leaf(claim, written, where, keys[-1] if keys else "")


def _texts(value: object, path: str, vectors: list[int]) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _texts(one, f"{path}.{name}" if path else name, vectors)
    elif isinstance(value, list):
        if len(value) >= _VECTOR and all(type(one) in (int, float) for one in value):
            vectors.append(len(value))
            return
        for n, one in enumerate(value):
            yield from _texts(one, f"{path}.{n}" if path else str(n), vectors)
    elif isinstance(value, str):
        if value.strip():
            yield path, value.strip()
    elif value is not None:
        yield path, fields.canonical(value).decode()


def _kind(name: str) -> Kind:
    """What the name of the schema hints at; anything else is a ``fact``."""
    plain = name.lower()
    return next((kind for word, kind in _KINDS if word in plain), Kind.FACT)
