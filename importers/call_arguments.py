"""The arguments of a call as text: written as the source writes them, where that can be found."""

from __future__ import annotations

import json
from typing import Final

_SEPARATORS: Final = ((",", ":"), (", ", ": "))


def written(arguments: object, raw: bytes) -> str:
    """``arguments`` as JSON, spaced and escaped as in ``raw`` if it stands there as usual."""
    if isinstance(arguments, str):
        return arguments
    if arguments is None:
        return ""
    for separators in _SEPARATORS:
        for escaped in (False, True):
            text = json.dumps(arguments, ensure_ascii=escaped, separators=separators)
            if text.encode("utf-8", "replace") in raw:
                return text
            if text.isascii():
                break  # escaping changes nothing
    return json.dumps(arguments, ensure_ascii=False)
