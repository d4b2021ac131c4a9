"""Reads from the store what was made from what: edges, signed links, and sources it lacks."""

from __future__ import annotations

from collections.abc import Iterable

from review.forget.finding import frame
from store import canonical, forget_queries
from store.cells import EdgeKind
from store.links import LinkVerdict
from store.log import Store
from store.stages import Stage
from store.vault import digester

_MADE = str(EdgeKind.DERIVED_FROM)


def made_from(store: Store) -> set[tuple[str, str]]:
    """Pairs (derivative, source): as stated in artifacts and as signed, less what is denied."""
    pairs = {
        (str(row["item"]), str(row["target"])) for row in store.rows(forget_queries.MADE_FROM)
    }
    for (kind, start, target), one in store.standing().links.items():
        if kind != _MADE:
            continue
        if one.holds:
            pairs.add((start, target))
        elif one.link.verdict == LinkVerdict.DENIED:
            pairs.discard((start, target))
    return pairs


def gone(store: Store, ids: Iterable[str]) -> set[str]:
    """Which of these records and runs were erased before."""
    wanted = list(dict.fromkeys(ids))
    standing = store.standing()
    erased = {one for one in wanted if standing.stage_of(one, 0) == Stage.ERASED}
    rows = store.rows(forget_queries.RUN_ROWS, {"wanted": frame(wanted)})
    kept = present(store, [str(row["run_c"]) for row in rows])
    return erased | {str(row["item"]) for row in rows if row["run_c"] not in kept}


def present(store: Store, commitments: Iterable[str]) -> set[str]:
    """Which of these contents the vault still holds."""
    wanted = list(dict.fromkeys(commitments))
    if not wanted:
        return set()
    rows = store.rows(forget_queries.PRESENT, {"wanted": frame(wanted, "commitment")})
    return {str(row["commitment"]) for row in rows}


def elsewhere(
    store: Store, derivatives: Iterable[str], known: set[tuple[str, str]]
) -> tuple[dict[str, int], set[tuple[str, str]]]:
    """What derivatives name as their source besides their edges.

    Returns:
        For each, how many sources that the store does not hold; and pairs (derivative, run) for
        the cases of insights, which name more runs than they have edges.
    """
    revisions = store.frame(forget_queries.REVISIONS, {"wanted": frame(derivatives)})
    lacking: dict[str, int] = {}
    named: dict[str, set[str]] = {}
    if not len(revisions):
        return lacking, set()
    latest = revisions[revisions["latest"]]
    payloads = store.payloads(latest["provenance_c"].dropna().tolist())
    for item, commitment in zip(latest["item"], latest["provenance_c"], strict=True):
        if commitment not in payloads:
            continue
        told = canonical.decode(payloads[commitment].body)
        unresolved = {target for kind, target in told["unresolved_edges"] if kind == _MADE}
        lacking[item] = len(unresolved)
        named[item] = {str(case[0]) for case in told.get("cases", ())} - unresolved
    pairs = _runs(store, named)
    held: dict[str, set[str]] = {}
    for item, run, _found in pairs:
        held.setdefault(item, set()).add(run)
    for item, runs in named.items():
        lacking[item] += len(runs - held.get(item, set()))
    return lacking, {(item, run) for item, _, run in pairs} - known


def _runs(store: Store, named: dict[str, set[str]]) -> set[tuple[str, str, str]]:
    """(derivative, the run as it is named, the run that the store holds under this name)."""
    key = digester(store.digest_key(), "source")
    keys = {
        run: key(run.encode("utf-8", "surrogatepass")) for runs in named.values() for run in runs
    }
    if not keys:
        return set()
    rows = store.rows(forget_queries.BY_SOURCE_KEY, {"wanted": frame(keys.values(), "key")})
    held: dict[str, list[str]] = {}
    for row in rows:
        held.setdefault(str(row["key"]), []).append(str(row["item"]))
    return {
        (item, run, found)
        for item, runs in named.items()
        for run in runs
        for found in held.get(keys[run], ())
    }


def resting_on(store: Store, items: Iterable[str]) -> tuple[str, ...]:
    """Durable records that depend on one of these."""
    rows = store.rows(forget_queries.RESTING_ON, {"wanted": frame(items)})
    return tuple(str(row["item"]) for row in rows)
