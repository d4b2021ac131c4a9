"""Looks at a checkout that a person named, as far as one rule needs it. It writes nothing there.

Links inside the checkout are not followed: a rule that seems to go to one file must not go to
another. What keeps a rule out is an error; what a person should know is a flag.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from console.bundles import git
from console.bundles.git import Repository
from review.bundle.targets import FOLDERS, SECTIONS, Looked
from review.rules.export_told import Target

LARGEST: Final = 1024 * 1024
"""Bytes of a file that gets a section."""

_NOTHING: Final = "Nothing was exported."


class CheckoutError(ValueError):
    """A rule cannot go to what was named. The message says why and what to do."""


class Flag(StrEnum):
    """What to know of a checkout before applying a patch to it. A closed list."""

    DIRTY = "dirty"
    """Other files in it differ from what is checked out."""

    NOT_TOLD = "not_told"
    """Whether files in it differ could not be told."""

    READ_ONLY = "read_only"
    """You cannot write to it, so you cannot apply the patch there."""

    UNBORN = "unborn"
    """Nothing is committed yet."""

    RENAMED = "renamed"
    """The name or heading was taken, so another one was used."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """One checkout, as it was when it was looked at."""

    repository: Repository
    looked: Looked
    flags: tuple[Flag, ...]


def look(path: Path, target: Target) -> Checkout:
    """What there is to know of the checkout at ``path`` for one target.

    Raises:
        CheckoutError: If it is no checkout, or the file that gets a section is a link, is not
            committed, or cannot be read.
        console.bundles.git.GitError: If git is not there.
    """
    found = _repository(path)
    flags = [] if found.commit else [Flag.UNBORN]
    if not _writable(found.work_tree):
        flags.append(Flag.READ_ONLY)
    changed = git.changed(found)
    if changed is None:
        flags.append(Flag.NOT_TOLD)
    section: bytes | None = None
    listings: Mapping[str, tuple[str, ...]] = {}
    if target in SECTIONS:
        name = SECTIONS[target]
        section = _section(found.work_tree, name)
        kept = [one for one in git.tracked(found, name) if one.path == name]
        if any(one.checkout or not one.watched for one in kept):
            msg = (
                f"git was told not to look at {name} there, so nobody knows what is committed. "
                f"{_NOTHING} Undo that (git update-index), then export again."
            )
            raise CheckoutError(msg)
        if name in (changed or ()):
            msg = (
                f"{name} has changes that are not committed, so a patch for it would not fit. "
                f"{_NOTHING} Commit or put them away, then export again."
            )
            raise CheckoutError(msg)
    else:
        listings = _folder(found, FOLDERS[target])
    if changed:
        flags.append(Flag.DIRTY)
    name = os.fsencode(found.work_tree.name).decode("utf-8", "replace")
    looked = Looked(name, found.commit, section, listings)
    return Checkout(found, looked, tuple(flags))


def _repository(path: Path) -> Repository:
    try:
        folder = path.expanduser().resolve(strict=True)
    except (OSError, RuntimeError) as error:
        msg = f"there is no folder {path}. {_NOTHING}"
        raise CheckoutError(msg) from error
    if not folder.is_dir():
        msg = f"{path} is no folder. {_NOTHING} Name the top folder of a checkout."
        raise CheckoutError(msg)
    found = git.repository(folder)
    if found is not None:
        return found
    above = next((one for one in folder.parents if git.repository(one) is not None), None)
    if above is not None:
        msg = f"{path} lies inside a checkout. {_NOTHING} Name its top folder: {above}"
        raise CheckoutError(msg)
    msg = (
        f"{path} is no git checkout. {_NOTHING} Name a checkout, or leave it out for files alone."
    )
    raise CheckoutError(msg)


def _section(top: Path, name: str) -> bytes | None:
    """The bytes of a file at the top of the checkout; None if it is not there."""
    same = [one for one in os.listdir(top) if one.casefold() == name.casefold()]
    if same and same != [name]:
        msg = (
            f"the checkout has {', '.join(sorted(same))}, which some systems take for {name}. "
            f"{_NOTHING} Rename it first."
        )
        raise CheckoutError(msg)
    try:
        file = os.open(top / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError as error:
        msg = f"{name} is a link or cannot be read. {_NOTHING} A rule goes to a plain file only."
        raise CheckoutError(msg) from error
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        msg = f"{name} is no plain file. {_NOTHING}"
        raise CheckoutError(msg)
    with os.fdopen(file, "rb") as opened:
        data = opened.read(LARGEST + 1)
    if len(data) > LARGEST:
        msg = f"{name} has more than {LARGEST:,} bytes. {_NOTHING} Choose a file of its own."
        raise CheckoutError(msg)
    return data


def taken(found: Repository, path: str) -> None:
    """Let pass a file that git would take at ``path``.

    Raises:
        CheckoutError: If the checkout ignores it, so that no commit would have it.
    """
    if git.ignores(found, path):
        msg = (
            f"git would not take {path}: the checkout ignores it (.gitignore or info/exclude). "
            f"{_NOTHING} Choose another target, or stop ignoring it there."
        )
        raise CheckoutError(msg)


def _folder(found: Repository, folders: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """The first of ``folders`` that is there, with the names in it; empty when none is."""
    for one in folders:
        names = _listing(found, one)
        if names is not None:
            return {one: names}
    _spelled(found.work_tree, folders[0])
    return {}


def _listing(found: Repository, folder: str) -> tuple[str, ...] | None:
    """Names in a folder of the checkout, those that git keeps too; None if there are none."""
    kept = git.tracked(found, folder)
    if any(one.checkout and f"{folder}/".startswith(f"{one.path}/") for one in kept):
        msg = f"{folder} leads into another checkout. {_NOTHING} Name that one, if you mean it."
        raise CheckoutError(msg)
    inside = {one.path.removeprefix(f"{folder}/").partition("/")[0] for one in kept}
    names = _names(found.work_tree, folder)
    if names is None and not inside:
        return None
    _spelled(found.work_tree, folder)
    return tuple(sorted({*(names or ()), *inside}))


def _spelled(top: Path, folder: str) -> None:
    """Let pass a folder whose name no other one has in another case.

    Raises:
        CheckoutError: If one has: where case does not count, they are one folder.
    """
    at = top
    for name in folder.split("/"):
        same = [one for one in os.listdir(at) if one.casefold() == name.casefold()]
        if same and same != [name]:
            msg = (
                f"the checkout has {', '.join(sorted(same))}, which some systems take for {name}. "
                f"{_NOTHING} Rename it first."
            )
            raise CheckoutError(msg)
        at = at / name
        if not same:
            return


def _names(top: Path, folder: str) -> tuple[str, ...] | None:
    at = top
    for name in folder.split("/"):
        at = at / name
        try:
            mode = at.lstat().st_mode
        except FileNotFoundError:
            return None
        except OSError as error:
            msg = f"{folder} cannot be read. {_NOTHING}"
            raise CheckoutError(msg) from error
        if not stat.S_ISDIR(mode):
            msg = (
                f"{folder} leads over a link or a file. {_NOTHING} Rules go to plain folders only."
            )
            raise CheckoutError(msg)
        if any(one.casefold() == ".git" for one in os.listdir(at)):
            msg = (
                f"{folder} leads into another checkout. {_NOTHING} Name that one, if you mean it."
            )
            raise CheckoutError(msg)
    return tuple(sorted(os.listdir(at)))


def _writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK) and bool(folder.stat().st_mode & 0o222)
