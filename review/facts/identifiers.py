"""Numbers that name and do not count: ``#260``, ``PR 480``, ``port 22``, ``v2.3``."""

from __future__ import annotations

from typing import Final

from review.facts.numbers import Token
from review.facts.protocol import ValueType
from review.facts.reading import Reading
from review.facts.tables import forms

LABELS: Final = forms("""
port: порт порта порту портом
v: version ver версия версии версию
pr:
issue: тикет
no: № номер номера
room: кабинет кабинета
build: сборка сборки
chapter: глава главы главе
step:
flight: рейс рейса
line:
""")


def identifier(tokens: list[Token], at: int) -> Reading | None:
    """The identifier that begins at token ``at``: its label in short, the number as written."""
    token = tokens[at]
    if token.kind == "code":
        return Reading(ValueType.NAME, token.low.replace("v.", "v"), at, at + 1)
    label = LABELS.get(token.low)
    if label is None:
        return None
    end = at + 1
    while end < len(tokens) and tokens[end].raw in {"#", "№"}:
        end += 1
    if end >= len(tokens) or tokens[end].kind not in {"num", "code", "dotted"}:
        return None
    close = tokens[end].start - tokens[end - 1].end <= 1
    if not close or token.low == "no":
        return None
    number = tokens[end].low.lstrip("#v.")
    return Reading(
        ValueType.NAME, f"v{number}" if label == "v" else f"{label} {number}", at, end + 1
    )
