"""Looks for erased contents in the bytes of every file under a folder.

One pass over each file and its name, with every spelling of every content and every control at
once. Links are not followed; what cannot be read is said and claims nothing.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import stat
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from store.connections import Opener
from store.needles import SHORT, Needle
from store.scans import Control, FileScan, Hit, Scan, Unread
from store.searching import WINDOW, Search

_HEAD: Final = 4_096
_CONTROL: Final = 24
"""Bytes of a file's own text that have to be found in it again."""

_BATCH: Final = 1 << 20
_SAMPLE: Final = 1 << 17
_SAMPLES: Final = 32
_MOST_HITS: Final = 100
"""Places of one spelling in one file that are kept: more change nothing."""

DATABASES: Final = (".duckdb",)
"""Suffixes of files that this process may have open: it is kept from that while they are read."""


def scan(
    folder: Path,
    needles: Sequence[Needle],
    *,
    controls: Mapping[str, Sequence[bytes]],
    kept: Iterable[bytes] = (),
    too_short: Iterable[str] = (),
    unsought: Iterable[str] = (),
    leave_out: Container[str] = (),
) -> Scan:
    """Search every file under ``folder``.

    Args:
        folder: Where to look, with everything below it.
        needles: What to look for: see ``store.needles``.
        controls: For each file that is not plain text, by its path relative to ``folder`` with
            forward slashes: texts of at least 12 bytes that stay in it, as its reader tells them.
        kept: Contents that stay in the store. A spelling that was found and occurs in one of them
            is no sign of what was erased; it is told apart.
        too_short: Commitments of contents of which only the salt is among ``needles``.
        unsought: Commitments of contents whose bytes nobody knows any more.
        leave_out: Folders and files that are not searched, by their paths relative to ``folder``:
            what belongs to others.

    Raises:
        RuntimeError: If this very thread holds a store under ``folder`` open.
        NotADirectoryError: If there is no such folder.
    """
    if not folder.is_dir():
        msg = f"there is no folder {folder.name} to search through."
        raise NotADirectoryError(msg)
    spelled: dict[bytes, list[Needle]] = {}
    for needle in needles:
        spelled.setdefault(needle.data, []).append(needle)
    targets = [_Target(path, told) for path, told in _walk(folder, leave_out)]
    for target in targets:
        target.prepare(controls.get(target.name, ()))
    own = (one for target in targets for one in target.controls)
    search = Search(list(dict.fromkeys((*spelled, *own))), like=_sample(targets))
    searched = [_searched(target, search, spelled) for target in targets]
    stays = _staying({data for one in searched for data in one.found}, kept)
    return Scan(
        files=tuple(one.told(spelled, stays) for one in searched),
        patterns=len(spelled),
        contents=len({needle.of for needle in needles}),
        too_short=tuple(sorted(too_short)),
        unsought=tuple(sorted(unsought)),
        shared=tuple(sorted({(one.of, one.form) for data in stays for one in spelled[data]})),
    )


@dataclass
class _Target:
    """One file that is to be searched, and what is known to be in it."""

    path: Path
    name: str
    control: Control = Control.NONE
    controls: tuple[bytes, ...] = ()
    unread: Unread | None = field(default=None)
    size: int = 0

    def prepare(self, given: Sequence[bytes]) -> None:
        """Find out whether it can be read, and what has to be found in it."""
        try:
            mode = self.path.lstat()
            if not stat.S_ISREG(mode.st_mode):
                self.unread = Unread.NOT_A_FILE
                return
            self.size = mode.st_size
            with _apart(self.path), self.path.open("rb") as file:
                head = file.read(_HEAD)
        except OSError:
            self.unread = Unread.UNREADABLE
            return
        told = tuple(dict.fromkeys(one for one in given if len(one) >= SHORT))
        if told:
            self.control, self.controls = Control.ROWS, told
        elif mode.st_size < SHORT:
            self.control = Control.TOO_SMALL
        else:
            self.control, self.controls = Control.OWN_TEXT, (_piece(head),)


@dataclass(frozen=True, slots=True)
class _Searched:
    """What stood in one file, before it is known what stays elsewhere."""

    path: str
    size: int
    sha256: str
    found: Mapping[bytes, Sequence[int]]
    control: Control
    controls: int
    control_hits: int
    unread: Unread | None

    def told(self, spelled: Mapping[bytes, Sequence[Needle]], stays: Container[bytes]) -> FileScan:
        """The result, without the bytes."""
        hits = [
            Hit(needle.of, needle.form, offset)
            for data, offsets in self.found.items()
            if data not in stays
            for offset in offsets
            for needle in spelled[data]
        ]
        return FileScan(
            path=self.path,
            size=self.size,
            sha256=self.sha256,
            hits=tuple(sorted(hits, key=lambda hit: (hit.offset, hit.of, hit.form))),
            control=self.control,
            controls=self.controls,
            control_hits=self.control_hits,
            unread=self.unread,
        )


def _searched(target: _Target, search: Search, spelled: Container[bytes]) -> _Searched:
    digest, size, text = hashlib.sha256(), 0, _Text()
    found = {data: [0] for data in _in_name(target.name, search) if data in spelled}
    due, seen = set(target.controls), set[bytes]()

    def taken(chunk: bytes) -> None:
        nonlocal size
        digest.update(chunk)
        size += len(chunk)
        text.take(chunk)

    unread = target.unread
    if unread is None:
        try:
            with _apart(target.path), target.path.open("rb") as file:
                before = os.fstat(file.fileno())
                for data, offset in search.in_file(file.fileno(), taken):
                    if data in due:
                        seen.add(data)
                    if data in spelled and len(found.setdefault(data, [])) < _MOST_HITS:
                        found[data].append(offset)
                after = target.path.lstat()
            if _state(before) != _state(after) or size != after.st_size:
                unread = Unread.CHANGED
        except OSError:
            unread = Unread.UNREADABLE
    control = target.control
    if control == Control.OWN_TEXT and not text.whole():
        control, due = Control.NONE, set()
    return _Searched(
        path=target.name,
        size=size,
        sha256="" if unread == Unread.NOT_A_FILE else digest.hexdigest(),
        found=found,
        control=control,
        controls=len(due),
        control_hits=len(due & seen),
        unread=unread,
    )


def _in_name(name: str, search: Search) -> set[bytes]:
    """What stands in the name of a file itself: it is told as found at the file's first byte."""
    return {data for data, _ in search.in_bytes(name.encode("utf-8", "surrogateescape"))}


def _sample(targets: Sequence[_Target]) -> bytes:
    """Some of the largest file, from all over it: what is common in it costs much to look up."""
    readable = [one for one in targets if one.unread is None]
    if not readable:
        return b""
    largest = max(readable, key=lambda one: one.size)
    step = max(largest.size // _SAMPLES, _SAMPLE)
    try:
        with _apart(largest.path), largest.path.open("rb") as file:
            starts = range(0, largest.size, step)
            return b"".join(os.pread(file.fileno(), _SAMPLE, start) for start in starts)
    except OSError:
        return b""


class _Text:
    """Whether bytes that come in pieces are UTF-8 text throughout."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._is_text = True

    def take(self, chunk: bytes) -> None:
        """One more piece."""
        if self._is_text:
            try:
                self._decoder.decode(chunk)
                self._is_text = b"\x00" not in chunk
            except UnicodeDecodeError:
                self._is_text = False

    def whole(self) -> bool:
        """Whether all of it was text, to its end."""
        self.take(b"")
        try:
            self._decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
        return self._is_text


def _staying(found: Collection[bytes], kept: Iterable[bytes]) -> set[bytes]:
    """Which of the byte strings occur in something that stays."""
    left, stays = list(found), set[bytes]()
    search = Search(left)
    for batch in _batches(kept) if left else ():
        seen = {data for data, _ in search.in_bytes(batch)}
        if seen:  # what is known to stay is not looked for again
            stays |= seen
            left = [data for data in left if data not in seen]
            search = Search(left)
            if not left:
                break
    return stays


def _batches(bodies: Iterable[bytes]) -> Iterator[bytes]:
    """Bodies joined into pieces of about a megabyte, with a byte between that no text has."""
    waiting, size = list[bytes](), 0
    for body in bodies:
        waiting.append(body)
        size += len(body)
        if size >= _BATCH:
            yield b"\xff".join(waiting)
            waiting, size = [], 0
    yield b"\xff".join(waiting)


def _walk(folder: Path, leave_out: Container[str] = ()) -> Iterator[tuple[Path, str]]:
    """Everything under ``folder`` that is no folder, and folders that cannot be looked into."""
    closed: list[Path] = []
    for base, folders, names in os.walk(
        folder, onerror=lambda error: closed.append(Path(str(error.filename)))
    ):
        own = Path(base)
        at = "" if own == folder else f"{own.relative_to(folder).as_posix()}/"
        folders[:] = sorted(name for name in folders if f"{at}{name}" not in leave_out)
        links = [name for name in folders if (own / name).is_symlink()]
        for name in sorted([*names, *links]):
            if f"{at}{name}" not in leave_out:
                yield own / name, f"{at}{name}"
    for path in closed:
        yield path, path.relative_to(folder).as_posix()


def _piece(head: bytes) -> bytes:
    """A piece of a file's beginning, whole characters, that is looked for in it."""
    text = head[: _CONTROL * 4].decode("utf-8", "ignore").encode("utf-8")
    piece = text[:_CONTROL] if len(text) >= WINDOW else head[:_CONTROL]
    return piece.ljust(WINDOW, b"\x00")


def _apart(path: Path) -> AbstractContextManager[None]:
    """Keep this process from opening a database while its bytes are read: see ``Opener.alone``."""
    return Opener(path).alone() if path.suffix in DATABASES else nullcontext()


def _state(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_ino, found.st_size, found.st_mtime_ns
