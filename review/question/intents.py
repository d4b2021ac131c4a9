"""What moment a question is about: now, a past, or a change; one intent for each sub-question.

Source: the gate's specification, section 3 (CALM's CURRENT / HISTORY / CHANGE); the cue tables and
the rules for splitting a message and resolving an interval are ours.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from review.facts import words
from review.facts.calendar_words import WORDS, listed
from review.question.intent_kinds import Intent, IntentKind, SubQuestion, reframed
from review.question.splitting import Part, halves, parts
from review.question.time_frames import resolve
from store.cells import Span

__all__ = ["Intent", "IntentKind", "SubQuestion", "reframed", "sub_questions"]

_LONGEST: Final = 400
_SAME: Final = 0.6
_EMPTY: Final = frozenset(
    listed(
        "a an the and or but so also of to in on at by for from with as is are am was were be "
        "been do does did have has had will would can could should what which who whom whose "
        "where when why how many much long often i me my we our us you your he his she her "
        "they their it its this that there then now currently before previously earlier "
        "initially originally first just still start begin back today please remind tell show "
        "if "
        "и а но или в во на с со к из от до по для за о у не ли же бы был быть есть я мне мой мы "
        "наш ты вы он она они это этот тот какой каков кто что где куда откуда когда почему "
        "сколько как чем раньше прежде сейчас теперь тогда изначально еще напомнить сказать "
        "начать только действовать использовать пользоваться"
    )
)
"""Words that do not say what is asked for."""


def sub_questions(text: str, *, asked_at: datetime) -> tuple[SubQuestion, ...]:
    """The questions in ``text``, each with its intent; at least one, even for odd input.

    Two questions about one thing at two times ("how many did I lead when I started? how many do I
    lead now?") are one question about its change. At most ``splitting.MOST`` are told apart.

    Args:
        text: A message, in any language; markers are known in English and Russian.
        asked_at: The moment of asking, aware; "last autumn" is counted from it, in its zone.

    Raises:
        ValueError: If ``asked_at`` has no time zone.
    """
    if asked_at.tzinfo is None:
        msg = f"the moment of asking needs a time zone, got {asked_at.isoformat()}."
        raise ValueError(msg)
    read = [one for part in parts(text) for one in _read(text, part, asked_at)]
    joined: list[tuple[Part, Intent]] = []
    for part, intent in read:
        together = _together(text, joined[-1], (part, intent)) if joined else None
        if together is None:
            joined.append((part, intent))
        else:
            joined[-1] = together
    return tuple(
        SubQuestion(text[part.span.start : part.span.end], part.span, intent)
        for part, intent in joined
    )


def _read(text: str, part: Part, asked_at: datetime) -> list[tuple[Part, Intent]]:
    """The part with its intent, or both halves when each names its own time."""
    context = text[part.span.start : part.asked.start]
    whole = resolve(text[part.asked.start : part.asked.end], context=context, asked_at=asked_at)
    for cut in halves(text, part.asked):
        first, second = (
            resolve(text[half.start : half.end], context=context, asked_at=asked_at)
            for half in cut
        )
        if first.cue and second.cue and first.kind is not second.kind:
            left = Part(Span(part.span.start, cut[0].end), cut[0])
            right = Part(Span(cut[1].start, part.span.end), cut[1])
            return [(left, first), (right, second)]
    return [(part, whole)]


def _together(
    text: str, first: tuple[Part, Intent], second: tuple[Part, Intent]
) -> tuple[Part, Intent] | None:
    """Both as one question, if they ask for one thing; ``None`` if they do not."""
    (left, earlier), (right, later) = first, second
    own = _content(text, right.asked)
    elliptical = not own
    if not elliptical and (
        earlier.kind is later.kind or not _alike(_content(text, left.asked), own)
    ):
        return None
    span, asked = Span(left.span.start, right.span.end), Span(left.asked.start, right.asked.end)
    part = Part(span, asked)
    if earlier.kind is later.kind and earlier.kind is not IntentKind.HISTORY:
        return part, earlier if earlier.cue else later
    if elliptical and not later.cue:
        return part, earlier
    past = [one for one in (earlier, later) if one.kind is not IntentKind.CURRENT]
    if not past:
        return None
    if (earlier.kind, earlier.start, earlier.end) == (later.kind, later.start, later.end):
        return part, earlier
    starts = [one.start for one in past]
    known = [start for start in starts if start is not None]
    both = len(past) == 2 and all(one.kind is IntentKind.HISTORY for one in past)
    ends = [one.end or one.target for one in past]
    change = replace(
        past[0],
        kind=IntentKind.CHANGE,
        start=min(known) if len(known) == len(starts) else None,
        end=max(ends) if both else max(earlier.target, later.target),
        before_current=False,
        cue=" … ".join(one.cue for one in (earlier, later) if one.cue),
    )
    return part, change


def _content(text: str, asked: Span) -> set[str]:
    """Stems of the words that say what is asked for, without those of time."""
    told = words.tokens(text[asked.start : min(asked.end, asked.start + _LONGEST)])
    lemmas = (words.lemma(token.text) for token in told if token.text[0].isalpha())
    return {words.stem(one) for one in lemmas if one not in _EMPTY and one not in WORDS}


def _alike(first: set[str], second: set[str]) -> bool:
    """Whether one set holds the other, or most words are in both."""
    if not first or not second:
        return False
    shared = len(first & second)
    return shared == min(len(first), len(second)) or shared / len(first | second) >= _SAME
