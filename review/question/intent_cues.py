"""The table of words that tell a question's time frame; its rows are in ``intent_cues.yaml``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Final, Literal, cast

Sort = Literal["plain", "change", "compare", "history", "current"]

_PIECE: Final = re.compile(r"<([A-Z_]+)>")


@dataclass(frozen=True, slots=True)
class Cue:
    """One row: the words it fits, what they tell, and a question that it decides."""

    sort: Sort
    pattern: re.Pattern[str]
    example: str
    past: bool
    """Only in a question with a verb of the past."""


@dataclass(frozen=True, slots=True)
class Cues:
    """The rows in order; the first that fits decides within its sort."""

    rows: tuple[Cue, ...]
    hints: re.Pattern[str]

    def may_fit(self, prepared: str) -> bool:
        """A cheap look: whether a row can fit at all."""
        return self.hints.search(prepared) is not None

    def without_plain(self, prepared: str) -> str:
        """``prepared`` with the words blanked that only look like markers."""
        for cue in self.rows:
            if cue.sort == "plain":
                prepared = cue.pattern.sub(_blank, prepared)
        return prepared

    def first(
        self, prepared: str, sorts: tuple[Sort, ...], *, past: bool
    ) -> tuple[Cue, str] | None:
        """The first row of ``sorts`` that fits, with the words that it found."""
        for cue in self.rows:
            if cue.sort in sorts and (past or not cue.past):
                found = cue.pattern.search(prepared)
                if found is not None:
                    return cue, " ".join(found.group().split())
        return None


@lru_cache(maxsize=1)
def default() -> Cues:
    """The table that ships."""
    return load(resources.files("review.question").joinpath("intent_cues.yaml").read_text("utf-8"))


def load(text: str) -> Cues:
    """The table written in ``text``.

    Raises:
        ValueError: If a row has no pattern of a known sort or names an unknown piece.
    """
    import yaml

    told = yaml.safe_load(text)
    pieces: dict[str, str] = told["pieces"]
    rows = tuple(_row(row, pieces) for row in told["rows"])
    return Cues(rows, re.compile("|".join(told["hints"])))


def _row(row: dict[str, object], pieces: dict[str, str]) -> Cue:
    sort = next((s for s in ("plain", "change", "compare", "history", "current") if s in row), "")
    if not sort:
        msg = f"a row of the intent cues has no pattern of a known sort: {row}. Name its sort."
        raise ValueError(msg)

    def piece(found: re.Match[str]) -> str:
        if found.group(1) not in pieces:
            msg = f"unknown piece {found.group()} in the intent cues; known: {sorted(pieces)}."
            raise ValueError(msg)
        return pieces[found.group(1)]

    pattern = re.compile(_PIECE.sub(piece, str(row[sort])))
    return Cue(cast("Sort", sort), pattern, str(row["example"]), bool(row.get("past", False)))


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())
