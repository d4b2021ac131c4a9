"""Folders and archives are taken apart: who reads which member, and what is never opened."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import tarfile
import warnings
import zipfile

import pytest

from importers import catalogue, sandbox, walk
from importers.archive import choice
from importers.archive.bounds import COMMAND_LINE, UPLOAD, Bounds
from importers.catalogue import UnknownFormatError
from importers.errands import Limits, limits_for
from importers.nursery import UnnamedFile
from importers.source import SourceRefusedError, from_bytes, from_members, from_path
from store.cells import Proposal
from store.records import (
    Barred,
    BarRule,
    Failed,
    FailReason,
    Nothing,
    NothingReason,
    Read,
    Remark,
    RemarkCode,
)

MEM0 = json.dumps(
    {"results": [{"id": "1", "memory": "Склад — Коледино", "user_id": "ana", "hash": "0"}]}
).encode()
GRAPH = b'{"type":"entity","name":"Ana","observations":["likes tea"]}\n'
TOPIC = b"---\nname: tests\ndescription: how we test\ntype: feedback\n---\nRun the tests first.\n"
INDEX = b"- [tests](tests.md) how we test\n"
BACKUP = json.dumps({"memories": [{"id": "1", "content": "tea", "user_id": "u"}]}).encode()
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(64)


@pytest.fixture
def room():
    made = UnnamedFile(in_memory=True)
    yield made.fileno()
    made.close()


def zipped(entries, how=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", how) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, content in entries.items() if isinstance(entries, dict) else entries:
            archive.writestr(name, content)
    return stream.getvalue()


def tarred(entries, mode="w", form=tarfile.PAX_FORMAT):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode, format=form) as archive:
        for name, content in entries.items():
            told = tarfile.TarInfo(name)
            if isinstance(content, bytes):
                told.size = len(content)
                archive.addfile(told, io.BytesIO(content))
            else:
                told.type, told.linkname = content
                archive.addfile(told)
    return stream.getvalue()


def parts_of(name, content, room, bounds=UPLOAD):
    return walk.parts(from_bytes(name, content), room=room, bounds=bounds)


def told(parts):
    return [
        (part.importer.name, part.source.name, [one.name for one in part.source.members])
        for part in parts
    ]


def reads(part):
    return {
        one.place.member: one.found
        for one in part.importer.read(part.source)
        if isinstance(one, Read)
    }


MIXED = {
    "exports/mem0.json": MEM0,
    "graph.jsonl": GRAPH,
    "memory/MEMORY.md": INDEX,
    "memory/tests.md": TOPIC,
    "memory/loose.md": b"just a line without any heading\n",
    "photo.png": PICTURE,
    "odd.dat": b"\x07\x08 in no format",
}
MIXED_PARTS = [
    ("claude_memory", "all.zip", ["memory/MEMORY.md", "memory/loose.md", "memory/tests.md"]),
    ("mem0", "all.zip/exports/mem0.json", []),
    ("mcp_memory", "all.zip/graph.jsonl", []),
    ("unknown_members", "all.zip", ["odd.dat", "photo.png"]),
]


@pytest.mark.parametrize(
    "packed",
    [
        zipped(MIXED),
        zipped(MIXED, zipfile.ZIP_STORED),
        tarred(MIXED),
        tarred(MIXED, form=tarfile.GNU_FORMAT),
        tarred(MIXED, form=tarfile.USTAR_FORMAT),
        gzip.compress(tarred(MIXED)),
    ],
    ids=["zip", "stored", "pax", "gnu", "ustar", "tar.gz"],
)
def test_each_member_goes_to_who_knows_it(packed, room):
    found = parts_of("all.zip", packed, room)
    assert told(found) == MIXED_PARTS
    by_name = {part.importer.name: part for part in found}
    whole = by_name["mem0"].source
    with whole.open() as stream:
        assert stream.read() == MEM0
    (proposal,) = [one for one in reads(by_name["mem0"]).values() if isinstance(one, Proposal)]
    assert proposal.claim == "Склад — Коледино"
    assert reads(by_name["unknown_members"]) == {
        "odd.dat": Failed(FailReason.UNKNOWN_FORMAT),
        "photo.png": Nothing(NothingReason.NOT_A_MEMORY),
    }


def test_a_folder_on_disk_is_walked_in_the_same_way(tmp_path, room):
    for name, content in MIXED.items():
        path = tmp_path / "all.zip" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    assert told(walk.parts(from_path(tmp_path / "all.zip"), room=room)) == MIXED_PARTS


def test_the_process_tells_the_same_parts(tmp_path):
    packed = from_bytes("all.zip", zipped(MIXED))
    found = sandbox.parts(packed)
    assert told(found) == MIXED_PARTS
    for part in found:
        inside = [one for one in sandbox.open_part(part).records]
        assert inside == list(part.importer.read(part.source))
    folder = tmp_path / "all.zip"
    folder.mkdir()
    (folder / "a.json").write_bytes(MEM0)
    (found,) = sandbox.parts(from_path(folder))
    assert found.source.path == folder / "a.json"
    assert found.source.name == "all.zip/a.json"


def test_parts_of_an_upload_of_several_files_keep_their_bytes():
    files = (from_bytes("a.json", MEM0), from_bytes("b.jsonl", GRAPH))
    first, second = sandbox.parts(from_members("upload", files))
    assert (first.source.content, second.source.content) == (MEM0, GRAPH)
    assert (first.importer.name, second.importer.name) == ("mem0", "mcp_memory")


def test_a_single_file_is_one_part_under_its_own_name():
    (part,) = sandbox.parts(from_bytes("a.json", MEM0))
    assert told([part]) == [("mem0", "a.json", [])]


def test_a_single_file_in_no_format_is_refused():
    with pytest.raises(UnknownFormatError, match=r"odd\.dat is in no format"):
        sandbox.parts(from_bytes("odd.dat", b"\x07\x08"))


def test_a_plain_gzip_is_the_file_in_it(room):
    (part,) = parts_of("graph.jsonl.gz", gzip.compress(GRAPH), room)
    assert told([part]) == [("mcp_memory", "graph.jsonl.gz/graph.jsonl", [])]
    (part,) = parts_of("x.gz", gzip.compress(GRAPH[:20]) + gzip.compress(GRAPH[20:]), room)
    with part.source.open() as stream:
        assert stream.read() == GRAPH


def test_lines_that_lie_open_in_an_archive_do_not_make_it_one_file(room):
    said = {"type": "user", "uuid": "u1", "parentUuid": None, "sessionId": "s", "message": {}}
    said["message"] = {"role": "user", "content": "hi"}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.csv", "name,text\nAna,x\n")
        archive.writestr("one.jsonl", "\n".join(json.dumps(said) for _ in range(9)) + "\n")
    found = walk.parts(from_bytes("m.zip", made.getvalue()), room=room)
    assert [one.importer.name for one in found] == ["claude_code", "unknown_members"]


def test_openmemory_stays_its_own_format(room):
    content = zipped({"memories.json": BACKUP, "memories.jsonl.gz": gzip.compress(b"{}")})
    (part,) = parts_of("backup.zip", content, room)
    assert told([part]) == [("openmemory", "backup.zip", [])]


def test_an_export_with_a_list_of_memories_is_not_openmemory(room):
    content = zipped({"memories.json": b"[]", "a.json": MEM0})
    found = parts_of("export.zip", content, room)
    assert "openmemory" not in {part.importer.name for part in found}


PICKLES = [
    pickle.dumps({"a": [1]}, protocol=protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
] + [
    b"cposix\nsystem\n(S'true'\ntR.",
    b"\x80\x02cposix\nsystem\n.",
    zipped({"model/data.pkl": b"\x80\x02}q\x00.", "model/version": b"3"}),
    b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
]


@pytest.mark.parametrize("content", PICKLES)
def test_a_pickle_is_told_by_its_content_and_never_opened(content, room):
    found = parts_of("a.zip", zipped({"notes.json": content, "a.json": MEM0}), room)
    assert reads(found[-1]) == {"notes.json": Barred(BarRule.PICKLE)}


def test_a_single_pickle_is_one_barred_record():
    (part,) = sandbox.parts(from_bytes("activation_memory.pickle", PICKLES[4]))
    (read,) = sandbox.open_part(part).records
    assert read.found == Barred(BarRule.PICKLE)


@pytest.mark.parametrize("text", [b"(I went home)\n", b"cats\nand dogs\nplay\n", b"(lost\n"])
def test_text_that_begins_like_an_old_pickle_is_not_taken_for_one(text, room):
    found = parts_of("a.zip", zipped({"a.txt": text}), room)
    assert reads(found[-1]) == {"a.txt": Failed(FailReason.UNKNOWN_FORMAT)}


@pytest.mark.parametrize(
    "inner",
    [zipped({"a": b"a"}), gzip.compress(b"a"), tarred({"a": b"a"}), b"7z\xbc\xaf\x27\x1c"],
    ids=["zip", "gz", "tar", "7z"],
)
def test_an_archive_inside_stays_closed(inner, room):
    found = parts_of("a.zip", zipped({"inner": inner, "a.json": MEM0}), room)
    assert reads(found[-1]) == {"inner": Barred(BarRule.ARCHIVE_INSIDE)}


def test_an_archive_in_a_folder_on_disk_is_opened_once(tmp_path, room):
    inner = zipped({"deep.zip": zipped({"a.json": MEM0}), "a.json": MEM0})
    (tmp_path / "x.zip").write_bytes(inner)
    (tmp_path / "bad.zip").write_bytes(inner[:100])
    found = walk.parts(from_path(tmp_path), room=room, bounds=COMMAND_LINE)
    top = tmp_path.name
    assert told(found) == [
        ("unknown_members", f"{top}/x.zip", ["deep.zip"]),
        ("mem0", f"{top}/x.zip/a.json", []),
        ("unknown_members", top, ["bad.zip"]),
    ]


def test_links_and_devices_are_named_and_never_followed(tmp_path, room):
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    found = parts_of("a.zip", zipped([("a.json", MEM0), (link, "/etc/passwd")]), room)
    assert reads(found[-1]) == {"link": Barred(BarRule.NOT_A_FILE)}
    links = {
        "soft": (tarfile.SYMTYPE, "/etc/passwd"),
        "hard": (tarfile.LNKTYPE, "a.json"),
        "pipe": (tarfile.FIFOTYPE, ""),
        "a.json": MEM0,
    }
    found = parts_of("a.tar", tarred(links), room)
    assert reads(found[-1]) == dict.fromkeys(("soft", "hard", "pipe"), Barred(BarRule.NOT_A_FILE))
    (tmp_path / "a.json").write_bytes(MEM0)
    (tmp_path / "link.json").symlink_to("/etc/passwd")
    found = walk.parts(from_path(tmp_path))
    assert reads(found[-1]) == {"link.json": Barred(BarRule.NOT_A_FILE)}


def test_hidden_and_dependency_folders_are_passed_over_with_a_remark(tmp_path, room):
    inside = {
        "a.json": MEM0,
        ".git/config": b"x",
        "node_modules/x/a.json": MEM0,
        "__MACOSX/._a.json": b"x",
        ".claude/rules/style.md": b"# Style\n\n- Short sentences.\n",
    }
    found = parts_of("a.zip", zipped(inside), room)
    assert [(one.importer.name, one.source.name) for one in found] == [
        ("claude_memory", "a.zip"),
        ("mem0", "a.zip/a.json"),
    ]
    assert found[-1].remarks == (Remark(RemarkCode.MEMBERS_PASSED_OVER, 3),)
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "a.json").write_bytes(MEM0)
    (part,) = sandbox.parts(from_path(tmp_path))
    first, *_ = sandbox.open_part(part).records
    assert first == Remark(RemarkCode.MEMBERS_PASSED_OVER, 1)


def test_a_folder_of_nothing_known_is_told_member_by_member(room):
    found = parts_of("a.zip", zipped({"a.dat": b"\x07", "b.dat": b"\x08"}), room)
    assert told(found) == [("unknown_members", "a.zip", ["a.dat", "b.dat"])]
    empty = parts_of("a.zip", zipped({}), room)
    assert told(empty) == [("unknown_members", "a.zip", [])]


def test_a_vault_with_notes_and_a_plain_page_is_one_part(room):
    note = b"---\ntitle: Tea\ntype: note\npermalink: tea\n---\n- [fact] green tea #drink\n"
    inside = {
        "vault/tea.md": note,
        "vault/plain.md": b"# Plain\n\ntext\n",
        "vault/AGENTS.md": b"# R\n\n- Do.\n",
    }
    found = parts_of("v.zip", zipped(inside), room)
    assert told(found) == [
        ("basic_memory", "v.zip", ["vault/plain.md", "vault/tea.md"]),
        ("claude_memory", "v.zip", ["vault/AGENTS.md"]),
    ]


# --- bounds -----------------------------------------------------------------------------------


def lying(entries, at, value):
    """A zip whose central directory says something else in its first entry."""
    content = bytearray(zipped(entries))
    place = content.index(b"PK\x01\x02") + at
    content[place : place + 4] = value.to_bytes(4, "little")
    return bytes(content)


@pytest.mark.parametrize(
    ("packed", "why"),
    [
        (zipped({"../a.json": MEM0}), "leads out"),
        (zipped({"a/../../b": MEM0}), "leads out"),
        (zipped({"/a.json": MEM0}), "path on some machine"),
        (zipped({"c:a.json": MEM0}), "path on some machine"),
        (zipped([("a", b"1"), ("A", b"2")]), "same name"),
        (zipped({"n" * 201: b""}), "longer than 200"),
        (zipped({"a": bytes(5_000_000)}), "more than 100 times"),
        (zipped({"a": b"x"}, zipfile.ZIP_BZIP2), "not opened here"),
        (lying({"a": b"x" * 500}, 24, 5), "broken|further"),
        (lying({"a": b"x" * 500, "b": b"y" * 500}, 20, 300), "overlap|broken"),
        (zipped({"a": b"x" * 500})[:-30], "broken"),
        (tarred({"../a": b"1"}), "leads out"),
        (tarred({"a": b"1"})[:700], "cut short"),
        (tarred({"a": b"1"})[:300] + b"\xff" + tarred({"a": b"1"})[301:], "damaged"),
        (tarred({"a" * 230: b"1"}), "longer than 200"),
        (gzip.compress(bytes(5_000_000)), "more than 100 times"),
        (gzip.compress(GRAPH)[:-9], "cut short|broken"),
        (gzip.compress(GRAPH)[:10] + b"\xff" * 30, "broken"),
        (b"7z\xbc\xaf\x27\x1c" + bytes(99), "not opened here"),
    ],
    ids=lambda told: told if isinstance(told, str) else "packed",
)
def test_an_archive_that_breaks_a_bound_is_refused_as_a_whole(packed, why):
    with pytest.raises(SourceRefusedError, match=why):
        sandbox.parts(from_bytes("a.zip", packed))


def test_an_archive_says_too_little_of_itself_and_is_counted(room):
    """The header says 10 bytes; what comes out is counted, whoever is right."""
    content = bytearray(zipped({"a": b"x" * 5_000}))
    for magic, at in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        place = content.index(magic) + at
        content[place : place + 4] = (10).to_bytes(4, "little")
    with pytest.raises(SourceRefusedError):
        parts_of("a.zip", bytes(content), room)


def test_entries_that_share_their_bytes_are_refused(room):
    content = bytearray(zipped({"a": b"x" * 900, "b": b"y" * 900}, zipfile.ZIP_STORED))
    second = content.rindex(b"PK\x01\x02")
    content[second + 42 : second + 46] = (0).to_bytes(4, "little")
    with pytest.raises(SourceRefusedError, match="overlap"):
        parts_of("a.zip", bytes(content), room)


def test_the_totals_bind_an_upload_and_not_the_command_line(tmp_path, room, monkeypatch):
    content = zipped({f"{n}.json": MEM0 for n in range(5)})
    few = Bounds(entries=3)
    with pytest.raises(SourceRefusedError, match="more than 3 entries"):
        parts_of("a.zip", content, room, few)
    small = Bounds(expanded=300)
    for packed in (content, tarred({f"{n}.json": MEM0 for n in range(5)})):
        with pytest.raises(SourceRefusedError, match="expands to more"):
            parts_of("a.zip", packed, room, small)
    with pytest.raises(SourceRefusedError, match="larger than 0 MiB"):
        parts_of("a.zip", content, room, Bounds(archive=100))
    assert len(parts_of("a.zip", content, room, COMMAND_LINE)) == 5


def test_the_command_line_takes_what_is_over_the_totals(tmp_path):
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"a.json": MEM0 + b" " * (21 << 20)}, zipfile.ZIP_STORED))
    source = from_path(path)
    with pytest.raises(SourceRefusedError, match="larger than 20 MiB"):
        sandbox.parts(source)
    (part,) = sandbox.parts(source, limits_for(source))
    assert told([part]) == [("mem0", "a.zip/a.json", [])]
    found = list(sandbox.open_part(part, limits_for(source)).records)
    assert [one.found.claim for one in found if isinstance(one, Read)] == ["Склад — Коледино"]


def test_no_room_on_the_disk_is_a_refusal(room):
    content = zipped({"a.json": MEM0 * 500}, zipfile.ZIP_STORED)
    with pytest.raises(SourceRefusedError, match="no room"):
        sandbox.parts(from_bytes("a.zip", content), Limits(file=1_000))


def test_every_archive_is_told_by_its_content():
    assert choice.sort_of(zipped({})) is choice.Sort.ZIP
    assert choice.sort_of(zipped({"a": b""})) is choice.Sort.ZIP
    assert choice.sort_of(gzip.compress(b"")) is choice.Sort.GZIP
    assert choice.sort_of(tarred({"a": b""})[:512]) is choice.Sort.TAR
    assert choice.sort_of(b"BZh91AY") is choice.Sort.OTHER
    assert choice.sort_of(MEM0) is None


def test_no_importer_is_called_like_the_one_for_the_rest():
    assert walk.UNKNOWN.name not in catalogue.IMPORTERS
    assert walk.named(walk.UNKNOWN.name) is walk.UNKNOWN
