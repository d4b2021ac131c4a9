"""Whether a clause tells an event of the past.

An event is told by a verb of the past in the clause itself; participles that only describe
("opened boxes", "is rejected") and conditions do not count. English by forms, Russian by the
dictionary.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from review.clause_strength.clauses import Clause
from review.clause_strength.cues import Axis, table
from review.clause_strength.values import Sort
from review.clause_strength.words import key, same
from review.facts.sentences import BLANK
from review.facts.tables import word_set
from review.facts.words import is_cyrillic, lemma, russian

_DONE: Final = word_set("was were did had didn't wasn't weren't hadn't couldn't")
NOW: Final = word_set(
    "is are am does do has have must should can may might will shall need needs isn't aren't "
    "doesn't don't won't can't cannot goes go costs cost gets get requires require"
)
"""Verbs that make a clause speak of the present."""

_PERFECT: Final = word_set("has have had hasn't haven't hadn't having")
_HELPS: Final = _DONE | _PERFECT | {"not", "been", "be"}
_BEFORE_PARTICIPLE: Final = word_set(
    "is are am be been being get gets getting isn't aren't the a an of for with by in on at to "
    "from not and or any all every each no this that these those as when if than under over"
)
IRREGULAR: Final = word_set(
    "went took bought got came left met saw made began started found told said lost won sold paid "
    "sent spent built wrote flew drove ate gave held ran chose became kept knew thought rode grew "
    "broke wore slept taught fell felt brought caught led meant stood understood shook hid threw "
    "drew spoke stole rose sank sang tore woke forgot hung stuck struck froze bit blew overheard "
    "overslept shipped wanted asked waited ended rang swam sat lay lent bent dealt drank fed fled "
    "fought forgave lit rid shone shot shrank slid spun sprang stung swept swore swung withdrew "
    "wound wove overran misunderstood undid redid outgrew"
)
"""Forms of the past that do not end in "-ed", and some that are never a participle."""

_SAME_FORM: Final = word_set("put set cut hit let shut split cost hurt quit burst spread upset")
"""Of the past when one does it and no "-s" follows: "the driver put the box outside"."""

_NO_PAST: Final = word_set(
    "need feed speed seed embed exceed proceed succeed indeed shed bed red unified united related "
    "based unsigned unlabelled unlabeled detailed limited hundred sacred naked oversized "
    "generated frozen vendored"
)
_JOINS: Final = word_set("and but or so because which that who if when while")
_BEFORE_BE: Final = word_set("is are am be been being isn't aren't")
_PAST_MODALS: Final = frozenset({"had to", "needed to", "пришлось"})


def event(clause: Clause) -> tuple[int, int] | None:
    """Where the verb is that tells of a past event, in characters; none if nothing does.

    A verb that only says which thing is meant counts when no other does.
    """
    places = own(clause)
    aside = _described(clause, places)
    found = list(_events(clause, places))
    if not found:
        return None
    n = next((n for n in found if n not in aside), found[0])
    return clause.reading.starts[places[n]], clause.reading.ends[places[n]]


_AHEAD: Final = word_set("will won't shall i'll we'll he'll she'll it'll they'll")

_WILL: Final = ("будет", "будут", "будем")


def ahead(clause: Clause) -> tuple[int, int] | None:
    """Where the verb is that tells what is still to come, in characters; none if nothing does.

    A Russian finished act may also be a habit ("скидку согласует менеджер"), but not with a date.
    """
    reading = clause.reading
    dated = any(value.sort is Sort.DATE for value in clause.values)
    for at in own(clause):
        form = reading.forms[at]
        told = form in _AHEAD or form.startswith(_WILL)
        if told or (dated and is_cyrillic(form) and _ahead_in_russian(form)):
            return reading.starts[at], reading.ends[at]
    return None


@lru_cache(maxsize=50_000)
def _ahead_in_russian(form: str) -> bool:
    tag = russian().parse(form)[0].tag
    return bool(tag.POS == "VERB" and "futr" in tag)


def happened(clause: Clause) -> bool:
    """Whether it tells an event by a verb that does more than say which thing is meant."""
    places = own(clause)
    aside = _described(clause, places)
    return any(n not in aside for n in _events(clause, places))


def describes(clause: Clause, other: Clause) -> bool:
    """Whether all that a clause tells of the past says which thing is meant, and so does another.

    "Pallets that were weighed go to ramp 4" and "weighed pallets go to ramp 4" tell no event.
    """
    places = own(clause)
    aside, found = _described(clause, places), set(_events(clause, places))
    if not found or not found <= aside:
        return False
    forms = [clause.reading.forms[places[n]] for n in aside]
    return all(_again(form, other) for form in forms if key(form)[1] and _of_the_past(form))


def _again(form: str, other: Clause) -> bool:
    forms = [other.reading.forms[i] for i in range(other.first, other.last)]
    if not is_cyrillic(form):
        return form in forms
    return any(same(key(one)[0], key(form)[0]) and _of_the_past(one) for one in forms)


def _events(clause: Clause, places: list[int]) -> Iterator[int]:
    """Which of ``places`` hold a verb of the past."""
    reading = clause.reading
    forms = [reading.forms[i] for i in places]
    modal = {
        i
        for mark in clause.of(Axis.FORCE, Axis.DOUBT)
        if mark.words not in _PAST_MODALS
        for i in range(mark.first, mark.last)
    }
    for n, form in enumerate(forms):
        if (is_cyrillic(form) and places[n] in modal) or (
            clause.counts and form in table().seen and form not in _DONE
        ):
            continue
        if is_cyrillic(form):
            past = _past_in_russian(form) and not _conditional(forms, n)
        else:
            past = _past_in_english(forms, n)
        if past:
            yield n


_RELATIVE: Final = word_set("that which who")
_WHICH: Final = "котор"
_BETWEEN: Final = 3


def _described(clause: Clause, places: list[int]) -> set[int]:
    """Verbs that only say which thing is meant: "pallets that were weighed go to ramp 4".

    In English the verb stands right behind its pronoun, for "that" may also begin what somebody
    knows; a Russian clause of this sort ends at its comma.
    """
    forms = [clause.reading.forms[i] for i in places]
    gaps = [clause.reading.gaps[i] for i in places]
    found: set[int] = set()
    for n, form in enumerate(forms):
        if form.startswith(_WHICH):
            end = n + 1
            while end < len(forms) and gaps[end] == BLANK:
                found.add(end)
                end += 1
        elif form in _RELATIVE and n and key(forms[n - 1])[1] and forms[n - 1] not in table().seen:
            at = n + 1
            found.add(at)
            while at < len(forms) and forms[at] in _HELPS and at < n + _BETWEEN:
                at += 1
                found.add(at)
    return found


def own(clause: Clause) -> list[int]:
    """Places of its words outside of conditions and of "Oleg said that"."""
    told = {
        i
        for mark in clause.of(Axis.TOLD)
        for i in (
            range(clause.first, mark.last) if "~" in mark.words else range(mark.first, mark.last)
        )
    }
    return [i for i in clause.main if i not in told]


def _past_in_english(forms: list[str], n: int) -> bool:
    form = forms[n]
    for prefix in ("re", "over", "under", "un", "mis", "out", "with"):
        rest = form.removeprefix(prefix)
        form = rest if rest in IRREGULAR else form
    before = forms[n - 1] if n else ""
    if form in _DONE:
        return not (form == "had" and forms[n + 1 : n + 2] == ["better"])
    if form in IRREGULAR or (form.endswith("ed") and len(form) > 3 and form not in _NO_PAST):
        recent = forms[max(0, n - 3) : n]
        if any(word in _PERFECT for word in recent) and "to" not in recent:
            return True
        if before in _BEFORE_PARTICIPLE or not n:
            return False
        if before.endswith("ly") and forms[n - 2 : n - 1] and forms[n - 2] in _BEFORE_PARTICIPLE:
            return False
        if any(word in _BEFORE_BE for word in recent):
            return False
        return not any(word in NOW for word in _onward(forms, n)) or form in IRREGULAR
    singular = before.isalpha() and not before.endswith("s") and lemma(before) == before
    return form in _SAME_FORM and singular and key(before)[1] > 0


def _onward(forms: list[str], n: int) -> list[str]:
    """The next words, up to one that joins another verb: "the label printed on the box is"."""
    after = forms[n + 1 : n + 6]
    stop = next((k for k, word in enumerate(after) if word in _JOINS), len(after))
    return after[: max(stop, 3)]


@lru_cache(maxsize=50_000)
def _past_in_russian(form: str) -> bool:
    tag = russian().parse(form)[0].tag
    return bool(tag.POS == "VERB" and "past" in tag)


@lru_cache(maxsize=50_000)
def _of_the_past(form: str) -> bool:
    """Whether a word is a verb or a participle of the past, in any use."""
    if not is_cyrillic(form):
        return form in IRREGULAR or form.endswith("ed")
    tag = russian().parse(form)[0].tag
    return bool(tag.POS in ("VERB", "PRTF", "PRTS") and "past" in tag)


def _conditional(forms: list[str], n: int) -> bool:
    return "бы" in forms[max(0, n - 1) : n + 2] or "чтобы" in forms[:n]
