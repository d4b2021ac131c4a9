"""Q2: what a person said first and what they said later, asked about now, then or the change.

Data: LongMemEval, evidence turns of its knowledge-update questions, each with its intent (29
CURRENT, 4 HISTORY, 2 CHANGE in the public folder; one CURRENT item has a single turn and is left
out). This is not LongMemEval-S: there is no haystack but ours.

Protocol, for each question, in a scope of its own: every turn of its evidence sessions is a
cell, written at the session's date, by the person who asks; 60 turns of other questions are
drawn by the seed as distractors, with their own dates. The oldest evidence is "old", the newest
"new", by date. The question is asked at its date, or a minute after the newest evidence where
the data dates the question earlier on that day. Nothing but the text, its date and its speaker
is given.

* CURRENT is clean: new is admitted, and no older evidence is.
* HISTORY: old is admitted. CHANGE: old and new are.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bench.quality import gathered
from bench.quality.datasets import UPDATES, Item, Wanted, slashed_time, stamp
from bench.quality.figures import Limit, Result, Tally, best, row
from bench.quality.public_path import Cell, World
from review.recall import Question, Recall

INTENTS: Final = ("CURRENT", "HISTORY", "CHANGE")
BASELINES: Final = (
    *(("latest_only", 3), ("relevance_only", 3), ("time_filter", 50), ("recency", 50)),
    *(("top_1", 50), ("no_h", 50)),
)
DISTRACTORS: Final = 60


@dataclass(frozen=True, slots=True)
class Turn:
    """Something that was said, and when."""

    said_at: datetime
    text: str
    by_user: bool


@dataclass(frozen=True, slots=True)
class Update:
    """A question with the evidence for it, oldest first."""

    id: str
    question: str
    intent: str
    asked_at: datetime
    turns: tuple[Turn, ...]

    @property
    def scope(self) -> dict[str, str]:
        """The world that this question is about."""
        return {"user": "me", "run": self.id}

    def cells(self, others: list[Turn]) -> list[Cell]:
        """Evidence and distractors, in the order of their dates."""
        told = [(turn, f"{self.id}:{n}") for n, turn in enumerate(self.turns)]
        told += [(turn, f"{self.id}:other:{n}") for n, turn in enumerate(others)]
        return [
            Cell(
                name,
                turn.text,
                stamp(turn.said_at),
                self.scope,
                "user_statement_confirmed" if turn.by_user else "agent_summary",
            )
            for turn, name in sorted(told, key=lambda one: one[0].said_at)
        ]


def turns_of(item: Item) -> list[Turn]:
    """All evidence turns of one question, oldest first."""
    found = []
    for session in item.get("evidence_sessions") or []:
        said_at = slashed_time(session.get("date"))
        for turn in session.get("turns") or []:
            if said_at is not None and str(turn.get("content") or "").strip():
                by_user = turn.get("role") == "user"
                found.append(Turn(said_at, str(turn["content"]), by_user))
    return sorted(found, key=lambda turn: turn.said_at)


def updates(items: list[Item]) -> list[Update]:
    """The questions that have an intent and evidence of at least two turns."""
    found = []
    for n, item in enumerate(items):
        turns, asked = turns_of(item), slashed_time(item.get("question_date"))
        if item.get("intent") not in INTENTS or len(turns) < 2 or not item.get("question"):
            continue
        after = turns[-1].said_at + timedelta(minutes=1)
        found.append(
            Update(
                id=f"update:{n}",
                question=str(item["question"]),
                intent=str(item["intent"]),
                asked_at=max(asked or after, after),
                turns=tuple(turns),
            )
        )
    return found


def cells_of(chosen: list[Update], items: list[Item], seed: int) -> list[Cell]:
    """The cells of every question's world, distractors drawn by the seed."""
    cells: list[Cell] = []
    for update in chosen:
        own = {turn.text for turn in update.turns}
        pool = [turn for item in items for turn in turns_of(item) if turn.text not in own]
        rng = random.Random(f"{seed}/{update.id}")
        cells += update.cells(rng.sample(pool, min(DISTRACTORS, len(pool))))
    return cells


def measure(wanted: Wanted) -> Result:
    """Rows of Q2."""
    items = wanted.load(UPDATES)
    chosen = wanted.sample(updates(items))
    world = World()
    world.learn(cells_of(chosen, items, wanted.seed), name="updates.jsonl")
    result = Result()
    own = _shares(world, chosen, "", 50, result)
    others = [_shares(world, chosen, name, size, None) for name, size in BASELINES]
    limits = {"CURRENT": Limit(0.90)}
    for intent, tally in own.items():
        if intent != "CURRENT" and tally.n:
            limits[intent] = Limit(round((tally.n - 1) / tally.n, 3))
        result.rows.append(
            row(
                ("Q2", "found", _named(intent)),
                tally.share,
                n=tally.n,
                baseline=best(told[intent].share for told in others),
                limit=limits.get(intent),
            )
        )
        result.misses[f"Q2 {intent}"] = tally
    for (name, size), told in zip(BASELINES, others, strict=True):
        for intent, tally in told.items():
            variant = f"baseline {name}" + (f" of {size}" if size < 50 else "")
            result.rows.append(row(("Q2", variant, _named(intent)), tally.share, n=tally.n))
    return result


def _named(intent: str) -> str:
    told = {"CURRENT": "clean", "HISTORY": "old admitted", "CHANGE": "old and new admitted"}
    return f"{intent} {told[intent]}"


def _shares(
    world: World, chosen: list[Update], baseline: str, candidates: int, result: Result | None
) -> dict[str, Tally]:
    tallies = {intent: Tally() for intent in INTENTS}
    blocked = Tally()
    for update in chosen:
        recall = world.ask(
            Question(
                update.question,
                asked_at=update.asked_at,
                scope=update.scope,
                candidates=candidates,
                baseline=baseline,
            )
        )
        miss = _miss(update, recall)
        tallies[update.intent].add(not miss, miss, f"{update.id} {update.question}")
        if update.intent == "CURRENT":
            _count_blocked(update, recall, blocked)
    if result is not None:
        result.blocked["found"] = blocked
    return tallies


def _miss(update: Update, recall: Recall) -> str:
    """What is wrong with an answer; blank when nothing is."""
    kept, told = gathered.admitted(recall), gathered.scored(recall)
    old = f"{update.id}:0"
    new = f"{update.id}:{len(update.turns) - 1}"
    needed = {"CURRENT": [new], "HISTORY": [old], "CHANGE": [old, new]}[update.intent]
    for name in needed:
        word = "old" if name == old else "new"
        if name not in told:
            return f"{word} is no candidate"
        if name not in kept:
            return f"{word} is out: {gathered.reasons(told[name])}"
    if update.intent == "CURRENT":
        older = {f"{update.id}:{n}" for n in range(len(update.turns) - 1)}
        if older & kept:
            return "old is admitted as well"
    return ""


def _count_blocked(update: Update, recall: Recall, blocked: Tally) -> None:
    kept, told = gathered.admitted(recall), gathered.scored(recall)
    for n in range(len(update.turns) - 1):
        name = f"{update.id}:{n}"
        if name in told:
            blocked.add(name not in kept, "old is admitted", update.question)
