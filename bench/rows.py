"""One measured figure beside its baseline, from the same run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """A figure. ``holds`` is None where no target was set."""

    id: str
    variant: str
    measure: str
    value: float
    baseline: float | None
    target: str
    holds: bool | None

    def told(self) -> dict[str, Any]:
        """The row as plain values."""
        return asdict(self)


def table(rows: Sequence[Row]) -> str:
    """The rows as aligned text."""
    head = ("id", "variant", "measure", "value", "baseline", "target", "holds")
    cells = [head] + [
        (
            row.id,
            row.variant,
            row.measure,
            f"{row.value:,.2f}",
            "-" if row.baseline is None else f"{row.baseline:,.2f}",
            row.target or "-",
            {True: "yes", False: "NO", None: "-"}[row.holds],
        )
        for row in rows
    ]
    widths = [max(len(line[n]) for line in cells) for n in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    )
