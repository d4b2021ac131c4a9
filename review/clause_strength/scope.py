"""Words that say of whom or what a clause holds: dropped from the source, or added to it.

A word before a word that is kept ("glass bottles", "bottles") and a phrase behind a preposition
("on vendored code") narrow what a clause holds of. Dropped, they widen it, which is STRICTER;
added, they narrow it. Where words were dropped and others stand in their place, nobody here can
tell whether they mean the same, and the place is UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from review.clause_strength.alignment import Words
from review.clause_strength.clauses import Clause
from review.clause_strength.cues import is_number, table
from review.clause_strength.levels import Step
from review.clause_strength.places import Change, Drift, Verdict
from review.clause_strength.words import Word, same
from review.facts.sayings import PREPOSITIONS
from review.facts.sentences import BLANK
from review.facts.tables import word_set
from review.facts.words import is_cyrillic, russian
from review.text.word_weights import RAREST
from store.cells import Span

Extent = tuple[int, int]
_REACH = 4
"""Words between a preposition and what it leads to, at most."""

_SUBJECTS: Final = word_set("i we you they he she it who")
"""What stands behind one of these is no adjective."""

_PREPOSITIONS = PREPOSITIONS | frozenset({"behind", "above", "below", "across", "via", "против"})


def scope(
    source: Sequence[Clause],
    rule: Clause,
    words: Words,
    *,
    told: frozenset[str],
    hidden: tuple[Sequence[Extent], Sequence[Extent]],
    shifted: bool,
    act: Span | None = None,
) -> Iterator[tuple[int, Step]]:
    """The differences in what the clauses are about.

    Args:
        source: The source clauses.
        rule: The clause that tells them again.
        words: Which words are the same.
        told: Keys of all that the rule says of these sources.
        hidden: Characters of counted cases, of the sources and of the rule, told of elsewhere.
        shifted: Whether an event became a rule; who did it is then told by the tense.
        act: Where the rule names what is to be done, when it bids it.
    """
    known = frozenset(name for clause in source for name in clause.keys)
    gone = [
        (clause, _unheld(clause, lambda key: words.of_source.get(key, ()), told))
        for clause in source
    ]
    new = [
        word
        for word in _unheld(rule, lambda key: words.of_rule.get(key, ()), known)
        if not any(low <= word.start < high for low, high in hidden[1])
    ]
    gone = [
        (clause, [w for w in left if not any(low <= w.start < high for low, high in hidden[0])])
        for clause, left in gone
    ]
    for clause in source:
        this, others = _pointed(clause, words.of_source), _pointed(rule, words.of_rule)
        if this and not others:
            yield clause.text, Step(Drift.SCOPE, Change.DROPPED, Verdict.STRICTER, this, None)
    lost = [(clause, word) for clause, left in gone for word in left]
    if lost and new:
        clause = lost[0][0]
        spans = (_extent([word for of, word in lost if of is clause]), _extent(new))
        yield clause.text, Step(Drift.WORDING, Change.CHANGED, Verdict.UNKNOWN, *spans)
        return
    for clause, left in gone:
        kept = {word.at for word in clause.words} - {word.at for word in left}
        kept |= clause.valued
        doer = _doer(clause, left, rule, act) if shifted else frozenset[int]()
        narrow = [w for w in left if w.at not in doer and _narrows(clause, w, kept, left)]
        if narrow:
            span = _extent(narrow)
            yield clause.text, Step(Drift.SCOPE, Change.DROPPED, Verdict.STRICTER, span, None)
        elif left and not shifted:
            span = _extent(left)
            yield clause.text, Step(Drift.WORDING, Change.DROPPED, Verdict.UNKNOWN, span, None)
    if new:
        kept = ({word.at for word in rule.words} - {word.at for word in new}) | rule.valued
        narrow = [w for w in new if not _how(rule, w) and _narrows(rule, w, kept, new)]
        drift, verdict = (
            (Drift.SCOPE, Verdict.SOFTER)
            if len(narrow) == len(new)
            else (Drift.WORDING, Verdict.UNKNOWN)
        )
        yield source[0].text, Step(drift, Change.ADDED, verdict, None, _extent(new))


_THIS: Final = word_set(
    "this these those here этот эта это эти этого этой этому этих этим этими эту этом здесь тут"
)


def _pointed(clause: Clause, of: Mapping[str, Collection[str]]) -> Span | None:
    """Where the clause speaks of this one thing: "this supplier" is not every supplier."""
    reading = clause.reading
    kept = {word.at for word in clause.words if of.get(word.key)}
    for at in clause.main:
        form = reading.forms[at]
        if form in ("here", "здесь", "тут") or (form in _THIS and at + 1 in kept):
            return Span(reading.starts[at], reading.ends[at])
    return None


def _unheld(clause: Clause, of: Callable[[str], object], keys: frozenset[str]) -> list[Word]:
    """The words of a clause, values and conditions apart, that the other side does not have."""
    seen = table().seen if clause.counts else frozenset[str]()
    return [
        word
        for word in clause.words
        if word.at not in clause.valued
        and not is_number(clause.reading.forms[word.at])
        and clause.reading.forms[word.at] not in seen
        and keys.isdisjoint(of(word.key))  # type: ignore[arg-type]
    ]


def _narrows(clause: Clause, word: Word, kept: set[int], left: Sequence[Word]) -> bool:
    """Whether a word narrows one that is kept, or stands behind a preposition."""
    gaps, forms = clause.reading.gaps, clause.reading.forms
    after = word.at + 1
    others = {one.at for one in left}
    while after < clause.last and after in others and gaps[after] == BLANK:
        after += 1
    verb = is_cyrillic(forms[word.at]) and _verb(forms[word.at])
    if after < clause.last and after in kept and gaps[after] == BLANK and not verb:
        return True
    if is_cyrillic(forms[word.at]) and _oblique(forms[word.at]):
        return True
    for at in range(word.at - 1, max(clause.first, word.at - _REACH) - 1, -1):
        if forms[at] in _PREPOSITIONS:
            return True
        if at in kept or gaps[at + 1] != BLANK:
            return False
    return False


def _doer(clause: Clause, left: Sequence[Word], rule: Clause, act: Span | None) -> frozenset[int]:
    """The left words that say who did it: those right before the verb that the rule has, too.

    "The night shift sweeps" may become "sweep"; "fragile boxes are wrapped" still speaks of
    fragile boxes when it becomes "wrap".
    """
    verb = next((w.key for w in rule.words if act and w.start == act.start), None)
    at = next((n for n, w in enumerate(clause.words) if verb and same(w.key, verb)), None)
    others = {word.at for word in left}
    if at is None:
        return frozenset(word.at for word in clause.words[:1])
    found: set[int] = set()
    for word in reversed(clause.words[:at]):
        if word.at not in others:
            break
        found.add(word.at)
    return frozenset(found)


def _how(clause: Clause, word: Word) -> bool:
    """Whether an added word may tell how something is done, or is no word that anybody knows.

    "We religiously ship", "we alwayz ship": neither says of what the clause holds. Nor does a
    Russian noun that may be the doer: "мы отгружаем", "агенты отгружают".
    """
    forms, at = clause.reading.forms, word.at
    if is_cyrillic(forms[at]):
        return _adverb(forms[at])
    if at > clause.first and forms[at - 1].partition("'")[0] in _SUBJECTS:
        return True
    return forms[at].endswith("ly") or word.weight >= RAREST


@lru_cache(maxsize=20_000)
def _adverb(form: str) -> bool:
    known, tag = bool(russian().word_is_known(form)), russian().parse(form)[0].tag
    doer = tag.POS == "NOUN" and tag.case == "nomn"
    return not known or doer or tag.POS in ("ADVB", "ADJS")


@lru_cache(maxsize=20_000)
def _oblique(form: str) -> bool:
    """Whether a Russian word stands in a case that only narrows: "лимит операторов"."""
    tag = russian().parse(form)[0].tag
    return tag.POS in ("NOUN", "ADJF") and tag.case in ("gent", "datv", "ablt", "loct")


@lru_cache(maxsize=20_000)
def _verb(form: str) -> bool:
    return russian().parse(form)[0].tag.POS in ("VERB", "INFN", "GRND", "PRTS", "PRED")


def _extent(words: Sequence[Word]) -> Span:
    return Span(min(word.start for word in words), max(word.end for word in words))
