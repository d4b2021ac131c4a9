"""A foreign artifact as it lies there: a file, a folder, or bytes that were uploaded.

Opening a source never writes and never follows a symbolic link inside a folder. A source can be
opened more than once; readers that need two passes rely on it.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final

from importers.stretches import Stretch

_LINE_ENDS: Final = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
HEAD_BYTES: Final = 64 * 1024
MEMBER_HEAD_BYTES: Final = 4 * 1024
HEAD_MEMBERS: Final = 64
MAX_ENTRIES: Final = 2_000
_CHUNK: Final = 1 << 20
_NOT_WALKED: Final = frozenset({"node_modules", "__pycache__"})
_WALKED: Final = frozenset({".claude", ".codex", ".agents", ".mem0", ".letta", ".memos"})
"""Hidden folders in which agents keep what they remember."""


class SourceRefusedError(ValueError):
    """A source as a whole cannot be read, for its size or its make."""

    def __init__(self, name: str, why: str, advice: str) -> None:
        """Say which source, what is wrong with it, and what to do."""
        self.name, self.why, self.advice = name, why, advice
        super().__init__(f"{name}: {why} Nothing was imported. {advice}")


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a source: enough to tell what it is, and no more."""

    name: str
    data: bytes
    """The first ``HEAD_BYTES`` of a file; empty for a folder."""

    is_folder: bool = False
    members: tuple[Head, ...] = ()
    """The first ``HEAD_MEMBERS`` members of a folder, each with its own short head."""

    @property
    def member_names(self) -> tuple[str, ...]:
        """Names of the members that were looked at."""
        return tuple(member.name for member in self.members)


@dataclass(frozen=True, slots=True)
class Source:
    """A named run of bytes, or a folder of them. Build one with the functions below."""

    name: str
    size: int
    modified_at: str | None = None
    """RFC 3339, UTC. The file system's word; ``None`` for an upload that did not say."""

    members: tuple[Source, ...] = ()
    is_folder: bool = False
    path: Path | None = field(default=None, repr=False)
    content: bytes | None = field(default=None, repr=False)
    stretch: Stretch | None = field(default=None, repr=False)
    """Bytes that lie in an open file, such as a member of an expanded archive."""

    reader: Callable[[BinaryIO], BinaryIO] | None = field(default=None, repr=False)
    """Turns the bytes into UTF-8 while they are read, for text in another encoding."""

    not_files: tuple[str, ...] = ()
    """Names of links and devices in a folder or archive. They are never opened."""

    passed_over: int = 0
    """Hidden, version-control and dependency folders that were not looked into."""

    def open(self) -> BinaryIO:
        """The text's bytes from the beginning, as UTF-8 if it is text. The caller closes it.

        Raises:
            SourceRefusedError: If this is a folder, or no longer a regular file.
        """
        return self.open_bytes() if self.reader is None else self.reader(self.open_bytes())

    def open_bytes(self) -> BinaryIO:
        """The bytes as they lie there, whatever encoding their text is in.

        Raises:
            SourceRefusedError: As ``open``.
        """
        if self.content is not None:
            return BytesIO(self.content)
        if self.stretch is not None:
            return self.stretch.open()
        if self.path is None:
            raise SourceRefusedError(self.name, "It is a folder, not a file.", "Open its members.")
        try:
            handle = os.open(self.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            why = f"It cannot be opened ({error.strerror})."
            raise SourceRefusedError(self.name, why, "Choose a regular file.") from error
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise SourceRefusedError(self.name, "It is not a regular file.", "Choose a file.")
        return os.fdopen(handle, "rb")

    def head(self, limit: int = HEAD_BYTES) -> Head:
        """The first ``limit`` bytes; for a folder, short heads of its first members."""
        if self.is_folder:
            shown = tuple(member.head(MEMBER_HEAD_BYTES) for member in self.members[:HEAD_MEMBERS])
            return Head(name=self.name, data=b"", is_folder=True, members=shown)
        with self.open() as stream:
            return Head(name=self.name, data=stream.read(limit))

    def sha256(self) -> str:
        """Hex digest of the bytes; of a folder, of its sorted ``name NUL digest LF`` lines."""
        digest = hashlib.sha256()
        if self.is_folder:
            for member in sorted(self.members, key=lambda one: one.name):
                digest.update(f"{member.name}\0{member.sha256()}\n".encode())
            return digest.hexdigest()
        with self.open_bytes() as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
        return digest.hexdigest()

    def whole(self, limit: int) -> bytes:
        """All the bytes, for formats that cannot be read as a stream.

        Raises:
            SourceRefusedError: If there are more than ``limit`` of them.
        """
        with self.open() as stream:
            data = stream.read(limit + 1)
        if len(data) > limit:
            why = f"It is larger than {limit // (1 << 20)} MiB, the limit for this format."
            raise SourceRefusedError(self.name, why, "Split the export and import the parts.")
        return data


def told(name: str) -> str:
    """``name`` as text that can be kept, in one line.

    Bytes that are not UTF-8 and ends of lines are written as escapes: a sentence that names a file
    must not go on in a line of the file's own making.
    """
    text = name.encode("utf-8", "backslashreplace").decode("utf-8")
    return _LINE_ENDS.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def from_bytes(name: str, content: bytes, *, modified_at: str | None = None) -> Source:
    """A source over bytes in memory, such as an upload."""
    return Source(told(name), size=len(content), modified_at=modified_at, content=content)


def from_members(
    name: str,
    members: tuple[Source, ...],
    *,
    not_files: tuple[str, ...] = (),
    passed_over: int = 0,
) -> Source:
    """A folder made of sources, such as several files uploaded together."""
    ordered = tuple(sorted(members, key=lambda one: one.name))
    return Source(
        name=told(name),
        size=sum(one.size for one in ordered),
        members=ordered,
        is_folder=True,
        not_files=not_files,
        passed_over=passed_over,
    )


def from_path(path: Path, *, entries: int | None = None) -> Source:
    """A source over a file or a folder on disk.

    A folder is walked to regular files only, sorted by name. Links and devices are named in
    ``not_files``; hidden, version-control and dependency folders are counted in ``passed_over``.

    Raises:
        SourceRefusedError: If nothing is there, it is neither a file nor a folder, or a folder
            holds more than ``entries`` entries, ``MAX_ENTRIES`` unless told otherwise.
    """
    real = path.resolve()
    if real.is_dir():
        files, others, passed_over = _walk(real, told(path.name), entries or MAX_ENTRIES)
        return from_members(
            path.name or real.name,
            tuple(_file(one, one.relative_to(real).as_posix()) for one in files),
            not_files=tuple(told(one.relative_to(real).as_posix()) for one in others),
            passed_over=passed_over,
        )
    if not real.is_file():
        advice = "Check the path and try again."
        raise SourceRefusedError(told(path.name), "There is no such file or folder.", advice)
    return _file(real, path.name)


def _file(path: Path, name: str) -> Source:
    found = path.lstat()
    try:
        when = datetime.fromtimestamp(int(found.st_mtime), UTC)
    except (ValueError, OverflowError, OSError):  # of a year that no calendar here has
        modified = None
    else:
        modified = when.isoformat().replace("+00:00", "Z")
    return Source(told(name), size=found.st_size, modified_at=modified, path=path)


def _walk(root: Path, name: str, limit: int) -> tuple[list[Path], list[Path], int]:
    """Regular files, everything else that is no folder, and how many folders were passed over."""
    files: list[Path] = []
    others: list[Path] = []
    seen = passed_over = 0
    for folder, folders, names in os.walk(root, followlinks=False):
        seen += len(folders) + len(names)
        if seen > limit:
            why = f"The folder holds more than {limit} entries."
            raise SourceRefusedError(name, why, "Choose the folder that holds the memory files.")
        inside = sorted(one for one in folders if is_walked(one))
        passed_over += len(folders) - len(inside)
        links = [one for one in inside if Path(folder, one).is_symlink()]
        folders[:] = [one for one in inside if one not in links]
        for one in (*links, *names):
            path = Path(folder, one)
            (files if stat.S_ISREG(path.lstat().st_mode) else others).append(path)
    return files, others, passed_over


def is_walked(folder: str) -> bool:
    """Whether a folder of this name is looked into."""
    return folder in _WALKED or not (folder.startswith(".") or folder in _NOT_WALKED)
