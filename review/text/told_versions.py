"""What a claim itself tells as over: the old words of a correction, the versions before the last.

"The value was: 200,000 this year. The actual value is: 120,000" and "we planned Friday at first;
in the end it is Monday" are one memory each, and hold. For a question about the present only what
they say is so now is of use, and the old words beside it mislead. A past that nothing in the
same claim replaces is no old version: "we lived in Kazan at first" stays as it is.

Source: ours.
"""

from __future__ import annotations

import re
from typing import Final

_WAS: Final = re.compile(
    r"\b(?:was|were|used to be|read|said):\s+(?P<en>[^\n]{2,300}?)(?=[.;]\s|\n)"
    r"[^\n]{0,60}?\b(?:is|are|now|be|reads|says):\s|"
    r"\bбыл[оаи]?:\s+(?P<ru>[^\n]{2,300}?)(?=[.;,]\s|\n)"
    r"[^\n]{0,60}?\b(?:стал[оаи]?|сейчас|теперь|верно|правильно|на самом деле):\s",
    re.IGNORECASE,
)
_OLD: Final = re.compile(
    r"\b(?:original(?:ly)?|initial(?:ly)?|at first|first (?:planned|wanted|thought)|previously|"
    r"(?:was|were) (?:also |first |once )?(?:considered|planned|discussed)|"
    r"then (?:we |they |i )?(?:moved|changed|switched|shifted|pushed))\b|"
    r"(?<!\w)(?:изначальн\w+|первоначальн\w+|сначала|сперва|поначалу|прежде|"
    r"потом (?:мы )?(?:перенесли|сдвинули|передумали|поменяли|изменили)|"
    r"(?:тоже )?(?:рассматривал\w+|планировал\w+))(?!\w)",
    re.IGNORECASE,
)
_FINAL: Final = re.compile(
    r"\b(?:final(?:ly)?|in the end|eventually|settled on|is the one|ended up|"
    r"(?:so |but )?now (?:it |the |we )?|as it stands)\b|"
    r"(?<!\w)(?:в итоге|окончательн\w+|в конце концов|в результате|остановились на|теперь)(?!\w)",
    re.IGNORECASE,
)
_SENTENCES: Final = re.compile(r"(?<=[.!?;])\s+")
_LONGEST: Final = 1_000


def corrected_words(claim: str) -> list[str]:
    """The words that a correction names as the old ones: "the value was: …, the actual is: …"."""
    text = claim[:_LONGEST]
    if text.count(":") < 2:
        return []
    return [found["en"] or found["ru"] for found in _WAS.finditer(text)]


def old_versions(claim: str) -> list[str]:
    """Parts of ``claim`` that it tells as over, in its own words; none in nearly all claims."""
    sentences = _SENTENCES.split(claim[:_LONGEST])
    if len(sentences) < 2:
        return []
    last = max((n for n, one in enumerate(sentences) if _is_final(one)), default=-1)
    told = [one for one in sentences[: max(last, 0)] if _OLD.search(one) and not _is_final(one)]
    return [*corrected_words(claim), *told]


def _is_final(sentence: str) -> bool:
    return _FINAL.search(sentence) is not None
