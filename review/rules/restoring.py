"""Puts the source's words back into a rule, or takes added ones out: a proposal for a person.

Several small edits are tried and the first one is taken after which the place is gone and no
other place is stricter than before; if none does it, the clause is told in the source's own words.
The result is a text that the person sees and can edit on; nothing is stored here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from review.clause_strength.places import Aligned, Drift, Strength
from review.rules.settling import Asked, asked
from review.strength import check
from store.cells import Span


def restored(sources: Sequence[str], rule: str, wanted: Asked) -> str:
    """The rule with one place settled by words.

    Args:
        sources: The source texts.
        rule: The rule as it stands.
        wanted: One of its places.

    Returns:
        The new text; the old one if no edit settles the place.
    """
    before = check(sources, rule)
    known = {one.key for one in asked(before, {})}
    best: tuple[int, str] | None = None
    for text in dict.fromkeys(_edits(sources, rule, wanted, before)):
        left = {one.key for one in asked(check(sources, text), {})}
        if wanted.key in left or not text.strip():
            continue
        if left <= known:
            return text
        if best is None or len(left) < best[0]:
            best = (len(left), text)
    return rule if best is None or best[0] > len(known) else best[1]


def _edits(sources: Sequence[str], rule: str, wanted: Asked, strength: Strength) -> Iterator[str]:
    place = wanted.place
    cue, told = "" if place.source is None else place.source.cue, place.rule.span
    clause = _clause(strength, told)
    whole = ""
    if clause is not None and clause.sources:
        said = " ".join(_sentence(sources[one.text], one.span) for one in clause.sources)
        whole = _tidied(rule[: clause.rule.start] + said + rule[clause.rule.end :])
    if whole and place.drift is Drift.TENSE:
        yield whole  # another verb in the place of this one makes no sentence
    if wanted.removes or (not cue and told.end > told.start):
        yield _tidied(rule[: told.start] + rule[told.end :])
    elif told.end > told.start:
        yield _tidied(rule[: told.start] + cue + rule[told.end :])
    elif cue:
        at = clause.rule if clause is not None else told
        yield _tidied(f"{rule[: at.end]} {cue}{rule[at.end :]}")
        yield _tidied(rule[: at.start] + _begun(cue, rule[at.start : at.end]) + rule[at.end :])
    if whole:
        yield whole
    if place.source is not None:
        said = _sentence(sources[place.source.text], place.source.span)
        yield _tidied(f"{rule.rstrip()} {said}")
        spans = [
            one.rule
            for one in strength.clauses
            if any(
                other.text == place.source.text
                and _sentence(sources[other.text], other.span) == said
                for other in one.sources
            )
        ]
        if spans:  # all that was made of one sentence gives way to it
            start, end = min(one.start for one in spans), max(one.end for one in spans)
            yield _tidied(rule[:start] + said + rule[end:])


def _clause(strength: Strength, span: Span) -> Aligned | None:
    """The clause of the rule in which a place is, or at whose end it is missing."""
    inside = (
        one
        for one in strength.clauses
        if one.rule.start <= span.start and span.end <= one.rule.end
    )
    return next(inside, None)


def _begun(cue: str, clause: str) -> str:
    """A clause with words put before it, its first letter made small."""
    first = clause[:1]
    low = first.lower() if clause[1:2].islower() else first
    return f"{cue[:1].upper()}{cue[1:]} {low}{clause[1:]}"


def _sentence(source: str, span: Span) -> str:
    """The sentence of a source around a span."""
    ends = [one.end() for one in re.finditer(r"[.!?…]+(?=\s|$)|\n+", source)]
    start = max((end for end in ends if end <= span.start), default=0)
    stop = min((end for end in ends if end >= span.end), default=len(source))
    return source[start:stop].strip()


def _tidied(text: str) -> str:
    """One blank between words, none before a mark, a capital letter at the beginning."""
    told = re.sub(r"[ \t]{2,}", " ", text)
    told = re.sub(r"[ \t]+([.,;:!?…])", r"\1", told)
    told = re.sub(r"(?m)^[ \t,;]+", "", told).rstrip(" \t")
    told = re.sub(r"([.!?])[ \t]*\1(?=\s|$)", r"\1", told)
    return told[:1].upper() + told[1:]
