"""Which records a scope names: literal, part by part, each part narrowing the others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final

import pandas as pd

from review.forget.plan import Why
from review.forget.scope import Scope
from store import forget_queries, model_queries
from store.log import Store
from store.stages import Stage
from store.vault import digester

RECORD_MARK: Final = "/"
ANSWER_MARK: Final = "answer-"
_COMMITMENT: Final = re.compile(r"[0-9a-f]{64}")


@dataclass
class Found:
    """What a scope names. Ids in the order of the store."""

    items: dict[str, Why] = field(default_factory=dict)
    runs: dict[str, Why] = field(default_factory=dict)
    records: dict[str, Why] = field(default_factory=dict)
    """Records that were not staged, as ``seq/n``."""

    answers: dict[str, Why] = field(default_factory=dict)
    sources: dict[str, Why] = field(default_factory=dict)
    """Imports of which what is kept of the source goes as such."""

    contents: dict[str, Why] = field(default_factory=dict)
    """Contents that belong to none of these, by commitment."""

    shared: tuple[str, ...] = ()
    """Records that came with an import of the scope, too, and first with another one."""

    missing: tuple[str, ...] = ()

    @property
    def ids(self) -> set[str]:
        """Records and runs: what something can be derived from."""
        return {*self.items, *self.runs}


def frame(ids: Iterable[str], column: str = "item") -> pd.DataFrame:
    """A frame with one column of text."""
    return pd.DataFrame({column: pd.Series(list(ids), dtype="str")})


def find(store: Store, scope: Scope) -> Found:
    """Everything that ``scope`` names, and the ids in it that nothing has.

    What was erased before is not found again.
    """
    found, missing = Found(), list[str]()
    parts: list[tuple[Why, set[str]]] = []
    if scope.subject.strip():
        parts.append((Why.SUBJECT, _about(store, scope.subject.strip())))
    if scope.sources:
        ids, unknown = _by_source(store, scope.sources)
        missing += unknown
        parts.append((Why.SOURCE, ids))
    if scope.run.strip():
        ids = _of_run(store, scope.run.strip())
        missing += [] if ids else [scope.run.strip()]
        parts.append((Why.RUN, ids))
    if scope.items:
        rows = store.rows(forget_queries.KNOWN_IDS, {"wanted": frame(scope.items)})
        ids = {str(row["item"]) for row in rows}
        missing += [one for one in scope.items if one not in ids]
        parts.append((Why.ID, ids))
    imports, unknown = _imports(store, scope.imports)
    missing += unknown
    wide = [*(["imports"] if scope.imports else []), *_days(scope)]
    if wide or scope.tenant:
        why = Why.SOURCE if scope.imports else Why.DATES if wide else Why.TENANT
        parts.append((why, _wide(store, wide, imports, scope)))
    chosen = set.intersection(*(ids for _, ids in parts)) if parts else set[str]()
    if imports:
        again = set.intersection(
            _known_before(store, wide, imports, scope), *(o for _, o in parts[:-1])
        )
        found.shared = tuple(sorted(again - chosen))
    told = parts[0][0] if parts else Why.ID
    _sort(store, found, dict.fromkeys(chosen, told))
    if (wide or scope.tenant) and len(parts) == 1:
        records = forget_queries.items_where(wide, "proj_record")
        for row in store.rows(records, {"wanted": frame(imports, "import")}, **_values(scope)):
            found.records[f"{row['seq']}{RECORD_MARK}{row['n']}"] = told
        if not imports:
            found.contents |= dict.fromkeys(_questions(store, scope), told)
    unknown = _mark(store, found, scope.also)
    missing += unknown
    _leave_erased(store, found, missing, scope)
    found.missing = tuple(missing)
    return found


def _sort(store: Store, found: Found, chosen: dict[str, Why]) -> None:
    """Put ids to records or to runs."""
    if not chosen:
        return
    rows = store.rows(forget_queries.KNOWN_IDS, {"wanted": frame(sorted(chosen))})
    for row in sorted(rows, key=lambda one: str(one["item"])):
        into = found.runs if row["kind"] == "run" else found.items
        into[str(row["item"])] = chosen[str(row["item"])]


def _mark(store: Store, found: Found, also: Sequence[str]) -> list[str]:
    """Add what a person ticked; the ids that nothing has."""
    ticked = dict.fromkeys(one for one in also if one not in found.ids)
    places = [one for one in ticked if RECORD_MARK in one]
    answers = [one for one in ticked if one.startswith(ANSWER_MARK)]
    imports = [one for one in ticked if one.startswith("imp-")]
    bare = [one for one in ticked if _COMMITMENT.fullmatch(one)]
    rest = [one for one in ticked if one not in {*places, *answers, *imports, *bare}]
    _sort(store, found, dict.fromkeys(rest, Why.MARKED))
    found.records |= dict.fromkeys(places, Why.MARKED)
    found.answers |= dict.fromkeys(answers, Why.MARKED)
    found.sources |= dict.fromkeys(imports, Why.MARKED)
    found.contents |= dict.fromkeys(bare, Why.MARKED)
    return [one for one in rest if one not in found.ids]


def _leave_erased(store: Store, found: Found, missing: list[str], scope: Scope) -> None:
    """Take out records that an earlier request erased; named by id, they are told as missing."""
    standing = store.standing()
    erased = [item for item in found.items if standing.stage_of(item, 0) == Stage.ERASED]
    for item in erased:
        del found.items[item]
    missing += [item for item in erased if item in scope.items or item in scope.also]


def _about(store: Store, subject: str) -> set[str]:
    rows = [
        *store.rows(forget_queries.ITEMS_ABOUT, subject=subject),
        *store.rows(forget_queries.RUNS_ABOUT, subject=subject),
    ]
    return {str(row["item"]) for row in rows}


def _questions(store: Store, scope: Scope) -> list[str]:
    """Contents of what was typed to a model in the days of a scope: about whom, nobody knows."""
    days = _values(scope)
    first, last = str(days.get("since", "")), str(days.get("until", "~"))
    rows = store.rows(model_queries.ABOUT_NOTHING)
    return [str(row["content"]) for row in rows if first <= str(row["recorded_at"]) < last]


def _by_source(store: Store, sources: Sequence[str]) -> tuple[set[str], list[str]]:
    """Records by the ids that the foreign system gave; those that nothing has."""
    key = digester(store.digest_key(), "source")
    keys = {key(one.encode("utf-8", "surrogatepass")): one for one in sources}
    rows = store.rows(forget_queries.BY_SOURCE_KEY, {"wanted": frame(keys, "key")})
    known = {str(row["key"]) for row in rows}
    return {str(row["item"]) for row in rows}, [keys[one] for one in keys if one not in known]


def _of_run(store: Store, run: str) -> set[str]:
    """A run by our id or its own, and the records that name it as theirs."""
    own = store.rows(forget_queries.KNOWN_IDS, {"wanted": frame([run])})
    ids = {str(row["item"]) for row in own if row["kind"] == "run"}
    ids |= _by_source(store, [run])[0]
    named = store.rows(forget_queries.ITEMS_OF_RUN, run=run)
    return ids | {str(row["item"]) for row in named}


def _imports(store: Store, imports: Sequence[str]) -> tuple[list[str], list[str]]:
    if not imports:
        return [], []
    rows = store.rows(forget_queries.IMPORTS_KNOWN, {"wanted": frame(imports, "import")})
    known = {str(row["import"]) for row in rows}
    return [one for one in imports if one in known], [one for one in imports if one not in known]


def _days(scope: Scope) -> list[str]:
    return [name for name in ("since", "until") if getattr(scope, name)]


def _values(scope: Scope) -> dict[str, object]:
    """Record times are UTC texts, so days are compared as their first moments."""
    told: dict[str, object] = {}
    if scope.since:
        told["since"] = f"{scope.since}T00:00:00.000000Z"
    if scope.until:
        late = date.fromisoformat(scope.until) + timedelta(days=1)
        told["until"] = f"{late.isoformat()}T00:00:00.000000Z"
    return told


def _known_before(
    store: Store, names: Sequence[str], imports: Sequence[str], scope: Scope
) -> set[str]:
    """What these imports brought again: a file that came under two names is read once."""
    query = forget_queries.known_before_in(names)
    rows = store.rows(query, {"wanted": frame(imports, "import")}, **_values(scope))
    standing = store.standing()
    ids = {str(row["item"]) for row in rows}
    return {one for one in ids if standing.stage_of(one, 0) != Stage.ERASED}


def _wide(store: Store, names: Sequence[str], imports: Sequence[str], scope: Scope) -> set[str]:
    tables = {"wanted": frame(imports, "import")}
    return {
        str(row["item"])
        for table in ("proj_item", "proj_run")
        for row in store.rows(forget_queries.items_where(names, table), tables, **_values(scope))
    }
