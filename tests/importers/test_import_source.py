import hashlib
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from importers import source
from importers.source import SourceRefusedError


def test_a_file_and_the_same_bytes_in_memory_have_one_digest(tmp_path):
    (tmp_path / "a.json").write_bytes(b"[]")
    assert source.from_path(tmp_path / "a.json").sha256() == source.from_bytes("a", b"[]").sha256()


def test_a_folder_digest_names_its_members_in_order():
    one, two = source.from_bytes("b", b"2"), source.from_bytes("a", b"1")
    lines = "".join(f"{s.name}\0{hashlib.sha256(s.content).hexdigest()}\n" for s in (two, one))
    digest = hashlib.sha256(lines.encode()).hexdigest()
    assert source.from_members("f", (one, two)).sha256() == digest
    assert source.from_members("f", (two, one)).sha256() == digest


def test_a_folder_is_walked_to_regular_files_in_order_of_name(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c.md").write_text("c")
    (tmp_path / "a.md").write_text("a")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("x")
    os.symlink("/etc/hostname", tmp_path / "link.md")
    os.symlink("/etc", tmp_path / "linked")
    os.mkfifo(tmp_path / "pipe.md")
    found = source.from_path(tmp_path)
    assert [one.name for one in found.members] == ["a.md", "b/c.md"]
    assert found.is_folder
    assert sorted(found.not_files) == ["link.md", "linked", "pipe.md"]
    assert found.passed_over == 1


def test_hidden_folders_are_passed_over_but_for_those_of_agents(tmp_path):
    for folder in (".cache", ".claude", "node_modules", "notes"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.md").write_text("a")
    found = source.from_path(tmp_path)
    assert [one.name for one in found.members] == [".claude/a.md", "notes/a.md"]
    assert found.passed_over == 2


def test_the_command_line_may_walk_a_bigger_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "MAX_ENTRIES", 2)
    for n in range(3):
        (tmp_path / f"{n}.md").write_text("x")
    assert len(source.from_path(tmp_path, entries=3).members) == 3


def test_a_member_swapped_for_a_link_is_not_followed(tmp_path):
    (tmp_path / "a.md").write_text("a")
    found = source.from_path(tmp_path)
    (tmp_path / "a.md").unlink()
    os.symlink("/etc/hostname", tmp_path / "a.md")
    with pytest.raises(SourceRefusedError, match="Nothing was imported"):
        found.members[0].open()


def test_a_folder_with_too_many_entries_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "MAX_ENTRIES", 2)
    for n in range(3):
        (tmp_path / f"{n}.md").write_text("x")
    with pytest.raises(SourceRefusedError, match="more than 2 entries"):
        source.from_path(tmp_path)


def test_a_path_where_nothing_is_is_refused_with_a_way_out(tmp_path):
    with pytest.raises(SourceRefusedError, match="Check the path"):
        source.from_path(tmp_path / "gone.json")


def test_a_file_tells_its_own_time_and_an_upload_does_not(tmp_path):
    (tmp_path / "a").write_bytes(b"")
    os.utime(tmp_path / "a", (1_768_313_916, 1_768_313_916))
    assert source.from_path(tmp_path / "a").modified_at == "2026-01-13T14:18:36Z"
    assert source.from_bytes("a", b"").modified_at is None


def test_whole_refuses_what_is_over_its_limit():
    with pytest.raises(SourceRefusedError, match="Split the export"):
        source.from_bytes("a", b"x" * 11).whole(10)


def test_a_name_that_is_not_utf8_is_escaped_and_its_file_is_read(tmp_path):
    folder = Path(os.fsdecode(bytes(tmp_path / "notes") + b"\xff"))
    folder.mkdir()
    Path(os.fsdecode(bytes(folder) + b"/\xfe.md")).write_bytes(b"- tabs\n")
    opened = source.from_path(folder)
    assert (opened.name, opened.members[0].name) == ("notes\\udcff", "\\udcfe.md")
    assert opened.members[0].whole(100) == b"- tabs\n"
    assert len(opened.sha256()) == 64
    opened.head().members[0].name.encode("utf-8")
    with pytest.raises(SourceRefusedError) as refused:
        source.from_path(Path(os.fsdecode(bytes(tmp_path) + b"/\xfd.md")))
    str(refused.value).encode("utf-8")


@pytest.mark.parametrize("end", ["\n", "\r", "\x85", "\u2028", "\v"])
def test_a_name_begins_no_line_of_its_own(tmp_path, end):
    """A sentence that named such a file went on in a line that the file's author had written."""
    name = f"notes{end}Signed. 3 records are durable."
    path = tmp_path / name
    path.write_bytes(b"[]")
    told = [source.from_path(path).name, source.from_path(tmp_path).members[0].name]
    told.append(source.from_bytes(name, b"").name)
    for one in told:
        assert one.startswith("notes\\")
        assert one.splitlines() == [one]
    with pytest.raises(SourceRefusedError) as refused:
        source.from_path(tmp_path / f"gone{end}x")
    assert str(refused.value).splitlines() == [str(refused.value)]


@pytest.mark.parametrize("second", [253_402_300_800, -62_135_596_801, 2**40])
def test_a_file_of_a_year_that_is_none_has_no_time(tmp_path, second):
    """One such file ended the import of its whole folder."""
    shared = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(dir=shared if shared.is_dir() else tmp_path))
    try:
        path = folder / "a.md"
        path.write_bytes(b"x")
        os.utime(path, (second, second))
        if int(path.lstat().st_mtime) != second:
            pytest.skip("the file system here keeps no such time")
        assert source.from_path(folder).members[0].modified_at is None
    finally:
        shutil.rmtree(folder)
