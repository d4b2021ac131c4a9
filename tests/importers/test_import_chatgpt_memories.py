from pathlib import Path

import pytest

from importers import catalogue
from importers.chatgpt import memories
from importers.source import from_bytes, from_path
from store.cells import Kind, Proposal, SourceType
from store.records import Failed, FailReason, Nothing, NothingReason, RemarkCode

from .conftest import DATA, Told
from .test_import_places import check

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "chatgpt_export"
COPIED = """Saved memories
Живёт в Казани с 2025 года

- Prefers short answers
2. Перевозчик не работает по вторникам
3. [2024-05-01]. Uses DuckDB
Delete
"""


def read(text):
    data = text if isinstance(text, bytes) else text.encode()
    return Told(memories.read(from_bytes("memories.txt", data)))


def test_each_line_is_a_memory_without_its_mark():
    reading = read(COPIED)
    assert [one.claim for one in reading.found if isinstance(one, Proposal)] == [
        "Живёт в Казани с 2025 года",
        "Prefers short answers",
        "Перевозчик не работает по вторникам",
        "Uses DuckDB",
    ]
    assert [one.kind for one in reading.found if isinstance(one, Proposal)] == [
        Kind.FACT,
        Kind.PROFILE_PREFERENCE,
        Kind.FACT,
        Kind.FACT,
    ]
    first = reading.found[1]
    assert first.source_type is SourceType.FOREIGN_MEMORY
    assert first.source_id.startswith("chatgpt:memory/")
    assert set(memories.CANNOT_TELL) == reading.remarks.keys()


def test_the_dialog_s_own_words_and_blank_lines_are_counted():
    found = read(COPIED).found
    assert found[0] == found[-1] == Nothing(NothingReason.NOT_A_MEMORY)
    assert found[2] == Nothing(NothingReason.BLANK_LINE)


def test_a_date_in_brackets_is_when_it_was_written():
    dated = read(COPIED).found[-2]
    assert dated.written_at == "2024-05-01T00:00:00+00:00"
    assert RemarkCode.TIME_ZONE_ASSUMED in dated.remarks
    assert read("[2024-13-01]. x").found == [Failed(FailReason.TIME_INVALID, name="created_at")]


def test_without_a_date_the_file_s_is_assumed():
    source = from_bytes("m", b"Lives in Kazan", modified_at="2026-01-01T00:00:00Z")
    (found,) = Told(memories.read(source)).found
    assert found.written_at == "2026-01-01T00:00:00Z"
    assert RemarkCode.WRITTEN_AT_ASSUMED in found.remarks


def test_one_bad_line_leaves_its_neighbours():
    bad, good, long = read(b"\xd1\xcb\nUses tea\n" + b"x" * 9_000).found
    assert (bad.reason, good.claim, long.reason) == (
        FailReason.NOT_UTF8,
        "Uses tea",
        FailReason.TOO_LONG,
    )


def test_equal_lines_have_ids_of_their_own_and_an_empty_file_has_no_records():
    first, second = read("Uses tea\nUses tea\n").found
    assert second.source_id == first.source_id + "+"
    assert read("").found == []


@pytest.mark.parametrize(
    "text",
    [
        COPIED,
        "Lives in Kazan\nPrefers tea\nCarrier is closed on Tuesdays\n",
        "User's name is Anna.\n\nUser prefers metric units.\n",
        "- Пользователь живёт в Казани\n- Предпочитает чай\n",
        "\ufeff1. Works as an analyst\r\n2. Has two cats\r\n",
        "Model Set Context:\n1. [2024-05-01]. The tariff is 45 RUB\n",
    ],
)
def test_a_copied_list_is_recognised(text):
    assert catalogue.detect(from_bytes("x", text.encode())).name == "chatgpt_memories"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "just words",
        "Lives in Kazan",
        "Dear Anna,\nthe carrier is closed.\nBest regards\n",
        "# Rules\n\nUser lives here\nUser works here\n",
        '{"memory": "User lives here"}\n{"memory": "User works here"}\n',
        "user likes,user has\nuser is,user uses\n\tx",
        "User lives " + "x" * 700 + "\nUser works here",
        "<a>\nUser lives\nUser works\n</a>",
        "\0User lives\nUser works",
    ],
)
def test_other_text_is_not_claimed(text):
    assert not memories.recognises(from_bytes("x", text.encode()).head())


def test_bytes_that_are_no_text_and_other_fixtures_are_not_claimed():
    assert not memories.recognises(from_bytes("x", b"\xff\xfe\n\xff").head())
    for path in DATA.rglob("*"):
        if path.is_file():
            assert not memories.recognises(from_path(path).head()), path


def test_places_are_the_bytes_they_name(tmp_path):
    path = tmp_path / "memories.txt"
    path.write_bytes(b"\xef\xbb\xbf" + COPIED.replace("\n", "\r\n").encode())
    for one in check(path, catalogue.named("chatgpt_memories")):
        if isinstance(one.found, Proposal):
            (span,) = one.found.evidence
            assert one.raw[span.start : span.end].decode() == one.found.claim


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
def test_every_record_of_the_sample_is_accounted_for():
    path = SAMPLES / "saved_memories.txt"
    reading = catalogue.open_reading(from_path(path))
    assert reading.origin.importer == "chatgpt_memories"
    assert [type(one) for one in Told(reading.records).found] == [Proposal] * 3
    check(path)
