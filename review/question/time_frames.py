"""The time frame of one question: its moments and marking words, resolved into an intent.

In order: words of change; words of a past state; a moment that is over; a moment to come or going
on; nothing, which is now. A past state named beside the present is a change. A past moment that
only tells something apart ("the TV that I bought last year" in "what size is …") is no time frame.
Source: the gate's specification, section 3; the order and the rules are ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from review.facts import moments
from review.facts.moments import Moment
from review.facts.tenses import signs
from review.question.intent_cues import default
from review.question.intent_kinds import Intent, IntentKind
from store.cells import Precision

_LONGEST: Final = 1_000
_QUOTED: Final = re.compile(
    r"«[^»\n]{0,200}»|“[^”\n]{0,200}”|\"[^\"\n]{0,200}\"|(?<!\w)'[^'\n]{1,80}'(?!\w)"
)
_PRESENT: Final = re.compile(
    r"^\W*(?:(?:and|so|also|but|please|ok|okay|hi|hey|well)\b\W+)*(?:(?:at|in|on|by|for|from|with|"
    r"to|of|under) )?(?:(?:what|which|who|whom|whose|where|how|why|when)(?: (?!did|was|were|had)"
    r"[\w'-]+){0,4}? )?"
    r"(?:is|are|am|do|does|what's|who's|where's|can|could|should)\b"
)
_CLAUSE: Final = re.compile(r",\s*(?:(?:в|на|о|с|из|для|по|к)\s+)?котор")
_RUNNING: Final = re.compile(r"\b(?:earlier|ранее|раньше)\s*(?:в\s+)?@today")
_MARK: Final = re.compile(r"\s*@[a-z]+")
_SHARED: Final = re.compile(r"\b(?:then|тогда|at (?:that|the) time|в то время|back then)\b")


@dataclass(frozen=True, slots=True)
class _Told:
    """A question made ready: lower case, moments as marks, and the moments by what they are."""

    prepared: str
    past: bool
    apart: bool
    """The moments that are over only tell something apart."""

    over: tuple[Moment, ...]
    since: tuple[Moment, ...]
    going: tuple[Moment, ...]
    coming: tuple[Moment, ...]


def resolve(question: str, *, context: str, asked_at: datetime) -> Intent:
    """The intent of ``question``; ``context`` is what was stated before it.

    Args:
        question: One question; of more than a thousand characters only both ends are read.
        context: Statements before it; read only for what "then" means.
        asked_at: The moment of asking, aware.
    """
    if len(question) > _LONGEST:
        question = question[: _LONGEST // 2] + "\n" + question[-_LONGEST // 2 :]
    readable = _QUOTED.sub(lambda found: " " * len(found.group()), question)
    found = moments.find(readable, against=asked_at)
    named = [moment for moment in found if _says_as_of(moment, asked_at)]
    now = _moment_named(named[-1], asked_at) if named else asked_at
    if named:
        known = {moment.span for moment in named}
        found = [m for m in moments.find(readable, against=now) if m.span not in known]
    told = _told(readable, found, now)
    intent = _changed(told, now) or _held(told, now, context[-_LONGEST:], asked_at)
    if intent is not None:
        return intent
    return _present(told, now, named)


def _moment_named(moment: Moment, asked_at: datetime) -> datetime:
    """Its first instant; "as of today" is now."""
    today = moment.precision is Precision.DAY and moment.start <= asked_at < moment.end
    return asked_at if today else moment.start


def _says_as_of(moment: Moment, asked_at: datetime) -> bool:
    """Whether it says "as of 2016", or "by 10 July" of a day that is over."""
    return moment.cue == "as of" or (moment.cue == "by" and moment.start <= asked_at)


def _plain(text: str) -> str:
    return text.lower().replace("ё", "е").replace("’", "'")


def _told(readable: str, found: Sequence[Moment], now: datetime) -> _Told:
    over, since, going, coming = [], [], [], []
    pieces, at = [], 0
    for moment in found:
        if moment.kind == "from" and moment.start <= now:
            since.append(moment)
            mark = "@past"
        elif _is_over(moment, now):
            over.append(moment)
            mark = "@past"
        elif moment.kind in ("at", "during") and moment.start <= now:
            going.append(moment)
            mark = "@today"
        else:
            coming.append(moment)
            mark = "@next"
        pieces += [readable[at : moment.span.start], mark]
        at = moment.span.end
    prepared = _plain("".join([*pieces, readable[at:]]))
    past, _ = signs(readable)
    apart = bool(over) and _only_tells_apart(prepared)
    return _Told(prepared, past, apart, tuple(over), tuple(since), tuple(going), tuple(coming))


def _is_over(moment: Moment, now: datetime) -> bool:
    begins, ends = moment.interval
    if moment.kind in ("from", "after"):
        return False
    if begins is None:
        return ends is not None and ends <= now
    return moment.end <= now


def _only_tells_apart(prepared: str) -> bool:
    """A present question with the past verb in a clause: "what size is the TV I bought @past"."""
    main = prepared[: prepared.find("@past")]
    clause = _CLAUSE.search(main)
    if clause is not None:
        return not signs(main[: clause.start()])[0]
    return _PRESENT.match(prepared) is not None and signs(main)[0]


def _changed(told: _Told, now: datetime) -> Intent | None:
    """CHANGE, if the words or two times of one thing tell it."""
    cues = default()
    if not cues.may_fit(told.prepared):
        return None
    readable = cues.without_plain(told.prepared)
    found = cues.first(readable, ("change", "compare"), past=told.past)
    compares = found is not None and found[0].sort == "compare"
    if found is None:
        present = cues.first(readable, ("current",), past=told.past)
        before = (told.over and not told.apart) or cues.first(
            readable, ("history",), past=told.past
        )
        if present is None or not before:
            return None
        found, compares = present, True
    start, end = _hull(told.over, now)
    if told.since:
        start, end = min(moment.start for moment in told.since), now
    elif told.going and not told.over:
        start, end = told.going[0].start, now
    elif told.coming and not told.over and told.coming[0].kind in ("at", "during"):
        start, end = told.coming[0].start, told.coming[0].end
    if compares or not (told.over or told.coming):
        end = now
    return Intent(IntentKind.CHANGE, now, start, end, cue=_words(found[1], told))


def _held(told: _Told, now: datetime, context: str, asked_at: datetime) -> Intent | None:
    """HISTORY, if the words or a moment that is over tell it."""
    cues = default()
    found = None
    if cues.may_fit(told.prepared):
        readable = cues.without_plain(told.prepared)
        found = cues.first(readable, ("history",), past=told.past)
    if told.going and _RUNNING.search(told.prepared):
        running = told.going[0]
        return Intent(IntentKind.HISTORY, now, running.start, now, cue=running.text)
    over: Iterable[Moment] = () if told.apart else told.over
    if found is None and not over:
        return None
    if found is not None and not over and _SHARED.search(told.prepared):
        over = [m for m in moments.find(context, against=asked_at) if _is_over(m, now)]
    start, end = _hull(over, now)
    shared = bool(over) and not told.over
    cue = _words(found[1] if found is not None else "", told)
    before = found is not None and not shared
    return Intent(IntentKind.HISTORY, now, start, end or now, before_current=before, cue=cue)


def _present(told: _Told, now: datetime, named: Sequence[Moment]) -> Intent:
    """CURRENT: at the moment named, at the first instant of a period to come, else now."""
    if named:
        last = named[-1]
        return Intent(IntentKind.CURRENT, now, last.start, last.end, cue=f"{last.cue} {last.text}")
    ahead = [m for m in told.coming if m.kind in ("at", "during", "from", "after")]
    if ahead:
        begins, ends = ahead[0].interval
        target = begins or now
        return Intent(IntentKind.CURRENT, target, target, ends, cue=ahead[0].text)
    if told.going:
        period = told.going[0]
        return Intent(IntentKind.CURRENT, now, period.start, period.end, cue=period.text)
    spoken = default().first(told.prepared, ("current",), past=False)
    return Intent(IntentKind.CURRENT, now, cue=spoken[1] if spoken else "")


def _hull(over: Iterable[Moment], now: datetime) -> tuple[datetime | None, datetime | None]:
    """The stretch that holds all of ``over``; a rounded count is widened by its slack."""
    told = list(over)
    if not told:
        return None, None
    starts, ends = [], []
    for moment in told:
        begins, end = moment.interval
        starts.append(begins - moment.slack if begins is not None else None)
        ends.append(min(now, (end or now) + moment.slack))
    known = [start for start in starts if start is not None]
    return (min(known) if len(known) == len(starts) else None), max(ends)


def _words(marker: str, told: _Told) -> str:
    """The words that decided: those of time, then the marker."""
    named = [moment.text for moment in (*told.over, *told.since)]
    spoken = _MARK.sub("", marker)
    return " … ".join([*named, spoken] if spoken else named)
