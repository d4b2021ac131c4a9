"""The table of parameters: what can be said of a subject, as data and not as code.

A tenant extends it with a second table of the same form: new parameters, more words for known
ones, another cardinality. What a tenant's table says wrong is refused whole, with all its faults.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import resources
from typing import Any, Final, cast

from review.facts.protocol import ValueType
from store.cells import Cardinality

_LISTS: Final = ("en", "ru", "frames", "changes", "ends", "rests", "asks")
_MARKS: Final = ("predicative", "standalone", "several", "lasting", "reading", "place", "clause")
_WORD_LISTS: Final = ("transparent", "neutral", "past")


class TableError(ValueError):
    """A parameter table cannot be used; ``faults`` says every reason."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        """Keep the faults apart, so a caller can list them."""
        self.faults = faults
        super().__init__(
            f"the parameter table has {len(faults)} faults: {'; '.join(faults)}. "
            "Nothing was loaded; correct the table and load it again."
        )


@dataclass(frozen=True, slots=True)
class Parameter:
    """One thing that can be said of a subject, and how people say it."""

    key: str
    value_type: ValueType = ValueType.TEXT
    cardinality: Cardinality = Cardinality.UNKNOWN
    en: tuple[str, ...] = ()
    ru: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    """Sentences that state it."""

    changes: tuple[str, ...] = ()
    """Sentences that state it from then on: "moved to"."""

    ends: tuple[str, ...] = ()
    rests: tuple[str, ...] = ()
    """Phrases that make the claim depend on the value: "for shipping to"."""

    asks: tuple[str, ...] = ()
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of an enum: the canonical value and the words for it."""

    predicative: bool = False
    """Whether "S is VALUE" states it."""

    standalone: bool = False
    """Whether a value says the parameter in a list of facts."""

    several: bool = False
    """Whether several values together are one value: "dine-in and takeaway"."""

    lasting: bool = False
    """Whether "was" states it as well as "is": an author was and is."""

    reading: bool = False
    """Whether it is a measurement, which holds for the day it was taken."""

    place: bool = False
    """Whether goods are moved to it, so that a move of goods states it."""

    clause: bool = False
    """Whether its subject is a whole clause: the probability of being fired."""


@dataclass(frozen=True, slots=True)
class Table:
    """Parameters by key, and three lists of words that phrases are cleaned with."""

    parameters: Mapping[str, Parameter]
    transparent: frozenset[str] = frozenset()
    """Nouns that carry their object: "a batch of jackets" is about jackets."""

    neutral: frozenset[str] = frozenset()
    """Adjectives that name no other thing: "the current budget"."""

    past: frozenset[str] = frozenset()
    """Adjectives that name a value of the past: "the previous budget"."""


def load(text: str | None = None, extra: str = "") -> Table:
    """The table in ``text``, or ours, extended by ``extra``.

    Args:
        text: A whole table as YAML; ``None`` for the one that comes with the program.
        extra: A tenant's YAML of the same form. It adds parameters, and words, frames and values
            to known ones; it may change a cardinality but not a value type.

    Returns:
        The table; equal arguments give equal tables.

    Raises:
        TableError: With every fault of both texts, if there is one.
    """
    if text is None and not extra:
        return _ours()
    faults: list[str] = []
    base = _ours() if text is None else _read(text, Table({}), faults)
    table = _read(extra, base, faults) if extra else base
    if faults:
        raise TableError(tuple(faults))
    return table


@lru_cache(maxsize=1)
def _ours() -> Table:
    text = resources.files("review.facts").joinpath("parameters.yaml").read_text("utf-8")
    faults: list[str] = []
    table = _read(text, Table({}), faults)
    if faults:
        raise TableError(tuple(faults))
    return table


def _read(text: str, base: Table, faults: list[str]) -> Table:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        told = yaml.load(text, Loader=loader)
    except yaml.YAMLError as error:
        faults.append(f"it is not YAML ({error})".replace("\n", " "))
        return base
    if told is None:
        return base
    if not isinstance(told, dict):
        faults.append(f"it must be a mapping, got {type(told).__name__}")
        return base
    unknown = sorted(str(name) for name in told if name not in ("parameters", *_WORD_LISTS))
    faults.extend(f"there is no section {name!r}" for name in unknown)
    parameters = dict(base.parameters)
    entries = told.get("parameters") or {}
    if not isinstance(entries, dict):
        faults.append("'parameters' must map names to descriptions")
        entries = {}
    for key, entry in entries.items():
        made = _parameter(str(key), entry, parameters.get(str(key)), faults)
        if made is not None:
            parameters[made.key] = made
    return Table(parameters, **{n: _words(told, n, base, faults) for n in _WORD_LISTS})


def _words(told: Mapping[str, Any], name: str, base: Table, faults: list[str]) -> frozenset[str]:
    mine: set[str] = set()
    section = told.get(name) or {}
    if not isinstance(section, dict):
        faults.append(f"{name!r} must hold 'en' and 'ru' lists")
        return cast("frozenset[str]", getattr(base, name))
    for language, words in section.items():
        mine.update(_strings(words, f"{name}.{language}", faults))
    return frozenset(mine) | cast("frozenset[str]", getattr(base, name))


def _parameter(
    key: str, entry: object, known: Parameter | None, faults: list[str]
) -> Parameter | None:
    if not isinstance(entry, dict):
        faults.append(f"{key}: its description must be a mapping, got {type(entry).__name__}")
        return None
    allowed = {"type", "cardinality", "values", *_LISTS, *_MARKS}
    faults.extend(
        f"{key}: there is no field {name!r}; fields are {', '.join(sorted(allowed))}"
        for name in sorted(str(n) for n in entry if n not in allowed)
    )
    start = known or Parameter(key)
    value_type = _value_type(key, entry, known, faults)
    told: dict[str, Any] = {
        name: getattr(start, name) + _strings(entry[name], f"{key}.{name}", faults)
        for name in _LISTS
        if name in entry
    }
    marks: dict[str, Any] = {n: entry[n] is True for n in _MARKS if n in entry}
    faults.extend(
        f"{key}.{name} must be true or false"
        for name in marks
        if not isinstance(entry[name], bool)
    )
    for name in ("frames", "changes", "ends", "rests", "asks"):
        faults.extend(_frame_faults(key, name, told.get(name, ())))
    made = replace(
        start,
        value_type=value_type,
        cardinality=_cardinality(key, entry, start, faults),
        values={**start.values, **_values(key, entry, start, faults)},
        **told,
        **marks,
    )
    if not (made.en or made.ru or made.frames or made.values):
        faults.append(f"{key}: nothing says it; give it a name in en or ru")
    if made.value_type is ValueType.ENUM and not made.values:
        faults.append(f"{key}: an enum needs values")
    return made


def _value_type(
    key: str, entry: Mapping[str, Any], known: Parameter | None, faults: list[str]
) -> ValueType:
    before = known.value_type if known else None
    told = entry.get("type", before or "text")
    try:
        value_type = ValueType(told)
    except ValueError:
        faults.append(f"{key}: type {told!r} is none of {', '.join(ValueType)}")
        return ValueType.TEXT
    if before is not None and value_type is not before:
        faults.append(f"{key}: its type is {before} and cannot become {value_type}")
    return value_type


def _cardinality(
    key: str, entry: Mapping[str, Any], start: Parameter, faults: list[str]
) -> Cardinality:
    told = entry.get("cardinality", start.cardinality)
    try:
        return Cardinality(told)
    except ValueError:
        faults.append(f"{key}: cardinality {told!r} is none of {', '.join(Cardinality)}")
        return Cardinality.UNKNOWN


def _values(
    key: str, entry: Mapping[str, Any], start: Parameter, faults: list[str]
) -> dict[str, tuple[str, ...]]:
    told = entry.get("values") or {}
    if not isinstance(told, dict):
        faults.append(f"{key}.values must map a value to the words for it")
        return {}
    return {
        str(value): start.values.get(str(value), ())
        + _strings(words, f"{key}.values.{value}", faults)
        for value, words in told.items()
    }


def _frame_faults(key: str, name: str, frames: tuple[str, ...]) -> list[str]:
    faults = []
    for frame in frames:
        slots = {part.split(":")[0].strip("{}") for part in frame.split() if part[0] == "{"}
        odd = slots - {"subject", "value"}
        if odd:
            faults.append(f"{key}.{name}: {frame!r} has a slot {sorted(odd)[0]!r}")
        elif name != "asks" and "value" not in slots:
            faults.append(f"{key}.{name}: {frame!r} has no {{value}}")
        if not any(part[0] not in "{*" and part[-1] != "?" for part in frame.split()):
            faults.append(f"{key}.{name}: {frame!r} has no word that must be there")
    return faults


def _strings(told: object, where: str, faults: list[str]) -> tuple[str, ...]:
    if not isinstance(told, list):
        faults.append(f"{where} must be a list of words")
        return ()
    odd = [item for item in told if not isinstance(item, str) or not item.strip()]
    faults.extend(f"{where}: {item!r} is not a word; put it in quotes" for item in odd)
    return tuple(item for item in told if isinstance(item, str) and item.strip())
