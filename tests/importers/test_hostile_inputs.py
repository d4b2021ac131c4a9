"""A thousand hostile files through the process that reads and into a real store (AB3)."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import pytest

from importers import sandbox
from importers.catalogue import UnknownFormatError
from importers.nursery import Nursery
from importers.source import SourceRefusedError, from_bytes, from_members
from review.text import visible
from store.cells import Proposal
from store.duckdb_store import DuckDbStore
from store.records import Barred, BarRule, Origin, Outcome, Read, Reading
from store.vault import Role
from tests.conftest import created
from tests.review.desks import desk_over

from .hostile_inputs import NEIGHBOUR, SEED, Expect, made

BATCH = 125
SLACK_IN_KIB = 64 * 1024
GIB_IN_KIB = 1 << 20
_NODE = re.compile(r"\Ah\d+: ")
"""The name of an entity, which its importer puts before an observation."""


@pytest.fixture(scope="module")
def inputs():
    return made()


class Passed:
    """All inputs, read in the process and staged into one store."""

    def __init__(self, inputs):
        self.by_input = {}
        self.inherited = 0
        self.staged = Counter()
        self.barred = Counter()
        self.refused = {}
        self.store = DuckDbStore.create(
            None,
            store_id="store-1",
            tenant_id="tenant-1",
            key=bytes(range(32)),
            first=created(),
        )
        self.desk = desk_over(self.store)
        self.counts = Counter()
        self.read = 0
        alone = [one for one in inputs if one.sort in ("archive", "csv")]
        others = [one for one in inputs if one.sort not in ("archive", "csv")]
        for start in range(0, len(alone), BATCH):
            self._stage(self._at_once(self._alone, alone[start : start + BATCH]))
        for start in range(0, len(others), BATCH):
            self._stage(self._together(others[start : start + BATCH], start))

    def _alone(self, one):
        """Records of one file; none if it is refused, which is noted."""
        source = from_bytes(one.name, one.content)
        try:
            if one.sort == "csv":
                mapping = sandbox.columns(source).proposed
                yield from sandbox.open_reading(source, mapping=mapping).records
            else:
                for part in sandbox.parts(source):
                    yield from sandbox.open_part(part).records
        except (SourceRefusedError, UnknownFormatError) as error:
            self.refused[one.name] = str(error)

    def _together(self, batch, start):
        """Records of several files uploaded as one folder, each under a folder of its own."""
        members = tuple(
            from_bytes(f"{start + n}/{one.name}", one.content) for n, one in enumerate(batch)
        )
        parts = sandbox.parts(from_members("upload", members))
        return self._at_once(lambda part: sandbox.open_part(part).records, parts)

    def _at_once(self, read, things):
        """What ``read`` gives for each thing, several at a time, in their order."""
        with ThreadPoolExecutor(4) as pool:
            return chain.from_iterable(pool.map(lambda one: list(read(one)), things))

    def _stage(self, records):
        digest = hashlib.sha256(b"").hexdigest()
        when = "2026-03-01T00:00:00Z"
        origin = Origin("hostile", digest, 0, "application/json", "mem0", "1", when)
        told = list(records)
        for one in told:
            if isinstance(one, Read) and isinstance(one.found, Proposal):
                claim = one.found.claim
                self.staged[_NODE.sub("", claim)] += 1
            elif isinstance(one, Read) and isinstance(one.found, Barred):
                self.barred[one.found.rule] += 1
        receipt = self.desk.stage(Reading(origin, iter(told)))
        reads = sum(isinstance(one, Read) for one in told)
        assert receipt.read == reads
        self.counts.update(receipt.counts)
        self.read += reads


@pytest.fixture(scope="module")
def passed(inputs):
    with pytest.MonkeyPatch.context() as patched:
        inherited = _inherited()
        own = Nursery()
        patched.setattr(sandbox, "NURSERY", own)
        found = Passed(inputs)
        own._way.close()
        own._way = None
        found.used = os.wait4(own._running.pid, 0)[2]
        own._running.returncode = 0
        found.inherited = inherited
    return found


def _inherited() -> int:
    """KiB that Linux counts for any process started here: what this one held when it forked."""
    child = subprocess.Popen([sys.executable, "-S", "-c", ""])
    used = os.wait4(child.pid, 0)[2]
    child.returncode = 0
    return used.ru_maxrss


def texts(store):
    """Every text that is kept of a claim."""
    return [body.decode() for role, body in payloads(store) if role == Role.TEXT]


def payloads(store):
    rows = store.rows("select role, body from vault_payload")
    return [(row["role"], bytes(row["body"])) for row in rows]


def written(store):
    """Every byte of the store's tables that came from outside, or could have."""
    kept = [body for _, body in payloads(store)]
    for table in ("log_event", "log_leaf"):
        kept += [bytes(row["canon"]) for row in store.rows(f"select canon from {table}")]
    return b"\0".join(kept)


def test_there_are_a_thousand_and_the_seed_makes_them_again(inputs):
    assert Counter(one.sort for one in inputs) == {
        "json": 250,
        "archive": 150,
        "unicode": 200,
        "page": 150,
        "csv": 100,
        "name": 100,
        "secret": 50,
    }
    assert made(SEED) == inputs
    assert made(SEED + 1) != inputs
    assert len({one.content for one in inputs}) > 900


def test_all_are_read_to_their_end_and_every_record_has_an_outcome(passed):
    assert passed.read > 1_000
    assert sum(passed.counts.values()) == passed.read
    assert passed.counts[Outcome.WRITTEN] > 500
    assert passed.counts[Outcome.PARSE_FAILED] > 150


def test_what_must_be_refused_is_not_staged(inputs, passed):
    for one in inputs:
        if one.expect is Expect.REFUSED and one.claim:
            assert one.claim not in passed.staged, one.name
    opened = [claim for claim in passed.staged if claim.startswith("claim in an archive")]
    assert opened == []


def test_what_is_only_odd_is_staged_letter_by_letter(inputs, passed):
    missing = [
        one.name
        for one in inputs
        if one.expect is Expect.STAGED and not passed.staged[one.claim.strip()]
    ]
    assert missing == []


def test_no_hostile_record_takes_its_neighbours_with_it(inputs, passed):
    good = Counter()
    for claim, count in passed.staged.items():
        if claim.startswith(NEIGHBOUR):
            good[claim.removeprefix(NEIGHBOUR).split("/")[0].strip()] += count
    lost = {one.name: good[one.neighbours] for one in inputs if good[one.neighbours] < one.good}
    assert lost == {}


def test_no_archive_is_opened_that_breaks_a_bound(inputs, passed):
    archives = [one for one in inputs if one.sort == "archive"]
    refused = [one.name for one in archives if one.name in passed.refused]
    assert len(refused) > 90
    assert all("Nothing was imported." in passed.refused[name] for name in refused)


def test_pickles_links_and_archives_inside_are_barred_and_not_opened(passed):
    assert passed.barred[BarRule.PICKLE] >= 9
    assert passed.barred[BarRule.ARCHIVE_INSIDE] >= 9
    assert passed.barred[BarRule.NOT_A_FILE] >= 12


def test_the_reading_process_stays_under_a_gibibyte(passed):
    bound = max(GIB_IN_KIB, passed.inherited + SLACK_IN_KIB)
    assert passed.used.ru_maxrss < bound


def test_no_secret_stands_anywhere_in_the_store(inputs, passed):
    kept = written(passed.store)
    assert NEIGHBOUR.encode() in kept  # the search would find what is there
    for one in inputs:
        if one.secret:
            for line in one.secret.splitlines():
                if "-----" not in line:
                    assert line.encode() not in kept, one.name


def test_every_kept_text_is_shown_escaped(passed):
    kept = texts(passed.store)
    assert len(kept) > 500
    for text in kept:
        shown = visible.escape(text)
        assert visible.unescape(shown) == text
        odd = {
            char
            for char in shown
            if char != "\n" and unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs", "Cn")
        }
        assert not odd, ascii(text[:200])
