"""Q1: of two dated versions of one answer, the one that is valid at the asked time, and no other.

Data: SituatedQA, temporal. A pair is a question whose first timeline has a present and a
previous answer that began at distinct, known times (1,031 in the public folder). Static facts
are questions that the data calls independent of time (2,303; a seeded 600 of them are asked).

Protocol. All cells lie in one store. A cell is ``question: answer``. Cells of a pair carry the
annotated start and its precision as world time and nothing else: no end, no link, no fact.
Static facts carry no world time. Everything is written at one moment, after every start, and
asked a month later, among the three most relevant candidates:

* CURRENT: the question as it is;
* AS-OF new: the question and ``as of <start of the present version>``, in words;
* AS-OF old: the same with the start of the previous version.

Clean is: the valid version is admitted and the other is not. Baselines are asked about a seeded
200 of the same pairs in the same store. The figure is the plain mean of the three shares. A
static hit is: the static fact is admitted when it is asked about.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from bench.quality import gathered
from bench.quality.datasets import SITUATED, Item, Wanted, stamp
from bench.quality.figures import Limit, Result, Tally, best, mean, row
from bench.quality.public_path import Cell, World
from bench.rows import Row
from review.recall import Question

BASELINES: Final = ("latest_only", "relevance_only", "time_filter", "recency", "top_1", "no_h")
MODES: Final = ("CURRENT", "AS-OF new", "AS-OF old")
STATIC: Final = 600
COMPARED: Final = 100
CANDIDATES: Final = 3
_SPOKEN: Final = {"day": "%B %d, %Y", "month": "%B %Y", "year": "%Y"}


@dataclass(frozen=True, slots=True)
class Version:
    """One answer with its annotated start."""

    answer: str
    start: str
    precision: str
    spoken: str
    """The start in words, no more exact than it is annotated."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A question with its present and its previous answer."""

    id: str
    question: str
    new: Version
    old: Version

    def cells(self, written_at: str) -> list[Cell]:
        """Both versions; the newer is written first, so that the order tells nothing."""
        return [
            Cell(
                f"{self.id}:{name}",
                f"{self.question}: {version.answer}",
                written_at,
                more={"valid": {"start": version.start, "precision": version.precision}},
            )
            for name, version in (("new", self.new), ("old", self.old))
        ]

    def asked(self, mode: str) -> str:
        """The question in one of ``MODES``."""
        if mode == "CURRENT":
            return self.question
        return f"{self.question} as of {(self.new if mode.endswith('new') else self.old).spoken}"


def pairs(items: list[Item]) -> list[Pair]:
    """The pairs of distinct starts, one for each question that has one."""
    found = []
    for n, item in enumerate(items):
        timelines = item.get("timelines") or []
        if not item.get("question") or not timelines or not isinstance(timelines[0], dict):
            continue
        new, old = _version(timelines[0], "cur"), _version(timelines[0], "prev")
        if new is not None and old is not None and new.start != old.start:
            found.append(Pair(f"situated:{n}", str(item["question"]), new, old))
    return found


def statics(items: list[Item]) -> list[tuple[str, str, str]]:
    """(id, question, answer) of the facts that do not depend on time."""
    return [
        (f"static:{n}", str(item["question"]), ", ".join(map(str, item["cur_answers"])))
        for n, item in enumerate(items)
        if item.get("is_dependent") is False and item.get("question") and item.get("cur_answers")
    ]


def measure(wanted: Wanted) -> Result:
    """Rows of Q1."""
    items = wanted.load(SITUATED)
    chosen = wanted.sample(pairs(items))
    timeless = wanted.sample(statics(items))
    written = told_at(chosen)
    world = World()
    cells = [cell for pair in chosen for cell in pair.cells(stamp(written))]
    cells += [Cell(name, f"{asked}: {answer}", stamp(written)) for name, asked, answer in timeless]
    world.learn(cells, name="situated.jsonl")
    now = written + timedelta(days=30)
    result = Result()
    own = _clean(world, chosen, now, "", result)
    some = wanted.sample(chosen, COMPARED)
    others = {name: _clean(world, some, now, name, None) for name in BASELINES}
    result.rows = _rows(own, others)
    result.misses |= {f"Q1 {mode}": tally for mode, tally in own.items()}
    _static(world, wanted.sample(timeless, STATIC), now, result)
    return result


def told_at(chosen: list[Pair]) -> datetime:
    """A moment after every start: the first of the second month after the latest one."""
    latest = max((pair.new.start for pair in chosen), default="2021-01-01")
    later = datetime.fromisoformat(latest).replace(tzinfo=UTC) + timedelta(days=62)
    return later.replace(day=1)


def _clean(
    world: World, chosen: list[Pair], now: datetime, baseline: str, result: Result | None
) -> dict[str, Tally]:
    """Clean shares by mode; with ``result``, also what CURRENT questions blocked."""
    tallies = {mode: Tally() for mode in MODES}
    blocked = Tally()
    for pair in chosen:
        for mode in MODES:
            text = pair.asked(mode)
            question = Question(text, asked_at=now, candidates=CANDIDATES, baseline=baseline)
            recall = world.ask(question)
            kept = gathered.admitted(recall)
            good, bad = (f"{pair.id}:{name}" for name in _order(mode))
            hit = good in kept and bad not in kept
            miss = "" if hit or result is None else _miss(gathered.scored(recall), good, bad)
            tallies[mode].add(hit, miss, text)
            if mode == "CURRENT" and result is not None and bad in gathered.scored(recall):
                blocked.add(bad not in kept, "superseded version admitted", text)
    if result is not None:
        result.blocked["found"] = blocked
    return tallies


def _order(mode: str) -> tuple[str, str]:
    return ("old", "new") if mode == "AS-OF old" else ("new", "old")


def _miss(candidates: dict[str, Any], good: str, bad: str) -> str:
    if good not in candidates:
        return "valid version is no candidate"
    if not candidates[good].admitted:
        return f"valid version is out: {gathered.reasons(candidates[good])}"
    return "other version is admitted as well"


def _rows(own: dict[str, Tally], others: dict[str, dict[str, Tally]]) -> list[Row]:
    macros = {name: mean(one.share for one in told.values()) for name, told in others.items()}
    n = own["CURRENT"].n
    rows = [
        row(
            ("Q1", "found", "clean share, macro of three"),
            mean(tally.share for tally in own.values()),
            n=n,
            baseline=best(macros.values()),
            limit=Limit(0.97),
        )
    ]
    rows += [
        row(
            ("Q1", "found", f"clean share, {mode}"),
            tally.share,
            n=tally.n,
            baseline=best(told[mode].share for told in others.values()),
        )
        for mode, tally in own.items()
    ]
    rows += [
        row(
            ("Q1", f"baseline {name}", "clean share, macro of three"),
            value,
            n=others[name]["CURRENT"].n,
        )
        for name, value in macros.items()
    ]
    return rows


def _static(
    world: World, timeless: list[tuple[str, str, str]], now: datetime, result: Result
) -> None:
    tally = Tally()
    for name, text, _ in timeless:
        recall = world.ask(Question(text, asked_at=now, candidates=CANDIDATES))
        hit = name in gathered.admitted(recall)
        told = gathered.scored(recall).get(name)
        miss = "static fact is no candidate" if told is None else gathered.reasons(told)
        tally.add(hit, miss, text)
    limit = Limit(0.99)
    result.rows.append(row(("Q1", "found", "static hit"), tally.share, n=tally.n, limit=limit))
    result.misses["Q1 static"] = tally


def _version(timeline: Item, side: str) -> Version | None:
    start, answer = timeline.get(f"{side}_start"), timeline.get(f"{side}_answers_full")
    if not isinstance(start, dict) or not start.get("year") or not answer:
        return None
    month, day = start.get("month"), start.get("date") if start.get("month") else None
    try:
        began = datetime(int(start["year"]), int(month or 1), int(day or 1), tzinfo=UTC)
    except (TypeError, ValueError):
        return None
    precision = "day" if day else "month" if month else "year"
    spoken = began.strftime(_SPOKEN[precision]).replace(" 0", " ")
    return Version(str(answer), began.strftime("%Y-%m-%d"), precision, spoken)
