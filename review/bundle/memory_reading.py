"""Reads what is durable as lines of a ``MEMORY.md``: status, dates, and every field of a cell.

What a cell rests on outside of it (runs, bulky content) does not travel. Rejected, waiting and
erased records are not in it, and neither is a word of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from review import instants
from review.bundle.memory_lines import MemoryLine
from review.graphs import staleness
from review.graphs.graphing import Moment
from review.leaves import leaves_of
from review.memory.conflicts import NOBODY_ROW
from review.memory.validity import Status
from store import canonical, queries
from store.log import Store
from store.vault import Payload

ORDER: Final = (Status.STABLE, Status.ACTIVE, Status.STALE, Status.SUPERSEDED)
"""What comes first: what an answer may rest on."""

_PARTS: Final = ("text", "provenance", "scope", "facts", "conclusion")
_MARKS: Final = frozenset({"line", "status", "since", "until", "superseded_by", "rests_on"})
"""What an earlier file said of its standing; this file says how it stands now."""


def lines(store: Store, moment: Moment) -> list[MemoryLine]:
    """Every durable cell, in the order of ``ORDER`` and of its id."""
    standing = moment.standing
    wanted = pd.DataFrame(
        [(item, rev) for item, rev, _ in standing.durable()], columns=["item", "rev"]
    ).astype({"item": "str", "rev": "int64"})
    if not len(wanted):
        return []
    found = store.rows(queries.ITEM_REVISIONS, {"wanted": wanted})
    leaves = {str(leaf["item"]): leaf for leaf in leaves_of(store, found)}
    contents = store.payloads(
        commitment
        for leaf in leaves.values()
        for part in _PARTS
        if (commitment := leaf["artifact"][part]) is not None
    )
    sources = _sources({**_pointed_at(store, leaves), **leaves}, store)
    told = [
        _line(moment, item, leaf["artifact"], contents, sources)
        for item, leaf in leaves.items()
        if leaf["artifact"]["text"] in contents and leaf["artifact"]["provenance"] in contents
    ]
    return sorted(told, key=lambda line: (ORDER.index(line.status), line.item))


def _pointed_at(
    store: Store, leaves: Mapping[str, Mapping[str, Any]]
) -> dict[str, Mapping[str, Any]]:
    """What edges point at though it is not durable: only its source id is told."""
    targets = {str(edge[1]) for leaf in leaves.values() for edge in leaf["artifact"]["edges"]}
    wanted = pd.DataFrame({"item": pd.Series(sorted(targets - set(leaves)), dtype="str")})
    if not len(wanted):
        return {}
    found = store.rows(queries.ITEMS, {"wanted": wanted})
    return {str(leaf["item"]): leaf for leaf in leaves_of(store, found)}


def _sources(leaves: Mapping[str, Mapping[str, Any]], store: Store) -> dict[str, str]:
    """Source id by item; of what was erased there is none."""
    places = {item: leaf["artifact"]["provenance"] for item, leaf in leaves.items()}
    found = store.payloads(places.values())
    return {
        item: str(canonical.decode(found[place].body)["source_id"])
        for item, place in places.items()
        if place in found
    }


def _line(
    moment: Moment,
    item: str,
    manifest: Mapping[str, Any],
    contents: Mapping[str, Payload],
    sources: Mapping[str, str],
) -> MemoryLine:
    known, life = moment.known, moment.known.life
    row = known.cells.row_of[item]
    status = life.status(row, moment.at, durable=True)
    other, until = "", None
    items = known.cells.text("item")
    if status is Status.SUPERSEDED:
        until = instants.day(int(life.superseded_at[row]))
        by = int(life.superseded_by[row])
        other = str(items[by]) if by != NOBODY_ROW else ""
    elif status is Status.STALE:
        (stale,) = staleness.told(known, np.array([row], dtype=np.int64))
        other = stale.rests_on
    return MemoryLine(
        item=item,
        claim=contents[manifest["text"]].body.decode("utf-8"),
        status=status,
        since=instants.day(int(known.cells.start[row])),
        until=until,
        other=other,
        fields=_fields(manifest, contents, sources),
    )


def _fields(
    manifest: Mapping[str, Any], contents: Mapping[str, Payload], sources: Mapping[str, str]
) -> dict[str, Any]:
    """The fields of our own JSONL, as ``docs/formats.md`` describes them."""
    told = canonical.decode(contents[manifest["provenance"]].body)
    fields: dict[str, Any] = {
        "kind": manifest["kind"],
        "source_type": told["source_type"],
        "source_id": told["source_id"],
        "written_at": told["written_at"],
        "expires_at": manifest["expires_at"],
        "polarity": told["polarity"],
        "review_id": told["review_id"],
        "confidence": told["confidence"],
        "immutable": told["immutable"],
        "verbatim": manifest["verbatim"] or None,
        "valid": _valid(manifest["valid_from"], manifest["valid_to"], manifest["precision"]),
        "edges": _edges(manifest["edges"], told["unresolved_edges"], sources) or None,
        "foreign": {n: v for n, v in told["foreign"].items() if n not in _MARKS} or None,
    }
    if (scope := contents.get(manifest["scope"] or "")) is not None:
        read = canonical.decode(scope.body)
        fields |= {"scope": read["scope"] or None, "entities": read["entities"] or None}
    if (facts := contents.get(manifest["facts"] or "")) is not None:
        fields["facts"] = _facts(canonical.decode(facts.body)) or None
    if (answer := contents.get(manifest["conclusion"] or "")) is not None:
        read = canonical.decode(answer.body)
        support = _facts(read["support"])
        fields["conclusion"] = {"text": read["text"], "task": read["task"], "support": support}
    return {name: value for name, value in fields.items() if value is not None}


def _valid(start: str | None, end: str | None, precision: str) -> dict[str, str] | None:
    if start is None and end is None:
        return None
    told = {"start": start, "end": end, "precision": precision}
    return {name: value for name, value in told.items() if value is not None}


def _edges(
    edges: Sequence[Sequence[str]],
    unresolved: Sequence[Sequence[str]],
    sources: Mapping[str, str],
) -> list[dict[str, str]]:
    """What its source states of others. What a rule or a person says is not the source's."""
    told = [
        {"kind": kind, "target": sources[target], "strength": strength}
        for kind, target, strength, asserter in edges
        if asserter == "source" and target in sources
    ]
    return told + [{"kind": kind, "target": target} for kind, target in unresolved]


def _facts(read: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The facts that the source gave; those that were read from the claim are read again."""
    return [
        {
            "subject": one["subject"],
            "parameter": one["parameter"],
            "value": one["value"],
            "start": one["span"][0],
            "end": one["span"][1],
            **({"valid": valid} if (valid := _valid(*one["valid"])) else {}),
        }
        for one in read
        if one.get("reader", "source") == "source"
    ]
