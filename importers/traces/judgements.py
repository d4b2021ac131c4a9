"""When a label or a score is a person's yes or no, and when it is only a remark.

A score decides only under a name of which more is better and only at its ends; a label decides by
its own word. "Toxicity 1" is no approval, 3 of 5 is none either: both stay as notes.
"""

from __future__ import annotations

import re
from typing import Final

from importers import fields
from importers.traces.json import written
from store.trajectories import Verdict

_YES: Final = frozenset(
    {"accept", "accepted", "approve", "approved", "approval", "correct", "good", "great"}
    | {"helpful", "useful", "thumbs up", "thumbs-up", "thumbs_up", "thumbsup", "thumb_up", "👍"}
    | {"up", "like", "liked", "positive", "ok", "right", "upvote", "принято", "верно", "хорошо"}
    | {"правильно", "одобрено", "полезно"}
)
_NO: Final = frozenset(
    {"reject", "rejected", "deny", "denied", "declined", "incorrect", "wrong", "bad", "poor"}
    | {"unhelpful", "not helpful", "useless", "thumbs down", "thumbs-down", "thumbs_down", "👎"}
    | {"thumbsdown", "thumb_down", "down", "dislike", "disliked", "negative", "downvote"}
    | {"отклонено", "неверно", "плохо", "неправильно", "бесполезно"}
)
_PLAIN: Final = frozenset(
    {
        "accept",
        "accepted",
        "approve",
        "approved",
        "reject",
        "rejected",
        "deny",
        "denied",
        "declined",
    }
    | {"принято", "одобрено", "отклонено"}
)
"""Words that are a decision whatever they are said of."""

_TRUE: Final = frozenset({"yes", "true", "pass", "passed", "1", "да"})
_FALSE: Final = frozenset({"no", "false", "fail", "failed", "0", "нет"})
_BETTER: Final = frozenset(
    {"correct", "correctness", "accuracy", "accurate", "quality", "helpful", "helpfulness"}
    | {"accept", "accepted", "acceptance", "acceptable", "approve", "approved", "approval"}
    | {"review", "feedback", "thumb", "thumbs", "thumbsup", "rating", "score", "useful", "like"}
    | {"usefulness", "good", "ok", "pass", "passed", "success", "satisfaction", "relevance"}
    | {"relevant", "faithfulness", "groundedness", "verdict", "decision", "overall", "vote"}
    | {"right", "truthfulness", "completeness", "up", "верно", "точность", "качество", "оценка"}
    | {"полезность", "решение", "принято", "правильность", "одобрено"}
)
_WORSE: Final = frozenset(
    {"hallucination", "hallucinated", "toxicity", "toxic", "bias", "biased", "harm", "harmful"}
    | {"error", "errors", "wrong", "incorrect", "bad", "fail", "failed", "failure", "risk"}
    | {"violation", "reject", "rejected", "unsafe", "spam", "issue", "issues", "problem", "not"}
    | {"refusal", "leak", "down", "irrelevant", "unhelpful", "incorrectness", "ошибка", "риск"}
)
_THUMBS: Final = re.compile("thumb|vote|like|👍|👎", re.IGNORECASE)
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORDS: Final = re.compile(r"[^\W\d_]+")


def verdict(name: str, label: str | None, score: object) -> Verdict | None:
    """Accept, reject, or ``None`` where it cannot be told from a name, a label and a score."""
    word = label.strip().lower() if label else ""
    names = {one.lower() for one in _WORDS.findall(_CAMEL.sub(" ", name))}
    if names & _WORSE and word not in _PLAIN:
        return None
    if word in _YES:
        return Verdict.ACCEPT
    if word in _NO:
        return Verdict.REJECT
    if not names & _BETTER:
        return None
    if word in _TRUE or (not word and _number(score) == "1"):
        return Verdict.ACCEPT
    if word in _FALSE or (not word and _number(score) in ("0", "-1")):
        return Verdict.REJECT
    return None


def is_weak(name: str, label: str | None) -> bool:
    """Whether it is a thumb or a vote rather than a judgement of this very step."""
    return bool(_THUMBS.search(name) or _THUMBS.search(label or ""))


def words(name: str, label: object, score: object, comment: object) -> str:
    """What a judgement says, in one line: ``name: label (score), comment``."""
    told = [one for one in (label, score) if one not in (None, "")]
    value = " ".join(written(one) for one in told)
    head = f"{name}: {value}" if name and value else name or value
    return f"{head}\n{comment}" if isinstance(comment, str) and comment.strip() else head


def _number(value: object) -> str | None:
    return str(int(value)) if isinstance(value, bool) else fields.decimal(value)
