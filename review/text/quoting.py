"""Which claims of a conversation are quoted by a later one that says they no longer count.

"Our conclusion 'the order costs 7,500' was based on wrong data": the words in the marks are what
falls, and every earlier claim that says them falls with it; so do those of "the value was: …, the
actual value is: …". Where no words are named nobody knows which are meant, and nothing falls.

Source: ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from review.facts.words import folded
from review.text.told_versions import corrected_words

_COVERED: Final = str.maketrans(".!?;", "____")
_QUOTED: Final = re.compile(
    r"“([^”]{8,400})”|„([^“”]{8,400})[“”]|«([^»]{8,400})»|\"([^\"]{8,400})\"|"
    r"(?<!\w)['‘](.{8,400}?)['’](?!\w)"
)
_DISOWNS: Final = re.compile(
    r"\b(?:(?:was|were|is|are|been|proved|turned out) (?:\w+ )?"
    r"(?:based on|resting on|derived from) "
    r"(?:\w+ )?(?:incorrect|wrong|false|outdated|bad|mistaken|erroneous)|"
    r"(?:was|were|is|are|has been|have been|proved|turned out) (?:\w+ly )?(?:wrong|"
    r"incorrect|"
    r"invalid(?:ated)?|false|mistaken|an? (?:error|mistake)|no longer (?:valid|true|correct)|"
    r"withdrawn|retracted|obsolete|outdated|void)|no longer (?:holds?|applies|stands?|valid|true)|"
    r"(?:needs?|has|have) to be (?:recalculated|redone|reconsidered|revised|withdrawn)|"
    r"(?:please )?(?:disregard|ignore|forget|scratch|discard) )|"
    r"(?:был[оаи]?|оказал\w+|являет\w+|основан\w+|опирал\w+|построен\w+)[^.!?]{0,40}(?:неверн\w+|"
    r"ошибочн\w+|неправильн\w+|недействительн\w+|ложн\w+|ошибк\w+|устаревш\w+)|"
    r"больше не (?:действует|действительн\w+|верн\w+|в силе|актуальн\w+)|"
    r"(?:нужно|надо|следует|требует\w*) (?:пересчитать|пересмотреть|отменить|перепроверить)|"
    r"(?:не учитывайте?|забудьте?|отменяется|отменяем|неверно|ошибочно)(?!\w)",
    re.IGNORECASE,
)
_SENTENCES: Final = re.compile(r"(?<=[.!?;])\s+")
_LONGEST: Final = 1_000
"""Characters of a claim that are read; what is longer is a document, and quotes much."""

_MARKS: Final = frozenset("“„«\"'‘")
_MOST: Final = 8
"""Quotations of one claim that are looked for in earlier ones."""


def disowned(claims: Sequence[str]) -> dict[int, int]:
    """For each claim that falls, the first later one that quotes it and says so.

    Args:
        claims: Of one conversation, oldest first.

    Returns:
        Places of fallen claims with the place of the claim that disowns them. A claim that does
        nothing but disown another one falls with it: nothing of it is about the present.
    """
    fallen: dict[int, int] = {}
    plain: list[str] = []
    for at, claim in enumerate(claims):
        text = claim[:_LONGEST]
        found = _QUOTED.finditer(text) if not _MARKS.isdisjoint(text) else ()
        marked = [next(one for one in hit.groups() if one) for hit in found][:_MOST]
        spoken = [_QUOTED.sub(" ", one) for one in _sentences(text)] if marked else []
        disowns = any(_DISOWNS.search(one) for one in spoken)
        told = [*(marked if disowns else ()), *_old_words(text)]
        hits = [old for old in range(at) if any(_plain(one) in plain[old] for one in told)]
        for old in hits:
            fallen.setdefault(old, at)
        if hits and disowns and all(_DISOWNS.search(one) for one in spoken):
            fallen.setdefault(at, at)
        plain.append(_plain(text))
    return fallen


def _old_words(text: str) -> list[str]:
    """Old words of a correction; one short word could be meant anywhere."""
    return [one for one in corrected_words(text) if len(one) >= 8 and len(one.split()) > 1]


def _sentences(text: str) -> list[str]:
    """Sentences; one that ends inside of a quotation goes on to its end."""
    covered = _QUOTED.sub(lambda found: found.group().translate(_COVERED), text)
    told, start = [], 0
    for found in _SENTENCES.finditer(covered):
        told.append(text[start : found.start()])
        start = found.end()
    return [one for one in (*told, text[start:]) if one.strip()]


def _plain(text: str) -> str:
    return " ".join(folded(text).split()).strip(" .!?…")
