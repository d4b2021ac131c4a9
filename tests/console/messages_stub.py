"""Answers of a made-up model, for the server on loopback that the real client talks to."""

from __future__ import annotations

import json
import re

from bench.messages_stub import Answer, Heard, Stub, fault, message

__all__ = [
    "Answer",
    "Heard",
    "Stub",
    "claim",
    "fact",
    "fault",
    "message",
    "obeying",
    "replying",
    "shape_of",
]


def replying(value, **kwargs):
    """Answers every request with one value as JSON, or with one text."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return lambda _heard: message(text, **kwargs)


def fact(quote: str, value: str, parameter: str, **changes):
    """A fact as a model tells it."""
    told = {
        "quote": quote,
        "value": value,
        "subject": "",
        "about_speaker": False,
        "parameter": parameter,
        "role": "states",
        "valid_from": "",
        "valid_to": "",
        "single": False,
    }
    return told | changes


def claim(*facts, **changes):
    """A reply about a claim."""
    return {"facts": list(facts), "task": "", "conclusion": "", "support": []} | changes


def shape_of(heard: Heard) -> str:
    """Which reply is asked for, by the title of its schema."""
    return heard.told["output_config"]["format"]["schema"]["title"]


_JSON = re.compile(r"REPLY_WITH(\{.*\})END", re.DOTALL)


def obeying(heard: Heard) -> Answer:
    """A model that does what a quoted text tells it to: it replies with the JSON in the text."""
    for text in _texts(heard.data):
        found = _JSON.search(text)
        if found:
            return message(found[1])
    return message("I was told nothing.")


def _texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
