"""Q6: whether what answers a question is among the ten candidates, and whether the gate loses it.

Data: LoCoMo, questions of categories 1 (multi-hop), 2, 3 and 4 whose evidence names turns that
exist; malformed evidence ids are skipped, and questions without any other are left out (762
questions with evidence in the public folder's five conversations).

Protocol. Each conversation is a scope of its own. A turn is a cell, ``Speaker: text``, with the
caption of a shared picture in brackets, written at its session's time. A question is asked a day
after the last session, with ten candidates. Recall is the share of a question's evidence turns
among the ten most relevant candidates, before the gate and after it, averaged over questions.
Gate loss is the difference. Nothing is linked; the text is all there is. Baseline: BM25 over the
same turns, with no gate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from bench.quality import gathered
from bench.quality.bm25 import Bm25
from bench.quality.datasets import CONVERSATIONS, Item, Wanted, spoken_time, stamp
from bench.quality.figures import Limit, Result, Tally, mean, row
from bench.quality.public_path import Cell, World
from bench.rows import Row
from review.recall import Question

TEN: Final = 10
EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)
CATEGORIES: Final = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single-hop"}
_TURN: Final = re.compile(r"D\d+:\d+")
_SESSION: Final = re.compile(r"session_(\d+)")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question on a conversation and the turns that answer it."""

    scope: str
    text: str
    at: datetime
    evidence: frozenset[str]
    category: int


@dataclass(frozen=True, slots=True)
class Conversation:
    """The cells of one conversation and its questions."""

    id: str
    cells: tuple[Cell, ...]
    questions: tuple[Asked, ...]


def conversation(name: str, item: Item) -> Conversation:
    """One entry of the data."""
    told = list(_turns(name, item.get("conversation") or {}))
    known = {cell.source_id for cell, _ in told}
    at = max((said for _, said in told), default=EARLIEST)
    found = []
    for one in item.get("qa") or []:
        ids = {f"{name}:{each}" for each in one.get("evidence") or [] if _is_turn(each)}
        if one.get("category") in CATEGORIES and ids & known and one.get("question"):
            asked = Asked(
                scope=name,
                text=str(one["question"]),
                at=at + timedelta(days=1),
                evidence=frozenset(ids & known),
                category=int(one["category"]),
            )
            found.append(asked)
    return Conversation(name, tuple(cell for cell, _ in told), tuple(found))


def measure(wanted: Wanted) -> Result:
    """Rows of Q6."""
    items = wanted.load(CONVERSATIONS)
    talks = [conversation(f"talk:{n}", item) for n, item in enumerate(items)]
    chosen = wanted.sample([asked for talk in talks for asked in talk.questions])
    world = World()
    world.learn([cell for talk in talks for cell in talk.cells], name="conversations.jsonl")
    indexes = {talk.id: Bm25([cell.claim for cell in talk.cells]) for talk in talks}
    names = {talk.id: [cell.source_id for cell in talk.cells] for talk in talks}
    shares: list[tuple[int, float, float, float]] = []
    missed, lost = Tally(), Tally()
    for asked in chosen:
        recall = world.ask(
            Question(asked.text, asked_at=asked.at, scope={"run": asked.scope}, candidates=TEN)
        )
        ten = gathered.by_relevance(recall, TEN)
        before = {one.source_id for one in ten} & asked.evidence
        after = {one.source_id for one in ten if one.admitted} & asked.evidence
        base = {names[asked.scope][n] for n in indexes[asked.scope].best(asked.text, TEN)}
        total = len(asked.evidence)
        shares.append(
            (
                asked.category,
                len(before) / total,
                len(after) / total,
                len(base & asked.evidence) / total,
            )
        )
        missed.add(before == asked.evidence, f"{CATEGORIES[asked.category]} missed", asked.text)
        told = gathered.scored(recall)
        for name in sorted(before):
            why = gathered.reasons(told[name])
            lost.add(name in after, f"{CATEGORIES[asked.category]}: {why}", asked.text)
    result = Result(rows=_rows(shares))
    result.misses |= {"Q6 candidates": missed, "Q6 gate": lost}
    return result


def _rows(shares: list[tuple[int, float, float, float]]) -> list[Row]:
    rows = []
    limits = {
        "all": (Limit(0.68), Limit(0.02, at_least=False)),
        "multi-hop": (None, Limit(0.03, at_least=False)),
    }
    groups = {"all": set(CATEGORIES)} | {word: {n} for n, word in CATEGORIES.items()}
    for group, categories in groups.items():
        some = [one for one in shares if one[0] in categories]
        before, after = mean(one[1] for one in some), mean(one[2] for one in some)
        loss = None if before is None or after is None else before - after
        recall_limit, loss_limit = limits.get(group, (None, None))
        rows += [
            row(
                ("Q6", group, "recall@10 of the candidates"),
                before,
                n=len(some),
                baseline=mean(one[3] for one in some),
                limit=recall_limit,
            ),
            row(("Q6", group, "recall lost at the gate"), loss, n=len(some), limit=loss_limit),
        ]
    return rows


def _turns(name: str, told: Item) -> Iterator[tuple[Cell, datetime]]:
    """Each turn as a cell with the time of its session, in order."""
    sessions = sorted(
        (int(found[1]), key) for key in told if (found := _SESSION.fullmatch(key)) is not None
    )
    for _, key in sessions:
        said_at = spoken_time(told.get(f"{key}_date_time"))
        for n, turn in enumerate(told[key] or []):
            text, turn_id = str(turn.get("text") or "").strip(), str(turn.get("dia_id") or "")
            if said_at is None or not turn_id or not (text or turn.get("blip_caption")):
                continue
            picture = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
            moment = said_at + timedelta(seconds=n)
            cell = Cell(
                f"{name}:{turn_id}",
                f"{turn.get('speaker') or 'Somebody'}: {text}{picture}",
                stamp(moment),
                {"run": name},
                "user_statement_confirmed",
            )
            yield cell, moment


def _is_turn(value: object) -> bool:
    return _TURN.fullmatch(str(value)) is not None
