"""The parser that needs no model: the parameter table and a few rules of English and Russian.

It reads what it is sure of. A sentence that it does not understand gives no fact: a missing fact
costs an answer, a wrong one ends a true memory.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from review.facts import entries, lists, notes, questions, statements, timing
from review.facts.corrections import corrections
from review.facts.drafts import Draft
from review.facts.lexicon import Lexicon
from review.facts.parameters import Table, load
from review.facts.protocol import Asked, ClaimFacts, QuestionFacts, Setting, supported
from review.facts.sentences import Phrase, Reading, Sentence
from review.facts.subjects import Context
from review.facts.uniqueness import only
from store.cells import Cardinality, Fact, FactRole, Interval, Span

NAME: Final = "grammar/1"
MOST: Final = 64
"""Facts that one claim can have; more is a table and not a claim."""

_LONGEST: Final = 20_000
"""Characters of a claim that are read; what is longer is a document."""


class GrammarParser:
    """Reads facts by the table. See :class:`review.facts.protocol.Parser`."""

    name = NAME

    def __init__(self, table: Table | None = None) -> None:
        """Compile ``table``, or ours."""
        self.lexicon = _ours() if table is None or table is load() else Lexicon(table)

    def claim(self, text: str, setting: Setting) -> ClaimFacts:
        """The facts of a claim, at most ``MOST``, and the world time that its words give."""
        reading = Reading(text[:_LONGEST])
        context = Context(reading, self.lexicon, setting)
        note = notes.note(reading) if reading.sentences else None
        facts = _answered(context, note) if note else _stated(context)
        keyed = entries.entry(text[:_LONGEST], facts, NAME)
        facts = [*facts, keyed] if keyed else facts
        kept, refused = supported(text, _once(facts)[:MOST])
        return ClaimFacts(kept, _common(kept), refused)

    def question(self, text: str, setting: Setting) -> QuestionFacts:
        """What a question states and asks for."""
        reading = Reading(text[:_LONGEST])
        context = Context(reading, self.lexicon, setting)
        facts: list[Fact] = []
        asked: list[Asked] = []
        named: list[Phrase] = []
        for sentence, asks in questions.parts(reading)[:MOST]:
            named += questions.entities(reading, sentence)
            head, tail = questions.cut(reading, sentence) if asks else (sentence, sentence)
            if head is not None:
                drafts = statements.states(context, head)
                drafts += lists.standing(context, head, running=True)
                facts += _finished(context, head, statements.owned(drafts, lists.NOTHING))
            if asks:
                asked += questions.asking(reading, tail, self.lexicon, setting)
        kept, _ = supported(text, _once(facts)[:MOST])
        keys = [
            *(one.subject_key for one in asked),
            *(fact.subject_key for fact in kept),
            *(phrase.key for phrase in named),
        ]
        return QuestionFacts(
            kept,
            tuple(asked[:MOST]),
            tuple(dict.fromkeys(key for key in keys if key)),
            questions.task(reading),
        )


@lru_cache(maxsize=1)
def _ours() -> Lexicon:
    return Lexicon(load())


def _stated(context: Context) -> list[Fact]:
    """What a claim corrects, or else what its sentences state."""
    facts: list[Fact] = []
    for sentence, drafts in corrections(context):
        facts += _finished(context, sentence, drafts)
    for sentence in context.reading.sentences if not facts else ():
        if not sentence.asks:
            facts += _finished(context, sentence, statements.states(context, sentence))
        if len(facts) >= MOST:
            break
    return facts


def _answered(context: Context, note: notes.Note) -> list[Fact]:
    """The fact that a question with its answer is."""
    told = questions.asking(context.reading, note.question, context.lexicon, context.setting)
    if not told:
        return []
    one = told[0]
    if one.cardinality is not Cardinality.ONE or not one.subject_key:
        # The answer as a whole is what the question has now, also when it names several things;
        # and a parameter of nobody in particular would be shared by questions about others.
        own = questions.whole(context.reading, note.question, context.lexicon, context.setting)
        one = replace(own, cardinality=Cardinality.ONE) if own else one
    value = notes.answer(context.reading, note, one, context.setting)
    draft = Draft(
        one.parameter_key,
        one.words,
        (one.span.start, one.span.end),
        Phrase(-1, -1, one.subject_key, 0),
        value,
        cardinality=one.cardinality,
        past=True,
    )
    return _finished(context, note.question, [draft])


def _once(facts: list[Fact]) -> list[Fact]:
    """The facts without what was said already."""
    seen: dict[tuple[str, str, str, str], Fact] = {}
    for fact in facts:
        seen.setdefault((fact.subject_key, fact.parameter_key, fact.value_key, fact.role), fact)
    return list(seen.values())


def _common(facts: tuple[Fact, ...]) -> Interval:
    """The interval that all facts of a claim share; open when they do not, or there are none."""
    told = {fact.valid for fact in facts if fact.role is not FactRole.RESTS_ON}
    return told.pop() if len(told) == 1 else Interval()


def _finished(context: Context, sentence: Sentence, drafts: list[Draft]) -> list[Fact]:
    """The drafts as facts."""
    facts: list[Fact] = []
    text = context.reading.text
    values = [(draft.value.start, draft.value.end) for draft in drafts]
    now = context.setting.written_at
    for draft in drafts:
        whom = draft.subject or _spoken_of(context, draft)
        start = min(draft.place[0], draft.value.start)
        end = max(draft.place[1], draft.value.end)
        if whom and sentence.start <= whom.start < sentence.end:
            start, end = min(start, whom.start), max(end, whom.end)
        facts.append(
            Fact(
                subject=text[whom.start : whom.end] if whom else "",
                parameter=draft.words,
                value=text[draft.value.start : draft.value.end],
                span=Span(start, end),
                valid=timing.interval(context.reading, sentence, draft, values, now),
                role=draft.role,
                subject_key=whom.key if whom else "",
                parameter_key=draft.parameter_key,
                value_key=draft.value.key,
                cardinality=_cardinality(text[sentence.start : draft.value.start], draft),
                reader=NAME,
            )
        )
    return facts


def _cardinality(before: str, draft: Draft) -> Cardinality:
    many = draft.cardinality is Cardinality.MANY
    return Cardinality.UNKNOWN if many and only(before, draft.words) else draft.cardinality


def _spoken_of(context: Context, draft: Draft) -> Phrase | None:
    """Whose "the budget" is when nobody is named: the one that was spoken of just before."""
    for fact in reversed(context.setting.earlier):
        if draft.named and fact.parameter_key == draft.parameter_key:
            return Phrase(-1, -1, fact.subject_key, 0)
    return None
