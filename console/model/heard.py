"""Reads an answer of the Messages API out of its bytes.

The client's own reading of a structured reply fails on a refusal and drops what it cost.
"""

from __future__ import annotations

import json

from review.proposals.jobs import Failure
from review.proposals.protocol import ModelError, Reply, Usage
from review.proposals.shapes import LONGEST_REPLY


def read(content: bytes) -> Reply:
    """A reply out of the bytes of an answer.

    Raises:
        ModelError: If they are no message of the Messages API.
    """
    try:
        told = json.loads(content)
        blocks = [one["text"] for one in told["content"] if one["type"] == "text"]
        text, stop = "".join(blocks), told["stop_reason"]
        names = (told.get("model", ""), told.get("id", ""))
        usage = told["usage"]
        whole = all(isinstance(one, str) for one in (text, stop, *names))
        named = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        tokens_in = sum(_count(usage.get(name)) for name in named)
        tokens_out = _count(usage.get("output_tokens"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(Failure.SERVER, "the answer is no message") from error
    if told.get("type") != "message" or not whole:
        raise ModelError(Failure.SERVER, "the answer is no message")
    # One more than may be kept, so that it is seen to be too long.
    return Reply(text[: LONGEST_REPLY + 1], stop, Usage(tokens_in, tokens_out), *names)


def unescaped(text: str) -> str:
    """A text with the escapes of JSON undone, which is how it would be read; else as it is."""
    try:
        return json.dumps(json.loads(text), ensure_ascii=False)
    except (ValueError, RecursionError):
        return text


def _count(value: object) -> int:
    return value if type(value) is int and 0 <= value < 2**40 else 0
