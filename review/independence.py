"""Counts what is independent: repeats of one run, one session, one review or one person are one.

A count of confirmations counts sources, never events, and never a model's confidence. Words that
stood in memory which the run had recalled are an echo and count for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from review.text import skeleton
from store.cells import Case, Stance


@dataclass(frozen=True, slots=True)
class Count:
    """Independent cases for and against an insight, and how many events they are made of."""

    supporting: int
    contradicting: int
    events: int
    """Cases given, repeats and echoes too."""

    echoes: int
    """Cases whose words were recalled in their run."""

    people: int
    """Different persons who are named among the supporting ones; 0 when none is."""

    @property
    def confidence(self) -> float | None:
        """``supporting / (supporting + contradicting)``; None without a case."""
        whole = self.supporting + self.contradicting
        return self.supporting / whole if whole else None


def count(cases: Sequence[Case]) -> Count:
    """The independent cases of an insight."""
    real = [one for one in cases if not one.recalled]
    groups = {stance: _groups([one for one in real if one.stance is stance]) for stance in Stance}
    return Count(
        supporting=groups[Stance.SUPPORTS],
        contradicting=groups[Stance.CONTRADICTS],
        events=len(cases),
        echoes=len(cases) - len(real),
        people=people(one.by for one in real if one.stance is Stance.SUPPORTS),
    )


def people(names: Iterable[str]) -> int:
    """How many persons are named; spellings that may be of one person are one."""
    told = [_spellings(name) for name in dict.fromkeys(names) if name.strip()]
    return _connected(told)


def sources(review_ids: Iterable[str | None], source_ids: Iterable[str]) -> int:
    """Independent sources of equal claims: by review where one is named, else by record."""
    named = {
        f"review:{review}" if review else f"source:{source}"
        for review, source in zip(review_ids, source_ids, strict=True)
    }
    return len(named)


def _folded(name: str) -> str:
    """A name or id by what is read of it: spellings of one person are one.

    Case, spacing, punctuation, accents and hidden characters do not matter, nor do letters of
    another alphabet that look the same. A name of marks alone stands for itself.
    """
    return skeleton.skeleton(name) or name.strip()


def _spellings(name: str) -> tuple[tuple[str, str], ...]:
    """By what a name is held against others: as it looks, and as it sounds in any order.

    "Пётр Иванов", "Ivanov, Petr" and "petr.ivanov" are one person. Two people who are taken for
    one only make a count smaller.
    """
    if not name:
        return ()
    return (("by", _folded(name)), ("by-sound", " ".join(skeleton.sound(name))))


def _groups(cases: Sequence[Case]) -> int:
    """Connected groups of cases that share a run, a session, a review or a person."""
    return _connected(
        [
            (
                *(
                    (kind, _folded(told))
                    for kind, told in (
                        ("run", one.run),
                        ("session", one.session),
                        ("review", one.review_id),
                    )
                ),
                *_spellings(one.by),
            )
            for one in cases
        ]
    )


def _connected(told: Sequence[Sequence[tuple[str, str]]]) -> int:
    """How many groups there are, if those that share a mark are one; blank marks are none."""
    parent = list(range(len(told)))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    first: dict[tuple[str, str], int] = {}
    for place, marks in enumerate(told):
        for mark in marks:
            if mark[1]:
                parent[root(place)] = root(first.setdefault(mark, place))
    return len({root(place) for place in range(len(told))})
