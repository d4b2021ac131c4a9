"""What is read from a file stays in proportion to the file, whatever its format repeats."""

from __future__ import annotations

import json

import pytest

from importers import frames, sandbox
from importers.catalogue import named
from importers.source import from_bytes
from store.cells import Proposal
from store.records import Failed, FailReason, Read

MIB = 1 << 20


def entity(**members):
    told = {"type": "entity", "name": "Depot", "entityType": "place"} | members
    return json.dumps(told).encode() + b"\n"


def read(data, importer="mcp_memory"):
    source = from_bytes("memory.jsonl", data)
    found = sandbox.open_reading(source, named(importer), sandbox.limits_for(source)).records
    return [one for one in found if isinstance(one, Read)]


def weight(found):
    """Bytes of what was read, as it crosses, but for our own names of fields."""
    return sum(len(frames.encode((one.place, one.raw, one.found))) for one in found)


@pytest.mark.parametrize("repeated", ["name", "entityType"])
def test_a_long_name_over_many_claims_does_not_fill_a_disk(repeated):
    short = [f"opens at {n}" for n in range(5_000)]
    data = entity(**{repeated: "x" * 60_000}, observations=short)
    found = read(data)
    assert found[-1].found == Failed(FailReason.OVER_LIMIT)
    assert weight(found) < 32 * len(data) + 3 * MIB + 2_048 * len(found)


def test_what_was_read_before_the_limit_is_kept():
    honest = entity(observations=["opens at 8"])
    flood = entity(name="x" * 60_000, observations=[f"{n}" for n in range(5_000)])
    found = read(honest + flood)
    assert found[0].found.claim == "Depot: opens at 8"
    assert all(isinstance(one.found, Proposal) for one in found[:-1])


def test_many_observations_of_one_line_do_not_each_keep_it():
    """A line of 8 KiB with 1,000 observations was kept a thousand times."""
    data = entity(observations=[f"{n}" for n in range(1_000)])
    assert len(data) < 8 * 1024
    found = read(data)
    assert len(found) == 1_000
    assert sum(len(one.raw) for one in found) <= len(data)
    assert all(data[one.place.start : one.place.end] == one.raw for one in found)
    assert [one.raw[span.start : span.end] for one in found for span in one.found.evidence] == [
        b'"%d"' % n for n in range(1_000)
    ]


def test_an_honest_file_of_full_lines_is_read_to_its_end():
    data = b"".join(
        entity(
            name=f"Depot {n}",
            observations=[f"gate {g} opens at {h:02d}:00 on workdays" for g, h in _GATES],
        )
        for n in range(150)
    )
    found = read(data)
    assert len(found) == 150 * len(_GATES)
    assert all(isinstance(one.found, Proposal) for one in found)


_GATES = [(gate, hour) for gate in range(10) for hour in range(6, 18)]
