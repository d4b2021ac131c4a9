"""Makes a plan: the scope, what was made from it, the same words elsewhere, and where copies are.

It reads only, and the same store at the same head gives the same plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from review.forget import alike, contents, origins, outside
from review.forget.alike import Alike, Use
from review.forget.contents import Kept
from review.forget.derivation import Derived, below, derive
from review.forget.finding import Found, find
from review.forget.plan import Foreseen, Plan, PlanRow, RowKind, Why
from review.forget.scope import Scope
from store import forget_queries
from store.log import Store


@dataclass
class _Going:
    """What goes, by kind, with what is kept of each."""

    items: dict[str, Kept]
    runs: dict[str, Kept]
    records: dict[str, Kept]
    answers: dict[str, Kept]
    sources: dict[str, Kept]
    bare: dict[str, Kept]

    def kinds(self) -> tuple[tuple[RowKind, dict[str, Kept]], ...]:
        """Each kind with its rows."""
        return (
            (RowKind.ITEM, self.items),
            (RowKind.RUN, self.runs),
            (RowKind.RECORD, self.records),
            (RowKind.SOURCE, self.sources),
            (RowKind.ANSWER, self.answers),
            (RowKind.CONTENT, self.bare),
        )

    def contents(self) -> set[str]:
        """All that goes."""
        return {c for _, rows in self.kinds() for kept in rows.values() for c in kept.contents}


def make(store: Store, scope: Scope, *, forget: str, made_at: str) -> Plan:
    """The plan for ``scope`` over the store as it is now.

    Args:
        store: Whose memory it is.
        scope: What is asked for.
        forget: Id that the request will have.
        made_at: The present moment.
    """
    head = store.head()
    found = find(store, scope)
    holds = {one.item: (one.basis, one.until) for one in scope.holds}
    retained = {one for one in found.ids if one in holds}
    seeds = found.ids - retained
    derived = _derived(store, seeds)
    going = _going(store, found, seeds, derived)
    leaving = going.contents()
    texts = [t for rows in (going.items, going.runs) for k in rows.values() for t in k.texts]
    texts = [t for t in texts if t in leaving]
    near = alike.alike(store, going.items, _claims(going), leaving, scope.subject)
    used = alike.uses(store, going.items)
    rows = _rows(store, found, derived, going, near, used, holds, retained)
    return Plan(
        forget=forget,
        scope=scope,
        rows=tuple(rows),
        locations=(*outside.logged(store, rows, used, before=head.size), *outside.ALWAYS),
        size=head.size,
        root=head.root,
        missing=found.missing,
        unlinked=int(store.rows(forget_queries.UNLINKED)[0]["n"]),
        stale=_stale(store, going, rows),
        made_at=made_at,
    )


def _claims(going: _Going) -> list[str]:
    """Words by which likeness is looked for: of records. A run's words stand in many runs."""
    return [text for kept in going.items.values() for text in kept.texts]


def _derived(store: Store, seeds: set[str]) -> Derived:
    pairs = origins.made_from(store)
    steps = below(seeds, pairs)
    lacking, more = origins.elsewhere(store, steps, pairs)
    pairs |= more
    above = {parent for child, parent in pairs if child in steps}
    gone = origins.gone(store, {*above, *steps} - seeds)
    return derive(seeds, pairs, gone=gone, elsewhere=lacking)


def _going(store: Store, found: Found, seeds: set[str], derived: Derived) -> _Going:
    items = [one for one in found.items if one in seeds]
    items += [one for one in derived.erased if one not in found.runs]
    going = _Going(
        items=contents.of_items(store, items),
        runs=contents.of_runs(store, [one for one in found.runs if one in seeds]),
        records=contents.of_records(store, found.records),
        answers=contents.of_answers(store, found.answers),
        sources={},
        bare=contents.of_contents(store, found.contents),
    )
    brought: dict[str, list[str]] = {}
    for rows in (going.items, going.runs):
        for ident, kept in rows.items():
            brought.setdefault(kept.brought_by, []).append(ident)
    for place in going.records:
        brought.setdefault(_import_of(store, place), []).append(place)
    for import_id, item in contents.known_before(store, brought):
        brought.setdefault(import_id, []).append(item)
    empty = contents.emptied(store, brought) if brought else set()
    going.sources = contents.of_sources(store, {*found.sources, *empty})
    for rows in (going.runs, going.records, going.answers, going.sources, going.bare):
        for ident in [ident for ident, kept in rows.items() if not kept.contents]:
            del rows[ident]  # its content went with an earlier request
    return going


def _import_of(store: Store, place: str) -> str:
    return str(store.event(int(place.split("/")[0])).body.get("import", ""))


def _rows(  # noqa: PLR0913 - one row of each sort needs its own source
    store: Store,
    found: Found,
    derived: Derived,
    going: _Going,
    near: Alike,
    used: Iterable[Use],
    holds: Mapping[str, tuple[str, str]],
    retained: set[str],
) -> list[PlanRow]:
    used = list(used)
    times: dict[str, int] = {}
    for use in used:
        for item in use.items:
            times[item] = times.get(item, 0) + 1
    reasons = {
        **found.items,
        **found.runs,
        **found.records,
        **found.answers,
        **found.sources,
        **found.contents,
    }
    rows = [
        _row(kind, ident, kept, reasons.get(ident, Why.DERIVED), derived, times)
        for kind, kepts in going.kinds()
        for ident, kept in kepts.items()
    ]
    rows = [
        replace(row, why=Why.SOURCE)
        if row.kind is RowKind.SOURCE and row.why is Why.DERIVED
        else row
        for row in rows
    ]
    taken = {row.id for row in rows}
    for ident in sorted(retained):
        kind = RowKind.RUN if ident in found.runs else RowKind.ITEM
        rows.append(PlanRow(ident, kind, reasons[ident], Foreseen.RETAINED, hold=holds[ident]))
        taken.add(ident)
    for ident, kept in contents.of_items(store, derived.withdrawn).items():
        row = _row(RowKind.ITEM, ident, kept, Why.DERIVED, derived, times)
        rows.append(replace(row, foreseen=Foreseen.WITHDRAWN, contents=()))
        taken.add(ident)
    for ident in found.shared:
        if ident not in taken:
            rows.append(PlanRow(ident, RowKind.ITEM, Why.SHARED, Foreseen.NEEDS_DECISION))
            taken.add(ident)
    for kind in RowKind:
        for ident, why in sorted(getattr(near, f"{kind}s").items()):
            if ident not in taken:
                rows.append(PlanRow(ident, kind, why, Foreseen.NEEDS_DECISION))
                taken.add(ident)
    rows += [
        PlanRow(use.answer, RowKind.ANSWER, Why.USED, Foreseen.GIVEN, made_from=use.items)
        for use in used
        if use.answer not in taken
    ]
    return rows


def _row(
    kind: RowKind, ident: str, kept: Kept, why: Why, derived: Derived, times: Mapping[str, int]
) -> PlanRow:
    return PlanRow(
        id=ident,
        kind=kind,
        why=why,
        foreseen=Foreseen.ERASED,
        depth=derived.depth(ident) if why is Why.DERIVED else 0,
        made_from=derived.made_from.get(ident, ()),
        other_sources=derived.other_sources.get(ident, 0),
        rev=kept.rev,
        artifact=kept.artifact,
        revisions=kept.revisions,
        stage=kept.stage,
        notes=kept.notes,
        contents=tuple(kept.contents),
        used_in=times.get(ident, 0),
    )


def _stale(store: Store, going: _Going, rows: Iterable[PlanRow]) -> tuple[str, ...]:
    touched = {row.id for row in rows}
    return tuple(one for one in origins.resting_on(store, going.items) if one not in touched)
