"""Cuts a tree of messages into runs: each from what was asked to what came of it.

A conversation branches where an answer was asked for again or a question was edited. The path that
ends at the current leaf is what was followed. Every other branch is an alternative beside it,
never a rejection. The tree may be broken: parents that are not there, cycles, several roots.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

MAX_PREFIX: Final = 50
"""Messages of the turn before a branch that are repeated in the alternative run."""

MAX_PREFIXED: Final = 100
"""Alternative runs of one conversation that repeat what they share with the run beside them."""


class Node(NamedTuple):
    """A message, by its id in the tree."""

    key: str
    parent: str | None
    opens: bool
    """Whether a person asks something here, so that a run begins."""

    at: float | None = None


class Run(NamedTuple):
    """Messages of one run, in their order."""

    keys: tuple[str, ...]
    own: str
    """The first message that stands in no run before this one."""

    beside: int | None
    """The index of the run that this one is an alternative to."""


def runs(nodes: Sequence[Node], leaf: str | None) -> list[Run]:
    """The runs of the path to ``leaf``, then those of every other branch, in file order.

    Without a ``leaf`` that is there, the newest message that nothing answers is taken, and the
    last one in the file where none has a time.
    """
    return _Tree(nodes).runs(leaf) if nodes else []


class _Tree:
    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = {node.key: node for node in nodes}
        self._children: dict[str, list[str]] = {}
        for node in nodes:
            if node.parent in self._nodes and node.parent != node.key:
                self._children.setdefault(node.parent or "", []).append(node.key)
        self._run_of: dict[str, int] = {}
        self._runs: list[Run] = []
        self._prefixed = 0

    def runs(self, leaf: str | None) -> list[Run]:
        """All runs."""
        leaves = [key for key in self._nodes if key not in self._children]
        followed = leaf if leaf in self._nodes else None
        last = followed or self._newest(leaves or list(self._nodes))
        for end in [last, *leaves, *reversed(self._nodes)]:  # what is left then is in rings
            if end not in self._run_of:
                self._branch(end)
        return self._runs

    def _newest(self, leaves: list[str]) -> str:
        found = leaves[-1]
        best = None
        for key in leaves:
            at = self._nodes[key].at
            if at is not None and (best is None or at >= best):
                found, best = key, at
        return found

    def _branch(self, end: str) -> None:
        path: list[str] = []
        here: str | None = end
        on_path: set[str] = set()
        while here in self._nodes and here not in self._run_of and here not in on_path:
            assert here is not None
            path.append(here)
            on_path.add(here)
            here = self._nodes[here].parent
        path.reverse()
        anchor = here if here in self._run_of else None
        prefix: tuple[str, ...] = ()
        beside: int | None = None
        if self._runs:
            prefix, beside = self._shared(path[0], anchor)
        self._cut(path, prefix, beside)

    def _shared(self, first: str, anchor: str | None) -> tuple[tuple[str, ...], int]:
        """What a branch repeats of the run that it leaves, and which run it stands beside."""
        if anchor is None:
            return (), 0
        left = self._run_of[anchor]
        if self._nodes[first].opens:
            siblings = (self._run_of.get(one) for one in self._children.get(anchor, ()))
            return (), next((one for one in siblings if one is not None), left)
        self._prefixed += 1
        if self._prefixed > MAX_PREFIXED:
            return (), left
        keys = self._runs[left].keys
        shared = keys[: keys.index(anchor) + 1]
        if len(shared) > MAX_PREFIX:
            shared = (shared[0], *shared[1 - MAX_PREFIX :])
        return shared, left

    def _cut(self, path: list[str], prefix: tuple[str, ...], beside: int | None) -> None:
        """``path`` in runs: what comes before the first question belongs to the first run."""
        turns: list[list[str]] = [[]]
        asked = bool(prefix)
        for key in path:
            opens = self._nodes[key].opens
            if opens and asked and turns[-1]:
                turns.append([])
            asked = asked or opens
            turns[-1].append(key)
        for number, turn in enumerate(turns):
            for key in turn:
                self._run_of[key] = len(self._runs)
            keys = (*prefix, *turn) if number == 0 else tuple(turn)
            self._runs.append(Run(keys, turn[0], beside))
