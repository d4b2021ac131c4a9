"""Takes secrets out of what would leave, and keeps every other character where it stands.

A secret is covered character by character, so a place in what was sent is the same place in the
text it was taken from.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from review import secrets

COVER: Final = "█"


def covered(text: str) -> tuple[str, int]:
    """``text`` with every secret and card number covered, and how many there were."""
    found = secrets.find(text)
    if not found:
        return text, 0
    letters = list(text)
    for one in found:
        letters[one.start : one.end] = COVER * (one.end - one.start)
    return "".join(letters), len(found)


def covered_value(value: Any) -> tuple[Any, int]:  # noqa: ANN401 - JSON
    """A JSON value with every string in it covered, and how many secrets there were.

    A value is also looked at behind the name that it has, so that ``{"password": "…"}`` is seen.
    Half characters, which have no UTF-8 form, become replacement characters.
    """
    if isinstance(value, str):
        return covered(_whole(value))
    if isinstance(value, Mapping):
        told: dict[str, Any] = {}
        count = 0
        for key, inner in value.items():
            told[str(key)], n = covered_value(inner)
            if isinstance(told[str(key)], str) and not n:
                told[str(key)], n = _behind(str(key), told[str(key)])
            count += n
        return told, count
    if isinstance(value, list | tuple):
        pairs = [covered_value(inner) for inner in value]
        return [one for one, _ in pairs], sum(n for _, n in pairs)
    return value, 0


def shows_secret(spelled: bytes) -> bool:
    """Whether what would be sent still shows a secret; the search undoes JSON escapes."""
    text = spelled.decode("utf-8", "replace")
    return any(not set(text[one.start : one.end]) <= {COVER} for one in secrets.find(text))


def _behind(name: str, value: str) -> tuple[str, int]:
    """A value whose name makes it a secret, covered; else as it is."""
    before = f"{name}: "
    found = [one for one in secrets.find(before + value) if one.end > len(before)]
    if not found:
        return value, 0
    letters = list(value)
    for one in found:
        start = max(0, one.start - len(before))
        letters[start : one.end - len(before)] = COVER * (one.end - len(before) - start)
    return "".join(letters), len(found)


def _whole(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
