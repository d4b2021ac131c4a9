"""P5: a recorded answer asked again as of then, and every cell of it left out in turn.

Answers are recorded, one cell is withdrawn by a signature, and the answers are replayed: what
stood then is judged again from the signatures. The first replay of a moment makes that moment's
columns; another answer of the same time finds them at hand. Both are told.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final

from bench.quality.public_path import World
from bench.rows import Row
from review.auditing.answers import AnswersWanted
from review.auditing.leave_one_out import leave_one_out
from review.recall import Question

_NOW: Final = datetime(2026, 3, 10, 12, tzinfo=UTC)
_LIMIT: Final = 300.0
_ANSWERS: Final = 10


def measured(world: World, asked: Sequence[str], name: str) -> list[Row]:
    """Rows over a filled world. One of its cells is withdrawn for it."""
    desk, store = world.desk, world.store
    policy = desk.policy.policy
    for text in asked[:_ANSWERS]:
        desk.record_recall(desk.ask(Question(text, asked_at=_NOW)).recall)
    answers = desk.audit.page(AnswersWanted()).answers[:_ANSWERS]
    replay = desk.audit.replay
    unchanged = _times([lambda one=one: replay.then(one, policy) for one in answers])  # type: ignore[misc]
    item = next(item for one in answers for item in one.items)
    world.withdraw_item(item)
    first = _times([lambda: replay.then(answers[0], policy)])
    again = _times([lambda one=one: replay.then(one, policy) for one in answers])  # type: ignore[misc]
    with_cells = max(answers, key=lambda one: len(one.items))
    left_out = _times([lambda: leave_one_out(replay, with_cells, policy)])
    name = f"{name}, {store.head().size:,} events"
    p95 = statistics.quantiles(again, n=20)[-1]
    told = [
        ("replay, nothing signed since, ms median", statistics.median(unchanged), len(unchanged)),
        ("first replay of a moment before a signature, ms", first[0], 1),
        (f"{len(with_cells.items)} cells left out in turn, ms", left_out[0], 1),
    ]
    return [
        Row("P5", name, "replay, ms p95", p95, None, f"<= {_LIMIT:g}", p95 <= _LIMIT, len(again)),
        *(Row("P5", name, measure, value, None, "", None, n) for measure, value, n in told),
    ]


def _times(works: Sequence[Callable[[], object]]) -> list[float]:
    """Milliseconds of each piece of work."""
    times = []
    for work in works:
        began = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - began))
    return times
