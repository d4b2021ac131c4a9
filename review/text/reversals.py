"""Choices of a conversation that a return to an earlier one undoes.

"The tent is blue. — Let's try red instead. — Actually, let's go back to blue." What was tried in
between falls, wherever it is named between the first word of blue and the return to it. A return
to what nobody had named before undoes nothing.

Source: ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from review.facts import values

_WORDS: Final = r"(?P<what>[^.,;:!?\n]{3,80})"
_BACK: Final = re.compile(
    r"\b(?:(?:go|going|switch|switching|change|changing|move|moving|come|coming) back|"
    r"revert|reverting|return|returning) to (?:the |using )?"
    + _WORDS
    + r"|\b(?:stick|sticking|stay|staying) with (?:the )?(?P<kept>[^.,;:!?\n]{3,80})"
    r"|(?<!\w)(?:верн[её]мся|возвращаемся|вернулись|верн[её]м|откатимся|откатываемся) "
    r"(?:обратно |снова )?(?:к|на) (?P<back>[^.,;:!?\n]{3,80})"
    r"|(?<!\w)оста[её]мся (?:при|на|с) (?P<stay>[^.,;:!?\n]{3,80})",
    re.IGNORECASE,
)
_TRIES: Final = re.compile(
    r"\b(?:try|trying|switch to|switching to|go with|going with|change to|changing to|move to|"
    r"moving to|use|using) (?:the |a |an )?"
    + _WORDS
    + r"|(?<!\w)(?:попробуем|пробуем|переходим на|перейд[её]м на|возьм[её]м|бер[её]м|"
    r"меняем на|поменяем на|сделаем) (?P<tried>[^.,;:!?\n]{3,80})",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(
    r"\s+(?:instead|again|after all|then|now|please|for now|anyway|"
    r"вместо этого|снова|опять|всё-таки|все-таки|пока|тогда|лучше)$",
    re.IGNORECASE,
)
_LONGEST: Final = 600


def undone(claims: Sequence[str]) -> dict[int, int]:
    """For each claim that names what was tried in between, the return that undoes it.

    Args:
        claims: Of one conversation, oldest first.

    Returns:
        Places of undone claims with the place of the claim that returns to an earlier choice.
    """
    told: dict[int, int] = {}
    returns = [(at, key) for at, claim in enumerate(claims) for key in _named(_BACK, claim)]
    keys = [_key(claim) for claim in claims] if returns else []
    for at, key in returns:
        first = next((n for n in range(at) if _holds(keys[n], key)), None)
        if first is None:
            continue
        tried = {one for n in range(first + 1, at) for one in _named(_TRIES, claims[n])}
        for n in range(first + 1, at):
            if any(_holds(keys[n], one) for one in tried) and not _holds(keys[n], key):
                told[n] = at
    return told


def _named(pattern: re.Pattern[str], claim: str) -> list[str]:
    """Normal forms of what a claim returns to, or tries."""
    if len(claim) > _LONGEST:
        return []
    told = (next(one for one in found.groups() if one) for found in pattern.finditer(claim))
    return [key for key in (values.name_key(_TAIL.sub("", one.strip())) for one in told) if key]


def _key(claim: str) -> str:
    return values.name_key(" ".join(re.findall(r"[\w'’-]+", claim[:_LONGEST])))


def _holds(words: str, key: str) -> bool:
    return f" {key} " in f" {words} "
