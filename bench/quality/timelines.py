"""Q7: what a business question is handed: the phrases it needs, and not those that fell.

Data: StateBench, grouped by prompt (753 timelines with one query each in the public folder).

Protocol. Each timeline is a scope of its own. Its memory is, in the order of time: persistent
facts and the working set it starts with, conversation turns, and every state write. A cell of a
fact or a write is ``key: value``; ids are left out, and so are the endings of keys that tell a
later version (``_v2``, ``_corrected``). Links are left out too in ``found``; in ``given``, on a
seeded 250 of the timelines, a write that names what it supersedes carries that link. The
question is asked at its own time.

Only phrases that occur in some memory of their timeline count, whatever their case. A must-not
phrase leaks when memory text that is handed over holds it; a must phrase is covered when that
text, or the question itself, which is handed over beside it, holds it. Baselines over the same
cells: all but what given links supersede, and BM25's best three.

For Q8: memories that hold a must-not phrase and no must phrase, or that a later write supersedes
by its own link, are superseded or conflicting.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from bench.quality import gathered
from bench.quality.bm25 import Bm25
from bench.quality.datasets import TIMELINES, Item, Wanted, plain_time, stamp, texts
from bench.quality.figures import Limit, Result, Tally, row
from bench.quality.public_path import Cell, World
from review.recall import Question, Recall

_VERSION: Final = re.compile(r"_(?:v\d+|corrected)$")
_SOURCES: Final = {"system": "system_of_record", "policy": "document"}
_BM25_TAKES: Final = 3
GIVEN: Final = 250


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory of a timeline."""

    name: str
    text: str
    at: datetime
    source_type: str
    supersedes: str = ""
    """Name of the memory that it replaces, by the data's own link."""


@dataclass(frozen=True, slots=True)
class Query:
    """One question of a timeline and the phrases to look for."""

    text: str
    at: datetime
    must: tuple[str, ...]
    must_not: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """The memories of one timeline, oldest first, and its questions."""

    id: str
    track: str
    memories: tuple[Memory, ...]
    queries: tuple[Query, ...]

    def cells(self, *, given: bool) -> list[Cell]:
        """The memories to import."""
        found = []
        for one in self.memories:
            more: dict[str, Any] = {}
            if given and one.supersedes:
                more = {"edges": [{"kind": "supersedes", "target": one.supersedes}]}
            scope = {"run": self.id, "user": "user"}
            found.append(
                Cell(one.name, one.text, stamp(one.at), scope, one.source_type, more=more)
            )
        return found

    @property
    def superseded(self) -> set[str]:
        """Names of memories that a link of the data supersedes."""
        return {one.supersedes for one in self.memories if one.supersedes}


def timeline(name: str, item: Item) -> Timeline:
    """One entry of the data."""
    parts = list(_parts(item))
    parts = [one for one in parts if one["text"].strip() and one["at"] is not None]
    parts.sort(key=lambda one: one["at"])
    by_key: dict[str, str] = {}
    memories = []
    for n, one in enumerate(parts):
        own = f"{name}:{n}"
        replaced = by_key.get(str(one.get("supersedes") or ""), "")
        memories.append(Memory(own, one["text"], one["at"], one["source"], replaced))
        by_key |= {str(one[key]): own for key in ("key", "id") if one.get(key)}
    queries = []
    for event in item.get("events") or []:
        at, truth = plain_time(event.get("ts")), event.get("ground_truth") or {}
        if event.get("type") == "query" and event.get("prompt") and at is not None:
            told = "\n".join(one.text for one in memories if one.at <= at).lower()
            must, must_not = (
                tuple(one for one in texts(truth.get(side)) if one.lower() in told)
                for side in ("must_mention", "must_not_mention")
            )
            queries.append(Query(str(event["prompt"]), at, must, must_not))
    return Timeline(name, str(item.get("track") or ""), tuple(memories), tuple(queries))


def measure(wanted: Wanted) -> Result:
    """Rows of Q7."""
    items = wanted.load(TIMELINES)
    chosen = [timeline(f"timeline:{n}", item) for n, item in enumerate(items)]
    chosen = wanted.sample([one for one in chosen if one.queries])
    result = Result()
    links = _phrases(chosen, _linked)
    search = _phrases(chosen, _searched)
    for variant, some in (("found", chosen), ("given", wanted.sample(chosen, GIVEN))):
        world = World()
        cells = [cell for one in some for cell in one.cells(given=variant == "given")]
        world.learn(cells, name="timelines.jsonl")
        blocked = result.blocked.setdefault(variant, Tally())

        def asked(one: Timeline, query: Query, world: World = world, told: Tally = blocked) -> str:
            scope = {"run": one.id, "user": "user"}
            recall = world.ask(Question(query.text, asked_at=query.at, scope=scope))
            _count_blocked(one, query, recall, told)
            return gathered.handed_over(recall)

        leaks, covered = _phrases(some, asked)
        strict = variant == "found"
        result.rows += [
            row(
                ("Q7", variant, "must-not phrases handed over"),
                None if leaks.share is None else 1 - leaks.share,
                n=leaks.n,
                baseline=_least(links[0], search[0]),
                limit=Limit(0.05, at_least=False) if strict else None,
            ),
            row(
                ("Q7", variant, "must phrases covered"),
                covered.share,
                n=covered.n,
                baseline=max((one[1].share or 0.0 for one in (links, search)), default=None),
                limit=Limit(0.95) if strict else None,
            ),
        ]
        result.misses |= {f"Q7 {variant} leaks": leaks, f"Q7 {variant} coverage": covered}
    for name, told in (("links", links), ("BM25 of 3", search)):
        share = None if told[0].share is None else 1 - told[0].share
        variant = f"baseline {name}"
        result.rows.append(
            row(("Q7", variant, "must-not phrases handed over"), share, n=told[0].n)
        )
        result.rows.append(
            row(("Q7", variant, "must phrases covered"), told[1].share, n=told[1].n)
        )
    return result


def _phrases(
    chosen: list[Timeline], handed: Callable[[Timeline, Query], str]
) -> tuple[Tally, Tally]:
    """Must-not phrases kept out, and must phrases covered."""
    kept_out, covered = Tally(), Tally()
    for one in chosen:
        for query in one.queries:
            text = handed(one, query).lower()
            for phrase in query.must_not:
                example = f"{one.id} “{phrase}” for: {query.text}"
                kept_out.add(phrase.lower() not in text, one.track, example)
            for phrase in query.must:
                hit = phrase.lower() in text or phrase.lower() in query.text.lower()
                covered.add(hit, one.track, f"{one.id} “{phrase}” for: {query.text}")
    return kept_out, covered


def _linked(one: Timeline, query: Query) -> str:
    gone = one.superseded
    told = (each for each in one.memories if each.name not in gone and each.at <= query.at)
    return "\n".join(each.text for each in told)


def _searched(one: Timeline, query: Query) -> str:
    told = [each.text for each in one.memories if each.at <= query.at]
    return "\n".join(told[n] for n in Bm25(told).best(query.text, _BM25_TAKES))


def _least(*tallies: Tally) -> float | None:
    return min((1 - one.share for one in tallies if one.share is not None), default=None)


def _count_blocked(one: Timeline, query: Query, recall: Recall, blocked: Tally) -> None:
    """For CURRENT questions: each candidate that is superseded or conflicting, in or out."""
    if any(str(part.sub.intent.kind) != "CURRENT" for part in recall.parts):
        return
    candidates, kept = gathered.scored(recall), gathered.admitted(recall)
    for each in one.memories:
        if each.name not in candidates:
            continue
        text = each.text.lower()
        fallen = any(phrase.lower() in text for phrase in query.must_not)
        needed = any(phrase.lower() in text for phrase in query.must)
        if each.name in one.superseded or (fallen and not needed):
            blocked.add(each.name not in kept, one.track, f"{one.id} {each.text}")


def _parts(item: Item) -> Iterator[dict[str, Any]]:
    start = item.get("initial_state") or {}
    for one in start.get("persistent_facts") or []:
        yield _written(one, one.get("ts"))
    for one in start.get("working_set") or []:
        at = plain_time(one.get("ts"))
        yield {"text": str(one.get("content") or ""), "at": at, "source": "foreign_memory"}
    for event in item.get("events") or []:
        at = event.get("ts")
        if event.get("type") == "conversation_turn":
            own = event.get("speaker") == "user"
            source = "user_statement_confirmed" if own else "agent_summary"
            yield {"text": str(event.get("text") or ""), "at": plain_time(at), "source": source}
        for write in event.get("writes") or []:
            yield _written(write, at)


def _written(one: Item, at: object) -> dict[str, Any]:
    """A persistent fact or a write, without what its key tells of versions."""
    source = (one.get("source") or {}).get("type")
    return {
        "text": f"{_VERSION.sub('', str(one.get('key') or 'note'))}: {one.get('value')}",
        "at": plain_time(at),
        "source": _SOURCES.get(str(source), "user_statement_confirmed"),
        "key": one.get("key"),
        "id": one.get("id"),
        "supersedes": one.get("supersedes"),
    }
