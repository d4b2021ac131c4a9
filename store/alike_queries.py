"""Queries by which a forget plan finds the same words elsewhere, like those of ``store.queries``.

Frames joined by name: ``wanted`` holds the words or records that go, ``leaving`` all contents that
go. A subject is looked for literally; nothing here is a pattern that a caller gave.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_NO_WORDS: Final = (
    "('policy', 'provenance', 'scope', 'facts', 'place', 'name', 'labels', 'analysis')"
)
"""Roles of contents that are not searched for words: they go with what they belong to."""

_SPELLED: Final = (
    "trim(regexp_replace(lower(nfc_normalize(regexp_replace("
    "try(decode({})), '\\\\[nrtbf\"\\\\/]', ' ', 'g'))), '[^\\p{{L}}\\p{{N}}]+', ' ', 'g'))"
)
"""Words of a content as they are compared: small letters, one space between."""

_WORDS: Final = f"string_split({_SPELLED}, ' ')"
PART: Final = 8
"""Words in a row by which two texts are near."""

FEWEST: Final = 3
"""Words of a shorter text that is looked for whole in longer ones."""


def _grams(k: int, words: str = "words") -> str:
    return (
        f"unnest(list_transform(generate_series(1, len({words}) - {k - 1}),"
        f" lambda n: array_to_string({words}[n:n + {k - 1}], ' ')))"
    )


_NEEDLES: Final = (
    f"needle as (select {_WORDS.format('v.body')} as words from wanted w"
    " join vault_payload v on v.commitment = w.commitment)"
)

SPELLED: Final = (
    f"select distinct coalesce({_SPELLED.format('v.body')}, '') as spelled from wanted w"
    " join vault_payload v on v.commitment = w.commitment"
)
"""The wanted contents as they are compared."""

STAYING: Final = (
    f"select v.commitment, coalesce({_SPELLED.format('v.body')}, '') as spelled"
    " from vault_payload v where v.rowid >= :start and v.rowid < :stop"
    f" and v.role not in {_NO_WORDS}"
    " and v.commitment not in (select commitment from leaving)"
)
"""A slice of the contents that are searched for words, as they are compared."""


def near(lengths: Sequence[int]) -> str:
    """Contents of the frame ``likely`` that do not leave and share words with a wanted content.

    Eight words in a row of a longer text, or the whole of a shorter one of at least three words.

    Args:
        lengths: How many words in a row are looked for; not empty.
    """
    looked = [
        f"select {_grams(k)} as gram from needle where len(words) {'>=' if k == PART else '='} {k}"
        for k in lengths
    ]
    held = [
        f"select commitment, {_grams(k)} as gram from hay where len(words) >= {k}" for k in lengths
    ]
    return (
        f"with {_NEEDLES}, gone as (select distinct gram from ({' union all '.join(looked)})),"
        f" hay as (select v.commitment, {_WORDS.format('v.body')} as words from vault_payload v"
        f" where v.role not in {_NO_WORDS}"
        " and v.commitment in (select commitment from likely)"
        " and v.commitment not in (select commitment from leaving))"
        f" select distinct h.commitment from ({' union all '.join(held)}) h"
        " join gone on gone.gram = h.gram"
    )


_NAMING: Final = (
    f"select commitment from vault_payload where role not in {_NO_WORDS}"
    " and commitment not in (select commitment from leaving) and "
)
MENTIONS: Final = _NAMING + (
    "regexp_matches(try(decode(body)), '(?i)(^|[^\\p{L}\\p{N}])' || regexp_escape(:subject)"
    " || '($|[^\\p{L}\\p{N}])')"
)
"""Contents that do not leave and in which ``subject`` stands literally, between other signs."""

MENTIONS_INSIDE: Final = _NAMING + "contains(lower(try(decode(body))), lower(:subject))"
"""The same for writing that puts nothing between words."""

EQUAL: Final = (
    "select distinct q.item from wanted w join proj_item p on p.item = w.item"
    " join proj_item q on q.look_key = p.look_key and q.latest and q.stage <> 'erased'"
    " where p.look_key <> '' and q.item not in (select item from wanted)"
)
"""Other records whose claims are equal but for case, punctuation and spacing."""

EQUAL_SINCE: Final = f"{EQUAL} and q.seq >= :since"
"""The same, of those that were staged from a position of the log on."""
