"""Which memories are overtaken for one question: the question names the parameter, not a table.

"I have 37 coins" and, months later, "I now have 40 coins" share no slot that a table of parameters
would name, but "How many coins do I have?" asks for one number, and both claims give one. Claims
compete only when each gives a value of the asked sort, stands for most of what is asked, and
agrees with the other about it. Whatever is uncertain stays: withholding a needed memory is worse
than telling of two.

Source: ours; the gate's specification, section 2, for the order of claims.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from review.answer.corrections import correction
from review.answer.kinds import AnswerSort, AskedKind, asked_kind
from review.answer.offers import LEAST, Offer, offer, without
from review.answer.slots import same_name
from review.answer.support import share
from store.cells import Span

__all__ = [
    "ENOUGH",
    "AnswerSort",
    "AskedKind",
    "Given",
    "Outdone",
    "asked_kind",
    "given",
    "outdone",
]

ENOUGH: Final = 0.45
"""Support below which a value is not taken for an answer."""

_AGREED_STANDING: Final = 0.45
_AGREED_EVENT: Final = 0.6
"""Share of the question that both claims must carry in the same words."""

_SUBSTITUTED: Final = 0.2
"""Share of the question that a claim lacks when it is about another thing."""

_TELLING: Final = 200
"""Weight of a word that says what a thing is; ``go`` and ``make`` have less."""

_BY_NAME: Final = frozenset(
    {AnswerSort.PLACE, AnswerSort.PERSON, AnswerSort.NAMED, AnswerSort.STATED}
)
_NUMERIC: Final = frozenset(
    {AnswerSort.COUNT, AnswerSort.AMOUNT, AnswerSort.MONEY, AnswerSort.DURATION}
)


@dataclass(frozen=True, slots=True)
class Given:
    """What one candidate gives as the answer."""

    row: int
    """The candidate's number, from zero."""

    value_key: str
    """Normal form: equal keys are the same answer."""

    value: str
    """As written."""

    span: Span
    """Where, in characters of the claim."""

    support: float
    """How well the words around the value match the question, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class Outdone:
    """A candidate that is overtaken, and the one that overtakes it."""

    row: int
    by: int
    older: Given
    newer: Given


def given(question: str, kind: AskedKind, claims: Sequence[str]) -> list[Given | None]:
    """For each claim the value it gives for what is asked, or ``None``.

    Args:
        question: One question, the one that ``kind`` was read from.
        kind: What ``asked_kind`` found.
        claims: Texts of the candidates, a handful; 4,000 characters of each are read.

    Returns:
        One entry a claim, in order. Support is at least 0.45.
    """
    found = (offer(kind, claim) for claim in claims)
    return [
        None if one is None or one.support < ENOUGH else _given(row, one)
        for row, one in enumerate(found)
    ]


def outdone(
    question: str,
    claims: Sequence[str],
    order: Sequence[Any],
    *,
    speakers: Sequence[str] | None = None,
) -> list[Outdone]:
    """The candidates that another candidate overtakes for this question.

    A candidate is overtaken when a later one gives another value for the same asked thing. Equal
    values, equal order and unknown order overtake nothing. The latest such candidate is named.

    Args:
        question: One question about the present; for others the chain matters, not its end.
        claims: Texts of the candidates, a handful.
        order: For each candidate something comparable that grows with time, such as a tuple of
            (valid from, written at), or ``None`` when it is not known.
        speakers: Who says each claim, if known; "I" of two speakers are two subjects. Empty
            strings are unknown.

    Returns:
        Overtaken candidates by row; empty when the question has no single answer.

    Raises:
        ValueError: If the lengths differ.
    """
    if len(order) != len(claims) or (speakers is not None and len(speakers) != len(claims)):
        msg = f"{len(claims)} claims need as many orders and speakers, got {len(order)} orders."
        raise ValueError(msg)
    kind = asked_kind(question)
    if kind is None or not kind.single:
        return []
    offers: dict[int, Offer] = {}
    for row, claim in enumerate(claims):
        if order[row] is not None:
            one = offer(kind, claim, speakers[row] if speakers else "")
            if one is not None:
                offers[row] = one
    offers |= _corrections(kind, offers, claims, order)
    found: list[Outdone] = []
    for row in sorted(offers):
        by = _successor(kind, row, offers, order)
        if by is not None:
            older, newer = _given(row, offers[row]), _given(by, offers[by])
            found.append(Outdone(row, by, older, newer))
    return found


def _given(row: int, one: Offer) -> Given:
    return Given(row, one.told.key, one.told.text, one.told.span, one.support)


def _successor(
    kind: AskedKind, row: int, offers: dict[int, Offer], order: Sequence[Any]
) -> int | None:
    """The latest candidate that gives another value for what ``row`` gives one for."""
    older = offers[row]
    rivals = [by for by in offers if order[by] > order[row] and _agree(kind, older, offers[by])]
    if not rivals:
        return None
    end = max(order[by] for by in rivals)
    latest = [by for by in rivals if order[by] == end]
    if any(_equal(kind, older, offers[by]) for by in latest):
        return None
    return max(latest, key=lambda by: (offers[by].support, -by))


def _agree(kind: AskedKind, older: Offer, newer: Offer) -> bool:
    """Whether two claims give values of one and the same thing."""
    if older.told.unit != newer.told.unit or _apart(older.speaker, newer.speaker):
        return False
    if _apart(older.names, newer.names) or _apart(older.occasions, newer.occasions):
        return False
    if _about_another(kind, older, newer) or _about_another(kind, newer, older):
        return False
    if not kind.standing and _apart(older.extras, newer.extras):
        return False
    if kind.mine and (_of_another(older, newer) or _of_another(newer, older)):
        return False
    if len(kind.core) == 1 and not kind.mine and newer.extras - older.extras:
        return False  # one word is little to know the thing by
    if kind.sort in _NUMERIC and older.needed != newer.needed:
        return False
    if kind.summing and not (older.total and newer.total):
        return False
    return _carried(kind, older, newer)


def _of_another(one: Offer, other: Offer) -> bool:
    """Whether ``one`` says "I", and ``other`` begins with somebody or something else."""
    return one.mine and not other.mine and bool(other.subject)


def _apart(one: str | frozenset[str], other: str | frozenset[str]) -> bool:
    """Whether both are told and have nothing in common."""
    if isinstance(one, str) or isinstance(other, str):
        return bool(one and other and one != other)
    return bool(one and other and not one & other)


def _carried(kind: AskedKind, older: Offer, newer: Offer) -> bool:
    """Whether both carry enough of the question, in the same words."""
    wanted = _AGREED_STANDING if kind.standing else _AGREED_EVENT
    if newer.replaces and kind.standing and kind.sort in _BY_NAME:
        wanted = LEAST
    elif min(older.support, newer.support) < ENOUGH:
        return False
    asked = without(kind.content, older.speaker or newer.speaker)
    return share(asked, older.matched & newer.matched) >= wanted


def _about_another(kind: AskedKind, one: Offer, other: Offer) -> bool:
    """Whether ``other`` lacks an asked word that ``one`` has, and has another word instead.

    "the spare batteries" where the question and ``one`` say "the spare keys". A name is replaced
    by a name only. Where a name is asked for, the noun that it is a name of is enough.
    """
    lacking = one.matched - other.matched
    instead = other.extras - one.extras
    if any(w[0].isdigit() for w in lacking) and (instead or other.numbers - one.numbers):
        return True  # "season 6" where the question says "season 5"
    missing = {w for w in one.near & lacking if kind.content.get(w, 0) >= _TELLING}
    missing &= kind.core
    if not other.names - one.names:
        missing -= kind.names
    if (
        kind.sort in {AnswerSort.NAMED, AnswerSort.PERSON}
        and kind.noun[-1:]
        and (kind.noun[-1] in one.matched & other.matched)
    ):
        missing &= kind.names
    return bool(instead and missing) and share(kind.content, missing) >= _SUBSTITUTED


def _equal(kind: AskedKind, older: Offer, newer: Offer) -> bool:
    if newer.told.key == older.told.key or newer.told.key in older.also:
        return True
    return kind.sort in _BY_NAME and same_name(older.told.key, newer.told.key)


def _corrections(
    kind: AskedKind, offers: dict[int, Offer], claims: Sequence[str], order: Sequence[Any]
) -> dict[int, Offer]:
    """Bare corrections ("Make that $75,000") stand for what is said right before them."""
    found: dict[int, Offer] = {}
    for row, claim in enumerate(claims):
        if row in offers or order[row] is None:
            continue
        one = correction(kind, claim)
        earlier = [
            by
            for by, told in offers.items()
            if one is not None and told.told.unit == one.unit and order[by] < order[row]
        ]
        if one is not None and earlier:
            corrected = offers[max(earlier, key=lambda by: order[by])]
            found[row] = replace(corrected, told=one, also=frozenset({one.key}), names=frozenset())
    return found
