"""Looks at a checkout that a person named, as far as one rule needs it. It writes nothing there.

Links inside the checkout are not followed: a rule that seems to go to one file must not go to
another. What keeps a rule out is an error; what a person should know is a flag.
"""

from __future__ import annotations

import os
import stat
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
    listings: dict[str, tuple[str, ...]] = {}
    if target in SECTIONS:
        name = SECTIONS[target]
        section = _section(found.work_tree, name)
        if section is not None and name in (changed or ()):
            msg = (
                f"{name} has changes that are not committed, so a patch for it would not fit. "
                f"{_NOTHING} Commit or put them away, then export again."
            )
            raise CheckoutError(msg)
    else:
        told = {one: _listing(found.work_tree, one) for one in FOLDERS[target]}
        listings = {one: names for one, names in told.items() if names is not None}
    if changed:
        flags.append(Flag.DIRTY)
    looked = Looked(found.work_tree.name, found.commit, section, listings)
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


def _listing(top: Path, folder: str) -> tuple[str, ...] | None:
    """Names in a folder of the checkout; None if it is not there."""
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
