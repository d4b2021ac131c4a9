"""What one bullet of a basic-memory note says: an observation, a relation, or neither.

Pure text, without places. ``- [category] text #tag (context)`` is an observation, so is a bullet
with a tag and no category. Checkboxes, links and times in brackets only look like categories.
``- word [[Target]] (context)`` is a relation, so is a quoted label of several words; a sentence
with a link in it is neither.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_CATEGORY: Final = re.compile(r"\[([^\[\]()\n]{1,200})\][ \t]+(\S.*)", re.DOTALL)
_EMPTY_CATEGORY: Final = re.compile(r"\[\][ \t]+(\S.*)", re.DOTALL)
_CLOCK: Final = r"\d{1,3}:\d\d(?::\d\d)?(?:[.,]\d{1,3})?"
_TIMECODE: Final = re.compile(rf"{_CLOCK}(?:\s+-\s+{_CLOCK})?", re.ASCII)
_LINK: Final = re.compile(r"\[[^\]\n]*\]\([^)\n]*\)")
_WIKI: Final = re.compile(r"\[\[([^\[\]\n]{1,300})\]\]")
_WIKI_ONLY: Final = re.compile(r"(?:\[\[[^\[\]\n]{1,300}\]\][\s,;]*)+")
_TASK: Final = ("[ ]", "[x]", "[X]", "[-]")
NO_CATEGORY: Final = "Note"
"""What basic-memory calls a tagged bullet without a category."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A category and a text; tags at the end and the context are told apart from the text."""

    category: str
    text: str
    tags: tuple[str, ...] = ()
    context: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed link from the note to ``target``."""

    label: str
    target: str
    context: str = ""


def observation(words: str) -> Observation | None:
    """``words``, a bullet without its mark, as an observation, or ``None``."""
    if words.startswith(_TASK) or _LINK.fullmatch(words) or _WIKI_ONLY.fullmatch(words):
        return None
    category, text = NO_CATEGORY, words
    found = _CATEGORY.match(words)
    if found and not _only_looks_like_one(found[1].strip()):
        category, text = found[1].strip(), found[2].strip()
    elif not any(_is_tag(one) for one in words.split()):
        return None
    elif empty := _EMPTY_CATEGORY.match(words):
        text = empty[1]
    text, context = _without_context(text)
    tags = tuple(
        tag for one in text.split() if _is_tag(one) for tag in one.rstrip(".,;").split("#") if tag
    )
    text = _without_tags_at_the_end(text)
    return Observation(category, text, tags, context) if text or tags else None


def relation(words: str) -> Relation | None:
    """``words``, a bullet without its mark, as a relation, or ``None``."""
    before, found, rest = words.partition("[[")
    target, closed, after = rest.partition("]]")
    label = _label(before.strip())
    if not found or not closed or not label or not target.strip():
        return None
    after = after.strip()
    if after and not _is_one_context(after):
        return None
    return Relation(label, _name(target), after[1:-1].strip() if after else "")


def links(words: str) -> tuple[str, ...]:
    """Targets of the wiki links in ``words``, in order, each once."""
    return tuple(dict.fromkeys(_name(one[1]) for one in _WIKI.finditer(words)))


def _name(target: str) -> str:
    """The name of a link's target, without the alias that is shown for it."""
    return target.partition("|")[0].strip()


def _only_looks_like_one(category: str) -> bool:
    """Whether brackets at the beginning hold a checkbox's mark or a time of a transcript."""
    if len(category) == 1:
        return category in "xX" or not category.isalnum()
    return not category or bool(_TIMECODE.fullmatch(category))


def _is_tag(word: str) -> bool:
    return word.startswith("#") and bool(word.strip("#.,;"))


def _without_context(text: str) -> tuple[str, str]:
    """The text and the words in the parentheses that end it."""
    start = text.rfind("(") if text.endswith(")") else -1
    if start <= 0:
        return text, ""
    return text[:start].strip(), text[start + 1 : -1].strip()


def _without_tags_at_the_end(text: str) -> str:
    words = text.split()
    while words and _is_tag(words[-1]):
        text = text[: text.rstrip().rfind(words.pop())].rstrip()
    return text


def _label(before: str) -> str:
    """The label of a relation: one word, or several in quotes; empty if it is a sentence."""
    if len(before) > 1 and before[0] == before[-1] and before[0] in "\"'":
        return before[1:-1].strip()
    return before if before and not any(one.isspace() for one in before) else ""


def _is_one_context(text: str) -> bool:
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth <= 0:
            return place == len(text) - 1 and letter == ")"
    return False
