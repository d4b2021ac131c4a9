"""Folders of exported rules: written whole or not at all, one tenant each, again bit for bit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from console.bundles import reading, writing
from console.bundles.exporting import GoneError
from console.bundles.writing import RULES, FolderError, Point
from review.bundle.checking import check
from review.bundle.refusals import ExportRefusedError
from review.exported import past
from store.stages import Stage
from store.verify import verify
from tests.bundles.export_worker import olga, opened
from tests.bundles.told import World, export, source

ROOT = Path(__file__).resolve().parents[2]
FILES = {"a.md": b"a\n", "b.md": b"b\n"}


def test_the_cell_stays_what_it_was_and_the_export_is_told_with_its_words(tmp_path, irina):
    world = World(tmp_path, irina, on_disk=True)
    before = dict(world.store.standing().items)
    done = world.export()
    assert world.store.standing().items == before
    assert world.store.standing().stage_of("item-a", 1) == Stage.DURABLE
    (told,) = past.exports(world.store)
    assert (told.kept.title, told.kept.path) == ("Jackets to Elektrostal", done.path)
    assert told.kept.folder == done.folder.name
    assert past.of_cells(world.store, frozenset({"item-a"})) == (told,)
    assert past.of_cells(world.store, frozenset({"item-b"})) == ()
    assert verify(world.store.path, root=irina.root).exit_code == 0


def test_no_word_of_a_rule_stands_in_the_log(tmp_path, irina):
    world = World(tmp_path, irina)
    world.export()
    world.exporting.withdraw(world.told().export_id, "Because of jackets", world.sign)
    log = b"".join(
        bytes(one[column])
        for table, column in (("log_event", "canon"), ("log_signature", "statement"))
        for one in world.store.rows(f"select {column} from {table}")
    )
    for word in (b"acket", b"lektrostal", b"Oleg", b"logistics", b".claude", b"memory-rules"):
        assert word not in log
    assert world.told().sources[0].digest.encode() not in log


def test_what_it_was_made_from_is_kept_for_a_forget_request(tmp_path, irina):
    world = World(tmp_path, irina)
    world.export()
    (told,) = past.exports(world.store)
    rows = world.store.rows("select child, parent, relation from vault_lineage")
    (text,) = world.store.rows("select text_c from proj_item where item = 'item-a'")
    assert {row["child"] for row in rows} == {told.signed.content}
    assert {row["relation"] for row in rows} == {"exported_from"}
    assert text["text_c"] in {row["parent"] for row in rows}


def test_a_signature_that_does_not_come_leaves_nothing(tmp_path, irina):
    world = World(tmp_path, irina)
    size = world.store.head().size

    def refuse(statements):
        raise PermissionError(len(statements))

    with pytest.raises(PermissionError):
        world.folders.export(world.told(), world.exporting, refuse)
    with pytest.raises(ExportRefusedError):
        world.export(world.told(rule=" "))
    with pytest.raises(ExportRefusedError, match="another tenant"):
        world.export(world.told(tenant="tenant-2"))
    assert world.store.head().size == size
    assert not (tmp_path / "exports").exists()


def test_p85_a_second_rule_with_the_same_title_has_a_folder_of_its_own(tmp_path, irina):
    world = World(tmp_path, irina)
    one, two = world.export(), world.export(world.told(n=2))
    same_start = world.export(world.told(export_id="00000001" + "ab" * 12))
    assert len({one.folder, two.folder, same_start.folder}) == 3
    assert check(reading.read(one.folder), pin=irina.key.public.fingerprint).holds


def test_a_lost_folder_is_missed_and_comes_back_bit_for_bit(tmp_path, irina):
    world = World(tmp_path, irina)
    done = world.export()
    files = reading.read(done.folder)
    assert world.folders.missing() == ()
    for one in done.folder.iterdir():
        one.unlink()
    done.folder.rmdir()
    assert [one.export for one in world.folders.missing()] == [done.export]
    world.export(world.told(n=2))  # the log goes on; the proof stays what it was
    again = world.folders.write_again(done.export)
    assert again.folder == done.folder
    assert reading.read(again.folder) == files
    with pytest.raises(FolderError, match="there is a folder"):
        world.folders.write_again(done.export)
    with pytest.raises(LookupError):
        world.folders.write_again("0" * 32)
    (done.folder / "rule.md").write_bytes(b"other\n")
    assert [one.export for one in world.folders.differing()] == [done.export]


def test_an_erased_export_is_told_without_its_words_and_is_not_written_again(tmp_path, irina):
    import duckdb

    world = World(tmp_path, irina, on_disk=True)
    done = world.export()
    with duckdb.connect(str(world.store.path)) as connection:
        connection.execute("delete from vault_payload where role = 'export'")
    (told,) = past.exports(world.store)
    assert told.kept is None
    assert world.folders.missing() == ()
    with pytest.raises(GoneError, match="erased"):
        world.folders.write_again(done.export)


@pytest.mark.parametrize("point", Point)
def test_killed_at_any_point_it_is_told_and_comes_back_bit_for_bit(tmp_path, point):
    done = subprocess.run(
        [sys.executable, "-m", "tests.bundles.export_worker", str(tmp_path), str(point)],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    folders, path = opened(tmp_path)
    (told,) = past.exports(folders.store)
    assert verify(path, root=olga().root).exit_code == 0
    left = writing.names_in(folders.root)
    whole = point == Point.RENAMED
    assert [one.export for one in folders.missing()] == ([] if whole else [told.export])
    if not whole:
        assert told.kept.folder not in left
        assert bool(folders.unfinished()) == (point != Point.RECORDED)
        folders.write_again(told.export)
    files = reading.read(folders.root / told.kept.folder)
    assert check(files, pin=olga().key.public.fingerprint).holds
    assert {name: files[name] for name in told.kept.files} == dict(told.kept.files)
    assert folders.unfinished() == ()
    assert folders.differing() == ()


def test_each_tenant_has_a_root_of_its_own(tmp_path):
    one = writing.write(tmp_path, "tenant-1", RULES, "a", FILES)
    two = writing.write(tmp_path, "tenant-2", RULES, "a", FILES)
    assert one == tmp_path / "exports" / "tenant-1" / "memory-rules" / "a"
    assert two == tmp_path / "exports" / "tenant-2" / "memory-rules" / "a"
    assert writing.names_in(writing.root_of(tmp_path, "tenant-3")) == ()


@pytest.mark.parametrize(
    "name", ["", ".", "..", ".git", "a/b", "/tmp", "-a", "a-", "A", "a.b", "a" * 61, "a\nb"]
)
def test_odd_names_of_folders_are_refused(tmp_path, name):
    with pytest.raises(FolderError):
        writing.write(tmp_path, "tenant-1", RULES, name, FILES)


@pytest.mark.parametrize("file", ["../a", ".git", "a/b", "", "a\0"])
def test_odd_names_of_files_are_refused(tmp_path, file):
    with pytest.raises(FolderError):
        writing.write(tmp_path, "tenant-1", RULES, "a", {file: b"x"})


@pytest.mark.parametrize("step", ["exports", "exports/tenant-1", "exports/tenant-1/memory-rules"])
def test_a_link_on_the_way_is_not_followed(tmp_path, step):
    outside = tmp_path / "outside"
    outside.mkdir()
    home = tmp_path / "home"
    (home / step).parent.mkdir(parents=True)
    (home / step).symlink_to(outside)
    with pytest.raises(OSError, match=r"link|exists"):
        writing.write(home, "tenant-1", RULES, "a", FILES)
    assert list(outside.iterdir()) == []


def test_a_link_in_place_of_what_was_begun_is_not_followed(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "keep").touch()
    root = writing.root_of(tmp_path / "home", "tenant-1")
    root.mkdir(parents=True)
    (root / ".a.writing").symlink_to(outside)
    with pytest.raises(FolderError, match="link"):
        writing.write(tmp_path / "home", "tenant-1", RULES, "a", FILES)
    assert (outside / "keep").exists()


def test_a_folder_of_that_name_is_never_overwritten(tmp_path):
    at = writing.write(tmp_path, "tenant-1", RULES, "a", FILES)
    with pytest.raises(FolderError, match="Nothing was written"):
        writing.write(tmp_path, "tenant-1", RULES, "a", {"c.md": b"c"})
    assert sorted(os.listdir(at)) == ["a.md", "b.md"]
    assert writing.names_in(at.parent) == ("a",)


def test_a_disk_that_refuses_leaves_nothing_under_the_right_name(tmp_path, irina, monkeypatch):
    world = World(tmp_path, irina)

    def full(file):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("console.bundles.writing.os.fsync", full)
        with pytest.raises(OSError, match="No space"):
            world.export()
    (told,) = world.folders.missing()
    world.folders.write_again(told.export)
    assert world.folders.unfinished() == ()
    assert source().text == export().sources[0].text
