"""What is staged, to the byte: however staging is made faster, the log and the vault stay.

Pinned anew when the raw of a refused record began to be blanked whole where masking alone does not
see what the composed text shows; nothing else changed, and old stores verify as they are.
"""

from __future__ import annotations

import hashlib
import random

from review import staging
from store.verify import verify
from tests.review.desks import desk_over, reading
from tests.review.varied import varied

GOLDEN = "b6b8802a575b7a291e45e4d447aae8934a0b9b83562565c9ecd9c6d90f97f680"
"""SHA-256 over the log's and the vault's bytes. It changes only when something else is staged:
then say in the commit what, and why old stores still verify."""


def _digest(store) -> str:
    told = hashlib.sha256()
    for query in (
        "select seq, canon, h from log_event order by seq",
        "select seq, ordinal, canon from log_leaf order by seq, ordinal",
        "select commitment, salt, role, body from vault_payload order by commitment",
    ):
        for row in store.rows(query):
            told.update(repr(tuple(row.values())).encode())
    return told.hexdigest()


def test_the_same_records_stage_to_the_same_bytes(store, monkeypatch):
    monkeypatch.setattr(staging, "BATCH", 64)  # several batches, so that one meets another
    desk = desk_over(store, chance=random.Random(3).randbytes)
    receipts = [
        desk.stage(reading(varied(1))),
        desk.stage(reading(varied(2, size=60)), verbatim=True),
        desk.stage(reading(varied(1)[:90])),
        desk.stage(reading([])),
    ]
    assert [sum(receipt.counts.values()) for receipt in receipts] == [200, 60, 90, 0]
    assert _digest(store) == GOLDEN
    if store.path is not None:
        assert verify(store.path, root=None).exit_code == 0
