"""How strong one clause is on each scale, and where the words stand that say so.

English and Russian. What no word tells has no level: the plain present is neither a duty nor a
leave, and neither doubted nor confirmed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from review.clause_strength.clauses import Clause
from review.clause_strength.counting import Case, cases, once
from review.clause_strength.cues import Axis, Mark, is_number, table
from review.clause_strength.orders import instructs
from review.clause_strength.tenses import event
from review.clause_strength.words import root
from review.facts.words import is_cyrillic, russian
from store.cells import Span

_T = TypeVar("_T")

PLAIN: Final = 3
"""Level of certainty and of share that has no word of its own; see the table of cues."""

DUTY: Final = 3
_EITHER_WAY: Final = frozenset({"may", "can", "может", "могут", "можете", "можем", "могу"})
"""Leave when said of people, else a possibility."""

_WE: Final = frozenset({"you", "we", "i", "вы", "мы", "ты"})

_NEAR: Final = 3


class Level(NamedTuple):
    """A level on a scale, and its cue in characters."""

    rank: int
    place: Span
    words: str


@dataclass(frozen=True, slots=True)
class Scales:
    """One clause, or several that together are the source of one, on every scale."""

    force: Level | None
    """0 nothing asked, 1 leave, 2 advice, 3 duty; of a ban, too."""

    modal: Level | None
    """A "may" that is leave or possibility, and ``leave`` says which it is by itself."""

    leave: bool
    mishap: bool
    """Whether the "may" is said of what only happens to one."""

    doubt: Level | None
    """1 possible, 2 likely, 4 beyond doubt."""

    told: Level | None
    share: Level | None
    """1 some, 2 most, 4 all."""

    absolute: Level | None
    """An "all" or "never" beside a smaller share."""

    negated: bool | None
    """None when it says neither yes nor no: "not always"."""

    negation: Span | None
    event: Span | None
    cases: tuple[Case, ...]
    often: Case | None
    """How often to do something, where it is not a number: "restart it once"."""

    only: Span | None
    asks: bool
    """It is a question, which states nothing."""


def scales(clause: Clause, missing: frozenset[str] = frozenset()) -> Scales:
    """The levels of ``clause``.

    Args:
        clause: One clause.
        missing: Keys of words that only one side has; "without" one of them is told as scope.
    """
    force, doubt = _force(clause), _doubt(clause)
    unsure = [mark for mark in clause.of(Axis.DOUBT) if mark.words == "not necessarily"]
    if unsure and force is not None and force.rank >= 2:
        place = clause.place(unsure[0])
        force = Level(0, place, unsure[0].words)
        doubt = None if doubt is not None and doubt.words == "not necessarily" else doubt
    elif force is not None and force.rank == 0 and _tells_a_fact(clause, force):
        doubt = Level(1, force.place, force.words)
        force = None
    modal = next((m for m in clause.of(Axis.FORCE) if m.words in _EITHER_WAY), None)
    shares = clause.of(Axis.SHARE)
    low = _lowest(clause, _less([m for m in shares if m.rank < PLAIN]))
    high = _lowest(clause, [m for m in shares if m.rank > PLAIN])
    told = clause.of(Axis.TOLD)
    past = event(clause)
    negated, negation = _negated(clause, missing)
    return Scales(
        force=force,
        modal=None if modal is None else Level(1, clause.place(modal), modal.words),
        leave=modal is not None and _chosen(clause, modal),
        mishap=modal is not None and _happens(clause, modal),
        doubt=doubt,
        told=Level(0, clause.place(told[0]), told[0].words) if told else None,
        share=low or high,
        absolute=high,
        negated=negated,
        negation=negation,
        event=None if past is None else Span(*past),
        cases=cases(clause, past is not None),
        often=once(clause, past is not None),
        only=_only(clause),
        asks=clause.asks,
    )


def together(of: Sequence[Scales]) -> Scales:
    """Several sentences as one source: the most that is asked, with every caution that is told."""
    if len(of) == 1:
        return of[0]
    shares = [one.share for one in of if one.share]
    doubts = [one.doubt for one in of if one.doubt]
    flags = {one.negated for one in of}
    return Scales(
        force=max((one.force for one in of if one.force), key=_height, default=None),
        modal=_first(one.modal for one in of),
        leave=any(one.leave for one in of),
        mishap=any(one.mishap for one in of),
        doubt=min(doubts, key=_height, default=None),
        told=_first(one.told for one in of),
        share=min(shares, key=_height, default=None),
        absolute=_first(one.absolute for one in of),
        negated=None if None in flags else True in flags,
        negation=_first(one.negation for one in of),
        event=_first(one.event for one in of),
        cases=tuple(case for one in of for case in one.cases),
        often=_first(one.often for one in of),
        only=_first(one.only for one in of),
        asks=any(one.asks for one in of),
    )


def _height(level: Level) -> int:
    return level.rank


def _first(found: Iterable[_T | None]) -> _T | None:
    return next((one for one in found if one is not None), None)


def _lowest(clause: Clause, found: Sequence[Mark]) -> Level | None:
    if not found:
        return None
    mark = min(found, key=lambda m: (m.rank, m.first))
    return Level(mark.rank, clause.place(mark), mark.words)


def _less(shares: list[Mark]) -> list[Mark]:
    """The shares below all; in "often, but not always" the second only says the first again."""
    if any(mark.rank == PLAIN - 1 for mark in shares):
        return [mark for mark in shares if mark.sense != "either"]
    return shares


def _force(clause: Clause) -> Level | None:
    """The most that the clause asks; an instruction asks as much as "must"."""
    found = [
        mark
        for mark in clause.of(Axis.FORCE)
        if mark.words not in _EITHER_WAY
        and clause.reading.forms[max(0, mark.first - 1)] not in _RELATIVE
        and (mark.words not in _ADVICE or _bids(clause))
    ]
    if found:
        mark = max(found, key=lambda m: (m.rank, -m.first))
        return Level(mark.rank, clause.place(mark), mark.words)
    if any(mark.words in _EITHER_WAY for mark in clause.of(Axis.FORCE)):
        return None
    told = instructs(clause)
    return None if told is None else Level(DUTY, Span(*told), "")


_ADVICE: Final = frozenset(
    {"лучше", "стоит", "следует", "полезно", "неплохо", "worth", "is better"}
)
"""Advice only beside an infinitive: "лучше склеивать", but "работает лучше"."""


_RELATIVE: Final = frozenset(
    {"that", "which", "who", "которые", "который", "которая", "которое", "которых", "которому"}
)
"""A duty behind one of these is said of a thing that is only described."""


def _bids(clause: Clause) -> bool:
    forms = [clause.reading.forms[i] for i in range(clause.first, clause.last)]
    if "чтобы" in forms or "to" in forms or any(form.endswith("ing") for form in forms):
        return True
    return any(russian().parse(f)[0].tag.POS == "INFN" for f in forms if is_cyrillic(f))


def _doubt(clause: Clause) -> Level | None:
    return _lowest(clause, clause.of(Axis.DOUBT))


def _tells_a_fact(clause: Clause, force: Level) -> bool:
    """Whether "не обязательно" doubts a statement: "не обязательно курьер срывает пломбу"."""
    if "обязательно" not in force.words or not is_cyrillic(force.words):
        return False
    tags = [russian().parse(clause.reading.forms[i])[0].tag for i in clause.main]
    last = clause.reading.ends[clause.last - 1]
    return force.place.end < last and not any(tag.POS == "INFN" for tag in tags)


def _chosen(clause: Clause, modal: Mark) -> bool:
    """Whether a "may" is a leave: said of somebody who chooses, and of what one chooses."""
    forms, last = clause.reading.forms, clause.last
    if forms[max(clause.first, modal.first - 1)] in _WE:
        return True
    if _happens(clause, modal):
        return False
    after = [forms[i] for i in range(modal.last, min(last, modal.last + _NEAR))]
    if after[:1] == ["be"] and after[1:2] and after[1].endswith("ed"):
        return True
    before = [forms[i] for i in range(max(clause.first, modal.first - _NEAR), modal.first)]
    return any(root(form) in _roots("actors") for form in before)


def _happens(clause: Clause, modal: Mark) -> bool:
    forms = clause.reading.forms[modal.last : min(clause.last, modal.last + _NEAR)]
    if is_cyrillic(modal.words) and forms[:1] == ["не"]:
        return True
    return any(root(form) in _roots("mishaps") for form in forms)


@lru_cache(maxsize=8)
def _roots(name: str) -> frozenset[str]:
    return frozenset(root(word) for word in getattr(table(), name))


def _negated(clause: Clause, missing: frozenset[str]) -> tuple[bool | None, Span | None]:
    """Whether the clause denies; "никогда не" is one negation, "do not ship without" are two."""
    shares = [m for m in clause.of(Axis.SHARE) if m.sense == "not"]
    plain = [m for m in clause.of(Axis.NEGATION) if not _lacks(clause, m, missing)]
    if clause.of(Axis.EXCEPT) and plain and is_cyrillic(plain[0].words):
        plain = plain[1:]  # "никто, кроме мастера, не открывает"
    if any(m.words == "neither" for m in plain):
        plain = [m for m in plain if m.words != "nor"]
    plain += [m for m in clause.of(Axis.FORCE, Axis.DOUBT) if m.sense == "not"]
    plain.sort(key=lambda m: m.first)
    if any(m.sense == "either" for m in clause.of(Axis.SHARE)) or any(
        m.words == "not necessarily" for m in clause.of(Axis.DOUBT)
    ):
        return None, None
    if plain and is_cyrillic(clause.reading.forms[plain[0].first]):
        shares = []
        bare = [m for m in plain if m.words != "ни"]
        plain = bare or plain[:1]
    count = len(shares) + len(plain)
    first = min((*shares, *plain), key=lambda m: m.first, default=None)
    place = None if first is None else clause.place(first)
    return count % 2 == 1, place


def _lacks(clause: Clause, mark: Mark, missing: frozenset[str]) -> bool:
    """Whether a "without" is said of something that the other side does not name."""
    if mark.words not in ("without", "with no", "без"):
        return False
    after = next((word for word in clause.words if word.at >= mark.last), None)
    return after is not None and after.key in missing


_ONLY: Final = frozenset({"only", "solely", "exclusively", "только", "лишь", "исключительно"})


def _only(clause: Clause) -> Span | None:
    reading = clause.reading
    excepts = clause.of(Axis.EXCEPT)
    if excepts:
        return clause.place(excepts[0])
    covered = {i for m in clause.marks for i in range(m.first, m.last)}
    at = next(
        (
            i
            for i in clause.main
            if reading.forms[i] in _ONLY
            and i not in covered
            and not (i + 1 < clause.last and is_number(reading.forms[i + 1]))
        ),
        None,
    )
    return None if at is None else Span(reading.starts[at], reading.ends[at])
