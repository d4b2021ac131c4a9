"""Links that people signed, as they are put beside those of artifacts: asserted and denied ones.

Only verified statements are in a standing, so nothing else comes through here. A link counts for
the very artifacts it was signed over: where another revision is remembered, it says nothing. What
was denied also holds for records of the same words, as what was told different does.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice, product
from typing import Final

import pandas as pd

from review.memory.edge_columns import NAMES
from review.staged.manifests import look_of
from store.cells import Asserter
from store.link_standing import StandingLink
from store.links import EITHER_WAY, End, LinkVerdict
from store.standing import Standing

MOST_TWINS: Final = 10_000
"""Pairs of the same words for which one denial holds."""

_COUNTS: Final = (LinkVerdict.ASSERTED, LinkVerdict.DENIED)


def signed(standing: Standing, wanted: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What people said of remembered cells: links that hold, and links that do not.

    Args:
        standing: Which statements stand.
        wanted: The cells that are remembered: item, rev, digest.

    Returns:
        Two frames with the columns ``NAMES``. A link to a cell that is not remembered is among
        them, because a dependency on something that was withdrawn has to be known.
    """
    links = [one for one in standing.links.values() if one.link.verdict in _COUNTS]
    if not links:
        return pd.DataFrame(columns=NAMES), pd.DataFrame(columns=NAMES)
    ends = {end.item for one in links for end in (one.link.start, one.link.target)}
    here = wanted[wanted["item"].isin(ends)]
    digests = dict(zip(here["item"], here["digest"], strict=True))
    told: dict[bool, list[tuple[object, ...]]] = {True: [], False: []}
    for one in links:
        link = one.link
        if (
            link.start.item in digests
            and _fits(link.start, digests)
            and _fits(link.target, digests)
        ):
            told[one.holds].append(_row(one))
    asserted, denied = (pd.DataFrame(told[holds], columns=NAMES) for holds in (True, False))
    return asserted, denied


def by_words(denied: pd.DataFrame, standing: Standing, cells: pd.DataFrame) -> pd.DataFrame:
    """What was denied, and the same of other remembered records with the same words.

    Words are the same but for case, punctuation and spacing. A pair of which a person said
    something itself is left to that, and two records with the same words stand for themselves
    alone: nobody could tell which of their copies is which.

    Args:
        denied: As ``signed`` gives it.
        standing: Which statements stand.
        cells: What is remembered: item, rev, claim.

    Returns:
        A frame with the columns ``NAMES``; at most ``MOST_TWINS`` pairs for each denied one.
    """
    if denied.empty:
        return denied
    ends = set(denied["item"]) | set(denied["target"])
    here = cells[cells["item"].isin(ends)]
    looks = {item: look_of(claim) for item, claim in zip(here["item"], here["claim"], strict=True)}
    twins = _twins(cells, set(looks.values()))
    found = dict.fromkeys(denied[NAMES].itertuples(index=False, name=None))
    for item, _, kind, target, strength, asserter in list(found):
        one, two = looks.get(item), looks.get(target)
        if one is None or two is None or one == two:
            continue
        pairs = (
            ((there, rev, kind, other, strength, asserter))
            for (there, rev), (other, _) in product(twins[one], twins[two])
            if not _said(standing, kind, there, other)
        )
        found |= dict.fromkeys(islice(pairs, MOST_TWINS))
    return pd.DataFrame(list(found), columns=NAMES)


def akin(standing: Standing, claims: dict[str, str], item: str) -> tuple[StandingLink, ...]:
    """Denied links of other records that hold for ``item`` because its words are the same.

    Args:
        standing: Which statements stand.
        claims: What ``item`` and the ends of denied links say; what is not there is passed over.
        item: The record.
    """
    look = look_of(claims.get(item, ""))
    told = []
    for one in denials(standing):
        ends = (one.link.start.item, one.link.target.item)
        looks = [look_of(claims.get(end, "")) for end in ends]
        if look and item not in ends and look in looks and looks[0] != looks[1] and all(looks):
            told.append(one)
    return tuple(told)


def denials(standing: Standing) -> Iterable[StandingLink]:
    """Every denied link that stands."""
    return (one for one in standing.links.values() if one.link.verdict is LinkVerdict.DENIED)


def _twins(cells: pd.DataFrame, looks: set[bytes]) -> dict[bytes, list[tuple[str, int]]]:
    """The remembered records of each look: item and revision.

    Only claims that hold the longest word of a look are looked at one by one.
    """
    told: dict[bytes, list[tuple[str, int]]] = {look: [] for look in looks}
    lowered = cells["claim"].str.lower()
    for look, found in told.items():
        word = max(look.decode("utf-8").split(), key=len, default="")
        near = cells[lowered.str.contains(word, regex=False)] if word else cells[:0]
        rows = zip(near["item"], near["rev"], near["claim"], strict=True)
        found += [(item, int(rev)) for item, rev, claim in rows if look_of(claim) == look]
    return told


def _said(standing: Standing, kind: str, one: str, two: str) -> bool:
    """Whether a person's own word on the very pair stands."""
    either = kind in {str(told) for told in EITHER_WAY}
    back = either and (kind, two, one) in standing.links
    return one == two or back or (kind, one, two) in standing.links


def _fits(end: End, digests: dict[str, str]) -> bool:
    return digests.get(end.item, end.artifact) == end.artifact


def _row(one: StandingLink) -> tuple[object, ...]:
    link = one.link
    return (
        *(link.start.item, link.start.rev, str(link.kind), link.target.item),
        *(link.strength, str(Asserter.PERSON)),
    )
