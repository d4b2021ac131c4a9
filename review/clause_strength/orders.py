"""Whether a clause is an instruction: "use tabs", "do not stack glass", "отправляйте".

An instruction asks as much as "must". Russian by the dictionary. English has no form of its own
for it, so a clause has to open with a verb of the table, with a word that has an object at once,
with a word after "never" or "do not", or with the bare form of a verb of its source.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from review.clause_strength.clauses import Clause
from review.clause_strength.cues import Axis, table
from review.clause_strength.tenses import IRREGULAR, NOW, own
from review.clause_strength.words import key
from review.facts.sayings import BARS, PREPOSITIONS
from review.facts.sentences import COMMA, LINK
from review.facts.tables import word_set
from review.facts.words import is_cyrillic, lemma, russian
from review.text.word_weights import wording

_BE: Final = word_set("is are was were has isn't aren't")
_RELATIVE: Final = word_set("that which who what whatever where if when you it they we there")
_DETERMINERS: Final = word_set(
    "the a an all every each any your our their its his her my this these those it them him"
)
_PRESSING: Final = word_set("don't never always please")
_SKIP: Final = word_set("please then first also next just simply instead only so thus")
_FEW: Final = 5


def instructs(clause: Clause) -> tuple[int, int] | None:
    """Where the verb is with which the clause tells somebody what to do; none if it does not."""
    reading = clause.reading
    marked = {
        i
        for mark in clause.of(Axis.SHARE, Axis.DOUBT, Axis.NEGATION)
        for i in range(mark.first, mark.last)
    }
    taken = clause.valued | {i for mark in clause.marks for i in range(mark.first, mark.last)}
    places = own(clause)
    forms = [reading.forms[i] for i in places]
    for n, form in enumerate(forms):
        if is_cyrillic(form):
            if _imperative(form, polite="вы" not in forms) or (
                _infinitive(form) and _alone(clause, places)
            ):
                return reading.starts[places[n]], reading.ends[places[n]]
            continue
        led = forms[0] in PREPOSITIONS or places[0] in marked or forms[0] in _SKIP
        opening = next(
            (k for k in range(n, 0, -1) if led and reading.gaps[places[k]] in (COMMA, LINK)), 0
        )
        if not _opens(forms[opening:n], places[opening:n], marked):
            continue
        before = forms[max(opening, n - 2) : n]
        pressed = bool(before) and (before[-1] in _PRESSING or before == ["do", "not"])
        pressed = pressed and places[n] not in taken and key(form)[1] > 0
        known = pressed or (form in table().instructions and not _compound(forms[n + 1 :]))
        role = form in table().roles
        bids = known or (not role and places[n] not in taken and _object(form, forms[n + 1 :]))
        if bids and form == lemma(form) and not _states(forms[n + 1 :]):
            return reading.starts[places[n]], reading.ends[places[n]]
    return None


def ordered(rule: Clause, source: Sequence[Clause]) -> tuple[int, int] | None:
    """Where a rule opens with the bare verb of its source: "glass is stacked", "stack glass".

    The table does not know every verb; here the source's form tells that it is one.
    """
    reading, first = rule.reading, next(iter(rule.words), None)
    places = own(rule)
    if first is None or not places or first.at != places[0]:
        return None
    form = reading.forms[first.at]
    if (
        is_cyrillic(form)
        or form != lemma(form)
        or _states(reading.forms[first.at + 1 : rule.last])
    ):
        return None
    for clause in source:
        forms = clause.reading.forms
        if any(forms[word.at] == form for word in clause.words[:1]):
            return None
        for word in clause.about:
            told = forms[word.at]
            if lemma(told) == form != told and (
                told.endswith(("ed", "ing", "s")) or told in IRREGULAR
            ):
                return first.start, first.end
    return None


def _compound(after: list[str]) -> bool:
    """Whether a noun follows that the word only describes: "refund requests never come"."""
    if len(after) < 2 or not after[0].endswith("s") or len(after[0]) < _FEW - 1:
        return False
    rest = after[1]
    free = rest in PREPOSITIONS or rest in _DETERMINERS or rest in BARS or rest in ("no", "not")
    return not (free or rest.endswith("ly") or rest in ("once", "twice") or rest[0].isdigit())


def _object(form: str, after: list[str]) -> bool:
    """Whether a word that opens a sentence has an object at once: "laminate the labels"."""
    return bool(after) and after[0] in _DETERMINERS and key(form)[1] > 0 and form.isalpha()


def _states(forms: list[str]) -> bool:
    """Whether a verb follows that makes "pull requests are …" of what looks like "pull"."""
    near = any(form in NOW and form not in ("do", "need", "cost") for form in forms[: _FEW - 1])
    return near or any(form in _BE and before not in _RELATIVE for before, form in pairwise(forms))


def _opens(forms: list[str], places: list[int], marked: set[int]) -> bool:
    """Whether nothing but "please", "never", "do not" and the like stands before."""
    told = zip(forms, places, strict=True)
    return all(i in marked or form in _SKIP or form == "do" for form, i in told)


@lru_cache(maxsize=50_000)
def _imperative(form: str, *, polite: bool) -> bool:
    """Whether a form bids; "звоните" bids unless it says "вы звоните"."""
    parses = russian().parse(form)
    if polite and form.endswith("те"):
        return any(bool(one.tag.POS == "VERB" and "impr" in one.tag) for one in parses)
    return bool(parses[0].tag.POS == "VERB" and "impr" in parses[0].tag)


@lru_cache(maxsize=50_000)
def _infinitive(form: str) -> bool:
    return bool(russian().parse(form)[0].tag.POS == "INFN")


def _alone(clause: Clause, places: Sequence[int]) -> bool:
    """Whether no other verb or predicate governs an infinitive; a name is neither."""
    forms = [clause.reading.forms[i] for i in places if i not in clause.valued]
    return not any(_finite(form) for form in forms if is_cyrillic(form))


@lru_cache(maxsize=50_000)
def _finite(form: str) -> bool:
    tag = russian().parse(form)[0].tag
    if tag.POS in ("PRED", "ADJS", "PRTS"):
        return bool(wording(form).weights) or tag.POS == "PRED"
    return bool(tag.POS == "VERB" and "impr" not in tag)
