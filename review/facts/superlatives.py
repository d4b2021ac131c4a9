"""Words that single one thing out of many: there is one tallest tower and one record at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from review.facts.sayings import word_set

_SUPERLATIVES: Final = word_set(
    "most least highest lowest largest smallest biggest best worst youngest oldest tallest "
    "longest shortest fastest slowest richest greatest deepest heaviest fewest strongest record "
    "самый самая самое самые самого самой самым самую наибольший наибольшая наибольшее "
    "наименьший наименьшая наименьшее лучший лучшая лучшее худший худшая рекорд"
)
_RECENCY: Final = word_set("recent recently last latest often common")
_LATEST: Final = word_set(
    "last latest newest first current present final последний последняя последнее первый первая "
    "первое текущий текущая текущее нынешний нынешняя нынешнее"
)
_OF: Final = word_set("of in at on for to by from with that who which is are")
_SMALL: Final = word_set("the a an and or is are") | _OF
_LONG: Final = 4
_COUNTS: Final = ("number of", "count of", "amount of", "число", "количество")


def superlative(forms: Sequence[str]) -> bool:
    """Whether words single something out: "the most students", not "most recent"."""
    return any(
        form in _SUPERLATIVES and not (n + 1 < len(forms) and forms[n + 1] in _RECENCY)
        for n, form in enumerate(forms)
    )


def _is_field(forms: Sequence[str]) -> bool:
    """Whether a label is long enough to be one field of one thing: "head judge of the high court".

    A plural head ("countries of the union") or something done ("city visited in May") names
    several, or one of several occasions.
    """
    if sum(form not in _SMALL for form in forms) < _LONG or not all(f.isascii() for f in forms):
        return False
    until = next((n for n, form in enumerate(forms) if n and form in _OF), len(forms))
    head = forms[until - 1]
    if head.endswith("s") and not head.endswith(("ss", "us", "is")):
        return False
    return not any(form.endswith("ed") for form in forms)


def singles_out(label: str, forms: Sequence[str]) -> bool:
    """Whether a label names what has one value: a record, the last of its sort, a number."""
    low = label.lower()
    if _is_field(forms):
        return True
    opens = next((form for form in forms if form not in ("the", "our", "my")), "")
    return opens in _LATEST or superlative(forms) or any(count in low for count in _COUNTS)
