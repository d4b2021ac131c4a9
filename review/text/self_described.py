"""What a memory says of itself: that it is withdrawn, only supposed, or not for everybody.

"[OBSOLETE] the portal is at …", "hypothetically we could go to 35", "[RESTRICTED to Finance] …":
whoever wrote that told how it is to be read. A withdrawn or supposed memory is no answer about
what is so, a tentative one only while there is nothing firm; a restricted one is for those it
names, and a scoped one for questions inside its scope. Only a label in front, or a claim that
supposes in each of its sentences, counts: whoever writes about drafts has not written a draft.

Source: ours; the gate's specification, section 3, for the hard filter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from review.text.word_weights import wording

_KEY: Final = r"^\s*(?:[\w.\-/ ]{1,60}:\s+)?[^\w\s\[(]*\s*"
_LABEL: Final = re.compile(_KEY + r"[\[(](?P<label>[^\])\n]{2,200})[\])]")
_HEADING: Final = re.compile(_KEY + r"(?P<label>[^\W\d_][\w\- ]{2,60}):\s")
_BEHIND: Final = re.compile(r"[\[(](?P<label>[^\[\]()\n]{2,40})[\])][\s.]*$")
_SCOPE: Final = re.compile(
    r"^\W*(?:scope|context|applies to|valid (?:for|in)|only (?:for|in|within)|область|контекст|"
    r"действует (?:для|в)|только (?:для|в))(?:\s*:|\s)\s*(?=\S)",
    re.IGNORECASE,
)
_DRAFT: Final = re.compile(
    r"^\W*(?:draft|tentative(?:ly)?|unconfirmed|to be confirmed|tbc|"
    r"черновик|черновой|черновая|ориентировочно|не подтверждено|уточняется)(?!\w)",
    re.IGNORECASE,
)
_WITHDRAWN: Final = re.compile(
    r"^\W*(?:invalid(?:ated)?|obsolete|deprecated|withdrawn|retracted|outdated|superseded|"
    r"void(?:ed)?|no longer (?:valid|true|applies)|do not use|"
    r"устарел[оаи]?|устаревш\w+|неактуальн\w+|недействительн\w+|отозван[оаы]?|аннулирован[оаы]?|"
    r"не действует|не использовать)(?!\w)",
    re.IGNORECASE,
)
_RESTRICTED: Final = re.compile(
    r"^\W*restricted(?:\W*$|\s*[:–—-])|\brestricted to\b|"
    r"\b(?:confidential|need[- ]to[- ]know|internal only|eyes only|"
    r"not for (?:distribution|sharing|release|disclosure)|do not (?:share|distribute|disclose)|"
    r"конфиденциальн\w+|секретно|для служебного пользования|дсп|не разглашать|"
    r"не распространять|доступ ограничен|ограниченн\w+ доступ)\b|"
    r"^\W*(?:for .{2,40} only|только для .{2,60})$",
    re.IGNORECASE,
)
_SUPPOSED_LABEL: Final = re.compile(
    r"\b(?:hypothe\w+|what-?\s?if|brain-?storm\w*|sandbox|exploratory|exploration|"
    r"speculat\w+|simulat\w+|scenario|mock|dummy|test data|"
    r"гипотез\w*|гипотетическ\w+|что[ ,]+если|мозгов\w+ штурм\w*|песочниц\w+|"
    r"предположени\w+|прикидк\w+|тестов\w+ данн\w+|сценари\w+)\b",
    re.IGNORECASE,
)
_SUPPOSES: Final = re.compile(
    r"\bhypothetical(?:ly)?\b|\btheoretically\b|^in theory\b|^(?:let's|let us) (?:say|suppose|"
    r"assume|pretend)\b|^(?:suppose|supposing|imagine|assuming)\b|^(?:and |but )?what if\b|"
    r"\b(?:could|might) (?:maybe|perhaps|possibly|potentially|theoretically)\b|"
    r"\bгипотетически\b|\bтеоретически\b|^в теории\b|^(?:допустим|предположим|представим|"
    r"положим)\b|^(?:а |и )?что[ ,]+если\b|\bмогли бы,? (?:наверное|возможно|может быть)\b",
    re.IGNORECASE,
)
_TENTATIVE: Final = re.compile(
    r"^what about\b|^tentative(?:ly)?\b|^working assumption\b|^(?:maybe|perhaps) "
    r"(?!(?:i|we|he|she|they|you)\b)|^(?:i|we|they)(?: am| are|['’]re|['’]m) (?:still )?"
    r"(?:thinking|considering|leaning)\b|^ориентировочно\b|^(?:может(?: быть)?|возможно),? "
    r"(?:стоит|сделаем|сделать|добавить|попробовать)\b|^(?:мы |я )?(?:пока |ещё |еще )?"
    r"(?:подумыва\w+|рассматрива(?:ем|ю|ют)|склоня(?:емся|юсь))\b",
    re.IGNORECASE,
)
_ASKS_SUPPOSED: Final = re.compile(
    r"\b(?:hypothe\w+|what-?\s?if|would|could|might|idea\w*|brain-?storm\w*|draft\w*|tentative\w*|"
    r"consider\w*|explor\w+|discuss\w*|option\w*|propos\w+|suggest\w*|suppos\w+|assum\w+|"
    r"possib\w+|potential\w*|scenario\w*|sandbox|test|maybe|think\w*|thought|talk\w*|"
    r"гипоте\w+|иде[яию]\w*|черновик\w*|предполож\w+|предполага\w+|вариант\w*|обсужда\w+|"
    r"обсудили|предлаг\w+|предлож\w+|рассматрива\w+|возможн\w+|могли? бы|бы|сценари\w+|"
    r"допустим|если|думал\w*|тест\w*)\b",
    re.IGNORECASE,
)
_SENTENCES: Final = re.compile(r"(?<=[.!?;])\s+")
_LONGEST: Final = 600
"""Characters of a claim that can be one supposition."""


class Sort(StrEnum):
    """How a memory wants to be read."""

    WITHDRAWN = "withdrawn"
    TENTATIVE = "tentative"
    """Meant, but not settled: it stands until something firm is said."""

    SUPPOSED = "supposed"
    """Not meant as so at all."""

    RESTRICTED = "restricted"
    SCOPED = "scoped"


_SORTS: Final = (
    (Sort.RESTRICTED, _RESTRICTED),
    (Sort.SCOPED, _SCOPE),
    (Sort.WITHDRAWN, _WITHDRAWN),
    (Sort.TENTATIVE, _DRAFT),
    (Sort.SUPPOSED, _SUPPOSED_LABEL),
)
"""In this order: of several meanings of a label the first counts."""


@dataclass(frozen=True, slots=True)
class Described:
    """What a memory says of itself."""

    sort: Sort
    label: str
    """The words that say so."""


@lru_cache(maxsize=16_384)
def described(claim: str) -> Described | None:
    """What ``claim`` says of itself; ``None`` when it says nothing, as nearly all do.

    A label counts in front of the text, alone or behind a key ("note: [OBSOLETE] …"); that
    something is a draft may stand behind the text as well. Restricted counts before scoped, that
    before withdrawn, and that before what is not settled.
    """
    label = _label(claim)
    for sort, pattern in _SORTS if label else ():
        if pattern.search(label):
            return Described(sort, label)
    behind = _BEHIND.search(claim[-60:])
    if behind is not None and _DRAFT.match(behind["label"]):
        return Described(Sort.TENTATIVE, behind["label"])
    if len(claim) <= _LONGEST:
        sentences = [one for one in _SENTENCES.split(claim.strip()) if one]
        if sentences and all(_SUPPOSES.search(one) or _TENTATIVE.search(one) for one in sentences):
            supposed = any(_SUPPOSES.search(one) for one in sentences)
            return Described(Sort.SUPPOSED if supposed else Sort.TENTATIVE, sentences[0])
    return None


def may_read(label: str, readers: frozenset[str]) -> bool:
    """Whether a label of restriction names one of ``readers``, whole words, whatever their case.

    Args:
        label: As ``described`` gives it.
        readers: Who asks: a user, a team, a role. Empty names are nobody.
    """
    text = label.casefold()
    return any(
        re.search(rf"(?<!\w){re.escape(one.casefold())}(?!\w)", text) for one in readers if one
    )


def speaks_of(label: str, asked: str) -> bool:
    """Whether what is asked names a scope by one of its telling words.

    Args:
        label: As ``described`` gives it for a scoped memory: "scope: the Kazan shop".
        asked: The question with the values of its scope.
    """
    within = wording(_SCOPE.sub("", label)).weights
    return bool(within.keys() & wording(asked).weights.keys())


def asks_for_suppositions(question: str) -> bool:
    """Whether a question is about what was thought of, and not only about what is so."""
    return _ASKS_SUPPOSED.search(question) is not None


def _label(claim: str) -> str:
    found = _LABEL.match(claim[: _LONGEST * 2])
    if found is None:
        found = _HEADING.match(claim[:_LONGEST])
        heads = (_RESTRICTED, _DRAFT)
        if found is None or not any(one.match(found["label"]) for one in heads):
            return ""
    return found["label"].strip()
