"""The files of a data folder, read leniently, and seeded samples of them.

A file that is absent, or holds no list, is an empty one: its measures then report n = 0. So does
an entry without the fields that a measure needs; no measure stops for it.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

SITUATED: Final = "situatedqa_temp.json"
UPDATES: Final = "longmemeval_evidence.json"
EDITS: Final = "mquake_cf3k.json"
CAUSAL: Final = "cladder.json"
CONVERSATIONS: Final = "locomo.json"
TIMELINES: Final = "statebench_by_prompt.json"

Item = dict[str, Any]
_Any = TypeVar("_Any")
_LONGMEM_TIME: Final = re.compile(r"(\d{4})/(\d{2})/(\d{2}) \(\w+\) (\d{2}):(\d{2})")
_LOCOMO_TIME: Final = re.compile(r"(\d{1,2}):(\d{2}) ([ap]m) on (\d{1,2}) (\w+),? (\d{4})", re.I)
_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a run asks for: the data, at most how many cases of each measure, and the seed."""

    data: Path
    limit: int | None = None
    seed: int = 1
    only: frozenset[str] = field(default_factory=frozenset)

    def load(self, name: str) -> list[Item]:
        """The objects of one file; none if it is absent or is no list."""
        try:
            found = json.loads((self.data / name).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return []
        return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []

    def sample(self, cases: Sequence[_Any], most: int | None = None) -> list[_Any]:
        """At most ``most`` and at most ``limit`` of ``cases``, by the seed, in their order."""
        bounds = [bound for bound in (most, self.limit) if bound is not None]
        size = min([len(cases), *bounds])
        if size == len(cases):
            return list(cases)
        places = sorted(random.Random(self.seed).sample(range(len(cases)), size))
        return [cases[place] for place in places]


def stamp(moment: datetime) -> str:
    """A moment as our own format writes it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def slashed_time(text: object) -> datetime | None:
    """``2023/06/18 (Sun) 00:48`` as a moment; None for anything else."""
    found = _LONGMEM_TIME.search(str(text))
    if found is None:
        return None
    year, month, day, hour, minute = (int(part) for part in found.groups())
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


def spoken_time(text: object) -> datetime | None:
    """``1:56 pm on 8 May, 2023`` as a moment; None for anything else."""
    found = _LOCOMO_TIME.search(str(text))
    if found is None or found[5].lower() not in _MONTHS:
        return None
    hour = int(found[1]) % 12 + (12 if found[3].lower() == "pm" else 0)
    month = _MONTHS.index(found[5].lower()) + 1
    return datetime(int(found[6]), month, int(found[4]), hour, int(found[2]), tzinfo=UTC)


def plain_time(text: object) -> datetime | None:
    """An ISO 8601 moment, UTC when it names no zone; None for anything else."""
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def texts(value: object) -> list[str]:
    """The strings and numbers of a list, as strings; none for anything else."""
    if not isinstance(value, list):
        return []
    return [str(one) for one in value if isinstance(one, str | int | float) and str(one)]
