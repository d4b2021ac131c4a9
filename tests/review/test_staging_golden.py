"""What is staged, to the byte: however staging is made faster, the log and the vault stay.

Pinned anew when facts began to carry their normal forms, who read them and their role; nothing
else changed, and old stores verify as they are: a payload opens to its commitment, whatever it is.

Pinned anew when old answers with vague support were flagged, when an outside owner or a procedure
began to make a record immutable, and when the closed lists of reasons grew, from which the records
here are drawn. All three are of new records; the leaves of old stores stay as they are.

Pinned anew when the key by which a record is known again began to hold its format, and when two
records of one source under one id began to stand beside each other in whichever batches they come.
A file that an older store holds is staged once more when it is imported again, and then known.

Pinned anew when a batch began to name a keyed digest of its file, so that a file that is imported
twice is one source. Older batches have none and count by their import.
"""

from __future__ import annotations

import hashlib
import random

import pytest

from review.staged import staging
from review.staged.staging import Stager
from store.verify import verify
from tests.review.desks import desk_over, reading
from tests.review.varied import varied

GOLDEN = "22df898fc999827faee81a28f654528ce8b7f49f1c93d7c5f1f5c7b73e69ff64"
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


@pytest.mark.parametrize("store", ["memory", "file"], indirect=True)
def test_the_same_records_stage_to_the_same_bytes(store, monkeypatch):
    monkeypatch.setattr(staging, "BATCH", 64)  # several batches, so that one meets another
    desk = desk_over(store, chance=random.Random(3).randbytes)
    # Without the reading of facts, whose rules grow and have tests of their own.
    stager = Stager(store, desk.policy.policy, desk.policy.sha256, desk._writer)
    receipts = [
        stager.run(reading(varied(1))),
        stager.run(reading(varied(2, size=60)), verbatim=True),
        stager.run(reading(varied(1)[:90])),
        stager.run(reading([])),
    ]
    assert [sum(receipt.counts.values()) for receipt in receipts] == [200, 60, 90, 0]
    assert _digest(store) == GOLDEN
    if store.path is not None:
        assert verify(store.path, root=None).exit_code == 0
