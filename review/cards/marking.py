"""What a reviewer marks on a card where the source gives none: the task and its support.

Without its task and its support an old answer cannot be told from one to the present question.
The reviewer names two to four facts by words that stand in the claim; that makes a new record.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from store.cells import Conclusion, Fact, Span

FEWEST: Final = 2
MOST: Final = 4
_PERSON: Final = "person"
"""What a fact that was marked by hand is read by."""


class Lack(StrEnum):
    """What a marking lacks."""

    TASK = "task"
    COUNT = "count"
    PARAMETER = "parameter"
    QUOTE = "quote"


_SENTENCES: Final = {
    Lack.TASK: "name the task that the old answer was given for.",
    Lack.COUNT: f"mark {FEWEST} to {MOST} facts that the answer rests on.",
    Lack.PARAMETER: "each fact needs a name of what it is a value of.",
    Lack.QUOTE: "a marked value does not stand in the text. Copy it from there.",
}


class NotMarkedError(ValueError):
    """A marking that does not hold: its sentence says what is wrong and what to do."""

    def __init__(self, lack: Lack, n: int = 0) -> None:
        """Keep what is lacking, and in which fact, counted from 1; 0 for none of them."""
        self.lack, self.n = lack, n
        super().__init__(f"{_SENTENCES[lack]} Nothing was staged.")


@dataclass(frozen=True, slots=True)
class Marking:
    """The task in words, and (parameter, value) pairs whose values stand in the claim."""

    task: str
    support: tuple[tuple[str, str], ...]
    answer: str = ""
    """The old answer in the claim's words; blank means the whole claim."""


def marked(claim: str, marking: Marking) -> Conclusion:
    """The conclusion that ``marking`` says the claim is.

    Raises:
        NotMarkedError: If the task is blank, the facts are not two to four, one has no name, or a
            value or the answer does not stand in the claim.
    """
    if not marking.task.strip():
        raise NotMarkedError(Lack.TASK)
    pairs = [(name.strip(), value.strip()) for name, value in marking.support]
    told = {pair: n for n, pair in reversed(list(enumerate(pairs, start=1))) if any(pair)}
    if not FEWEST <= len(told) <= MOST:
        raise NotMarkedError(Lack.COUNT)
    answer = marking.answer.strip() or claim
    if answer not in claim:
        raise NotMarkedError(Lack.QUOTE)
    return Conclusion(
        text=answer,
        task=marking.task.strip(),
        support=tuple(_fact(claim, *pair, n) for pair, n in reversed(told.items())),
    )


def marking_of(conclusion: Conclusion | None, claim: str) -> Marking | None:
    """The marking that a person gave a record; None if no person did.

    Args:
        conclusion: Of the record.
        claim: Of the record.
    """
    if conclusion is None or not all(one.reader == _PERSON for one in conclusion.support):
        return None
    pairs = tuple((one.parameter, one.value) for one in conclusion.support)
    answer = "" if conclusion.text == claim else conclusion.text
    return Marking(conclusion.task, pairs, answer) if pairs else None


def carried(conclusion: Conclusion | None, before: str, claim: str) -> Marking | None:
    """The marking of a record whose text a person changed, where it still holds.

    Args:
        conclusion: Of the old record.
        before: Its claim.
        claim: The new one.
    """
    marking = marking_of(conclusion, before)
    if marking is None:
        return None
    try:
        marked(claim, marking)
    except NotMarkedError:
        return None
    return marking


def _fact(claim: str, name: str, value: str, n: int) -> Fact:
    if not name:
        raise NotMarkedError(Lack.PARAMETER, n)
    start = claim.find(value) if value else -1
    if start < 0:
        raise NotMarkedError(Lack.QUOTE, n)
    return Fact("", name, value, Span(start, start + len(value)), reader=_PERSON)
