"""The spans of a trace as a walk through their tree: into each, through its parts, out again.

The order of a file means nothing: spans are written when they end. Siblings go by their start,
then by the file's own order, then as they stand. A parent that is not there makes a root, and a
circle of parents is cut where it was entered.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final, NamedTuple

from importers.traces.spans import Sort, TraceSpan

_NEVER: Final = datetime(9999, 1, 1, tzinfo=UTC)
_TELLING: Final = frozenset({Sort.MODEL, Sort.TOOL, Sort.RETRIEVER})


class Visit(NamedTuple):
    """A moment of the walk."""

    span: TraceSpan
    entering: bool
    root: bool
    wraps: bool
    """Whether a model, a tool or a search stands below it."""

    wraps_model: bool
    leaf: bool
    """Whether nothing stands below it but spans of other programs."""


class Tree:
    """The spans of one trace by their parents. Repeated ids count as spans of their own."""

    def __init__(self, spans: list[TraceSpan]) -> None:
        self._spans = spans
        known: dict[str, int] = {}
        self.repeated = 0
        """Spans whose id another span has."""

        for number, span in enumerate(spans):
            self.repeated += span.id in known and bool(span.id)
            known.setdefault(span.id, number)
        self._below: dict[int, list[int]] = {}
        roots: list[int] = []
        for number, span in enumerate(spans):
            parent = known.get(span.parent) if span.parent else None
            if parent is None or parent == number:
                roots.append(number)
            else:
                self._below.setdefault(parent, []).append(number)
        for numbers in (roots, *self._below.values()):
            numbers.sort(key=self._key)
        self._preorder = self._reached(roots)
        for number in range(len(spans)):
            if number not in self._preorder:
                roots.append(number)
                self._reached([number], self._preorder)
        self._roots = roots
        self._top: set[int] = set()
        for number, above in self._preorder.items():
            outside = above is not None and spans[above].sort is Sort.OTHER
            if above is None or (outside and above in self._top):
                self._top.add(number)
        self._holds = self._held()

    @property
    def root(self) -> TraceSpan | None:
        """The first root that is part of an agent's run; else the first root."""
        shown = [self._spans[one] for one in self._roots]
        return next((one for one in shown if one.sort is not Sort.OTHER), next(iter(shown), None))

    def visits(self) -> Iterator[Visit]:
        """Every span twice: on the way in and on the way out."""
        done: set[int] = set()
        stack = [(one, True) for one in reversed(self._roots)]
        while stack:
            number, entering = stack.pop()
            if entering and number in done:
                continue
            done.add(number)
            held = self._holds.get(number, frozenset())
            yield Visit(
                self._spans[number],
                entering,
                number in self._top,
                bool(held & _TELLING),
                Sort.MODEL in held,
                not held - {Sort.OTHER},
            )
            if entering:
                stack.append((number, False))
                stack += [(one, True) for one in reversed(self._below.get(number, []))]

    def _key(self, number: int) -> tuple[datetime, str, int]:
        span = self._spans[number]
        return (span.start.instant() if span.start else _NEVER, span.order, number)

    def _reached(
        self, roots: list[int], seen: dict[int, int | None] | None = None
    ) -> dict[int, int | None]:
        """Every span that can be reached, with the one above it, parents first."""
        seen = {} if seen is None else seen
        stack: list[tuple[int, int | None]] = [(one, None) for one in reversed(roots)]
        while stack:
            number, above = stack.pop()
            if number not in seen:
                seen[number] = above
                stack += [(one, number) for one in reversed(self._below.get(number, []))]
        return seen

    def _held(self) -> dict[int, frozenset[Sort]]:
        """The sorts that stand below each span."""
        held: dict[int, frozenset[Sort]] = {}
        for number in reversed(self._preorder):
            above = self._preorder[number]
            if above is not None:
                own = held.get(number, frozenset()) | {self._spans[number].sort}
                held[above] = held.get(above, frozenset()) | own
        return held
