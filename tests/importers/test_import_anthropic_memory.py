import hashlib
import json
import time
from pathlib import Path

import pytest

from importers import catalogue
from importers.anthropic_memory import importer as anthropic_memory
from importers.source import from_bytes, from_members, from_path
from store.cells import Kind, Proposal, SourceType
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode

from .conftest import DATA, Told
from .test_import_places import check

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "anthropic_memory"
NOT_A_MEMORY = Nothing(NothingReason.NOT_A_MEMORY)
VIEW = """Here're the files and directories up to 2 levels deep in /memories, excluding hidden:
4K\t/memories
76B\t/memories/склад.md
---
Here's the content of /memories/склад.md with line numbers:
     1\t# Склад
     2\t- Приёмка до 18:00
     3\t  по будням
     4\t
     5\t- Второй пункт
---
Here's the content of /memories/empty.md with line numbers:
     1\t
"""


def tree(**files):
    members = (from_bytes(name, text) for name, text in files.items())
    return from_members("store", tuple(members))


def folder(files):
    told = tuple(from_bytes(f"memories/{name}", text) for name, text in files.items())
    return Told(anthropic_memory.read(from_members("store", told)))


def claims(reading):
    return [one.claim for one in reading.found if isinstance(one, Proposal)]


def view(text, name="view.txt"):
    return Told(anthropic_memory.read(from_bytes(name, text.encode())))


def test_a_file_of_any_text_type_is_cut_into_claims():
    reading = folder(
        {
            "a.md": "# Склад\n\n- Приёмка до 18:00\n- Второй\n\nAbzatz of words.\n".encode(),
            "b.xml": b"<p>\n<language>ru</language>\n<style>\nshort\n</style></p>",
            "c.txt": b"name: Anna\ncity: Kazan\n",
            "d.json": b'{"limit": 5, "tags": ["x"], "note": "words", "none": null}',
            "e.yaml": b"just one line of prose",
        }
    )
    assert claims(reading) == [
        "Приёмка до 18:00",
        "Второй",
        "Abzatz of words.",
        "language: ru",
        "style: short",
        "name: Anna",
        "city: Kazan",
        "limit: 5",
        'tags: ["x"]',
        "note: words",
        "just one line of prose",
    ]
    first = reading.found[0]
    assert (first.kind, first.source_type) == (Kind.FACT, SourceType.AGENT_SUMMARY)
    assert first.foreign == {"path": "/memories/a.md", "section": "Склад"}
    assert first.source_id.startswith("memory-tool:/memories/a.md#")
    assert RemarkCode.MODEL_MADE in first.remarks
    assert reading.found[-2] == NOT_A_MEMORY  # a member that is null


def test_an_element_is_shown_with_its_tags_and_its_parents_are_the_section():
    reading = folder({"b.xml": b"<a>\n <b><c>ru</c></b>\n <!-- <d>no</d> --> tail </a>"})
    assert [one.raw for one in reading.reads] == [b"<c>ru</c>", b"tail"]
    assert reading.found[0].foreign["section"] == "a > b"
    assert claims(reading) == ["c: ru", "a: tail"]


@pytest.mark.parametrize("text", [b"<a", b"<a><b", b"</a></b>x", b"<a><!-- never closed", b"<a/>"])
def test_broken_markup_breaks_nothing(text):
    reading = folder({"b.xml": text})
    assert all(isinstance(one, Proposal | Nothing) for one in reading.found)
    assert reading.found


def test_hidden_files_other_folders_and_binaries_are_passed_over():
    source = tree(
        **{
            "README.md": b"# Not a memory\n\nwords",
            "memories/.hidden.md": b"- secret",
            "memories/.git/x.md": b"- no",
            "memories/picture.png": b"\x89PNG\0",
            "memories/notes.md": b"- kept\n",
        }
    )
    reading = Told(anthropic_memory.read(source))
    assert claims(reading) == ["kept"]
    assert reading.found.count(NOT_A_MEMORY) == 4
    assert reading.remarks[RemarkCode.MEMBERS_PASSED_OVER] == 4


def test_the_folder_itself_is_read_when_chosen_by_name():
    source = from_members("memories", (from_bytes("notes.md", b"- kept\n"),))
    assert not anthropic_memory.recognises(source.head())
    (found,) = Told(anthropic_memory.read(source)).found
    assert found.foreign["path"] == "/memories/notes.md"


def test_empty_and_broken_files_are_told():
    reading = folder({"a.md": b"", "b.md": b" \n", "c.txt": "склад".encode("cp1251")})
    assert reading.found[:2] == [Nothing(NothingReason.EMPTY_TEXT)] * 2
    assert reading.found[2].reason is FailReason.NOT_UTF8


def test_equal_lines_have_ids_of_their_own():
    ids = [one.source_id for one in folder({"a.md": b"- x\n- x\n- x\n"}).found]
    assert len(set(ids)) == 3


def test_without_times_of_its_own_the_file_s_is_assumed():
    member = from_bytes("memories/a.md", b"- x\n", modified_at="2026-01-02T03:04:05Z")
    (found,) = Told(anthropic_memory.read(from_members("s", (member,)))).found
    assert found.written_at == "2026-01-02T03:04:05Z"
    assert RemarkCode.WRITTEN_AT_ASSUMED in found.remarks


def test_a_saved_view_loses_its_header_and_its_line_numbers():
    reading = view(VIEW)
    listing, first, second, empty = reading.found
    assert listing == Nothing(NothingReason.INDEX_ONLY)
    assert (first.claim, second.claim) == ("Приёмка до 18:00 по будням", "Второй пункт")
    assert first.foreign == {"path": "/memories/склад.md", "section": "Склад"}
    assert empty == Nothing(NothingReason.EMPTY_TEXT)
    assert reading.remarks[RemarkCode.RENDERED_NUMBERS] == 1


def test_a_view_tells_the_same_claim_under_the_same_id_as_the_file():
    text = "# Склад\n- Приёмка до 18:00\n  по будням\n\n- Второй пункт\n"
    kept = {one.source_id for one in folder({"склад.md": text.encode()}).found}
    assert kept == {one.source_id for one in view(VIEW).found if isinstance(one, Proposal)}


def test_the_evidence_of_a_view_is_the_text_without_the_numbers():
    read = view(VIEW).reads[1]
    told = [read.raw[one.start : one.end].decode() for one in read.found.evidence]
    assert told == ["- Приёмка до 18:00", "  по будням"]
    assert b"     3\t" in read.raw


def test_a_file_in_the_folder_that_somebody_saved_from_a_view_is_told_too():
    numbered = b"     1\t# A\n     2\t- kept\n     3\t- more\n"
    reading = folder({"a.md": numbered, "b.md": VIEW.encode()})
    assert claims(reading)[:2] == ["kept", "more"]
    assert reading.remarks[RemarkCode.RENDERED_NUMBERS] == 2


@pytest.mark.parametrize(
    "text",
    [
        "Here's the content of /memories/a.md with line numbers:\r\n     7\t- kept\r\n",
        "The memory file has been edited. Here is the snippet showing the change (with line "
        "numbers):\n     3\t- kept",
        "Directory: /memories\n- a.md\n\nHere's the content of /memories/a.md with line numbers:\n"
        "     1\t- kept\n",
    ],
)
def test_views_of_every_command_are_recognised(text):
    source = from_bytes("anything", text.encode())
    assert catalogue.detect(source).name == "anthropic_memory"
    assert claims(Told(catalogue.open_reading(source).records)) == ["kept"]


def test_a_header_with_nothing_after_it_is_told():
    assert view("Here's the content of /memories/a.md with line numbers:").found == [
        Nothing(NothingReason.EMPTY_TEXT)
    ]
    assert view("Directory: /memories").found == [Nothing(NothingReason.INDEX_ONLY)]


def test_a_folder_is_recognised_only_where_nothing_more_specific_fits():
    def detects(**files):
        return anthropic_memory.recognises(tree(**files).head())

    assert detects(**{"memories/a.md": b"# A\n\n- x\n"})
    assert detects(**{"local/memories/projects/a.txt": b"x"})
    assert not detects(**{"notes/a.md": b"# A\n\n- x\n"})
    assert not detects(**{"memories.md": b"# A\n\n- x\n"})
    assert not detects(**{"memories/a.md": b"- x", "CLAUDE.md": b"# Rules"})
    assert not detects(**{"memories/acct.json": b'{"conversations_memory": "x"}'})
    topic = b"---\nname: a\ndescription: b\ntype: user\n---\nx"
    assert not detects(**{"memories/a.md": topic})
    note = tree(**{"memories/a.md": b"---\ntitle: T\ntype: note\n---\n- [fact] x\n"})
    assert catalogue.detect(note).name == "basic_memory"


def test_no_fixture_of_another_format_is_claimed():
    for path in DATA.rglob("*"):
        if path.is_file():
            assert not anthropic_memory.recognises(from_path(path).head()), path


def test_places_are_the_bytes_they_name(tmp_path):
    (tmp_path / "memories" / "deep").mkdir(parents=True)
    files = {
        "memories/a.md": "\ufeff# A\n\n- Приёмка\n\n```\ncode\n```\n",
        "memories/deep/b.xml": "<a>\n<b>x</b>\n\ntail\n\n- item\n</a>\n",
        "memories/c.json": '\n{"a": "б",\n "c": [1, 2]}',
        "memories/d.json": '[\n"one",\n{"two": 2}]',
        "memories/e.txt": "one: 1\r\ntwo: 2\r\n",
        "memories/f.txt": VIEW,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    reads = check(tmp_path, catalogue.named("anthropic_memory"))
    assert sum(isinstance(one.found, Proposal) for one in reads) == 13
    (tmp_path / "view.txt").write_text(VIEW, encoding="utf-8")
    assert len(check(tmp_path / "view.txt")) == 4


@pytest.mark.parametrize(
    "text",
    ["<a>", "</a>", "<!--", "<", "a: b\n", "- a\n", '{"a":', "     1\t- a\n", "\n", "```\n"],
    ids=repr,
)
def test_much_of_one_thing_is_read_in_a_moment(text):
    began = time.process_time()
    folder({"a.md": (text * (128 * 1024 // len(text))).encode()})
    assert time.process_time() - began < 12


def test_a_view_of_many_lines_is_read_in_a_moment():
    began = time.process_time()
    lines = "".join(f"{n:6d}\t- item\n" for n in range(1, 5_000))
    reading = view(f"Here's the content of /memories/a.md with line numbers:\n{lines}")
    assert len(reading.found) == 4_999
    assert time.process_time() - began < 15


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
@pytest.mark.parametrize(
    ("sample", "claims", "others"), [("local", 3, 0), ("view_outputs.txt", 1, 1)]
)
def test_every_record_of_a_sample_is_accounted_for(sample, claims, others):
    reading = catalogue.open_reading(from_path(SAMPLES / sample))
    assert reading.origin.importer == "anthropic_memory"
    found = [one.found for one in reading.records if isinstance(one, Read)]
    made = [one for one in found if isinstance(one, Proposal)]
    assert (len(made), len(found) - len(made)) == (claims, others)
    check(SAMPLES / sample)


STORE = "memstore_01"


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def memory(content="Uses DuckDB", **more):
    return {
        "type": "memory",
        "id": "mem_1",
        "memory_store_id": STORE,
        "memory_version_id": "memver_9",
        "path": "/notes.md",
        "content": content,
        "content_sha256": sha(content or ""),
        "content_size_bytes": len((content or "").encode()),
        "created_at": "2026-05-01T00:00:00Z",
        "updated_at": "2026-05-02T00:00:00Z",
    } | more


def version(number, content, operation="modified", **more):
    return {
        "type": "memory_version",
        "id": f"memver_{number}",
        "memory_id": "mem_1",
        "memory_store_id": STORE,
        "operation": operation,
        "path": "/notes.md",
        "content": content,
        "content_sha256": sha(content) if content else None,
        "created_at": f"2026-05-0{number}T00:00:00Z",
        "created_by": {"type": "session_actor", "session_id": "sesn_1"},
    } | more


def stored(*records, wrap=lambda rows: {"data": rows}):
    source = from_bytes("list.json", json.dumps(wrap(list(records))).encode())
    assert catalogue.detect(source).name == "anthropic_memory_store"
    return Told(catalogue.open_reading(source).records)


def test_a_memory_is_a_document_cut_into_claims():
    reading = stored(memory("# Склад\n\n- Приёмка до 18:00\n- Второй\n"))
    first, second = reading.found
    assert (first.claim, second.claim) == ("Приёмка до 18:00", "Второй")
    assert first.written_at == "2026-05-02T00:00:00Z"
    assert first.scope == {"store": STORE}
    assert (first.foreign["path"], first.foreign["section"]) == ("/notes.md", "Склад")
    assert first.source_type is SourceType.FOREIGN_MEMORY
    assert first.source_id.startswith("anthropic-memory:memver_9#")
    assert RemarkCode.DIGEST_DIFFERS not in reading.remarks


def test_versions_are_a_chain_whatever_their_order_in_the_list():
    texts = ["- a\n- b\n", "- a\n- c\n", "- a\n- b\n"]
    rows = [version(n + 1, text) for n, text in enumerate(texts)]
    rows[0]["operation"] = "created"
    for order in (rows, rows[::-1]):
        found = [one for one in stored(*order).found if isinstance(one, Proposal)]
        by_id = {one.source_id: one for one in found}
        assert len(found) == len(by_id) == 4  # a, b, c, b again
        chain = sorted(
            (one.source_id.split("#")[0][-1], one.claim, by_id[edge.target].claim)
            for one in found
            for edge in one.edges
        )
        assert chain == [("2", "c", "b"), ("3", "b", "c")]


def test_a_piece_that_stayed_is_told_by_the_first_version_that_has_it():
    first, same, new = stored(version(1, "- a\n"), version(2, "- a\n- b\n")).found
    assert (first.claim, new.claim) == ("a", "b")
    assert same == Nothing(NothingReason.DISTILLED_ELSEWHERE)
    assert new.edges == ()


def test_a_memory_whose_version_is_in_the_file_is_told_by_it():
    told, found = stored(memory(memory_version_id="memver_1"), version(1, "Uses DuckDB")).found
    assert told == Nothing(NothingReason.DISTILLED_ELSEWHERE)
    assert found.claim == "Uses DuckDB"


@pytest.mark.parametrize(
    ("actor", "writer", "source_type"),
    [
        (
            {"type": "session_actor", "session_id": "sesn_1"},
            "session_actor:sesn_1",
            SourceType.AGENT_SUMMARY,
        ),
        ({"type": "user_actor", "user_id": "u"}, "user_actor:u", SourceType.FOREIGN_MEMORY),
        ({"type": "api_actor", "api_key_id": "k"}, "api_actor:k", SourceType.FOREIGN_MEMORY),
        (None, None, SourceType.FOREIGN_MEMORY),
    ],
)
def test_created_by_is_the_claimed_writer(actor, writer, source_type):
    (found,) = stored(version(1, "x", created_by=actor)).found
    assert found.foreign.get("claimed_writer") == writer
    assert found.source_type is source_type


def test_a_digest_that_is_not_the_content_s_is_remarked():
    reading = stored(memory(content_sha256=sha("other")), version(1, "x"))
    assert RemarkCode.DIGEST_DIFFERS in reading.found[0].remarks
    assert reading.remarks[RemarkCode.DIGEST_DIFFERS] == 1


def test_content_left_out_or_redacted_is_nothing_and_remarked():
    redacted = version(1, None, redacted_at="2026-06-01T00:00:00Z", path=None)
    reading = stored(memory(None), redacted, memory("", id="mem_2"))
    assert reading.found == [Nothing(NothingReason.EMPTY_TEXT)] * 3
    assert reading.remarks[RemarkCode.CONTENT_REDACTED] == 2


def test_a_deletion_is_a_tombstone_and_a_prefix_only_an_index():
    prefix = {"type": "memory_prefix", "path": "/projects/"}
    strange = {"type": "memory_dream", "memory_store_id": STORE}
    reading = stored(version(1, "x"), version(2, None, "deleted"), prefix, strange)
    assert reading.found[1:] == [
        Nothing(NothingReason.TOMBSTONE),
        Nothing(NothingReason.INDEX_ONLY),
        Nothing(NothingReason.UNKNOWN_TYPE),
    ]
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 1


@pytest.mark.parametrize(
    "wrap",
    [
        lambda rows: {"data": rows, "next_page": None},
        lambda rows: {"data": rows[:1], "versions": rows[1:]},
        lambda rows: {"memories": rows[:1], "memory_versions": rows[1:]},
        lambda rows: rows,
    ],
)
def test_every_wrapping_is_read(wrap):
    reading = stored(memory("A"), version(1, "B"), wrap=wrap)
    assert claims(reading) == ["A", "B"]
    assert RemarkCode.NEXT_PAGE_EXISTS not in reading.remarks


@pytest.mark.parametrize("indent", [None, 2])
def test_single_objects_and_lines_are_read(indent):
    one = json.dumps(memory("A"), indent=indent).encode()
    source = from_bytes("one", one)
    assert catalogue.detect(source).name == "anthropic_memory_store"
    assert claims(Told(catalogue.open_reading(source).records)) == ["A"]
    lines = b"\n".join(json.dumps(row).encode() for row in (memory("A"), version(1, "B")))
    source = from_bytes("lines", lines)
    assert claims(Told(catalogue.open_reading(source).records)) == ["A", "B"]


def test_another_page_is_remarked():
    reading = stored(memory(), wrap=lambda rows: {"data": rows, "next_page": "page_2"})
    assert RemarkCode.NEXT_PAGE_EXISTS in reading.remarks


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"content": 7}, Failed(FailReason.FIELD_INVALID, name="content")),
        ({"created_at": "soon"}, Failed(FailReason.TIME_INVALID, name="created_at")),
        ({"created_by": "me"}, Failed(FailReason.FIELD_INVALID, name="created_by")),
        ({"id": None}, Failed(FailReason.FIELD_MISSING, name="id")),
        ({"memory_id": ""}, Failed(FailReason.FIELD_MISSING, name="memory_id")),
    ],
)
def test_one_bad_record_leaves_its_neighbour(change, fault):
    bad, good = stored(version(1, "x") | change, version(2, "y")).found
    assert (bad, good.claim) == (fault, "y")


def test_a_cut_list_keeps_its_whole_records():
    data = json.dumps({"data": [memory("A"), memory("B")]}).encode()[:-30]
    reading = Told(catalogue.open_reading(from_bytes("x", data)).records)
    assert claims(reading) == ["A"]
    assert reading.found[-1].reason is FailReason.CUT_SHORT


@pytest.mark.parametrize("data", [b"", b"words", b"\xff", b"[]", b"{"])
def test_broken_bytes_break_nothing(data):
    source = from_bytes("x", data)
    importer = catalogue.named("anthropic_memory_store")
    assert not importer.recognises(source.head())
    assert all(isinstance(one, Failed) for one in Told(importer.read(source)).found)


@pytest.mark.parametrize("pad", [1, 900])
def test_places_in_a_store_are_the_bytes_they_name(pad):
    text = 'Первый "пункт"\n\n' + "- item\n" * pad + "\n- Последний\n"
    data = b"\n" + json.dumps({"data": [memory(text)]}, ensure_ascii=False, indent=1).encode()
    reading = Told(catalogue.open_reading(from_bytes("x", data)).records)
    assert len(reading.found) == pad + 2
    for read in (*reading.reads[:3], reading.reads[-1]):
        assert data[read.place.start : read.place.end] == read.raw
        assert read.place.line == data.count(b"\n", 0, read.place.start) + 1
        (span,) = read.found.evidence
        told = json.loads(b'"' + read.raw[span.start : span.end] + b'"')
        assert told.removeprefix("- ") == read.found.claim


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
def test_every_record_of_the_store_sample_is_accounted_for():
    path = SAMPLES / "managed_memory_list.json"
    reading = Told(catalogue.open_reading(from_path(path)).records)
    assert claims(reading) == ["Uses SQLite", "Uses DuckDB"]
    assert [type(one) for one in reading.found] == [Nothing, Proposal, Proposal]
    assert reading.found[2].edges[0].target == reading.found[1].source_id
    check(path)
