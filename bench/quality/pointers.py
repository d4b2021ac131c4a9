"""Q13: how large the context of one recall is when a tool result is pointed at, not pasted in.

Protocol. A tool returned 5 MB (seeded bytes). The memory of it is one cell that says in a
sentence what was exported, with the result itself in base64 in the same record. The importer
keeps the record's media type, size and digest in its place. The cell is approved and asked
about. Inline is the same context with the 5 MB of base64 pasted in, as a memory without pointers
hands it over.
"""

from __future__ import annotations

import base64
import random
from datetime import UTC, datetime
from typing import Final

from bench.quality.datasets import Wanted, stamp
from bench.quality.figures import Limit, Result, row
from bench.quality.public_path import Cell, World
from review.recall import Question

SIZE: Final = 5_000_000
TOLD_AT: Final = datetime(2026, 2, 1, tzinfo=UTC)
ASKED_AT: Final = datetime(2026, 3, 1, tzinfo=UTC)


def measure(wanted: Wanted) -> Result:
    """Rows of Q13."""
    body = base64.b64encode(random.Random(wanted.seed).randbytes(SIZE)).decode("ascii")
    result = {"encoding": "base64", "content": f"data:text/csv;base64,{body}"}
    cell = Cell(
        "tool:export-1",
        "The stock report of 1 February lists 18,240 jackets in Elektrostal.",
        stamp(TOLD_AT),
        more={"foreign": {"result": result}},
    )
    world = World()
    world.learn([cell], name="tool.jsonl")
    recall = world.ask(Question("How many jackets are in Elektrostal?", asked_at=ASKED_AT))
    context = "\n".join(part.context.as_json() for part in recall.parts)
    size = len(context.encode("utf-8"))
    served = any(part.admitted for part in recall.parts)
    times = (size + len(body)) / size if served and body not in context else None
    name = ("Q13", "pointer", "context size, inline to pointer")
    rows = [
        row(name, times, n=1, baseline=1.0, limit=Limit(1_000)),
        row(
            ("Q13", "pointer", "context, bytes"),
            float(size),
            n=1,
            baseline=float(size + len(body)),
        ),
    ]
    return Result(rows=rows)
