"""What one sentence states: every rule reads it, and the best reading of each value is kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from review.facts import (
    cancellations,
    conditions,
    framing,
    inverse,
    lists,
    naming,
    predicates,
    unnamed,
)
from review.facts.drafts import Draft, ended
from review.facts.frames import Frame
from review.facts.lexicon import match
from review.facts.parameters import Parameter
from review.facts.sentences import Sentence
from review.facts.subjects import Context
from store.cells import FactRole

_SIGNS: Final = unnamed.HAVING | cancellations.VERBS
_NEAR: Final = 5
"""How many words behind "the name of the" another parameter's name may follow."""


@dataclass(slots=True)
class Marks:
    """The words of a sentence that a rule may begin at."""

    names: list[tuple[int, int, Parameter]] = field(default_factory=list)
    frames: list[tuple[int, Frame]] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    turns: bool = False
    """There is a verb of moving, changing or cancelling."""

    counts: bool = False
    """There is a verb of having."""


def states(context: Context, sentence: Sentence) -> list[Draft]:
    """The facts of a sentence that is no question, each with its subject."""
    marks = _marks(context, sentence)
    drafts = unnamed.counts(context, sentence) if marks.counts else []
    if not (marks.names or marks.frames or marks.values or marks.turns):
        return drafts or _open(context, sentence)
    known = len(drafts)
    topic = lists.Topic(None, None)
    if marks.names or marks.values:
        topic = lists.topic(context, sentence, {at for at, _, _ in marks.names})
    drafts += _framed(context, sentence, marks)
    drafts += _named(context, sentence, marks)
    if marks.turns:
        drafts += cancellations.drafts(context, sentence, marks.names, drafts)
    if topic.draft is not None and (len(drafts) > known or marks.values):
        drafts.append(topic.draft)
    if len(drafts) > known and marks.values:
        drafts += lists.standing(context, sentence, running=False)
    found = owned(_best(drafts), topic) or _open(context, sentence)
    return conditions.rested(context, sentence, found)


def _marks(context: Context, sentence: Sentence) -> Marks:
    reading, entries = context.reading, context.lexicon.entries
    marks = Marks()
    behind = sentence.first
    for at in range(sentence.first, sentence.last):
        form = reading.forms[at]
        if form in _SIGNS:
            marks.counts = marks.counts or form in unnamed.HAVING
            marks.turns = marks.turns or form in cancellations.VERBS
        entry = entries.get(form)
        if entry is None:
            continue
        marks.frames += [(at, frame) for frame in entry.frames]
        if entry.values:
            marks.values.append(at)
        for told in entry.names if at >= behind else ():
            end = match(reading, told, at, sentence.last)
            if end:
                marks.names.append((at, end, told.parameter))
                behind = end
                break
    return marks


def _framed(context: Context, sentence: Sentence, marks: Marks) -> list[Draft]:
    drafts = []
    for at, frame in marks.frames:
        draft = framing.framed(context, sentence, frame, at)
        if draft is not None:
            drafts.append(draft)
            if draft.subject is not None and draft.subject.key:
                context.subject = draft.subject
    return drafts


def _named(context: Context, sentence: Sentence, marks: Marks) -> list[Draft]:
    drafts: list[Draft] = []
    covered = sentence.first
    for at, end, parameter in marks.names:
        if sentence.doubted(context.reading, at):
            break
        named = parameter.key == "name" and any(
            end <= other < end + _NEAR for other, _, _ in marks.names
        )
        if at < covered or named:
            continue
        draft = inverse.inverse(context, sentence, parameter, at, end)
        draft = draft or naming.named(context, sentence, parameter, at, end)
        if draft is not None:
            drafts.append(draft)
            if draft.gone is not None:
                drafts.append(ended(draft, draft.gone))
            covered = context.reading.word_at(draft.value.start, at, sentence.last)
    for at in marks.values:
        draft = predicates.predicated(context, sentence, at)
        if draft is not None:
            drafts.append(draft)
    return drafts


def _open(context: Context, sentence: Sentence) -> list[Draft]:
    draft = (
        unnamed.numbered(context, sentence)
        or unnamed.label(context, sentence)
        or unnamed.owned(context, sentence)
    )
    return [draft] if draft else []


def _best(drafts: list[Draft]) -> list[Draft]:
    """One reading of each value: the one that fixes most words and knows its subject."""
    drafts.sort(key=_order)
    kept: list[Draft] = []
    for draft in drafts:
        rivals = (
            k for k in kept if k.value.start < draft.value.end and draft.value.start < k.value.end
        )
        if not any(_excludes(k, draft) for k in rivals):
            kept.append(draft)
    return kept


def _order(draft: Draft) -> tuple[bool, int, bool, bool, int]:
    known = draft.subject is not None and bool(draft.subject.key)
    vague = not draft.parameter_key
    return vague, -draft.weight, not known, not draft.changes, draft.value.start


def _excludes(better: Draft, worse: Draft) -> bool:
    if better.role is not worse.role:
        return better.role is FactRole.ENDS and worse.role is FactRole.STATES
    same = not worse.parameter_key or better.parameter_key == worse.parameter_key
    return same or better.weight > worse.weight


def owned(drafts: list[Draft], topic: lists.Topic) -> list[Draft]:
    """Facts without a subject get the list's, or that of the fact before them."""
    drafts.sort(key=lambda d: (d.value.start, d.parameter_key))
    before = topic.subject
    for draft in drafts:
        if draft.subject is None and draft.named:
            draft.subject = before
        elif draft.subject is not None and draft.subject.key and draft.role is FactRole.STATES:
            before = before or draft.subject
    return drafts
