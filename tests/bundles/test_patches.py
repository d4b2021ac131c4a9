"""Patches that real git takes: every target, every way a file can end."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.bundles import checkouts, git
from review.bundle import targets, unified
from review.bundle.unified import NotTextError
from review.rules.export_told import Target
from tests.bundles.checkout_worlds import checkout, everything
from tests.bundles.checkout_worlds import git as run_git
from tests.bundles.told import export

OLD = {
    "usual": b"# Agents\n\nBe kind.\n",
    "empty": b"",
    "no newline": b"# Agents\n\nBe kind.",
    "crlf": b"# Agents\r\n\r\nBe kind.\r\nAsk.\r\n",
    "crlf, no newline": b"# Agents\r\n\r\nBe kind.",
    "mixed": b"# Agents\r\nBe kind.\nAsk.\n",
    "bom": b"\xef\xbb\xbf# Agents\n",
    "bom alone": b"\xef\xbb\xbf",
    "one line": b"Be kind.\n",
    "one blank line": b"\n",
    "blank end": b"# Agents\n\n\n\n",
    "trailing spaces": b"# Agents  \n\t\nx \t\n",
    "latin-1": b"# Caf\xe9\n",
    "diff-like": b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n",
    "long": b"".join(b"line %d\n" % n for n in range(5_000)),
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """One checkout; each file is put into it, and the patch for it is applied and taken back."""
    return checkout(tmp_path_factory.mktemp("shop") / "shop")


def applied(shop, path, old, patch):
    """What real git makes of a file."""
    if old is not None:
        (shop / path).parent.mkdir(parents=True, exist_ok=True)
        (shop / path).write_bytes(old)
    (shop.parent / "rule.patch").write_bytes(patch)
    try:
        run_git(shop, "apply", "--check", str(shop.parent / "rule.patch"))
        run_git(shop, "apply", str(shop.parent / "rule.patch"))
        return (shop / path).read_bytes()
    finally:
        (shop / path).unlink(missing_ok=True)


@pytest.mark.parametrize("name", OLD)
def test_an_existing_file_only_gets_lines_after_its_end(shop, name):
    old, more = OLD[name], b"## Jackets\n\nShip them.\n"
    new, patch = unified.appended("AGENTS.md", old, more)
    assert applied(shop, "AGENTS.md", old, patch) == new
    assert new.startswith(old)
    added = new[len(old) :].replace(b"\r\n", b"\n")
    assert added.lstrip(b"\n") == more
    if b"\r\n" in old and name != "mixed":
        assert b"\n" not in new[len(old) :].replace(b"\r\n", b"")
    removed = [one for one in patch.split(b"\n")[3:] if one.startswith(b"-")]
    assert len(removed) == (not old.endswith(b"\n") and bool(old))


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from([b"a", b"b\r", b"", b"- c", b"+d", b"\\ e", b" ", b"\t@@"])),
    st.booleans(),
)
def test_whatever_a_file_holds_git_takes_the_patch(shop, lines, ended):
    old = b"\n".join(lines) + (b"\n" if ended and lines else b"")
    new, patch = unified.appended("CLAUDE.md", old, b"## X\n\nY.\n")
    assert applied(shop, "CLAUDE.md", old, patch) == new


def test_a_file_that_is_no_text_is_refused():
    with pytest.raises(NotTextError, match=r"AGENTS\.md is not a text file"):
        unified.appended("AGENTS.md", "# Agents\n".encode("utf-16"), b"x\n")


@pytest.mark.parametrize("target", Target)
def test_every_target_goes_into_a_checkout_and_nothing_else_changes(tmp_path, target):
    place = checkout(tmp_path / "shop", {"README.md": b"# Shop\n", "AGENTS.md": b"Be kind.\n"})
    before = everything(place)
    seen = checkouts.look(place, target)
    placement = targets.placed(export(target=target), seen.looked)
    assert git.accepts(seen.repository, placement.patch)
    assert everything(place) == before
    (tmp_path / "rule.patch").write_bytes(placement.patch)
    run_git(place, "apply", "--check", str(tmp_path / "rule.patch"))
    run_git(place, "apply", "--index", str(tmp_path / "rule.patch"))
    assert run_git(place, "diff", "--cached", "--name-only").split() == [placement.path]
    assert (place / placement.path).read_bytes().endswith(placement.text)


def test_a_second_export_stands_beside_the_first(tmp_path):
    place = checkout(tmp_path / "shop")
    paths = []
    for n in (1, 2, 3):
        looked = checkouts.look(place, Target.CLAUDE_RULES).looked
        placement = targets.placed(export(n=n), looked)
        (tmp_path / "rule.patch").write_bytes(placement.patch)
        run_git(place, "apply", "--index", str(tmp_path / "rule.patch"))
        run_git(place, "commit", "-q", "-m", "rule")
        paths.append(placement.path)
    assert len(set(paths)) == 3


def test_a_patch_that_does_not_fit_is_not_taken(tmp_path):
    place = checkout(tmp_path / "shop", {"AGENTS.md": b"Be kind.\n"})
    seen = checkouts.look(place, Target.AGENTS_SECTION)
    _, patch = unified.appended("AGENTS.md", b"Be quick.\n", b"x\n")
    assert not git.accepts(seen.repository, patch)
    assert not git.accepts(seen.repository, unified.new_file("AGENTS.md", b"x\n"))
    assert not git.accepts(seen.repository, unified.new_file("../AGENTS.md", b"x\n"))
