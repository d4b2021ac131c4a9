"""What an act would change, said before anybody signs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from console.cards import untrusted
from console.cards.times import moment
from console.cards.visit import Visit
from console.words import Say
from review.desk import Desk
from review.graphs.blast import Blast
from review.identities import short

SHOWN: Final = 3
"""Records that are named in one line."""

_WORDS: Final = 60


def draw(desk: Desk, visit: Visit, told: Blast) -> None:
    """The consequences, one line each; that nothing changes is said too."""
    claims = desk.claims_of([*told.items, *(item for item, _ in told.used)])
    for line in lines(visit.say, told, claims):
        untrusted.line(line)


def lines(say: Say, told: Blast, claims: Mapping[str, str | None]) -> list[str]:
    """The consequences in words; they quote what records say, which is foreign text."""
    found = {
        "superseded": told.superseded,
        "stale": told.stale,
        "restored": told.restored,
        "freed": told.freed,
    }
    out = [
        say.plain(
            f"blast.{name}",
            items=quoted([one.item for one in changes], claims),
            since=moment(changes[0].since),
        )
        for name, changes in found.items()
        if changes
    ]
    if told.nothing:
        out.append(say.plain("blast.nothing"))
    out += [say.plain("blast.used", n=n, item=quoted([item], claims)) for item, n in told.used]
    return out


def quoted(items: Sequence[str], claims: Mapping[str, str | None]) -> str:
    """Records by what they say, the first few; by their ids where that is not known."""
    more = f" +{len(items) - SHOWN}" if len(items) > SHOWN else ""
    told = [untrusted.cell(claims.get(item), _WORDS) for item in items[:SHOWN]]
    pairs = zip(items, told, strict=False)
    return ", ".join(f"“{words}”" if words else short(item) for item, words in pairs) + more
