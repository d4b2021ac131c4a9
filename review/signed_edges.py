"""Links that people signed, as they are put beside those of artifacts: asserted and denied ones.

Only verified statements are in a standing, so nothing else comes through here. A link counts for
the very artifacts it was signed over: where another revision is remembered, it says nothing.
"""

from __future__ import annotations

from typing import Final

import pandas as pd

from review.edge_columns import NAMES
from store.cells import Asserter
from store.link_standing import StandingLink
from store.links import End, LinkVerdict
from store.standing import Standing

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


def _fits(end: End, digests: dict[str, str]) -> bool:
    return digests.get(end.item, end.artifact) == end.artifact


def _row(one: StandingLink) -> tuple[object, ...]:
    link = one.link
    return (
        *(link.start.item, link.start.rev, str(link.kind), link.target.item),
        *(link.strength, str(Asserter.PERSON)),
    )
