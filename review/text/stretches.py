"""Parts a conversation into stretches: its matter, digressions from it, and suppositions.

"Hold on, the bank is calling" opens a digression that "back to the report" closes; "let's play
with prices, this is just exploratory" opens a supposition that "that's enough of that, what is
really agreed" closes. What is said inside is about something else, or is not meant as so. An
opening that nothing closes opens no digression: "hold on, it is Tuesday" corrects, and stays.

Source: ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

_LEAD: Final = (
    r"^\W*(?:(?:ok|okay|oh|so|now|well|and|right|alright|sorry|wait|ладно|так|ну|ой|хорошо|итак|"
    r"извини|извините)\b\W*)*"
)
_BREAKS: Final = re.compile(
    _LEAD + r"(?:hold on|hang on|one (?:moment|second|sec)|just a (?:moment|second|minute)|"
    r"(?:let me|i have to|i need to|i must) (?:take|get) th(?:is|at)|quick interruption|"
    r"something (?:urgent|else) came up|different topic|"
    r"подожди(?:те)?|погоди(?:те)?|минут(?:ку|очку)|секунд(?:у|очку)|отвлекусь|отвлекаюсь|"
    r"прервусь|прерываюсь|меня отвлекли)(?!\w)",
    re.IGNORECASE,
)
_RETURNS: Final = re.compile(
    r"(?:^|[.!?;,:—–-]\s*|\b(?:so|now|ok|okay|let's (?:get|go)|getting|going|и|так|ладно) )"
    r"(?:back to (?!back\b)|returning to |to return to |where were we|"
    r"верн[её]мся к|возвращаясь к|возвращаюсь к|возвращаемся к|обратно к|"
    r"на ч[её]м мы остановились)|"
    r"^\W*(?:continuing|resuming|to resume|let's (?:continue|resume)|продолжаем|продолжим|"
    r"возобновляем)\b",
    re.IGNORECASE,
)
_SUPPOSES: Final = re.compile(
    r"\b(?:this|that|it|these|all of (?:this|it)|what follows) (?:is|are|'s|will be) "
    r"(?:just |only |purely |all |still )*(?:exploratory|hypothetical|speculative|a hypothetical|"
    r"an exploration|a (?:thought experiment|what-?if|brainstorm|sandbox|draft|simulation))|"
    r"\b(?:let's|let us) (?:just )?(?:brainstorm|speculate|imagine|play (?:around )?with)\b|"
    r"\b(?:just|only|purely) (?:exploratory|hypothetical(?:ly)?|thinking out loud|brainstorming)|"
    r"(?:это|всё это|все это|пока) (?:только|лишь|просто|чисто|исключительно) "
    r"(?:гипотетически|гипотеза|гипотезы|предположени\w+|прикидк\w+|мысли вслух|"
    r"мозгов\w+ штурм\w*|черновик\w*|фантази\w+)|"
    r"\b(?:давай(?:те)?) (?:пофантазируем|помечтаем|прикинем|представим|поштурмим|предположим)\b",
    re.IGNORECASE,
)
_SERIOUS: Final = re.compile(
    r"\b(?:that's|that is|that was|this is) enough\b|\benough (?:of|with) (?:this|that|the)\b|"
    r"\b(?:back to (?:reality|real)|real commitments?|for real now|in reality|seriously now|"
    r"what(?: is|'s) really|actual decisions?)\b|"
    r"\b(?:хватит|довольно|достаточно)\b|\b(?:теперь|а теперь) (?:всерь[её]з|серь[её]зно)\b|"
    r"\bвозвращаясь к (?:делу|реальности)\b|\bчто реально\b",
    re.IGNORECASE,
)
_LONGEST: Final = 600
"""Characters of a claim in which it turns to another matter; what is longer is one of its own."""


class Sort(StrEnum):
    """What a stretch is to its conversation."""

    MATTER = "matter"
    DIGRESSION = "digression"
    SUPPOSED = "supposed"


@dataclass(frozen=True, slots=True)
class Stretch:
    """Where one claim belongs. Claims of the matter are one stretch, before and after a break."""

    sort: Sort
    number: int
    """0 for the matter; digressions and suppositions are numbered from one."""


_MATTER: Final = Stretch(Sort.MATTER, 0)


def stretches(claims: Sequence[str]) -> list[Stretch]:
    """The stretch of every claim.

    Args:
        claims: Of one conversation, oldest first.

    Returns:
        One entry a claim. The claim that closes a stretch is outside of it, the one that opens a
        digression inside. Without any opening all are the matter.
    """
    told = [_MATTER] * len(claims)
    number, at = 0, 0
    while at < len(claims):
        sort = _opened(claims[at])
        closed = None if sort is None else _closed(claims, at + 1, sort)
        if sort is None or (closed is None and sort is Sort.DIGRESSION):
            at += 1
            continue
        end = len(claims) if closed is None else closed
        number += 1
        told[at:end] = [Stretch(sort, number)] * (end - at)
        at = end + 1
    return told


def _opened(claim: str) -> Sort | None:
    if len(claim) > _LONGEST:
        return None
    if _SUPPOSES.search(claim):
        return Sort.SUPPOSED
    return Sort.DIGRESSION if _BREAKS.search(claim) else None


def _closed(claims: Sequence[str], start: int, sort: Sort) -> int | None:
    """The first claim from ``start`` that closes a stretch of this sort."""
    for at in range(start, len(claims)):
        text = claims[at][:_LONGEST]
        if _RETURNS.search(text) or (sort is Sort.SUPPOSED and _SERIOUS.search(text)):
            return at
    return None
