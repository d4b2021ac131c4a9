"""A console that imports and decides without pause, and says what the store acknowledged.

Run as ``python -m tests.faults.worker STORE DRAFTS SEED``; the parent kills it at any moment.
Each line on stdout is printed only after the store has returned.
"""

from __future__ import annotations

import random
import sys
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from console.signing import Unlocked
from review.deciding import Wish
from review.desk import Desk
from store.drafts import DraftBook
from store.duckdb_store import DuckDbStore
from store.stages import DecisionKind
from tests.conftest import Reviewer
from tests.review.desks import desk_over, proposal, reading, signer

LATE = datetime(9998, 1, 1, tzinfo=UTC)


def reviewer() -> Reviewer:
    """The same reviewer in the parent and in every child."""
    return Reviewer(
        "r-1", Unlocked(Ed25519PrivateKey.from_private_bytes(bytes(range(32))), now=LATE)
    )


def main(store_path: str, drafts: str, seed: int) -> None:
    rng, irina = random.Random(seed), reviewer()
    store = DuckDbStore(Path(store_path), trust=irina.root)
    book = DraftBook(Path(drafts))
    desk = desk_over(store, irina, chance=rng.randbytes, book=book)
    print("ready", flush=True)
    with store.held() if seed % 2 else nullcontext():
        work(desk, irina, rng, seed)


def work(desk: Desk, irina: Reviewer, rng: random.Random, seed: int) -> None:
    """Import and decide until killed; odd seeds keep the file open, as a page does."""
    for round_ in range(10_000):
        told = [proposal(f"fact {seed}-{round_}-{n}") for n in range(rng.randint(1, 40))]
        receipt = desk.stage(reading(told))
        print("staged", *receipt.items, flush=True)
        for item in receipt.items[:3]:
            desk.draft(desk.card_of(item), Wish(DecisionKind.APPROVE, nonce=desk.new_nonce()))
        chosen = [draft.item for draft in desk.drafts()]
        if desk.sign(signer(irina)).recorded:
            print("decided", *chosen, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
