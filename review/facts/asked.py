"""What a question asks for: parameters of the table by name or by sentence, or one of its own."""

from __future__ import annotations

from review.facts.asked_about import asking_for, clause_end, thing
from review.facts.asked_names import by_name, names_another
from review.facts.frames import Frame, found
from review.facts.open_questions import opening
from review.facts.protocol import Asked
from review.facts.sentences import Phrase, Sentence
from review.facts.subjects import Context, subject


def asked(context: Context, sentence: Sentence) -> list[Asked]:
    """What the sentence asks for; the thing itself first, then what leads to it.

    Args:
        context: The text; its moments should be blanked out already.
        sentence: A question, or the part of a sentence that is one.
    """
    if opening(context.reading, sentence) is None:
        return []
    framed = _by_sentence(context, sentence)
    told = [one for one, _ in framed]
    told += [
        one
        for one in by_name(context, sentence)
        if not any(_takes(context, f, skipped, one) for f, skipped in framed)
    ]
    told.sort(key=lambda one: (one.span.start, -one.span.end))
    kept: list[Asked] = []
    for one in told:
        if not any(k.parameter_key == one.parameter_key and _same(k, one) for k in kept):
            kept.append(one)
    return kept


def _takes(context: Context, framed: Asked, skipped: tuple[int, int], one: Asked) -> bool:
    """Whether the name is one of the words of a sentence that asks for something else."""
    inside = framed.span.start <= one.span.start and one.span.end <= framed.span.end
    first, last = skipped
    passed = first < last and (
        context.reading.starts[first] <= one.span.start <= context.reading.ends[last - 1]
    )
    return inside and not passed


def _same(one: Asked, other: Asked) -> bool:
    return one.subject_key == other.subject_key or not one.subject_key or not other.subject_key


def _by_sentence(context: Context, sentence: Sentence) -> list[tuple[Asked, tuple[int, int]]]:
    reading, entries = context.reading, context.lexicon.entries
    told: list[tuple[int, Asked, tuple[int, int]]] = []
    for at in range(sentence.first, sentence.last):
        entry = entries.get(reading.forms[at])
        for frame in entry.asks if entry else ():
            pair = _framed(context, sentence, frame, at)
            if pair is not None:
                told.append((frame.weight, *pair))
    told.sort(key=lambda triple: -triple[0])
    kept: list[tuple[Asked, tuple[int, int]]] = []
    for _, one, skipped in told:
        if not any(k.span.start < one.span.end and one.span.start < k.span.end for k, _ in kept):
            kept.append((one, skipped))
    return kept


def _framed(
    context: Context, sentence: Sentence, frame: Frame, at: int
) -> tuple[Asked, tuple[int, int]] | None:
    filled = found(context.reading, frame, at, sentence.first, sentence.last)
    if filled is None:
        return None
    if frame.parameter.key == "name" and filled.subject is not None:
        first, last = filled.subject
        if names_another(context, first, min(last, first + 1)):
            # "Как зовут директора Ромашки" asks for the director.
            return None
    whom: Phrase | None = None
    if filled.subject is not None:
        first, last = filled.subject
        if last == sentence.last:
            last = clause_end(context, first, last)
            whom = thing(context, sentence, first, last)
        else:
            whom = subject(context, first, last)
        if whom is None and first < last:
            return None
    start, end = filled.first, max(filled.last, at + 1)
    return asking_for(context, frame.parameter, whom, start, end), filled.skipped
