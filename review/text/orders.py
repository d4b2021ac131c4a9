"""Hints in the words of a text: orders to an AI, markup, encodings, a state of the moment.

They are hints and not verdicts: somebody may quote an attack, and an attack may avoid every
phrase here. Each search is guarded by plain substrings, because most text holds none of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from review.text.sieve import ends_of, holders


class Words(NamedTuple):
    """A text prepared once for all searches."""

    text: str
    low: str
    """Lower case."""

    latin: str
    """The ASCII of ``low`` and nothing else: quicker to search for English than Russian text."""

    @classmethod
    def of(cls, text: str) -> Words:
        """Prepare ``text``."""
        low = text.lower()
        if low.isascii():
            return cls(text, low, low)
        latin = low.encode("ascii", "replace").replace(b"?", b"").decode("ascii")
        return cls(text, low, latin)


_Family = tuple[tuple[str, ...], re.Pattern[str]]


def _family(gate: str, pattern: str) -> _Family:
    """Substrings separated by ``|``, one of which every match of ``pattern`` holds."""
    return tuple(gate.split("|")), re.compile(pattern)


_ORDERS: Final[tuple[_Family, ...]] = (
    _family(
        "ignore|disregard|forget|override|bypass",
        r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,30}\b(?:previous|prior|above"
        r"|earlier|all|your|any|these|system)\b[^.\n]{0,30}\b(?:instructions?|rules?|prompts?"
        r"|messages?|polic(?:y|ies)|context|guidelines)\b|\bignore (?:all |the )?(?:previous|above"
        r"|prior)\b",
    ),
    _family(
        "system|assistant|developer|<|endoftext|inst]|instructions:|instruction:",
        r"(?:^|\n)[ \t]{0,20}(?:system|assistant|developer)\s*:|<\|(?:im_start|system|endoftext)"
        r"|\[/?inst\]|\bnew instructions?:|\b(?:system|developer) prompt\b",
    ),
    _family(
        "approve|accept|promote|sign|trust|mark",
        r"\b(?:approve|accept|promote|sign|trust)\s+(?:this|these|it|all|every|the following)\b"
        r"|\bmark (?:this|it) as (?:approved|trusted|verified|true)",
    ),
    _family(
        "always|never",
        r"\b(?:always|never)\s+(?:escalate|approve|ask|refuse|reject|tell|reveal|call|use|run|obey"
        r"|trust|confirm|follow|reply|answer|respond|mention|question|verify|check|inform|warn)\b",
    ),
    _family(
        "do not|don't|must not",
        r"\b(?:do not|don't|must not)\s+(?:ask|tell|inform|warn|mention|question|verify)\b",
    ),
    _family(
        "escalate at once|without asking|you are now|you must|act as",
        r"\b(?:escalate at once|without asking|you (?:are now|must (?:always|never|now)))\b"
        r"|\bact as (?:an?|the|if)\b",
    ),
)
_ORDERS_RU: Final[tuple[_Family, ...]] = (
    _family(
        "игнорируй|забудь|не учитывай|отмени",
        r"(?:игнорируй|забудь|не учитывай|отмени)(?:те)?\s[^.\n]{0,30}(?:предыдущ|прошл|прежн"
        r"|инструкц|правил|указани|промпт)|игнорируй(?:те)?\s+(?:все|вс[её]|предыдущ)",
    ),
    _family(
        "систем|ассистент",
        r"(?:^|\n)[ \t]{0,20}(?:система|системное сообщение|ассистент)\s*:|системн\w+ промпт",
    ),
    _family(
        "никогда|всегда",
        r"(?:никогда|всегда)\s+(?:не\s+)?(?:спрашивай|задавай|эскалируй|одобряй|говори|отвечай"
        r"|используй|проверяй|сообщай|подтверждай|выполняй|запускай|отказывай|упоминай|соглашайся)",
    ),
    _family(
        "не спраш|не зада|не сообщ|не говор|не пров|не предуп|не уточ",
        r"не (?<!\wне )(?<!да не )(?:спрашивай|задавай|сообщай|говори|проверяй|предупреждай"
        r"|уточняй)(?:те)?\b",
    ),
    _family(
        "одобри|утверди|подпиши|прими|повысь",
        r"\b(?:одобри|утверди|подпиши|прими|повысь)(?:те)?\s+(?:эт|вс[её]|запись|следующ|заявк)",
    ),
    _family(
        "ты теперь|ты должен|эскалируй|без подтвержд|скрой от",
        r"\bты (?:теперь|должен (?:всегда|никогда))|эскалируй(?:те)?\s+сразу|без подтверждения"
        r"|скрой от",
    ),
)
_TAGS: Final = (
    "a|abbr|area|audio|b|base|body|br|button|canvas|center|code|details|dialog|div|em|embed|font"
    "|form|frame|h[1-6]|head|hr|html|i|iframe|img|input|li|link|marquee|math|meta|object|ol|option"
    "|p|param|picture|pre|script|select|source|span|strong|style|sub|summary|sup|svg|table|tbody"
    "|td|template|textarea|th|title|tr|track|u|ul|video"
)
_MARKUP: Final = re.compile(
    rf"<\s{{0,9}}/?\s{{0,9}}(?:{_TAGS})(?:(?:[\s/][^<>]*)?>|[\s/][^<>]*\Z)|<!--|<!doctype|<!\[cdata"
    r"|<[a-z][^<>]*\son[a-z]{3,20}\s*=|javascript\s{0,9}:|!\[[^\]\n]{0,200}\]\("
)
_ENCODED: Final = re.compile(
    r"(?:%[0-9A-Fa-f]{2}){6,}|(?:&#?[0-9A-Za-z]{2,8};){3,}|(?:\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}"
    r")){4,}|[A-Za-z0-9+/_-]{40,}={0,2}"
)
_LONG_RUN: Final = b"a" * 40
_SHAPE: Final = bytes(
    0x61 if chr(b) in "+/_-" or chr(b).isalnum() else 0x20 for b in range(128)
) + bytes(128)
_HEX: Final = re.compile(r"(?:[0-9a-f]{1,128}|[0-9A-F]{1,128})")
_URL: Final = re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://|\bwww\.[a-z0-9]|\b(?:mailto|data):[^\s]")

_MOMENT_GATE: Final = (
    *("green", "red", "pass", "fail", "broken", "down", "running", "right now", "moment"),
    *("currently", "in progress", "deploying", "today"),
)
_MOMENT_GATE_RU: Final = ("сейчас", "момент", "зел", "красн", "упал", "прошл", "прошёл", "сломан")
_MOMENT: Final = re.compile(
    r"\b(?:build|ci|pipeline|tests?|deploy(?:ment)?|job|server|service|site|queue)s?\b"
    r"(?:\s+\S{1,12}){0,2}?\s+(?:(?:is|are|was|were|went)\s+)?(?:now\s+|still\s+)?"
    r"(?:green|red|passing|passed|failing|failed|broken|down|running|deploying)\b"
    r"|\bright now\b|\bat the moment\b|\b(?:is|are) currently\b|\bcurrently (?:running|at|in)\b"
    r"|\bin progress\b"
    r"|(?:сборк|пайплайн|тест|сервер|сервис|деплой|сайт)\w*\s+(?:\S{1,12}\s+){0,2}?(?:зел[её]н"
    r"|красн|упал|прошл|прош[её]л|сломан|лежит|не отвечает|работает)"
    r"|прямо сейчас|в данный момент|на (?:данный|текущий|этот) момент"
    r"|сейчас (?:в|на|ид[её]т|упал)"
)
_VERBATIM_GATE: Final = (*'"=', "shall", "hereby", "clause", "agreement")
_VERBATIM_GATE_RU: Final = (
    "пункт",
    "п. ",
    "ст. ",
    "стать",
    "договор",
    "обязу",
    "стороны",
    "«",
    "„",
)
_VERBATIM: Final = re.compile(
    r"\"[^\"\n]{20,400}\"|“[^”\n]{20,400}”|«[^»\n]{20,400}»|„[^“”\n]{20,400}[“”]"
    r"|\b(?:shall(?: not)?|hereby|herein|hereinafter)\b|\bclause \d|\bagreement (?:no|№|#)|§\s?\d"
    r"|\bпункт\w*\s+\d|\bп\.\s?\d+\.\d|\bст(?:\.|атья|атьи|атье)\s?\d|\bдоговор\w*\s+(?:№|от|n)"
    r"|обязу(?:ется|ются)|\bстороны\b"
    r"|(?:^|[\s(;,])[\w.-]{2,40}(?: [\w.-]{1,20})?\s*(?<![=!<>])=(?!=)\s*[^\s=]"
)


def _holds(text: str, gate: tuple[str, ...]) -> bool:
    for word in gate:  # noqa: SIM110 - a generator costs more than the searches
        if word in text:
            return True
    return False


_GATES: Final = tuple(
    word.encode("ascii")
    for word in dict.fromkeys(
        (
            *(word for gate, _ in _ORDERS for word in gate),
            *("<", "![", "script", "%", "&", "\\", "://", "www.", "mailto:", "data:"),
            *_MOMENT_GATE,
            *_VERBATIM_GATE,
        )
    )
)
_GATES_RU: Final = tuple(
    dict.fromkeys(
        (*(word for gate, _ in _ORDERS_RU for word in gate), *_MOMENT_GATE_RU, *_VERBATIM_GATE_RU)
    )
)


def hinted(texts: Sequence[str]) -> set[int]:
    """Which of ``texts`` hold a word that any search here starts from; the rest have no hints.

    One pass over all of them: for many short texts that is many times faster than each search.
    """
    lows = [text.lower().replace("\0", " ") for text in texts]
    joined = "\0".join(lows)
    latin = joined.encode("ascii", "replace").replace(b"?", b"")
    ends = ends_of(latin.split(b"\0"))
    found = holders(latin, ends, _GATES) | holders(latin.translate(_SHAPE), ends, (_LONG_RUN,))
    return found if joined.isascii() else found | holders(joined, ends_of(lows), _GATES_RU)


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def orders(words: Words) -> int:
    """How often the text gives an order to an AI; 0 for ordinary text."""
    found = 0
    for gate, pattern in _ORDERS:
        if _holds(words.latin, gate):
            found += _count(pattern, words.low)
    if words.latin is not words.low:
        for gate, pattern in _ORDERS_RU:
            if _holds(words.low, gate):
                found += _count(pattern, words.low)
    return found


def markup(words: Words) -> int:
    """How many HTML tags, script addresses and Markdown pictures the text holds."""
    latin = words.latin
    if "<" in latin or "![" in latin or "script" in latin:
        return _count(_MARKUP, words.low)
    return 0


def encoded_runs(words: Words) -> int:
    """How many runs could hide something: percent, entities, escapes, base64. A hash is none."""
    latin = words.latin
    if (
        "%" not in latin
        and "&" not in latin
        and "\\" not in latin
        and _LONG_RUN not in latin.encode("ascii").translate(_SHAPE)
    ):
        return 0
    return sum(1 for run in _ENCODED.finditer(words.text) if _is_encoded(run[0]))


def _is_encoded(run: str) -> bool:
    """A base64 run mixes upper case, lower case and digits; a path or a hash does not."""
    if run[0] in "%&\\":
        return True
    longest = max(re.split("[/_-]", run), key=len)
    if len(longest) < 20 or _HEX.fullmatch(run.rstrip("=")):
        return False
    return any(map(str.isupper, run)) and any(map(str.islower, run)) and any(map(str.isdigit, run))


def urls(words: Words) -> int:
    """How many addresses the text holds. They are shown as text, never as links."""
    latin = words.latin
    if "://" in latin or "www." in latin or "mailto:" in latin or "data:" in latin:
        return _count(_URL, words.low)
    return 0


def is_momentary(words: Words) -> bool:
    """Whether the text tells a state of the moment ("build green at 14:02")."""
    return _gated(words, _MOMENT_GATE, _MOMENT_GATE_RU, _MOMENT)


def is_wording(words: Words) -> bool:
    """Whether the text looks like a contract term, a parameter value or a quotation."""
    return _gated(words, _VERBATIM_GATE, _VERBATIM_GATE_RU, _VERBATIM)


def _gated(
    words: Words, gate: tuple[str, ...], gate_ru: tuple[str, ...], pattern: re.Pattern[str]
) -> bool:
    mixed = words.latin is not words.low
    if _holds(words.latin, gate) or (mixed and _holds(words.low, gate_ru)):
        return pattern.search(words.low) is not None
    return False
