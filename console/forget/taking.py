"""Takes away what other files of ours hold of forgotten records, before the bytes are searched."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

from console import doors
from console.job_files import JobBusyError, JobFiles
from review.forget.ground import Taken
from review.forget.statuses import LocationKind
from store import rule_drafts
from store.drafts import DraftBook, DraftsUnreadableError
from store.link_drafts import LinkBook
from store.needles import Needle
from store.rule_drafts import RuleBook
from store.searching import Search
from store.spool import BatchKind, OddBatchError

_ASKED: Final = (str(BatchKind.READ), str(BatchKind.ANSWER))
_LINKS: Final = ".links.json"
_ID: Final = re.compile(rb"[0-9A-HJKMNP-TV-Z]{26}")
_MOST: Final = 64 * 1024 * 1024
"""Bytes of a file that is looked into here; the search itself has no such bound."""


def drafts(
    folder: Path, items: Collection[str], needles: Sequence[Needle] = (), *, tenant: str
) -> Taken | None:
    """Drop every reviewer's drafts over ``items``, and drafted rules that hold their words.

    None if there are no drafts at all.
    """
    taken, problem = 0, ""
    files = sorted(folder.glob("*.json"))
    search = _search(needles) if rules_drafted(folder) else None
    for path in files:
        try:
            if path.name.endswith(rule_drafts.SUFFIX):
                taken += _rules(path, items, search)
            else:
                taken += (
                    _links(path, items) if path.name.endswith(_LINKS) else _drafts(path, items)
                )
        except (DraftsUnreadableError, OSError):
            problem = "unreadable"
    for left in folder.glob("*.new"):
        left.unlink(missing_ok=True)
    if not files:
        return None
    hint = f"stores/{tenant}/drafts"
    return Taken("drafts", LocationKind.STAGING, hint, "dropped", taken, problem)


def drafts_of(folder: Path, items: Collection[str]) -> int:
    """How many drafts of any reviewer are over ``items``."""
    count = 0
    for path in sorted(folder.glob("*.json")):
        with contextlib.suppress(DraftsUnreadableError, OSError):
            if path.name.endswith(rule_drafts.SUFFIX):
                count += sum(draft.item in items for draft in RuleBook(path).all())
            elif path.name.endswith(_LINKS):
                count += len(_about(LinkBook(path), items))
            else:
                count += sum(draft.item in items for draft in DraftBook(path).all())
    return count


def _drafts(path: Path, items: Collection[str]) -> int:
    book = DraftBook(path)
    gone = [draft.item for draft in book.all() if draft.item in items]
    if gone:
        book.drop(gone)
    return len(gone)


def _links(path: Path, items: Collection[str]) -> int:
    book = LinkBook(path)
    gone = _about(book, items)
    if gone:
        book.drop(gone)
    return len(gone)


def rules_drafted(folder: Path) -> bool:
    """Whether any reviewer has words of a drafted rule in a file."""
    return any(folder.glob(f"*{rule_drafts.SUFFIX}"))


def _rules(path: Path, items: Collection[str], search: Search | None) -> int:
    book = RuleBook(path)
    gone = [
        draft.item
        for draft in book.all()
        if draft.item in items or _says(rule_drafts.words_of(draft), search)
    ]
    if gone:
        book.drop(gone)
    return len(gone)


def _says(words: str, search: Search | None) -> bool:
    return search is not None and next(search.in_bytes(words.encode("utf-8")), None) is not None


def _about(book: LinkBook, items: Collection[str]) -> list[str]:
    return [
        draft.nonce
        for draft in book.all()
        if any(end.item in items for link in draft.links for end in (link.start, link.target))
    ]


def recalls(
    home: Path, tenant: str, items: Collection[str], needles: Sequence[Needle]
) -> Iterator[Taken]:
    """Delete what doors kept of recalls that name ``items`` or hold their words."""
    found = doors.of(home, tenant)
    search = _search(needles if found else ())
    for door in found:
        gone = 0
        for folder in ("recalls", "spool/aside"):
            for path in sorted((door.folder / folder).glob("*")):
                if _holds(path, items, search):
                    path.unlink(missing_ok=True)
                    gone += 1
        hint = f"doors/{door.name}"
        yield Taken(f"door:{door.name}", LocationKind.AGENT_READ, hint, "deleted", gone)


def questions(home: Path, tenant: str, needles: Sequence[Needle]) -> Iterator[Taken]:
    """Delete what waits in spools of what was asked and answered, where it holds the words.

    What waits to be staged is not touched: it is taken in, refused by its keyed digest and told.
    """
    search = _search(needles)
    for door in doors.of(home, tenant) if search is not None else ():
        gone = 0
        for path in sorted((door.folder / "spool").glob("*")):
            if path.suffix[1:] in _ASKED and _holds(path, (), search):
                path.unlink(missing_ok=True)
                gone += 1
        if gone:
            hint = f"doors/{door.name}/spool"
            yield Taken(f"spool:{door.name}", LocationKind.STAGING, hint, "deleted", gone)


def recalls_of(home: Path, tenant: str, items: Collection[str]) -> dict[str, int]:
    """How many kept recalls of each door name ``items``."""
    return {
        door.name: sum(
            _holds(path, items, None) for path in (door.folder / "recalls").glob("*.json")
        )
        for door in doors.of(home, tenant)
    }


def spooled(home: Path, tenant: str) -> dict[str, int]:
    """How many batches wait in the spool of each door."""
    told = {}
    for door in doors.of(home, tenant):
        with contextlib.suppress(OddBatchError, OSError):
            told[door.name] = len(door.spool.waiting())
    return told


def jobs(home: Path, tenant: str, needles: Sequence[Needle]) -> Taken | None:
    """Remove what is kept of ended imports of this tenant that holds forgotten words."""
    files = JobFiles(home)
    kept = files.all(tenant)
    if not kept:
        return None
    search = _search(needles)
    taken, problem = 0, ""
    for job in kept:
        paths = (home / "jobs").glob(f"{job.id}*")
        inside = [p for path in paths for p in ([path] if path.is_file() else path.rglob("*"))]
        if not any(_holds(path, (), search) for path in inside):
            continue
        if job.open:
            problem = "job_open"
            continue
        try:
            files.erase(job)
            taken += 1
        except (JobBusyError, OSError):
            problem = "job_open"
    return Taken("jobs", LocationKind.STAGING, "jobs", "deleted", taken, problem)


def _search(needles: Sequence[Needle]) -> Search | None:
    told = list(dict.fromkeys(needle.data for needle in needles))
    return Search(told) if told else None


def _holds(path: Path, items: Collection[str], search: Search | None) -> bool:
    """Whether a plain file names one of ``items`` or holds one of the needles."""
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _MOST:
            return False
        data = path.read_bytes()
    except OSError:
        return False
    if any(found.decode("ascii") in items for found in _ID.findall(data)):
        return True
    return search is not None and next(search.in_bytes(data), None) is not None
