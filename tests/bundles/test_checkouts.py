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


# --- what git would not take ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "says"),
    [
        (".gitignore", "docs/"),
        (".gitignore", "*.md"),
        ("docs/.gitignore", "jackets-*"),
        (".git/info/exclude", "docs"),
    ],
)
def test_a_place_that_the_checkout_ignores_is_refused(tmp_path, irina, where, says):
    place = checkout(tmp_path / "shop", {"README.md": b"x\n", "docs/a.md": b"a\n"})
    (place / where).parent.mkdir(exist_ok=True)
    (place / where).write_text(says + "\n")
    world = World(tmp_path / "home", irina)
    size, before = world.store.head().size, everything(place)
    with pytest.raises(CheckoutError, match=r"git would not take docs/jackets.*ignores it"):
        world.export(world.told(target=Target.PLAIN_DOCS), checkout=place)
    assert world.store.head().size == size
    assert not world.folders.root.exists()
    assert everything(place) == before


def test_a_committed_file_that_is_ignored_as_well_still_gets_its_section(tmp_path, irina):
    place = checkout(tmp_path / "shop", AGENTS)
    (place / ".gitignore").write_text("*.md\n")
    world = World(tmp_path / "home", irina)
    done = world.export(world.told(target=Target.AGENTS_SECTION), checkout=place)
    run_git(place, "apply", "--check", str(done.folder / "rule.patch"))


def test_a_section_file_that_was_deleted_and_not_committed_is_refused(tmp_path):
    place = checkout(tmp_path / "shop", AGENTS)
    (place / "AGENTS.md").unlink()
    with pytest.raises(CheckoutError, match="not committed"):
        checkouts.look(place, Target.AGENTS_SECTION)


@pytest.mark.parametrize("told", ["--skip-worktree", "--assume-unchanged"])
def test_a_section_file_that_git_does_not_look_at_is_refused(tmp_path, told):
    place = checkout(tmp_path / "shop", AGENTS)
    run_git(place, "update-index", told, "AGENTS.md")
    (place / "AGENTS.md").write_bytes(b"Something else.\n")
    with pytest.raises(CheckoutError, match="told not to look at AGENTS"):
        checkouts.look(place, Target.AGENTS_SECTION)


def test_a_name_that_git_keeps_is_taken_though_its_file_is_gone(tmp_path, irina):
    world = World(tmp_path / "home", irina)
    told = world.told(target=Target.PLAIN_DOCS)
    path = targets.placed(told, None).path
    place = checkout(tmp_path / "shop", {path: b"Old.\n", "README.md": b"x\n"})
    (place / path).unlink()
    (place / path).parent.rmdir()
    done = world.export(told, checkout=place)
    assert done.path != path
    assert Flag.RENAMED in done.flags
    run_git(place, "apply", "--check", str(done.folder / "rule.patch"))


@pytest.mark.parametrize("empty", [True, False])
def test_a_submodule_is_another_checkout(tmp_path, empty):
    inner = checkout(tmp_path / "inner", {"a.md": b"a\n"})
    place = checkout(tmp_path / "shop")
    run_git(
        place, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "docs"
    )
    run_git(place, "commit", "-q", "-m", "docs")
    if empty:
        run_git(place, "submodule", "deinit", "-q", "-f", "docs")
        assert not list((place / "docs").iterdir())
    for target in (Target.PLAIN_DOCS, Target.RUNBOOK):
        with pytest.raises(CheckoutError, match="another checkout"):
            checkouts.look(place, target)


@pytest.mark.parametrize("folder", [".Claude/rules", ".claude/Rules"])
def test_a_folder_that_differs_by_case_alone_is_refused(tmp_path, folder):
    place = checkout(tmp_path / "shop", {f"{folder}/a.md": b"a\n"})
    with pytest.raises(CheckoutError, match="some systems take for"):
        checkouts.look(place, Target.CLAUDE_RULES)


def test_a_folder_of_another_case_does_not_matter_where_the_rule_does_not_go(tmp_path):
    place = checkout(tmp_path / "shop", {"Docs/a.md": b"a\n", "runbooks/b.md": b"b\n"})
    assert set(checkouts.look(place, Target.RUNBOOK).looked.listings) == {"runbooks"}


def test_a_new_name_differs_by_more_than_its_case(tmp_path, irina):
    world = World(tmp_path / "home", irina)
    told = world.told(target=Target.CLAUDE_RULES)
    path = targets.placed(told, None).path
    folder, _, name = path.rpartition("/")
    place = checkout(tmp_path / "shop", {f"{folder}/{name.upper()}": b"Old.\n"})
    done = world.export(told, checkout=place)
    assert done.path.casefold() != path.casefold()


def test_a_file_that_ends_inside_a_fence_keeps_a_section_out(tmp_path, irina):
    place = checkout(tmp_path / "shop", {"AGENTS.md": b"# A\n\n```sh\nmake test\n"})
    world = World(tmp_path / "home", irina)
    size = world.store.head().size
    with pytest.raises(targets.NoPlaceError, match="a code fence that line 3 opens"):
        world.export(world.told(target=Target.AGENTS_SECTION), checkout=place)
    assert world.store.head().size == size


@pytest.mark.parametrize("at", ["config", "info/exclude", "packed-refs"])
def test_a_pipe_in_place_of_a_file_of_git_does_not_stop_us(tmp_path, irina, at):
    place = checkout(tmp_path / "shop", AGENTS)
    (place / ".git" / at).unlink(missing_ok=True)
    os.mkfifo(place / ".git" / at)
    world = World(tmp_path / "home", irina)
    done = world.export(world.told(target=Target.AGENTS_SECTION), checkout=place)
    assert done.path == "AGENTS.md"


@pytest.mark.parametrize("at", [".git/index", ".gitignore"])
def test_a_pipe_that_git_waits_for_is_told_in_a_sentence(tmp_path, irina, monkeypatch, at):
    place = checkout(tmp_path / "shop", AGENTS)
    (place / at).unlink(missing_ok=True)
    os.mkfifo(place / at)
    monkeypatch.setattr(git, "SECONDS", 1)
    world = World(tmp_path / "home", irina)
    with pytest.raises(git.GitError, match="git did not answer"):
        world.export(world.told(target=Target.AGENTS_SECTION), checkout=place)
    assert world.store.standing().exports == {}


@pytest.mark.parametrize(
    "name", [b"sh\xffop", b"sh\nop", "sh\u202eop".encode(), b"-shop", b"$(x)"]
)
def test_a_checkout_may_have_any_name(tmp_path, irina, name):
    place = checkout(tmp_path / "shop", AGENTS)
    other = tmp_path / os.fsdecode(name)
    place.rename(other)
    world = World(tmp_path / "home", irina)
    done = world.export(world.told(target=Target.AGENTS_SECTION), checkout=other)
    run_git(other, "apply", "--check", str(done.folder / "rule.patch"))


def test_a_section_file_in_the_middle_of_a_merge_is_refused(tmp_path):
    place = checkout(tmp_path / "shop", AGENTS)
    for branch, words in (("other", b"Be fast.\n"), ("main", b"Be slow.\n")):
        run_git(place, "checkout", "-q", *(["-b"] if branch == "other" else []), branch)
        (place / "AGENTS.md").write_bytes(words)
        run_git(place, "commit", "-q", "-a", "-m", branch)
    with pytest.raises(AssertionError):  # git says that there is a conflict
        run_git(place, "merge", "other")
    with pytest.raises(CheckoutError, match="not committed"):
        checkouts.look(place, Target.AGENTS_SECTION)


ATTRIBUTES = [
    ("core.autocrlf", "true", "", b"Be kind.\nAsk.\n"),
    ("core.autocrlf", "true", "", b"Be kind.\r\nAsk.\r\n"),
    ("core.autocrlf", "input", "", b"Be kind.\r\nAsk.\r\n"),
    ("core.eol", "crlf", "*.md text", b"Be kind.\n"),
    ("core.eol", "lf", "*.md text eol=crlf", b"Be kind.\nAsk"),
    ("core.safecrlf", "true", "*.md -text", b"Caf\xe9.\r\nAsk.\n"),
]


@pytest.mark.parametrize("target", [Target.AGENTS_SECTION, Target.PLAIN_DOCS])
@pytest.mark.parametrize(("setting", "value", "attributes", "data"), ATTRIBUTES)
def test_line_ends_of_every_sort_take_a_patch_that_the_checkout_takes_too(
    tmp_path, irina, setting, value, attributes, data, target
):
    place = checkout(
        tmp_path / "shop", {".gitattributes": f"{attributes}\n".encode(), "AGENTS.md": data}
    )
    run_git(place, "config", setting, value)
    (place / "AGENTS.md").unlink()
    run_git(place, "checkout", "AGENTS.md")
    before = (place / "AGENTS.md").read_bytes()
    world = World(tmp_path / "home", irina)
    done = world.export(world.told(target=target), checkout=place)
    run_git(place, "apply", "--check", str(done.folder / "rule.patch"))
    run_git(place, "apply", str(done.folder / "rule.patch"))
    assert (place / "AGENTS.md").read_bytes().startswith(before.rstrip(b"\r\n"))
    assert b"Ship jackets to Elektrostal" in (place / done.path).read_bytes()
