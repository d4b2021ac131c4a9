"""One measured figure beside its baseline, from the same run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """A figure. ``holds`` is None where no target was set, ``value`` where there was no case."""

    id: str
    variant: str
    measure: str
    value: float | None
    baseline: float | None
    target: str
    holds: bool | None
    n: int | None = None
    """Cases behind the figure, where cases were counted."""

    def told(self) -> dict[str, Any]:
        """The row as plain values."""
        return asdict(self)


def table(rows: Sequence[Row]) -> str:
    """The rows as aligned text."""
    head = ("id", "variant", "measure", "value", "baseline", "target", "holds", "n")
    cells = [head] + [
        (
            row.id,
            row.variant,
            row.measure,
            _number(row.value),
            _number(row.baseline),
            row.target or "-",
            {True: "yes", False: "NO", None: "-"}[row.holds],
            "-" if row.n is None else f"{row.n:,}",
        )
        for row in rows
    ]
    widths = [max(len(line[n]) for line in cells) for n in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    )


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.2f}" if abs(value) >= 10 else f"{value:.3f}"
