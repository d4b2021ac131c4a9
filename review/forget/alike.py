"""The same words elsewhere, mentions of the subject, and the answers that had it in their context.

None of it is erased by likeness: a person looks and ticks. Found are equal texts but for case and
punctuation, texts that share eight words in a row, and a shorter text of at least three words
inside a longer one. Not found are rewordings.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

import pandas as pd

from review.forget.finding import ANSWER_MARK, frame
from review.forget.plan import Why
from review.forget.shared_words import SharedWords
from store import alike_queries, erase_queries, forget_queries
from store.log import Store

SHORTEST_SUBJECT: Final = 3
"""Characters under which a subject is not looked for in texts: it would be found in many words."""

_SLICE: Final = 245_760
"""Rows of the vault that are looked through at once: two of the database's own groups of rows."""

_UNSPACED: Final = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uac00-\ufaff]"
)
"""Letters of scripts that put nothing between words, such as Thai and Chinese."""


@dataclass
class Alike:
    """Rows outside a plan that a person has to look at, each with the strongest reason."""

    items: dict[str, Why] = field(default_factory=dict)
    runs: dict[str, Why] = field(default_factory=dict)
    records: dict[str, Why] = field(default_factory=dict)
    answers: dict[str, Why] = field(default_factory=dict)
    sources: dict[str, Why] = field(default_factory=dict)
    contents: dict[str, Why] = field(default_factory=dict)

    def add(self, kind: str, ident: str, why: Why) -> None:
        """Take in a row, if no stronger reason is known."""
        into: dict[str, Why] = getattr(self, f"{kind}s")
        into.setdefault(ident, why)


def alike(
    store: Store,
    items: Collection[str],
    texts: Collection[str],
    leaving: Collection[str],
    subject: str,
) -> Alike:
    """What has equal or near text, or mentions the subject.

    Args:
        store: Where to look.
        items: Records of the plan.
        texts: Commitments of the words that go: claims and conclusions.
        leaving: Commitments of everything that goes.
        subject: As the scope states it; blank for none.
    """
    found = Alike()
    if items:
        for row in store.rows(alike_queries.EQUAL, {"wanted": frame(items)}):
            found.add("item", str(row["item"]), Why.EQUAL_TEXT)
    tables = {"wanted": frame(texts, "commitment"), "leaving": frame(leaving, "commitment")}
    _own(store, found, _near(store, tables), Why.NEAR_TEXT)
    if len(subject.strip()) >= SHORTEST_SUBJECT:
        del tables["wanted"]
        inside = _UNSPACED.search(subject) is not None
        query = alike_queries.MENTIONS_INSIDE if inside else alike_queries.MENTIONS
        rows = store.rows(query, tables, subject=subject.strip())
        _own(store, found, [row["commitment"] for row in rows], Why.MENTION)
    return found


def arrived(store: Store, items: Collection[str], since: int) -> tuple[str, ...]:
    """Records that say the same as ``items`` and were staged from position ``since`` on.

    They came between the preview and the digests that keep such words out.
    """
    if not items:
        return ()
    rows = store.rows(alike_queries.EQUAL_SINCE, {"wanted": frame(items)}, since=since)
    return tuple(sorted(str(row["item"]) for row in rows))


def _near(store: Store, tables: Mapping[str, pd.DataFrame]) -> list[str]:
    """Contents that do not leave and share words in a row with what goes."""
    told = [str(row["spelled"]) for row in store.rows(alike_queries.SPELLED, tables)]
    shared = SharedWords(told, part=alike_queries.PART, fewest=alike_queries.FEWEST)
    if not shared.lengths:
        return []
    near = list[str]()
    for some, places in _likely(store, shared, {"leaving": tables["leaving"]}):
        if places:
            asked = {**tables, "likely": some[["commitment"]].iloc[places]}
            found = store.rows(alike_queries.near(shared.lengths), asked)
            near += [str(row["commitment"]) for row in found]
    return near


def _likely(
    store: Store, shared: SharedWords, leaving: Mapping[str, pd.DataFrame]
) -> Iterator[tuple[pd.DataFrame, list[int]]]:
    """Slices of what stays, each with the places to be compared; the next is read meanwhile."""
    stop = int(store.rows(erase_queries.ROWS)[0]["stop"])
    before: tuple[pd.DataFrame, Future[list[int]]] | None = None
    with ThreadPoolExecutor(1) as beside:
        for start in range(0, stop, _SLICE):
            query = alike_queries.STAYING
            some = store.frame(query, leaving, start=start, stop=start + _SLICE)
            looked = beside.submit(shared.likely, some["spelled"].tolist())
            if before is not None:
                yield before[0], before[1].result()
            before = some, looked
        if before is not None:
            yield before[0], before[1].result()


def _own(store: Store, found: Alike, commitments: Iterable[str], why: Why) -> None:
    """Say whose contents these are."""
    wanted = frame(commitments, "commitment")
    if len(wanted):
        owned = set[str]()
        for row in store.rows(forget_queries.OWNERS, {"wanted": wanted}):
            found.add(str(row["kind"]), str(row["id"]), why)
            owned.add(str(row["commitment"]))
        for one in wanted["commitment"]:
            if one not in owned:
                found.add("content", one, why)


@dataclass(frozen=True, slots=True)
class Use:
    """An answer with records of the plan in its context."""

    answer: str
    door: str
    """Name of the door that served it; empty for the desk."""

    items: tuple[str, ...]


def uses(store: Store, items: Iterable[str]) -> tuple[Use, ...]:
    """Observed answers that had one of ``items`` in their context, oldest first."""
    told: dict[int, tuple[str, list[str]]] = {}
    for row in store.rows(forget_queries.USES, {"wanted": frame(items)}):
        told.setdefault(int(row["seq"]), (str(row["door"]), []))[1].append(str(row["item"]))
    return tuple(
        Use(f"{ANSWER_MARK}{seq}", door, tuple(named)) for seq, (door, named) in told.items()
    )
