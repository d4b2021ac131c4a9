"""Documents and memories that a search put into the context, each with its own text and id.

One utterance per document: its ``text`` as the file has it, ``call`` its id in the store that was
searched, ``name`` the search. Later work matches these to cells, so nothing is joined or cut here.
"""

from __future__ import annotations

from typing import Final

from importers.traces.json import Opener, written
from importers.traces.spans import Utterance
from store.trajectories import StepKind

_TEXTS: Final = (
    *("page_content", "pageContent", "content", "text", "document", "memory", "chunk"),
    *("body", "passage", "snippet", "fact", "claim", "data", "value", "excerpt", "summary"),
)
_IDS: Final = (
    *("id", "document_id", "doc_id", "documentId", "id_", "node_id", "chunk_id", "memory_id"),
    *("uuid", "key", "source_id", "_id", "item_id", "ref"),
)
_LISTS: Final = (
    *("documents", "docs", "retrieved_documents", "retrieval_documents", "results", "matches"),
    *("nodes", "source_nodes", "source_documents", "context", "contexts", "chunks", "memories"),
    *("items", "output", "outputs", "result", "data", "hits", "facts", "records"),
)
_DEEP: Final = 5


def of(value: object, opener: Opener, *, name: str = "") -> list[Utterance]:
    """The documents in the output of a search; none where it is in no known shape."""
    return _many(value, opener, name, 0)


def _many(value: object, opener: Opener, name: str, deep: int) -> list[Utterance]:
    value = opener.open(value)
    if deep > _DEEP:
        return []
    if isinstance(value, list):
        return [said for one in value for said in _element(one, opener, name, deep)]
    return _object(_unwrapped(value), opener, name, deep) if isinstance(value, dict) else []


def _element(one: object, opener: Opener, name: str, deep: int) -> list[Utterance]:
    opened = opener.open(one)
    if isinstance(opened, str):
        return [_recalled(opened, "", name)] if opened.strip() else []
    return _many(opened, opener, name, deep + 1)


def _object(item: dict[str, object], opener: Opener, name: str, deep: int) -> list[Utterance]:
    """One document, or the list of them that an object holds."""
    for key in _LISTS:
        inner = opener.open(item.get(key))
        if isinstance(inner, list):
            ids = item.get("ids")
            if isinstance(ids, list) and all(isinstance(one, str) for one in _flat(inner)):
                return _paired(_flat(inner), _flat(ids), name)
            return _many(inner, opener, name, deep + 1)
    if (text := _text(item)) is not None or _id(item):
        return [_recalled(text or "", _id(item), name)]
    if len(item) == 1 and isinstance(inner := next(iter(item.values())), list | dict):
        return _many(inner, opener, name, deep + 1)
    return []


def _unwrapped(item: dict[str, object]) -> dict[str, object]:
    """The document itself, out of what libraries put around it."""
    for key in ("document", "node", "kwargs", "payload"):
        inner = item.get(key)
        if isinstance(inner, dict):
            outer = {} if key == "kwargs" else {k: v for k, v in item.items() if k in _IDS}
            return {**outer, **{one.removeprefix("document."): v for one, v in inner.items()}}
    return {key.removeprefix("document."): value for key, value in item.items()}


def _text(item: dict[str, object]) -> str | None:
    for key in _TEXTS:
        value = item.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if (
            isinstance(value, list)
            and value
            and all(isinstance(one, dict) and isinstance(one.get("text"), str) for one in value)
        ):
            return "\n".join(str(one["text"]) for one in value)
        if isinstance(value, dict) and value and key in ("content", "data", "value"):
            return written(value)
    return None


def _id(item: dict[str, object]) -> str:
    inner = item.get("metadata")
    for holder in (item, inner if isinstance(inner, dict) else {}):
        for key in _IDS:
            value = holder.get(key)
            if isinstance(value, list):  # LangChain's class path
                continue
            if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
                return str(value)
    return ""


def _recalled(text: str, own: str, name: str) -> Utterance:
    return Utterance(StepKind.RECALLED, text, name=name, call=own)


def _paired(texts: list[object], ids: list[object], name: str) -> list[Utterance]:
    """A column of texts beside a column of ids."""
    known = [str(one) for one in ids] + [""] * len(texts)
    return [_recalled(str(one), own, name) for one, own in zip(texts, known, strict=False)]


def _flat(value: object) -> list[object]:
    if isinstance(value, list):
        return [inner for one in value for inner in _flat(one)]
    return [value]
