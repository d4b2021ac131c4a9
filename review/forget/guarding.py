"""Keeps what is forgotten from coming back: keyed digests, taken while the words are known."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from review.forget.ground import Ground
from review.forget.plan import PlanRow
from review.forget.started import Started
from review.staged import run_spelling
from review.staged.placing import Writer
from review.staged.resurrection import Content, Guard
from review.text.skeleton import PART, words
from store import canonical, forget_queries
from store.forget_standing import Request
from store.log import Store
from store.vault import Payload, Role


def keys_of(store: Store, rows: Iterable[PlanRow]) -> tuple[str, ...]:
    """The keyed digests of rows that are about to go, sorted: their words are still in the vault.

    The same rows have the same digests for as long as their words are known.
    """
    told = list(rows)
    held = store.payloads(content for row in told for content in row.contents)
    return _keys(store, told, held)


def guard(
    store: Store,
    request: Request,
    started: Started,
    ground: Ground,
    writer: Writer,
    *,
    keys: tuple[str, ...] | None = None,
) -> bool:
    """Record the keyed digests of a request, once; whether they were recorded now.

    It has to happen before the rewrite: afterwards nobody knows the words any more. The store
    refuses others than those that were signed with the request.

    Args:
        store: Whose request it is.
        request: As it stands.
        started: Its rows.
        ground: Has the contents that wait for the rewrite.
        writer: Who records.
        keys: Those of ``keys_of``, where this process made them when it signed.

    Raises:
        store.signers.NotAcceptedError: If they are others.
    """
    if guarded(store, request.forget):
        return False
    if keys is None:
        waiting = {one.commitment: one for one in ground.waiting(request)}
        keys = _keys(store, started.erased, waiting)
    if not keys and not request.guard:
        return False
    Guard(store).record(keys, writer, forget=request.forget)
    return True


def guarded(store: Store, forget: str) -> bool:
    """Whether the digests of a request are recorded."""
    return any(
        row["type"] == "forget.guarded" and json.loads(row["canon"])["body"]["forget"] == forget
        for row in store.rows(forget_queries.FORGET_EVENTS)
    )


def _keys(store: Store, rows: Iterable[PlanRow], known: Mapping[str, Payload]) -> tuple[str, ...]:
    keeper = Guard(store)
    return tuple(sorted({key for one in _contents(rows, known) for key in keeper.keys_of(one)}))


def _contents(rows: Iterable[PlanRow], known: Mapping[str, Payload]) -> Iterator[Content]:
    """The words of each row, with whom they are about and under which id they came."""
    for row in rows:
        held = [known[one] for one in row.contents if one in known]
        by_role: dict[Role, list[Payload]] = {}
        for one in held:
            by_role.setdefault(one.role, []).append(one)
        subjects = _subjects(by_role) or [""]
        sources = _sources(by_role)
        for text in _texts(by_role):
            for subject in subjects:
                yield Content(subject, text, sources[0] if sources else "")
        for run in by_role.get(Role.RUN, ()):
            yield from _of_run(run)


def _texts(held: Mapping[Role, list[Payload]]) -> list[str]:
    texts = [one.body.decode("utf-8", "replace") for one in held.get(Role.TEXT, ())]
    texts += [canonical.decode(one.body)["text"] for one in held.get(Role.CONCLUSION, ())]
    return list(dict.fromkeys(texts))


def _subjects(held: Mapping[Role, list[Payload]]) -> list[str]:
    told = [canonical.decode(one.body)["scope"] for one in held.get(Role.SCOPE, ())]
    return list(dict.fromkeys(str(one.get("user", "")) for one in told))


def _sources(held: Mapping[Role, list[Payload]]) -> list[str]:
    told = [canonical.decode(one.body) for one in held.get(Role.PROVENANCE, ())]
    return list(dict.fromkeys(str(one["source_id"]) for one in told))


def _of_run(payload: Payload) -> Iterator[Content]:
    """Steps of a run with enough words to be known by them: shorter ones stand in many runs."""
    run = run_spelling.read(payload.body)
    for step in run.steps:
        if len(words(step.text)) >= PART:
            yield Content("", step.text, run.source_id)
