"""What was made from what is forgotten: erased with it, or withdrawn because it has other sources.

A derivative goes if nothing but forgotten things are above it, through any number of steps and
around circles. One that has another source, in the store or not, is withdrawn, and so is what was
made from that: nobody can take one source out of a text.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Derived:
    """Derivatives of a set of records, by id, with how many steps away each is."""

    erased: Mapping[str, int] = field(default_factory=dict)
    withdrawn: Mapping[str, int] = field(default_factory=dict)
    made_from: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each derivative: what of the forgotten and of the derivatives it was made from."""

    other_sources: Mapping[str, int] = field(default_factory=dict)
    """For each derivative: how many sources of its own are neither forgotten nor erased."""

    def depth(self, ident: str) -> int:
        """How many steps away from the forgotten a record is; 0 for one that is none of these."""
        return self.erased.get(ident) or self.withdrawn.get(ident, 0)


def below(seeds: Collection[str], made_from: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Everything made from ``seeds``, with its steps away; the nearest way counts.

    Args:
        seeds: Ids of records and runs.
        made_from: Pairs (derivative, source).
    """
    children: dict[str, list[str]] = {}
    for child, parent in made_from:
        children.setdefault(parent, []).append(child)
    steps: dict[str, int] = {}
    waiting = deque((seed, 0) for seed in seeds)
    while waiting:
        one, depth = waiting.popleft()
        for child in children.get(one, ()):
            if child not in seeds and child not in steps:
                steps[child] = depth + 1
                waiting.append((child, depth + 1))
    return steps


def derive(
    seeds: Collection[str],
    made_from: Collection[tuple[str, str]],
    *,
    gone: Collection[str] = (),
    elsewhere: Mapping[str, int] | None = None,
) -> Derived:
    """Sort everything made from ``seeds`` into what goes and what is withdrawn.

    Args:
        seeds: What is forgotten.
        made_from: Pairs (derivative, source) over the whole store.
        gone: Ids of what an earlier request erased: no source any more.
        elsewhere: For a derivative, how many sources it names that the store does not hold.
    """
    steps = below(seeds, made_from)
    seen, dead = set(seeds), set(gone)
    parents: dict[str, list[str]] = {one: [] for one in steps}
    children: dict[str, list[str]] = {}
    for child, parent in dict.fromkeys(made_from):
        if child in steps:
            parents[child].append(parent)
            children.setdefault(parent, []).append(child)
    others = {
        one: (elsewhere or {}).get(one, 0)
        + sum(p not in seen and p not in steps and p not in dead for p in parents[one])
        for one in steps
    }
    fed = deque(one for one, count in others.items() if count)
    kept = set(fed)
    while fed:
        for child in children.get(fed.popleft(), ()):
            if child not in kept:
                kept.add(child)
                fed.append(child)
    return Derived(
        erased={one: depth for one, depth in steps.items() if one not in kept and one not in dead},
        withdrawn={one: depth for one, depth in steps.items() if one in kept and one not in dead},
        made_from={
            one: tuple(sorted(p for p in parents[one] if p in seen or p in steps)) for one in steps
        },
        other_sources=others,
    )
