"""Q9: whether a question asks for the present, for a past, or for a change.

Data: the 35 questions of LongMemEval whose intent the data names (29 CURRENT, 4 HISTORY, 2
CHANGE).

Protocol. A question is asked at its date. A question that is split into several parts has the
intent that its parts share; a CURRENT part beside a HISTORY part is a CHANGE, as in "how many
did I lead when I started? How many do I lead now?". Baseline: a list of words.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from bench.quality.datasets import UPDATES, Wanted, slashed_time
from bench.quality.figures import Limit, Result, Tally, row
from bench.quality.updates import INTENTS
from review.question.intents import sub_questions

_CHANGE: Final = re.compile(r"\b(chang\w*|differ\w*|compared?|evol\w*|more .* than)\b", re.I)
_HISTORY: Final = re.compile(
    r"\b(initial(ly)?|previous(ly)?|former(ly)?|original(ly)?|before|used to|was|were|did|ago|"
    r"last (year|month|week))\b",
    re.I,
)


def measure(wanted: Wanted) -> Result:
    """Rows of Q9."""
    items = [one for one in wanted.load(UPDATES) if one.get("intent") in INTENTS]
    own, cues = Tally(), Tally()
    for item in wanted.sample(items):
        text = str(item.get("question") or "")
        asked_at = slashed_time(item.get("question_date")) or datetime(2024, 1, 1, tzinfo=UTC)
        told, gold = intent_of(text, asked_at), str(item["intent"])
        own.add(told == gold, f"{gold} told as {told}", text)
        cues.add(by_cue(text) == gold, f"{gold} told as {by_cue(text)}", text)
    name = ("Q9", "found", "intent accuracy")
    rows = [row(name, own.share, n=own.n, baseline=cues.share, limit=Limit(0.97))]
    return Result(rows=rows, misses={"Q9": own})


def intent_of(text: str, asked_at: datetime) -> str:
    """The product's intent of a whole message."""
    kinds = {str(one.intent.kind) for one in sub_questions(text, asked_at=asked_at)}
    return kinds.pop() if len(kinds) == 1 else "CHANGE"


def by_cue(text: str) -> str:
    """The baseline: the first list that has a word of the question."""
    if _CHANGE.search(text):
        return "CHANGE"
    return "HISTORY" if _HISTORY.search(text) else "CURRENT"
