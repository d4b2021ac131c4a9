"""A store of many durable cells, filled quickly: staged and signed as ever, without the screens.

Records come as proposals, not as a file; policy, secrets, flags, repeats, placing and the append
are those of any import, in batches of 10,000. Facts are read from the third of the claims that
have any; the others are random words. Every approval is a statement over 200 exact artifacts,
which a throw-away key signs and ``store.appending`` judges. What is left out is what a person
would do before it: the card of each record, its draft, and reading it again.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Final

from bench.generated import Made, made, states_a_fact
from bench.quality.public_path import World
from console import signing
from review.facts import parameters
from review.facts.grammar import GrammarParser
from review.facts.keying import Keys
from review.staged.fact_reading import FactReading
from review.text.visible import escape
from store import canonical
from store.cells import Kind, Proposal, SourceType, Span
from store.records import Origin, Place, Read, Reading
from store.stages import DecisionKind, Stage
from store.statements import MOST_SUBJECTS, Verdict

HOW: Final = "staged as proposals by 10,000, signed by 200, no cards and drafts"
"""How cells were made, for the row."""

_PASSPHRASE: Final = "throw-away"
_LATE: Final = datetime(2999, 1, 1, tzinfo=UTC)
"""The key is unlocked as of then, so that its minute is not over before the bench is."""

_SLICE: Final = 10_000
"""Cells of one import, and of one batch."""

_WAITING: Final = (
    "select p.item, p.rev, p.digest, v.body from proj_item p"
    " join vault_payload v on v.commitment = p.text_c"
    " where p.seq >= :seq and p.stage = 'staged' and p.flags = '[]' order by p.seq, p.n"
)
"""What was staged from a position on and has no flag, with its words."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A world, how many of its cells are durable, and what making them took, in seconds."""

    world: World
    durable: int
    staging: float | None
    signing: float | None
    """None for a store that was there."""

    standing: float | None
    """Judging every signature of a store that was there; None for a new one."""


def filled(home: Path, count: int) -> Filled:
    """A store in ``home`` with the first ``count`` generated cells; one that is there is taken."""
    path, key = home / "store.duckdb", home / "keys" / "throw-away"
    if path.exists():
        began = time.perf_counter()
        world = World(path=path, key=signing.unlock(key, _PASSPHRASE, now=_LATE))
        durable = sum(1 for _ in world.store.standing().durable())
        return Filled(world, durable, None, None, time.perf_counter() - began)
    world = World(path=path, key=signing.new_key(key, _PASSPHRASE, comment="bench", now=_LATE))
    staging, deciding, durable = 0.0, 0.0, 0
    statements = 0
    cells = made(count)
    table = parameters.load()
    parser, keys = GrammarParser(table), Keys(table)
    with world.store.held():
        for slice_ in _slices(cells):
            began, before = time.perf_counter(), world.store.head().size
            world.stage_reading(_reading(slice_, durable), _OfFacts(parser, keys))
            staged = time.perf_counter()
            waiting = _waiting(world, before)
            head = world.store.head()
            for start in range(0, len(waiting), MOST_SUBJECTS):
                statements += 1
                world.decide(waiting[start : start + MOST_SUBJECTS], head, statements)
            staging, deciding = staging + staged - began, deciding + time.perf_counter() - staged
            durable += len(waiting)
            print(f"{durable:,} of {count:,} cells are durable", file=sys.stderr, flush=True)
    return Filled(world, durable, staging, deciding, None)


class _OfFacts(FactReading):
    """Reads the facts of claims that have any."""

    def read(self, proposal: Proposal) -> Proposal:
        """See ``review.staged.fact_reading``."""
        return super().read(proposal) if states_a_fact(proposal.claim) else proposal


def _reading(rows: Sequence[Made], start: int) -> Reading:
    """Rows as an opened source of our own format; ``start`` counts the rows before them."""
    data = [row.claim.encode("utf-8") for row in rows]
    digest = hashlib.sha256(b"\n".join(data)).hexdigest()
    origin = Origin(f"bench-{start}", digest, sum(map(len, data)), "text/plain", "own_jsonl", "1")
    return Reading(
        origin, iter([_read(n, *one) for n, one in enumerate(zip(rows, data, strict=True))])
    )


def _read(n: int, row: Made, raw: bytes) -> Read:
    told = Proposal(
        row.claim,
        Kind.FACT,
        SourceType.DOCUMENT,
        row.source_id,
        row.written_at,
        evidence=(Span(0, len(raw)),),
    )
    return Read(Place(n + 1, 0, len(raw)), raw, told)


def _slices(cells: Iterator[Made]) -> Iterator[Sequence[Made]]:
    while some := list(islice(cells, _SLICE)):
        yield some


def _waiting(world: World, seq: int) -> list[Verdict]:
    """An approval of each record that was staged from event ``seq`` on and has no flag."""
    return [
        Verdict(
            item=row["item"],
            rev=row["rev"],
            artifact=row["digest"],
            decision=DecisionKind.APPROVE,
            came_from=Stage.STAGED,
            goes_to=Stage.DURABLE,
            view_sha256=canonical.sha256(
                escape(bytes(row["body"]).decode("utf-8")).encode("utf-8")
            ).hex(),
            nonce=world.nonce(),
        )
        for row in world.store.rows(_WAITING, seq=seq)
    ]
