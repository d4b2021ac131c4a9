"""Words that bound a quantity: "at least", "up to", "не более", "or more"."""

from __future__ import annotations

from typing import Final

from review.facts.numbers import Token

_BEFORE: Final[tuple[tuple[str, tuple[str, ...]], ...]] = tuple(
    (sign, tuple(phrase.split()))
    for sign, phrases in (
        (">=", "at least|no less than|not less than|a minimum of|minimum of|minimum|≥"),
        (">=", "не менее чем|не менее|не меньше|как минимум|минимум|хотя бы"),
        ("<=", "at most|up to|no more than|not more than|a maximum of|maximum of|maximum|max|≤"),
        ("<=", "не более чем|не более|не больше|максимум|до"),
        (">", "more than|greater than|over|above|exceeding|>|более чем|более|больше|свыше|выше"),
        ("<", "less than|fewer than|under|below|<|менее чем|менее|меньше|ниже"),
    )
    for phrase in phrases.split("|")
)
STARTS: Final = {
    first: [(sign, words) for sign, words in _BEFORE if words[0] == first]
    for first in {words[0] for _, words in _BEFORE}
}
_AFTER: Final = {
    ("or", "more"): ">=", ("and", "more"): ">=", ("and", "up"): ">=", ("or", "less"): "<=",
    ("и", "более"): ">=", ("и", "больше"): ">=", ("или", "больше"): ">=",
    ("или", "более"): ">=", ("и", "менее"): "<=", ("или", "меньше"): "<=",
}  # fmt: skip


def bound_before(tokens: list[Token], at: int) -> tuple[str, int]:
    """The bound that begins at token ``at`` and the token after it; ``("", at)`` without one."""
    for sign, words in STARTS.get(tokens[at].low, ()):
        end = at + len(words)
        if end < len(tokens) and tuple(token.low for token in tokens[at:end]) == words:
            return sign, end
    return "", at


def bound_after(tokens: list[Token], at: int) -> tuple[str, int]:
    """The bound told behind a quantity, at token ``at``: ``20+``, ``20 or more``."""
    if at < len(tokens) and tokens[at].raw == "+" and tokens[at].start == tokens[at - 1].end:
        return ">=", at + 1
    if at + 1 < len(tokens):
        sign = _AFTER.get((tokens[at].low, tokens[at + 1].low), "")
        return sign, at + 2 if sign else at
    return "", at
