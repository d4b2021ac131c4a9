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
_COUNTS: Final = ("number of", "count of", "amount of", "число", "количество")


def superlative(forms: Sequence[str]) -> bool:
    """Whether words single something out: "the most students", not "most recent"."""
    return any(
        form in _SUPERLATIVES and not (n + 1 < len(forms) and forms[n + 1] in _RECENCY)
        for n, form in enumerate(forms)
    )


def singles_out(label: str, forms: Sequence[str]) -> bool:
    """Whether a label names what has one value: a record, the last of its sort, a number."""
    low = label.lower()
    opens = next((form for form in forms if form not in ("the", "our", "my")), "")
    return opens in _LATEST or superlative(forms) or any(count in low for count in _COUNTS)
