"""Runs git over a checkout that somebody named, without obeying that checkout.

A checkout's own configuration can name programs to run: filters, a file system monitor, hooks, a
pager. None of it is read. Git gets an empty repository of ours for its settings, and of the
checkout only what is data: its files, its index, its objects. No environment of ours reaches it,
nothing of the checkout is written, and there is no network.

Source: git's documentation of its environment variables and of ``core.*``, 2.39.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from console import identity

SECONDS: Final = 60
_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_LARGEST: Final = 1024 * 1024
"""Bytes of a checkout's configuration."""

_SUBMODULE: Final = "160000"
_LINE_ENDS: Final = {
    "core.autocrlf": frozenset({"true", "false", "input"}),
    "core.eol": frozenset({"lf", "crlf", "native"}),
    "core.filemode": frozenset({"true", "false"}),
    "core.ignorecase": frozenset({"true", "false"}),
    "core.symlinks": frozenset({"true", "false"}),
}
"""Settings of the checkout that are taken over: how its files look, with closed values."""


class GitError(RuntimeError):
    """Git is not there, or says no. The message is a sentence without the checkout's words."""


@dataclass(frozen=True, slots=True)
class Repository:
    """Where a checkout keeps its data."""

    work_tree: Path
    git_dir: Path
    common: Path
    """The same as ``git_dir`` but for a linked work tree."""

    commit: str | None
    """What is checked out, hex; None before the first commit, or when it cannot be told."""


def repository(work_tree: Path) -> Repository | None:
    """The repository of a checkout, read by hand; None if the folder is no checkout."""
    dot = work_tree / ".git"
    if dot.is_dir():
        git_dir = dot
    elif dot.is_file():
        told = _word(dot)
        if not told.startswith("gitdir: "):
            return None
        git_dir = (work_tree / told.removeprefix("gitdir: ")).resolve()
    else:
        return None
    shared = _word(git_dir / "commondir")
    common = (git_dir / shared).resolve() if shared else git_dir
    if not (git_dir / "HEAD").is_file() or not (common / "objects").is_dir():
        return None
    return Repository(work_tree, git_dir, common, _commit(git_dir, common))


def changed(found: Repository) -> tuple[str, ...] | None:
    """Paths that differ from what is checked out, new ones too; None if it cannot be told."""
    with _bench(found) as bench:
        done = bench.run(
            "status",
            "--porcelain=v1",
            "-z",
            "--untracked-files=all",
            "--ignore-submodules=all",
            "--no-renames",
            "--no-ahead-behind",
        )
    if done.returncode:
        return None
    told = done.stdout.decode("utf-8", "surrogateescape").split("\0")
    return tuple(line[3:] for line in told if len(line) > 3)


def ignores(found: Repository, path: str) -> bool:
    """Whether git would not take a new file at ``path``, by what the checkout says it ignores.

    Args:
        found: The checkout; settings of the person, outside of it, are not looked at.
        path: ASCII, without characters that git reads as a pattern.
    """
    with _bench(found) as bench:
        done = bench.run("check-ignore", "--quiet", "--", path, literal=False)
        if done.returncode > 1:  # an index that cannot be read; what is ignored still can
            done = bench.run("check-ignore", "--quiet", "--no-index", "--", path, literal=False)
    return done.returncode == 0


@dataclass(frozen=True, slots=True)
class Tracked:
    """One path that git keeps of a checkout."""

    path: str
    checkout: bool
    """Whether it is another checkout, a submodule."""

    watched: bool
    """Whether git looks at the file; it can be told not to."""


def tracked(found: Repository, folder: str) -> tuple[Tracked, ...]:
    """What git keeps at ``folder``, or in it or above it, whether the file is there or not."""
    above = ["/".join(folder.split("/")[:n]) for n in range(1, folder.count("/") + 2)]
    with _bench(found) as bench:
        done = bench.run("ls-files", "-v", "--stage", "-z", "--", *above[:-1], folder)
    told = (
        done.stdout.decode("utf-8", "surrogateescape").split("\0") if not done.returncode else ()
    )
    paths = []
    for line in told:
        about, _, path = line.partition("\t")
        marks = about.split()
        if path and (path in above or path.startswith(f"{folder}/")):
            paths.append(
                Tracked(path, marks[1] == _SUBMODULE, marks[0].isupper() and marks[0] != "S")
            )
    return tuple(paths)


def accepts(found: Repository, patch: bytes) -> bool:
    """Whether ``git apply --check`` takes ``patch`` in the checkout as it is."""
    with _bench(found) as bench:
        done = bench.run("apply", "--check", "--whitespace=nowarn", "-", given=patch)
    return done.returncode == 0


@dataclass(frozen=True, slots=True)
class _Bench:
    """An empty repository of ours, over the files of the checkout."""

    program: str
    environment: dict[str, str]
    work_tree: Path

    def run(
        self, *arguments: str, given: bytes = b"", literal: bool = True
    ) -> subprocess.CompletedProcess[bytes]:
        exact = ("--literal-pathspecs",) if literal else ()
        try:
            return subprocess.run(
                [self.program, "--no-pager", *exact, *arguments],
                cwd=self.work_tree,
                env=self.environment,
                input=given,
                capture_output=True,
                check=False,
                timeout=SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            msg = f"git did not answer ({type(error).__name__}). Nothing was exported."
            raise GitError(msg) from error


@contextmanager
def _bench(found: Repository) -> Iterator[_Bench]:
    path = identity.environment().get("PATH", os.defpath)
    program = shutil.which("git", path=path)
    if (
        program is None
        or not Path(program).is_absolute()
        or found.work_tree in Path(program).parents
    ):
        msg = "git is not installed, so no patch can be checked. Nothing was exported."
        raise GitError(msg)
    with tempfile.TemporaryDirectory(prefix="memory-console-git-") as folder:
        home = Path(folder)
        ours = home / "git"
        (ours / "refs" / "heads").mkdir(parents=True)
        (ours / "objects").mkdir()
        (ours / "HEAD").write_text(f"{found.commit or 'ref: refs/heads/none'}\n", encoding="ascii")
        environment = {
            "PATH": path,
            "HOME": folder,
            "XDG_CONFIG_HOME": folder,
            "LC_ALL": "C",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_SYSTEM": os.devnull,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_PAGER": "cat",
            "GIT_EDITOR": "false",
            "GIT_CEILING_DIRECTORIES": folder,
        }
        (ours / "config").write_text(_settings(program, environment, found), encoding="ascii")
        excluded = found.common / "info" / "exclude"
        environment |= {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "core.excludesFile",
            "GIT_CONFIG_VALUE_0": str(excluded) if excluded.is_file() else os.devnull,
            "GIT_DIR": str(ours),
            "GIT_WORK_TREE": str(found.work_tree),
            "GIT_INDEX_FILE": str(found.git_dir / "index"),
            "GIT_OBJECT_DIRECTORY": str(found.common / "objects"),
        }
        yield _Bench(program, environment, found.work_tree)


def _settings(program: str, environment: dict[str, str], found: Repository) -> str:
    """Our configuration: nothing that runs a program, and how the checkout's files look."""
    long = found.commit is not None and len(found.commit) == 64
    lines = ["[core]", f"\trepositoryformatversion = {1 if long else 0}", "\tbare = false"]
    lines += ["\tfsmonitor = false", f"\thooksPath = {os.devnull}", "\tuntrackedCache = false"]
    for name, value in _line_ends(program, environment, found.common / "config"):
        lines.append(f"\t{name.removeprefix('core.')} = {value}")
    if long:
        lines += ["[extensions]", "\tobjectFormat = sha256"]
    return "\n".join([*lines, ""])


def _line_ends(
    program: str, environment: dict[str, str], config: Path
) -> Sequence[tuple[str, str]]:
    told: list[tuple[str, str]] = []
    if not config.is_file() or config.stat().st_size > _LARGEST:
        return told  # no settings, or none that a person wrote
    for name, values in _LINE_ENDS.items():
        try:
            done = subprocess.run(
                [program, "config", "--no-includes", "--file", str(config), "--get", name],
                env=environment,
                cwd=environment["HOME"],
                capture_output=True,
                check=False,
                timeout=SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            msg = f"git did not answer ({type(error).__name__}). Nothing was exported."
            raise GitError(msg) from error
        value = done.stdout.decode("utf-8", "replace").strip().lower()
        if value in values:
            told.append((name, value))
    return told


def _commit(git_dir: Path, common: Path) -> str | None:
    """What ``HEAD`` stands for, by the files of the repository."""
    head = _word(git_dir / "HEAD")
    if _COMMIT.fullmatch(head):
        return head
    name = head.removeprefix("ref: ")
    if name == head or ".." in name.split("/") or name.startswith("/"):
        return None
    for folder in (git_dir, common):
        if _COMMIT.fullmatch(found := _word(folder / name)):
            return found
    for line in _text(common / "packed-refs", 16 * 1024 * 1024).splitlines():
        commit, _, ref = line.partition(" ")
        if ref == name and _COMMIT.fullmatch(commit):
            return commit
    return None


def _word(path: Path) -> str:
    return _text(path, 4096).strip()


def _text(path: Path, most: int) -> str:
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return file.read(most).decode("utf-8", "replace")
    except OSError:
        return ""
