"""Takes a folder or an archive apart: which of its members are read by which importer.

Formats that live in folders take what is theirs together; every other member is recognised alone,
by its content. What no importer recognises is told as well, member by member. An archive inside
an archive stays closed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from importers import catalogue, claude_files, unknown_members
from importers.archive import choice
from importers.archive.bounds import COMMAND_LINE, UPLOAD, Bounds
from importers.catalogue import IMPORTERS, Importer, recognises
from importers.claude_files import FileSort
from importers.source import HEAD_MEMBERS, MEMBER_HEAD_BYTES, Head, Source, SourceRefusedError
from store.records import Remark, RemarkCode

UNKNOWN: Final = Importer(
    "unknown_members",
    "Members in no known format",
    unknown_members.VERSION,
    unknown_members.recognises,
    unknown_members.read,
    unknown_members.CANNOT_TELL,
    "application/octet-stream",
)
_BACKUP: Final = "openmemory"
_RULES: Final = "claude_memory"
_KNOWN_ALONE: Final = frozenset({"claude_code"})
"""Formats whose every file is told by its own content, whatever lies beside it."""

_RULE_NAMES: Final = frozenset({"claude.md", "agents.md", "claude.local.md", "memory.md"})


@dataclass(frozen=True, slots=True)
class Part:
    """One thing to read: a file, or the files of a folder that belong together."""

    source: Source
    importer: Importer
    remarks: tuple[Remark, ...] = ()
    """What is to be said of the whole that this is a part of."""


def named(name: str) -> Importer:
    """The importer called ``name``, those too that nobody can choose.

    Raises:
        KeyError: If there is none.
    """
    apart = {one.name: one for one in (UNKNOWN, catalogue.DOOR)}
    return apart[name] if name in apart else catalogue.named(name)


def bounds(*, totals: bool) -> Bounds:
    """The bounds of an archive that was uploaded, or given on the command line."""
    return UPLOAD if totals else COMMAND_LINE


def parts(source: Source, *, room: int | None = None, bounds: Bounds = UPLOAD) -> list[Part]:
    """What there is to read in ``source``, in the order of names.

    Args:
        source: A file, an archive or a folder.
        room: A descriptor to expand archives into; without one they stay closed.
        bounds: Of an archive.

    Raises:
        UnknownFormatError: If it is a single file in no known format.
        SourceRefusedError: If it is an archive that cannot be opened or breaks a bound.
    """
    if source.is_folder:
        return _folder_parts(source, room, bounds)
    head = source.head()
    if unknown_members.is_pickle(head.data):
        return [Part(source, UNKNOWN)]
    if choice.sort_of(head.data) is not None:
        return _archive_parts(source, room, bounds)
    found = _recognised(head)
    if found is None:
        catalogue.detect(source)
        raise AssertionError
    return [Part(source, found)]


def _archive_parts(source: Source, room: int | None, bounds: Bounds) -> list[Part]:
    if room is None:
        raise SourceRefusedError(source.name, "It is an archive.", "Unpack it yourself.")
    inside = choice.members(source, room, bounds)
    # An archive's own bytes may hold the lines of a member that is not compressed.
    backup = IMPORTERS[_BACKUP]
    if recognises(backup, source.head()) and _is_backup(inside):
        return [Part(source, backup)]
    return _folder_parts(inside, None, bounds)


def _is_backup(inside: Source) -> bool:
    """Whether an archive with a ``memories.json`` is OpenMemory's: there it is an object."""
    return any(
        one.name.rsplit("/", 1)[-1] == "memories.json"
        and one.head(MEMBER_HEAD_BYTES).data.lstrip()[:1] == b"{"
        for one in inside.members
    )


def _recognised(head: Head) -> Importer | None:
    return next((one for one in IMPORTERS.values() if recognises(one, head)), None)


def _folder_parts(source: Source, room: int | None, bounds: Bounds) -> list[Part]:
    opened: list[Part] = []
    folder = _Folder(source)
    for member in source.members:
        head = _head(member)
        if head is None or unknown_members.is_pickle(head.data):
            folder.leave(member)
        elif choice.sort_of(head.data) is None:
            folder.claim(member, _recognised(head))
        elif inner := _inner_parts(source, member, room, bounds):
            opened += inner
        else:
            folder.leave(member)
    found = sorted([*folder.parts(), *opened], key=_order)
    left = folder.left()
    if left or source.not_files or not found:
        found.append(Part(_of(source, left, not_files=source.not_files), UNKNOWN))
    if source.passed_over:
        told = Remark(RemarkCode.MEMBERS_PASSED_OVER, source.passed_over)
        found[-1] = replace(found[-1], remarks=(told,))
    return found


def _order(part: Part) -> tuple[str, int]:
    return part.source.name, [*IMPORTERS, UNKNOWN.name].index(part.importer.name)


def _head(member: Source) -> Head | None:
    try:
        return member.head()
    except SourceRefusedError:
        return None


def _inner_parts(source: Source, member: Source, room: int | None, bounds: Bounds) -> list[Part]:
    """The parts of an archive in a folder on disk; none where it stays closed."""
    if room is None:
        return []
    try:
        return _archive_parts(replace(member, name=f"{source.name}/{member.name}"), room, bounds)
    except SourceRefusedError:
        return []


class _Folder:
    """Which importer each file of a folder is for."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._members: dict[str, Source] = {}
        self._claims: dict[str, Importer | None] = {}
        self._left: list[Source] = []

    def leave(self, member: Source) -> None:
        """Note a member that is not opened."""
        self._left.append(member)

    def claim(self, member: Source, importer: Importer | None) -> None:
        """Note who recognises a member by its own content, if anybody does."""
        self._members[member.name] = member
        self._claims[member.name] = importer

    def left(self) -> list[Source]:
        """Members that are for no importer."""
        return self._left + [
            self._members[name] for name, importer in self._claims.items() if importer is None
        ]

    def parts(self) -> Iterator[Part]:
        """The parts that have an importer."""
        by_folder: dict[str, list[str]] = {}
        for name in self._claims:
            by_folder.setdefault(name.rpartition("/")[0], []).append(name)
        for folder, names in by_folder.items():
            self._take_what_its_folder_tells(folder, names)
        together = self._formats_of_folders()
        for names in by_folder.values():
            self._take_what_lies_among_its_own(names, together)
        grouped: dict[str, list[Source]] = {}
        for name, importer in self._claims.items():
            if importer is not None and importer.name in together:
                grouped.setdefault(importer.name, []).append(self._members[name])
            elif importer is not None:
                alone = replace(self._members[name], name=f"{self._source.name}/{name}")
                yield Part(alone, importer)
        for name, own in grouped.items():
            yield Part(_of(self._source, own), IMPORTERS[name])

    def _formats_of_folders(self) -> list[str]:
        """Importers here that know their own files as a folder, in the catalogue's order."""
        own: dict[str, list[Source]] = {}
        for name, importer in self._claims.items():
            if importer is not None:
                own.setdefault(importer.name, []).append(self._members[name])
        return [
            name
            for name, one in IMPORTERS.items()
            if name in own and recognises(one, _folder_head(own[name]))
        ]

    def _take_what_its_folder_tells(self, folder: str, names: Sequence[str]) -> None:
        """Files that no importer knows well alone, and one knows by what lies beside them."""
        free = [name for name in names if self._claims[name] is None or self._is_weak(name)]
        if free:
            taker = _recognised(_folder_head([self._members[name] for name in free], folder))
            if taker is not None and taker.name != _RULES:
                self._claims.update(dict.fromkeys(free, taker))

    def _take_what_lies_among_its_own(self, names: Sequence[str], together: list[str]) -> None:
        """Files of the same sort beside those of a format that reads its folder as a whole."""
        sorts: dict[str, str] = {}
        for importer in reversed(together):
            if importer in _KNOWN_ALONE:
                continue
            for name in names:
                claimed = self._claims[name]
                if claimed is not None and claimed.name == importer:
                    sorts[_suffix(name)] = importer
        for name in names:
            taker = sorts.get(_suffix(name))
            if taker and (self._claims[name] is None or self._is_weak(name)):
                self._claims[name] = IMPORTERS[taker]

    def _is_weak(self, name: str) -> bool:
        """Whether it is taken as rules only for being Markdown with a heading."""
        importer = self._claims[name]
        if importer is None or importer.name != _RULES:
            return False
        if name.lower().rpartition("/")[2] in _RULE_NAMES:
            return False
        head = self._members[name].head()
        return claude_files.sort_of(name, head.data) is FileSort.RULES


def _folder_head(members: Sequence[Source], name: str = "") -> Head:
    heads = tuple(one.head(MEMBER_HEAD_BYTES) for one in members[:HEAD_MEMBERS])
    return Head(name or ".", b"", is_folder=True, members=heads)


def _of(source: Source, members: Sequence[Source], *, not_files: tuple[str, ...] = ()) -> Source:
    """A folder like ``source`` with some of its members."""
    return Source(
        name=source.name,
        size=sum(one.size for one in members),
        modified_at=source.modified_at,
        members=tuple(sorted(members, key=lambda one: one.name)),
        is_folder=True,
        not_files=not_files,
    )


def _suffix(name: str) -> str:
    return name.rpartition("/")[2].rpartition(".")[2].lower()
