"""Who speaks: a label before a claim ("Anna: I moved to Oslo.")."""

from __future__ import annotations

import re
from typing import Final

from review.facts.tables import word_set

_LABEL: Final = re.compile(r"\s*\[?([^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,2})\]?:\s")
_NOT_SPEAKERS: Final = word_set(
    """
    note notes update reminder draft correction important question answer fyi todo re ps summary
    user assistant system status decision fact memory warning
    заметка обновление напоминание поправка важно вопрос ответ итог решение черновик статус
    """
)


def label(text: str) -> str:
    """The name before a colon at the beginning of ``text``; empty when there is none."""
    found = _LABEL.match(text)
    if found is None or found.group(1).lower() in _NOT_SPEAKERS:
        return ""
    return found.group(1) if all(p[:1].isupper() for p in found.group(1).split()) else ""
