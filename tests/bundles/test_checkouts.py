"""Checkouts that people name: what is no checkout, what is in the way, and what is hostile."""

from __future__ import annotations

import os
import stat

import pytest

from console.bundles import checkouts, git
from console.bundles.checkouts import CheckoutError, Flag
from review.bundle import targets
from review.rules.export_told import Target
from tests.bundles.checkout_worlds import checkout, everything
from tests.bundles.checkout_worlds import git as run_git
from tests.bundles.told import World, export

AGENTS = {"AGENTS.md": b"Be kind.\n"}


def test_a_clean_checkout_has_no_flags_and_is_told_by_its_commit(tmp_path):
    place = checkout(tmp_path / "shop", AGENTS)
    seen = checkouts.look(place, Target.AGENTS_SECTION)
    assert seen.flags == ()
    assert seen.looked.commit == run_git(place, "rev-parse", "HEAD").strip()
    assert seen.looked.section == b"Be kind.\n"


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ("nowhere", "there is no folder"),
        ("file.txt", "is no folder"),
        ("plain", "is no git checkout"),
        ("shop/docs", "lies inside a checkout.*Name its top folder"),
        ("bare.git", "is no git checkout"),
        ("broken", "is no git checkout"),
    ],
)
def test_what_is_no_checkout_is_refused_with_a_sentence(tmp_path, named, why):
    checkout(tmp_path / "shop", {"docs/a.md": b"a\n"})
    (tmp_path / "file.txt").write_text("x")
    (tmp_path / "plain").mkdir()
    (tmp_path / "broken" / ".git").mkdir(parents=True)
    run_git(tmp_path, "init", "-q", "--bare", "bare.git")
    with pytest.raises(CheckoutError, match=why):
        checkouts.look(tmp_path / named, Target.CLAUDE_RULES)


def test_a_target_with_changes_that_are_not_committed_is_refused(tmp_path):
    place = checkout(tmp_path / "shop", AGENTS)
    (place / "AGENTS.md").write_bytes(b"Be quick.\n")
    with pytest.raises(CheckoutError, match=r"AGENTS\.md has changes that are not committed"):
        checkouts.look(place, Target.AGENTS_SECTION)
    run_git(place, "add", "AGENTS.md")
    with pytest.raises(CheckoutError, match="not committed"):
        checkouts.look(place, Target.AGENTS_SECTION)


def test_other_changes_are_flagged_and_so_is_a_checkout_without_a_commit(tmp_path):
    place = checkout(tmp_path / "shop", AGENTS)
    (place / "new.txt").write_text("x")
    assert checkouts.look(place, Target.AGENTS_SECTION).flags == (Flag.DIRTY,)
    unborn = checkout(tmp_path / "unborn", commit=False)
    assert set(checkouts.look(unborn, Target.RUNBOOK).flags) == {Flag.UNBORN, Flag.DIRTY}


def test_a_read_only_checkout_is_flagged(tmp_path):
    place = checkout(tmp_path / "shop", AGENTS)
    place.chmod(0o555)
    try:
        assert Flag.READ_ONLY in checkouts.look(place, Target.AGENTS_SECTION).flags
    finally:
        place.chmod(0o755)


def test_linked_work_trees_packed_refs_and_sha256_are_read(tmp_path):
    place = checkout(tmp_path / "shop", AGENTS)
    run_git(place, "worktree", "add", "-q", str(tmp_path / "other"))
    run_git(place, "pack-refs", "--all")
    commit = run_git(place, "rev-parse", "HEAD").strip()
    for folder in (place, tmp_path / "other"):
        seen = checkouts.look(folder, Target.AGENTS_SECTION)
        assert (seen.looked.commit, seen.flags) == (commit, ())
        assert git.accepts(seen.repository, targets.placed(
            export(target=Target.AGENTS_SECTION), seen.looked).patch)  # fmt: skip
    long = tmp_path / "long"
    long.mkdir()
    run_git(long, "init", "-q", "--object-format=sha256")
    (long / "AGENTS.md").write_bytes(b"x\n")
    run_git(long, "add", "-A")
    run_git(long, "commit", "-q", "-m", "first")
    seen = checkouts.look(long, Target.AGENTS_SECTION)
    assert (len(seen.looked.commit), seen.flags) == (64, ())


def test_line_ends_that_the_checkout_converts_do_not_look_like_changes(tmp_path):
    place = checkout(tmp_path / "shop", AGENTS)
    run_git(place, "config", "core.autocrlf", "true")
    (place / "AGENTS.md").unlink()
    run_git(place, "checkout", "AGENTS.md")
    assert (place / "AGENTS.md").read_bytes() == b"Be kind.\r\n"
    os.utime(place / "AGENTS.md")
    seen = checkouts.look(place, Target.AGENTS_SECTION)
    assert seen.flags == ()
    placement = targets.placed(export(target=Target.AGENTS_SECTION), seen.looked)
    assert git.accepts(seen.repository, placement.patch)
    (tmp_path / "p").write_bytes(placement.patch)
    run_git(place, "apply", "--check", str(tmp_path / "p"))
    run_git(place, "apply", str(tmp_path / "p"))
    assert (place / "AGENTS.md").read_bytes().endswith(b".\r\n")


@pytest.mark.parametrize("where", ["AGENTS.md", ".claude", ".claude/rules"])
def test_a_link_in_the_checkout_is_not_followed(tmp_path, where):
    place = checkout(tmp_path / "shop", {"README.md": b"x\n"})
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("do not read me")
    (place / where).parent.mkdir(exist_ok=True)
    (place / where).symlink_to(outside / "file" if where == "AGENTS.md" else outside)
    target = Target.AGENTS_SECTION if where == "AGENTS.md" else Target.CLAUDE_RULES
    with pytest.raises(CheckoutError, match="link"):
        checkouts.look(place, target)


@pytest.mark.parametrize("sort", ["folder", "fifo", "large", "case"])
def test_a_section_goes_to_a_plain_file_only(tmp_path, sort):
    place = checkout(tmp_path / "shop", {"README.md": b"x\n"})
    at = place / "AGENTS.md"
    if sort == "folder":
        at.mkdir()
    elif sort == "fifo":
        os.mkfifo(at)
    elif sort == "large":
        at.write_bytes(b"x" * (checkouts.LARGEST + 1))
    else:
        (place / "agents.MD").write_bytes(b"x\n")
    with pytest.raises(CheckoutError, match="Nothing was exported"):
        checkouts.look(place, Target.AGENTS_SECTION)


def hostile(place, marker):
    """A checkout whose settings run programs, wherever git would obey them."""
    program = place.parent / "evil.sh"
    program.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n")
    program.chmod(0o755)
    hooks = place / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for hook in ("pre-commit", "post-index-change", "fsmonitor-watchman", "applypatch-msg"):
        (hooks / hook).write_text(f"#!/bin/sh\ntouch {marker}\n")
        (hooks / hook).chmod(0o755)
    (place / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n")
    for name in (
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "core.editor",
        "core.gitProxy",
        "core.askPass",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "diff.evil.textconv",
        "diff.evil.command",
        "diff.external",
        "alias.status",
        "alias.apply",
        "credential.helper",
        "gpg.program",
        "uploadpack.packObjectsHook",
    ):
        run_git(place, "config", name, str(program))
    run_git(place, "config", "filter.evil.required", "true")
    run_git(place, "config", "core.hooksPath", str(hooks))
    run_git(place, "config", "core.worktree", str(place.parent))
    (place.parent / "more").write_text(f"[core]\n\tfsmonitor = {program}\n")
    run_git(place, "config", "include.path", str(place.parent / "more"))


def test_nothing_that_a_hostile_checkout_names_is_run(tmp_path):
    place, marker = checkout(tmp_path / "shop", AGENTS), tmp_path / "ran"
    hostile(place, marker)
    os.utime(place / "AGENTS.md", (1, 1))  # so that git has to read the file again
    marker.unlink(missing_ok=True)
    before = everything(place)
    seen = checkouts.look(place, Target.AGENTS_SECTION)
    placement = targets.placed(export(target=Target.AGENTS_SECTION), seen.looked)
    assert git.accepts(seen.repository, placement.patch)
    assert not marker.exists()
    assert everything(place) == before


def test_the_same_checkout_would_run_a_program_for_plain_git(tmp_path):
    """The control: without our precautions the test above could not fail."""
    import subprocess

    place, marker = checkout(tmp_path / "shop", AGENTS), tmp_path / "ran"
    hostile(place, marker)
    os.utime(place / "AGENTS.md", (1, 1))
    marker.unlink(missing_ok=True)
    subprocess.run(["git", "-c", f"core.worktree={place}", "status"], cwd=place, check=False,
                   capture_output=True)  # fmt: skip
    assert marker.exists()


def test_the_environment_of_this_process_does_not_reach_git(tmp_path, monkeypatch):
    place = checkout(tmp_path / "shop", AGENTS)
    for name, value in (
        ("GIT_DIR", "/nowhere"),
        ("GIT_WORK_TREE", "/nowhere"),
        ("GIT_INDEX_FILE", "/nowhere"),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "core.bare"),
        ("GIT_CONFIG_VALUE_0", "true"),
        ("GIT_EXEC_PATH", "/nowhere"),
    ):
        monkeypatch.setenv(name, value)
    seen = checkouts.look(place, Target.AGENTS_SECTION)
    assert seen.flags == ()


def test_without_git_it_is_said(tmp_path, monkeypatch):
    place = checkout(tmp_path / "shop", AGENTS)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(git.GitError, match="git is not installed"):
        checkouts.look(place, Target.AGENTS_SECTION)


def test_an_index_that_cannot_be_read_is_flagged_and_not_taken_for_clean(tmp_path):
    place = checkout(tmp_path / "shop", AGENTS)
    (place / ".git" / "index").write_bytes(b"DIRCxxxx")
    assert Flag.NOT_TOLD in checkouts.look(place, Target.AGENTS_SECTION).flags


def test_an_export_reads_a_checkout_and_never_writes_to_it(tmp_path, irina):
    place = checkout(tmp_path / "shop", AGENTS)
    before = everything(place)
    world = World(tmp_path / "home", irina)
    told = world.told(target=Target.AGENTS_SECTION)
    done = world.export(told, checkout=place)
    assert everything(place) == before
    run_git(place, "apply", "--check", str(done.folder / "rule.patch"))
    assert stat.S_IMODE(done.folder.stat().st_mode) == 0o700
    assert all(stat.S_IMODE(one.stat().st_mode) == 0o600 for one in done.folder.iterdir())
    (place / "AGENTS.md").write_bytes(b"Changed.\n")
    size = world.store.head().size
    with pytest.raises(CheckoutError):
        world.export(world.told(target=Target.AGENTS_SECTION, n=2), checkout=place)
    assert world.store.head().size == size
    assert len(list(world.folders.root.iterdir())) == 1
