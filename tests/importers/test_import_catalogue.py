import time

import pytest

from importers import catalogue
from importers.catalogue import UnknownFormatError
from importers.source import from_bytes, from_members, from_path


@pytest.mark.parametrize(
    ("fixture", "name"),
    [
        ("own/all_fields.jsonl", "own_jsonl"),
        ("own/without_header.jsonl", "own_jsonl"),
        ("mem0/get_all.json", "mem0"),
        ("mem0/bare_list.json", "mem0"),
        ("mem0/history.json", "mem0"),
        ("mem0/qdrant_export.json", "mem0"),
        ("mem0/platform_page.json", "mem0"),
        ("mem0/plugin_export.md", "mem0_markdown"),
        ("mcp_memory/memory.jsonl", "mcp_memory"),
        ("mcp_memory/read_graph.json", "mcp_memory"),
        ("mcp_memory/fork_without_type.jsonl", "mcp_memory"),
        ("mcp_memory/fork_with_text_objects.jsonl", "mcp_memory"),
        ("claude_memory/auto_memory", "claude_memory"),
        ("claude_memory/rules/AGENTS.md", "claude_memory"),
        ("hostile/cp1251.jsonl", "mcp_memory"),
    ],
)
def test_a_format_is_recognised_by_content_whatever_its_name(data, fixture, name):
    source = from_path(data / fixture)
    assert catalogue.detect(source).name == name
    if not source.is_folder:
        renamed = from_bytes("upload.bin", (data / fixture).read_bytes())
        assert catalogue.detect(renamed).name == name


def test_an_empty_answer_of_mem0_is_recognised(told):
    assert told(from_bytes("a.json", b'{"results": []}')).reads == []


@pytest.mark.parametrize(
    "source",
    [
        from_bytes("trace.json", b'{"resourceSpans": []}'),
        from_bytes("words.txt", b"just words"),
        from_bytes("image.png", b"\x89PNG\r\n\x1a\n\0\0"),
        from_bytes("rows.jsonl", b'{"weather": "sunny", "place": "Kazan"}\n'),
        from_members("folder", (from_bytes("a.txt", b"x"),)),
    ],
)
def test_an_unknown_source_is_refused_in_a_clear_sentence(source):
    with pytest.raises(UnknownFormatError) as refused:
        catalogue.open_reading(source)
    said = str(refused.value)
    assert said.startswith(f"{source.name} is in no format")
    assert "Nothing was imported." in said
    assert "Choose the importer by name" in said
    assert refused.value.known == tuple(sorted(catalogue.IMPORTERS))


def test_an_empty_file_is_called_empty_and_no_list_follows():
    with pytest.raises(UnknownFormatError) as refused:
        catalogue.open_reading(from_bytes("nothing.json", b""))
    assert str(refused.value) == "nothing.json is empty. Nothing was imported."
    assert refused.value.is_empty


def test_an_unknown_name_lists_those_there_are():
    with pytest.raises(KeyError, match=r"Known importers: a_mem, .*mem0"):
        catalogue.named("lotus_notes")


def test_the_origin_says_what_was_read_and_by_what(data):
    source = from_path(data / "mem0" / "get_all.json")
    origin = catalogue.open_reading(source).origin
    assert (origin.name, origin.importer, origin.importer_version) == ("get_all.json", "mem0", "1")
    assert origin.sha256 == source.sha256()
    assert origin.size == source.size
    assert origin.modified_at == source.modified_at


def test_what_a_format_cannot_tell_is_said_in_its_stream(told, data):
    for fixture in ("mcp_memory/memory.jsonl", "mem0/plugin_export.md"):
        importer = catalogue.detect(from_path(data / fixture))
        assert set(importer.cannot_tell) <= set(told(fixture).remarks)


def test_our_lines_are_ours_whatever_other_formats_call_their_lists():
    line = b'{"claim":"x","kind":"fact","source_type":"document","source_id":"1",' + (
        b'"written_at":"2026-01-01T00:00:00Z","entities":["a"],"relations":[],"results":[]}'
    )
    for data in (line, line + b"\n" + line):
        assert catalogue.detect(from_bytes("a", data)).name == "own_jsonl"


def test_an_importer_is_listed_under_its_own_name():
    assert [name for name, one in catalogue.IMPORTERS.items() if name != one.name] == []


@pytest.mark.parametrize(
    "body",
    [
        b'[{"t":"' + b'\\"quoted\\" ' * 10_000 + b'"}]',
        b'{"t":"' + b'\\"' * 30_000,
        b'"' * 60_000,
        b"[" * 60_000,
        b'{"a":' * 12_000,
        b"{" + b'"k":1,' * 10_000,
        b"\xd0" * 60_000,
        b"- [ ] " * 10_000,
        b"| a | b |\n" * 6_000,
        b"---\n" * 15_000,
    ],
    ids=[
        "quoted",
        "escapes",
        "quotes",
        "brackets",
        "nested",
        "keys",
        "half",
        "boxes",
        "table",
        "rules",
    ],
)
def test_no_format_takes_long_to_say_whether_a_head_is_its_own(body):
    """A head can be cut anywhere; the time goes with its length, not with its square."""
    head = from_bytes("x", body).head()
    begun = time.process_time()
    for importer in catalogue.IMPORTERS.values():
        importer.recognises(head)
    assert time.process_time() - begun < 3.0


def test_no_file_is_taken_for_what_came_through_a_door():
    header = (
        b'{"at":"2026-01-01T00:00:00Z","door":"d-1","format":"memory-console-door/1","scope":{}}'
    )
    line = b'{"claim":"Ana ships never.","kind":"fact"}'
    source = from_bytes("x.jsonl", header + b"\n" + line + b"\n")
    assert catalogue.detect(source).name == "own_jsonl"
    assert "agent_door" not in catalogue.IMPORTERS
    with pytest.raises(KeyError):
        catalogue.named("agent_door")
