"""What a claim says that a likeness of words passes over: numbers, dates, names, negations, kinds.

Two claims that differ in one of these are not one claim, however alike their words are. What
stands here is read off the words by a table and plain patterns; it decides what is *not* said to
be a duplicate, so it may err on the side of a difference.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

import yaml

from review.facts.words import folded, is_cyrillic, lemma, russian, stem, tokens
from review.text.word_weights import wording
from store.cells import Span

_LONGEST: Final = 2_000
"""Characters of a claim that are read; longer ones are alike by their whole text alone."""

_KEPT: Final = 200_000
_ISO: Final = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_DOTTED: Final = re.compile(r"(?<!\d)(\d{1,2})[./](\d{1,2})[./](\d{4})(?!\d)")
_NUMBER: Final = re.compile(
    r"(?P<sign>[<>≤≥]\s?|(?<![\w.)\]])[-−](?=\d))?"
    r"(?P<whole>\d{1,3}(?:[ ,.\u00a0\u202f]\d{3})+(?!\d)|\d+)(?:[.,](?P<part>\d+))?"
    r"\s?(?P<unit>%|[^\W\d_]+)?"
)
_DIGIT: Final = re.compile(r"\d")
_LONGEST_NUMBER: Final = 15
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NAMED: Final = re.compile(r"(?<!\w)[^\W\d_]\w*(?:\+\+|#)|(?<!\w)[A-ZÀ-ÞΑ-ΩЀ-Я][\w'’-]*")
_MONEY: Final = {"$": "usd", "€": "eur", "₽": "rub", "£": "gbp"}
_OPENING: Final = re.compile(r"(?:^|[.!?:;\n•*-])\s*[\"'«“(]*$")
_TURNED: Final = ("un", "in", "im", "dis", "non", "не", "без", "бес")


@dataclass(frozen=True, slots=True)
class Said:
    """One claim, as it is held against another. Everything is folded and in a normal form."""

    weights: dict[str, int]
    """Telling stems with their weights."""

    numbers: tuple[str, ...]
    dates: tuple[str, ...]
    negations: int
    directed: bool
    """Whether the order of its words matters: "from Riga to Turku"."""

    names: tuple[str, ...]
    """Stems of words written as names, and marks such as ``c++``, each once and in order."""

    capitals: tuple[str, ...]
    """The same with words that open a sentence, which may be names or not."""

    counts: frozenset[str]
    """Stems that are in ``numbers`` and ``dates``, or tell how much of what."""

    times: frozenset[tuple[int, int]]
    kinds: frozenset[tuple[int, int]]
    """Which member of which set of the table is named."""


@lru_cache(maxsize=_KEPT)
def said(claim: str) -> Said:
    """What ``claim`` says. The same text is read once."""
    text = claim[:_LONGEST]
    text = text if text.isascii() else unicodedata.normalize("NFKC", text)
    table, weights = _table(), wording(text).weights
    words = _WORD.findall(folded(text))
    names, capitals = _names(text, len(words))
    counted = _DIGIT.search(text) is not None
    dates, bare = _dates(text, words) if counted else ((), text)
    forms = {*words, *weights}
    times, kinds = (
        frozenset(of[form] for form in forms if form in of) for of in (table.times, table.kinds)
    )
    money = {table.kinds[name] for sign, name in _MONEY.items() if sign in text}
    return Said(
        weights=weights,
        numbers=_numbers(bare if counted else "", words),
        dates=dates,
        negations=sum(word in table.negations or word.endswith("n't") for word in words),
        directed=not table.directions.isdisjoint(words),
        names=names,
        capitals=capitals,
        counts=frozenset(stem for stem in weights if stem[0].isdigit() or stem in table.counts),
        times=times,
        kinds=kinds | money if money else kinds,
    )


def turned_round(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether a word of one is the other's with a prefix that negates it: un-, dis-, не-."""
    words = {word for word in other if word.startswith(_TURNED)}
    return bool(words) and any(f"{prefix}{word}" in words for word in one for prefix in _TURNED)


def excluding(one: frozenset[tuple[int, int]], other: frozenset[tuple[int, int]]) -> bool:
    """Whether each names a member of one set of the table that the other does not."""
    mine, theirs = {of for of, _ in one - other}, {of for of, _ in other - one}
    return bool(mine & theirs)


def _dates(text: str, words: Iterable[str]) -> tuple[tuple[str, ...], str]:
    """The dates of a text, and the text without them."""
    told: list[str] = []

    def whole(found: re.Match[str]) -> str:
        parts = [int(one) for one in found.groups()]
        year, month, day = parts if len(found[1]) == 4 else parts[::-1]
        told.append(f"{year}-{month}-{day}")
        return " "

    text = _DOTTED.sub(whole, _ISO.sub(whole, text))
    if not _table().months.keys().isdisjoint(words):

        def named(found: re.Match[str]) -> str:
            day, word = (found["d1"] or found["d2"], found["m1"] or found["m2"])
            year = found["y1"] or found["y2"] or ""
            told.append(f"{year}-{_table().months[folded(word)]}-{int(day)}")
            return " "

        text = _table().day.sub(named, text)
    return tuple(sorted(told)), text


def _numbers(text: str, words: Iterable[str]) -> tuple[str, ...]:
    table = _table()
    told = [table.numerals[word] for word in words if word in table.numerals]
    for found in _NUMBER.finditer(text):
        whole = re.sub(r"\D", "", found["whole"])
        whole = str(int(whole)) if len(whole) <= 2 else whole
        part = (found["part"] or "").rstrip("0")
        unit = folded(found["unit"] or "")
        grown = table.multiples.get(unit, 0)
        if grown and len(whole) <= _LONGEST_NUMBER:
            whole, part = str(round(float(f"{whole}.{part or 0}") * 10**grown)), ""
        sign = (found["sign"] or "").strip().replace("−", "-")
        told.append(f"{sign}{whole}{'.' + part if part else ''}{'%' if unit == '%' else ''}")
    return tuple(sorted(told))


def _names(text: str, among: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words written as names, and all with a capital.

    A name has a capital inside a sentence, or opens one and is in no dictionary. ``among`` is
    how many words there are.
    """
    told, every, large = list[str](), list[str](), 0
    for found in _NAMED.finditer(text):
        word = found[0]
        if word[-1] in "+#":
            told.append(word.casefold())
            every.append(word.casefold())
            continue
        large += 1
        month = folded(word) in _table().months
        opening = _OPENING.search(text[max(0, found.start() - 8) : found.start()]) is not None
        if month or _is_plain(word):
            continue
        every.append(_stem(word))
        if not opening or _is_name(word):
            told.append(_stem(word))
    if large > 3 and large * 10 > among * 6:  # a title, or all in capitals
        return (), ()
    return tuple(dict.fromkeys(told)), tuple(dict.fromkeys(every))


@lru_cache(maxsize=50_000)
def _is_plain(word: str) -> bool:
    """Whether a word tells nothing by itself, such as a pronoun."""
    return not wording(word).weights or folded(word) in _table().times


@lru_cache(maxsize=50_000)
def _is_name(word: str) -> bool:
    """Whether a word that opens a sentence is a name and not a word with a capital."""
    if len(word) > 1 and word.isupper():
        return True
    if is_cyrillic(word):
        tag = str(russian().parse(folded(word))[0].tag)
        return any(mark in tag for mark in ("Name", "Surn", "Patr", "Geox", "Orgn", "Trad"))
    import simplemma

    return not simplemma.is_known(word.lower(), lang="en")


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    low = folded(word).removesuffix("'s")
    return stem(lemma(low) if is_cyrillic(low) else low)


@dataclass(frozen=True, slots=True)
class _Table:
    negations: frozenset[str]
    directions: frozenset[str]
    numerals: dict[str, str]
    multiples: dict[str, int]
    counts: frozenset[str]
    months: dict[str, int]
    day: re.Pattern[str]
    """A day and a month beside each other, with a year or without."""

    times: dict[str, tuple[int, int]]
    kinds: dict[str, tuple[int, int]]


@lru_cache(maxsize=1)
def _table() -> _Table:
    told = yaml.safe_load(
        files("review.duplicates").joinpath("words.yaml").read_text(encoding="utf-8")
    )
    months = {word: int(n) for n, words in told["months"].items() for word in words.split()}
    month = "|".join(sorted(months, key=len, reverse=True))
    year = r"(?:,?\s+(?P<{}>\d{{4}}))?"
    day = (
        rf"(?<!\d)(?P<d1>\d{{1,2}})(?:st|nd|rd|th|-?го|-?е)?\s+(?:of\s+)?(?P<m1>{month})\b"
        + year.format("y1")
        + rf"|\b(?P<m2>{month})\s+(?:the\s+)?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)"
        + year.format("y2")
    )
    times = _sets(told["when"])
    times |= {word: (len(told["when"]), number) for word, number in months.items()}
    return _Table(
        negations=frozenset(told["negations"].split()),
        directions=frozenset(told["directions"].split()),
        numerals={word: str(n) for n, words in told["numbers"].items() for word in words.split()},
        multiples=dict.fromkeys(told["thousands"].split(), 3)
        | dict.fromkeys(told["millions"].split(), 6),
        counts=frozenset(
            _stem(word) for words in told["numbers"].values() for word in words.split()
        )
        | frozenset(_stem(word) for word in months),
        months=months,
        day=re.compile(day, re.IGNORECASE),
        times=times,
        kinds=_sets(told["kinds"]),
    )


def _sets(told: list[list[Any]]) -> dict[str, tuple[int, int]]:
    """Place of each word of the table, as it stands there and by its stem."""
    return {
        form: (of, place)
        for of, members in enumerate(told)
        for place, words in enumerate(members)
        for word in str(words).split()
        for form in (word, _stem(word))
    }


def unshared(claim: str, other: str) -> list[Span]:
    """Where ``claim`` has words, numbers and marks that ``other`` lacks, in bytes of its UTF-8.

    Words are compared by their stems; of a word that both have, nothing is told.
    """
    theirs = {_stem(token.text) for token in tokens(other)}
    found = [token for token in tokens(claim) if _stem(token.text) not in theirs]
    return [
        Span(len(claim[: one.start].encode("utf-8")), len(claim[: one.end].encode("utf-8")))
        for one in found
    ]
