"""A made-up model for the bench: it replies with what the grammar reads, in the reply's shape.

Figures through it say what the way through a model costs: quotes, bounds, keys made anew. They say
nothing about any real model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from bench.messages_stub import Answer, Heard, message
from review import instants
from review.facts import parameters, values
from review.facts.grammar import GrammarParser
from review.facts.keying import Keys
from review.facts.protocol import Asked, Setting
from store.cells import Cardinality, Fact, Span

_WORD: Final = re.compile(r"\w+")
_MOST_WORDS: Final = 8
"""Words of a name."""


class Echo:
    """Answers requests of the Messages API by the grammar."""

    def __init__(self) -> None:
        """With the shipped parameter table."""
        self._table = parameters.load()
        self._grammar = GrammarParser(self._table)
        self._keys = Keys(self._table)

    def __call__(self, heard: Heard) -> Answer:
        """The answer to one request; of a job that the grammar cannot do, an empty one."""
        data = heard.data
        if "claim" in data:
            return message(_spelled(self._claim(data)))
        if "question" in data and "memory" not in data:
            return message(_spelled(self._question(data)))
        return message(_spelled({"answer": "", "used": []}))

    def _claim(self, data: Mapping[str, Any]) -> dict[str, Any]:
        text, setting = data["claim"]["text"], self._setting(data)
        read = self._grammar.claim(text, setting)
        facts = [_fact(text, one, setting) for one in read.facts]
        return {"facts": facts, "task": "", "conclusion": "", "support": []}

    def _question(self, data: Mapping[str, Any]) -> dict[str, Any]:
        text, setting = data["question"]["text"], self._setting(data)
        read = self._grammar.question(text, setting)
        return {
            "facts": [_fact(text, one, setting) for one in read.facts],
            "asked": [_asked(text, one) for one in read.asked][:16],
            "names": _names(text, read.entities)[:16],
            "task": read.task[:400],
        }

    def _setting(self, data: Mapping[str, Any]) -> Setting:
        told = instants.read(data.get("written_at", ""))
        earlier = tuple(
            self._keys.of(Fact(subject, parameter, value, Span(0, 0)))
            for subject, parameter, value in data.get("said_before", ())
        )
        moment = None if told is None else instants.moment_of(told)
        return Setting(written_at=moment, speaker=data.get("speaker", ""), earlier=earlier)


def _fact(text: str, one: Fact, setting: Setting) -> dict[str, Any]:
    speaker = bool(setting.speaker) and one.subject_key == values.name_key(setting.speaker)
    quote = text[one.span.start : one.span.end]
    return {
        "quote": quote if len(quote) <= 400 else one.value,
        "value": one.value,
        "subject": _subject(text, one),
        "about_speaker": speaker,
        "parameter": one.parameter_key or one.parameter,
        "role": str(one.role),
        "valid_from": one.valid.start or "",
        "valid_to": one.valid.end or "",
        "single": one.cardinality is Cardinality.ONE,
    }


def _subject(text: str, one: Fact) -> str:
    if one.subject and one.subject in text:
        return one.subject
    return next(iter(_names(text, (one.subject_key,))), "")


def _asked(text: str, one: Asked) -> dict[str, Any]:
    return {
        "quote": text[one.span.start : one.span.end] or one.words,
        "parameter": one.parameter_key,
        "subject": next(iter(_names(text, (one.subject_key,))), ""),
        "single": one.cardinality is Cardinality.ONE,
    }


def _names(text: str, keys: Iterable[str]) -> list[str]:
    """The words of the text that have these keys, for each key that has any."""
    wanted = dict.fromkeys(key for key in keys if key)
    words = list(_WORD.finditer(text)) if wanted else []
    found: dict[str, str] = {}
    for first in range(len(words)):
        for last in range(first, min(first + _MOST_WORDS, len(words))):
            spelled = text[words[first].start() : words[last].end()]
            key = values.name_key(spelled)
            if key in wanted:
                found.setdefault(key, spelled)
    return [found[key] for key in wanted if key in found]


def _spelled(told: Mapping[str, Any]) -> str:
    return json.dumps(told, ensure_ascii=False)
