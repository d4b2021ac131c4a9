"""Every answer that is known: what we served, what was reported, and runs that had read something.

Observed is what this program served itself, with every number. Reported is what somebody else
says: a report, or a run of another system. The two are never mixed up: each answer says which it
is. A report that names a recall of ours tells what was said with it, and stays a report.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd

from review.auditing.answer_reading import PREFIX, opened
from review.auditing.known_answer import Answer, Source
from store import queries, read_queries
from store.log import Store

__all__ = ["Answer", "Source", "one", "opened", "page", "since", "total", "using"]

PAGE: Final = 25
"""Answers on one page."""

MOST_USES: Final = 200
"""Answers that are told of one cell at most."""

LONGEST_ID: Final = 128
"""Characters of an id, of an answer's own or of a trace's."""

_LEAST_WORDS: Final = 8
"""Characters of a claim by which it is looked for in what somebody else had read."""

_DIGITS: Final = 16


class NoSuchAnswerError(LookupError):
    """There is no such answer here, or it is not yours to see."""

    def __init__(self, answer: str) -> None:
        """Keep the id; the sentence is the same for another tenant's answer."""
        self.answer = answer
        super().__init__("No such answer, or no access.")


@dataclass(frozen=True, slots=True)
class AnswersWanted:
    """Filters over answers. Blank means any."""

    source: str = ""
    """A value of ``Source``."""

    observed: str = ""
    """``1`` for observed ones, ``0`` for reported ones."""

    q: str = ""
    fallen: frozenset[str] | None = None
    """Only answers whose context held one of these items."""

    mark: str = ""
    """``conflict`` for answers with something in their context that stood against something else,
    ``conclusion`` for those with an old conclusion handed over; as recorded."""


@dataclass(frozen=True, slots=True)
class AnswerPage:
    """Answers of one page and how many there are in all."""

    answers: tuple[Answer, ...]
    total: int


def page(store: Store, wanted: AnswersWanted, number: int = 1) -> AnswerPage:
    """One page of answers, newest first, counted from 1."""
    names: list[str] = []
    values: dict[str, object] = {}
    tables = None
    if wanted.source:
        names, values = [*names, "type"], values | {"type": wanted.source}
    if wanted.observed:
        names, values = [*names, "observed"], values | {"observed": wanted.observed}
    if words := wanted.q.strip():
        spelled = json.dumps(words, ensure_ascii=False)[1:-1]
        values |= {"q": queries.literal_search(words), "word": words}
        values["raw"] = queries.literal_search(spelled)
        names.append("q")
    if wanted.mark:
        names.append(wanted.mark)
    if wanted.fallen is not None:
        names.append("fallen")
        tables = {"fallen": pd.DataFrame({"item": pd.Series(sorted(wanted.fallen), dtype="str")})}
    values |= {"limit": PAGE, "offset": (max(number, 1) - 1) * PAGE}
    rows = store.rows(read_queries.answers(names), tables, **values)
    return AnswerPage(opened(store, rows), int(rows[0]["total"]) if rows else 0)


def one(store: Store, answer: str) -> Answer:
    """One answer by its id.

    Raises:
        NoSuchAnswerError: If there is none here.
    """
    number = answer.removeprefix(PREFIX)
    if answer.startswith(PREFIX) and number.isdecimal() and len(number) < _DIGITS:
        rows = store.rows(read_queries.answers(["seq"]), seq=int(number), limit=1, offset=0)
    else:
        rows = store.rows(read_queries.answers(["run"]), run=answer, limit=1, offset=0)
    if not rows:
        raise NoSuchAnswerError(answer)
    return opened(store, rows)[0]


def using(store: Store, item: str, most: int = MOST_USES) -> tuple[Answer, ...]:
    """Answers whose context held a cell, newest first, at most ``most``.

    Observed answers are known by what was recorded; reported ones by the cell's own words
    standing in what they are said to have read.
    """
    rows = store.rows(read_queries.answers(["item"]), item=item, limit=most, offset=0)
    told = (*opened(store, rows), *_reported(store, item, most))
    return tuple(sorted(told, key=lambda one: one.seq, reverse=True)[:most])


def uses(store: Store, items: Sequence[str], most: int = MOST_USES) -> dict[str, int]:
    """How many answers ``using`` would tell of each of some cells, without opening what we served.

    What somebody else reports is opened where the words of a cell stand in it.
    """
    wanted = {"wanted": pd.DataFrame({"key": pd.Series(list(items), dtype="str")})}
    found = store.rows(read_queries.TIMES_USED, wanted)
    served = {row["item"]: int(row["n"]) for row in found}
    told = bool(store.rows(read_queries.IS_REPORTED)[0]["told"])
    return {
        item: min(served.get(item, 0) + (len(_reported(store, item, most)) if told else 0), most)
        for item in items
    }


def _reported(store: Store, item: str, most: int) -> list[Answer]:
    """Answers by which somebody says that a cell was read: its words stand in what was."""
    texts = _texts_of(store, item)
    told: dict[str, Answer] = {}
    for text in texts:
        held = json.dumps(text, ensure_ascii=False)[1:-1]
        rows = store.rows(read_queries.answers(["held"]), held=held, limit=most, offset=0)
        told |= {one.id: one for one in opened(store, rows)}
    return [one for one in told.values() if _had_read(one, texts)]


def _had_read(answer: Answer, texts: Sequence[str]) -> bool:
    return any(text in document.text for document in answer.documents for text in texts)


def _texts_of(store: Store, item: str) -> list[str]:
    """The words of a cell in each of its revisions."""
    found = store.rows(read_queries.TEXTS_OF, item=item)
    payloads = store.payloads(row["text_c"] for row in found)
    told = (payload.body.decode("utf-8") for payload in payloads.values())
    return [text for text in dict.fromkeys(told) if len(text.strip()) >= _LEAST_WORDS]


def total(store: Store) -> tuple[int, str]:
    """How many answers are known, and since when; empty when there are none."""
    row = store.rows(read_queries.ANSWER_COUNT)[0]
    return int(row["n"]), row["since"] or ""


def since(store: Store, moment: str) -> int:
    """How many answers were learned of from ``moment`` on, RFC 3339."""
    return int(store.rows(read_queries.ANSWERS_SINCE, since=moment)[0]["n"])
