"""Which column of a table is what: the person's choice, and a proposal for it.

A proposal is made from the names of columns, English and Russian, and from what stands in them.
Nothing of it is taken without being asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from importers.mapped import times
from store.cells import Kind, SourceType

CSV: Final = "csv"
JSON: Final = "json"


@dataclass(frozen=True, slots=True)
class Column:
    """A column or a field, with values to know it by."""

    name: str
    examples: tuple[str, ...]
    """Up to three different values, each cut to 80 characters."""


@dataclass(frozen=True, slots=True)
class Mapping:
    """Which column is what. An empty name is "no such column"."""

    form: str = CSV
    """``csv``, or ``json`` for a list, for lines, or for a list under a key."""

    claim: str = ""
    kind: str = ""
    kind_always: Kind = Kind.FACT
    """The kind where no column says one, or says none of ours."""

    source_type: SourceType = SourceType.FOREIGN_MEMORY
    source_id: str = ""
    written_at: str = ""
    valid_from: str = ""
    valid_until: str = ""
    entities: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    confidence: str = ""
    review_id: str = ""
    system: str = ""
    """What stands before a record's own id; the file's name unless it is given."""

    delimiter: str = ","
    header: bool = True
    """Whether the first row names the columns; otherwise they are ``1``, ``2`` and so on."""

    under: str = ""
    """The key under which the list of records stands in a JSON object."""


@dataclass(frozen=True, slots=True)
class Columns:
    """What there is to choose from, and what is proposed."""

    columns: tuple[Column, ...]
    proposed: Mapping


_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "claim": (
        *("claim", "memory", "fact", "statement", "text", "content", "note", "body"),
        *("description", "message", "comment", "утверждение", "факт", "память", "текст"),
        *("содержание", "запись", "заметка", "описание", "сообщение", "комментарий"),
    ),
    "kind": ("kind", "type", "category", "вид", "тип", "категория"),
    "source_id": (
        *("source_id", "id", "uuid", "guid", "memory_id", "record_id", "external_id", "key"),
        *("ид", "идентификатор", "номер", "код"),
    ),
    "written_at": (
        *("written_at", "created_at", "created", "updated_at", "timestamp", "created_on"),
        *("date", "time", "дата_записи", "дата_создания", "создано", "записано", "дата", "время"),
    ),
    "valid_from": (
        *("valid_from", "effective_from", "start", "start_date", "since", "from"),
        *("действует_с", "дата_начала", "начало", "с"),
    ),
    "valid_until": (
        *("valid_until", "valid_to", "effective_to", "end", "end_date", "until", "expires_at"),
        *("действует_до", "действует_по", "дата_окончания", "конец", "окончание", "до", "по"),
    ),
    "confidence": ("confidence", "score", "probability", "уверенность", "вероятность"),
    "review_id": ("source_review_id", "review_id", "review", "проверка"),
}
_MANY: Final[dict[str, tuple[str, ...]]] = {
    "entities": (
        *("entities", "entity", "subject", "about", "people", "сущности", "сущность"),
        *("субъект", "объект", "о_ком"),
    ),
    "scope": (
        *("user", "user_id", "project", "team", "session", "app", "agent", "agent_id", "region"),
        *("department", "пользователь", "проект", "команда", "отдел", "регион", "сотрудник"),
    ),
}
_LAST_PART: Final = re.compile(r"[^.]+$")
_NOT_WORD: Final = re.compile(r"\W+")
_WORDS: Final = 3
"""Words that a text has at least, on average, to be taken for a claim without a telling name."""


def proposed(columns: Sequence[Column], start: Mapping) -> Mapping:
    """``start`` with a column for each field that one seems to fit."""
    free = {_plain(column.name): column for column in reversed(columns)}
    single: dict[str, str] = {}
    for field, names in _NAMES.items():
        found = next((free.pop(name) for name in names if name in free), None)
        if found is not None and _fits(field, found):
            single[field] = found.name
    many = {
        field: tuple(one.name for one in columns if _plain(one.name) in names)
        for field, names in _MANY.items()
    }
    taken = {*single.values(), *many["entities"], *many["scope"]}
    rest = [one for one in columns if one.name not in taken]
    longest = max(rest, key=_wordy, default=None)
    if "claim" not in single and longest is not None and _wordy(longest) >= _WORDS:
        single["claim"] = longest.name
    if "written_at" not in single:
        dated = [one.name for one in rest if one.examples and _fits("written_at", one)]
        if len(dated) == 1:
            single["written_at"] = dated[0]
    return replace(start, **single, **many)  # type: ignore[arg-type]  # all of them are texts


def _plain(name: str) -> str:
    last = _LAST_PART.search(name)
    return _NOT_WORD.sub("_", (last[0] if last else name).strip().lower()).strip("_")


def _fits(field: str, column: Column) -> bool:
    """Whether what stands in the column can be what its name says."""
    if field in ("written_at", "valid_from", "valid_until"):
        return all(times.bound(one) is not None for one in column.examples)
    return True


def _wordy(column: Column) -> float:
    texts = [one for one in column.examples if one]
    return sum(len(one.split()) for one in texts) / len(texts) if texts else 0
