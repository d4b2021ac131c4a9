"""Which links between records stand: the fold over what people signed about two of them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final

from store.cells import EdgeKind
from store.links import NOTHING, LinkStatement, LinkVerdict, SignedLink
from store.stages import ArtifactsOf

_ENDS_ONLY: Final = frozenset({LinkVerdict.RETRACTED})

_NOT_FOR: Final = {True: LinkVerdict.DENIED, False: LinkVerdict.DIFFERENT}
"""The verdict that a duplicate cannot have, and that no other kind can."""


class LinkNotAcceptedError(ValueError):
    """A link may not take effect. The message says what was refused and why."""


@dataclass(frozen=True, slots=True)
class StandingLink:
    """A link that stands, and by which statement."""

    link: SignedLink
    by: str
    signed_at: str
    statement: str

    @property
    def holds(self) -> bool:
        """Whether it says that the two bear on each other; else that they do not."""
        return self.link.verdict == LinkVerdict.ASSERTED


LinksStanding = dict[tuple[str, str, str], StandingLink]
"""Links by ``SignedLink.key``."""


def stood(links: LinksStanding, link: SignedLink) -> str:
    """What stands between the two records of ``link``, for its kind."""
    found = links.get(link.key)
    return NOTHING if found is None else str(found.link.verdict)


def examine(statement: LinkStatement, links: LinksStanding, artifacts_of: ArtifactsOf) -> None:
    """Whether every link of ``statement`` may take effect now. Changes nothing.

    Raises:
        LinkNotAcceptedError: For an end that is not the artifact that was signed, a link of a
            record to itself, one that says what stands already, or one that was signed over
            something else than what stands.
    """
    seen: set[tuple[str, str, str]] = set()
    ends = (end for link in statement.links for end in (link.start, link.target))
    artifacts = artifacts_of((end.item, end.rev) for end in ends)
    for link in statement.links:
        if link.start.item == link.target.item:
            msg = f"item {link.start.item} cannot be linked to itself. Nothing was saved."
            raise LinkNotAcceptedError(msg)
        if link.key in seen:
            msg = "one statement links the same two items twice. Nothing was saved."
            raise LinkNotAcceptedError(msg)
        seen.add(link.key)
        for end in (link.start, link.target):
            if artifacts.get((end.item, end.rev)) != end.artifact:
                msg = (
                    f"item {end.item} is not the artifact that was signed. Nothing was saved. "
                    "Open it again and look at what it is now."
                )
                raise LinkNotAcceptedError(msg)
        _fits(link, links)


def record(statement: LinkStatement, sha256: str, links: LinksStanding) -> None:
    """Let the links of an accepted statement take effect in ``links``."""
    for link in statement.links:
        links.pop(link.key, None)
        if link.verdict not in _ENDS_ONLY:
            links[link.key] = StandingLink(link, statement.reviewer, statement.signed_at, sha256)


def _fits(link: SignedLink, links: LinksStanding) -> None:
    now = stood(links, link)
    names = f"{link.start.item} and {link.target.item}"
    if link.came_from != now:
        msg = (
            f"{names}: {now} stands between them now, not {link.came_from}. Nothing was saved. "
            "Reload and look again."
        )
        raise LinkNotAcceptedError(msg)
    same = links.get(link.key)
    if link.verdict == LinkVerdict.RETRACTED and same is None:
        msg = f"{names} are not linked, so there is nothing to take back. Nothing was saved."
        raise LinkNotAcceptedError(msg)
    if same is not None and (same.link.verdict, same.link.start.item, same.link.strength) == (
        link.verdict,
        link.start.item,
        link.strength,
    ):
        msg = f"{names}: {now} stands already. Nothing was saved."
        raise LinkNotAcceptedError(msg)
    if link.verdict == _NOT_FOR[link.kind == EdgeKind.DUPLICATE_OF]:
        other = "told different" if link.kind == EdgeKind.DUPLICATE_OF else "denied"
        msg = (
            f"{link.kind} of {names} can be asserted or retracted, or {other}. Nothing was saved."
        )
        raise LinkNotAcceptedError(msg)
    try:
        strength = Decimal(link.strength)
    except InvalidOperation:
        strength = Decimal(-1)
    if not 0 <= strength <= 1:
        msg = f"{names}: strength {link.strength!r} is not a number from 0 to 1."
        raise LinkNotAcceptedError(msg)
