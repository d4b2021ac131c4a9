"""Links that a reviewer has drafted and not yet signed: one draft for each press.

A draft has no effect on anything. It is not in the log, and undoing it leaves no trace.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from store.cells import EdgeKind
from store.draft_file import DraftFile
from store.links import End, LinkVerdict, SignedLink

SUFFIX: Final = ".links.json"


class LinkAlreadyDraftedError(RuntimeError):
    """Two of these records have a drafted link already."""

    def __init__(self, first: str, second: str) -> None:
        """Keep the two items."""
        self.first, self.second = first, second
        super().__init__(
            f"a link between {first} and {second} is drafted already. Nothing was added. "
            "Undo that draft first to decide otherwise."
        )


@dataclass(frozen=True, slots=True)
class LinkDraft:
    """What one press said of records, as it will be signed."""

    nonce: str
    """From the button that was pressed."""

    drafted_at: str
    links: tuple[SignedLink, ...]
    note: str = ""
    """Why, in the reviewer's own words; kept in the vault when it is signed."""


class LinkBook:
    """The drafted links of one reviewer, oldest press first."""

    def __init__(self, path: Path | None) -> None:
        """Keep them in ``path``, or in memory when it is None."""
        self._file = DraftFile(path, read=_draft, told=asdict)

    @classmethod
    def beside(cls, path: Path | None) -> LinkBook:
        """The book that belongs to a book of decisions in ``path``."""
        return cls(None if path is None else path.with_suffix(SUFFIX))

    def all(self) -> list[LinkDraft]:
        """Every draft, in the order they were made."""
        return self._file.all()

    def add(self, draft: LinkDraft) -> None:
        """Add one press.

        Raises:
            LinkAlreadyDraftedError: If two of its records have a drafted link.
        """

        def change(present: list[LinkDraft]) -> list[LinkDraft]:
            taken = {link.key for one in present for link in one.links}
            for link in draft.links:
                if link.key in taken:
                    raise LinkAlreadyDraftedError(link.start.item, link.target.item)
            return [*present, draft]

        self._file.change(change)

    def undo(self) -> LinkDraft | None:
        """Take back the newest press and return it; None if there is none."""
        taken: list[LinkDraft] = []

        def change(present: list[LinkDraft]) -> list[LinkDraft]:
            taken.extend(present[-1:])
            return present[:-1]

        self._file.change(change)
        return taken[0] if taken else None

    def drop(self, nonces: Iterable[str]) -> None:
        """Remove presses: they were signed, or do not fit any more."""
        gone = set(nonces)
        self._file.change(lambda present: [one for one in present if one.nonce not in gone])


def _draft(told: dict[str, Any]) -> LinkDraft:
    """A draft as the file tells it.

    Raises:
        TypeError, ValueError, KeyError: If it is none; the file is not believed.
    """
    draft = LinkDraft(
        told["nonce"],
        told["drafted_at"],
        tuple(_link(one) for one in told["links"]),
        told.get("note", ""),
    )
    words = [draft.nonce, draft.drafted_at, draft.note]
    for link in draft.links:
        words += [link.came_from, link.view_sha256, link.strength, link.note or ""]
        for end in (link.start, link.target):
            words += [end.item, end.artifact]
            if type(end.rev) is not int:
                msg = "a drafted link has a value of another type."
                raise TypeError(msg)
    if not all(type(word) is str for word in words):
        msg = "a drafted link has a value of another type."
        raise TypeError(msg)
    return draft


def _link(told: dict[str, Any]) -> SignedLink:
    return SignedLink(
        **{
            **told,
            "kind": EdgeKind(told["kind"]),
            "verdict": LinkVerdict(told["verdict"]),
            "start": End(**told["start"]),
            "target": End(**told["target"]),
        }
    )
