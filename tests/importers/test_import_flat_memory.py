"""A big file is read in the memory of a small one."""

import json
import tracemalloc

import pytest

from importers import catalogue
from importers.source import from_path
from store.cells import Proposal
from store.records import Read

ROW = {
    "id": "{}",
    "memory": "Основной склад поставщика — Коледино. " * 60,
    "user_id": "ana",
    "created_at": "2026-03-01T08:00:00Z",
}
ENTITY = {"type": "entity", "name": "n{}", "observations": ["Коледино " * 900] * 2}
MIB = 1 << 20


@pytest.mark.parametrize(
    ("begin", "row", "between", "end"),
    [("[", ROW, ",\n", "]"), ("", ENTITY, "\n", "\n")],
    ids=["one list", "lines"],
)
def test_twenty_megabytes_are_read_in_a_few(tmp_path, begin, row, between, end):
    one = json.dumps(row, ensure_ascii=False)
    count = 20 * MIB // len(one.encode())
    path = tmp_path / "big.json"
    with path.open("w", encoding="utf-8") as stream:
        stream.write(begin)
        stream.write(between.join(one.replace("{}", str(n)) for n in range(count)))
        stream.write(end)
    assert path.stat().st_size > 19 * MIB
    tracemalloc.start()
    try:
        reading = catalogue.open_reading(from_path(path))
        found = sum(
            isinstance(one, Read) and isinstance(one.found, Proposal) for one in reading.records
        )
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found >= count
    assert peak < 30 * MIB / 3


def test_a_file_without_a_line_ending_cannot_eat_memory(tmp_path):
    path = tmp_path / "endless.jsonl"
    with path.open("wb") as stream:
        stream.write(b'{"claim":"')
        for _ in range(40):
            stream.write(b"x" * MIB)
    tracemalloc.start()
    try:
        reading = catalogue.open_reading(from_path(path), catalogue.named("own_jsonl"))
        (read,) = [one for one in reading.records if isinstance(one, Read)]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert read.place.end == path.stat().st_size
    assert len(read.raw) == 1_024
    assert peak < 60 * MIB
