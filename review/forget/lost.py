"""What a signed request tells by itself, where the file about it is not there any more.

After a restore, or in a workspace that was made around a backup, the log has the requests and not
the files. A statement names records and contents; what belongs to what stands in the log. What had
been left to a person, retained or withdrawn is not told by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from review.forget.finding import frame
from review.forget.plan import Foreseen, PlanRow, RowKind, Why
from review.forget.started import Started
from store import forget_queries
from store.forget_standing import Request
from store.forget_statements import ForgetStatement, Forgotten, read_forget
from store.log import Store

_PART: Final = re.compile(r"_c$")


def rebuilt(store: Store, request: Request) -> Started:
    """The request as its signed parts tell it, row by row."""
    statements = list(_statements(store, request))
    first = statements[0]
    return Started(
        forget=request.forget,
        reviewer=request.by,
        started_at=request.signed_at,
        plan_sha256=request.plan_sha256,
        size=first.prev.size,
        root=first.prev.root,
        rows=tuple(_rows(store, statements)),
        scope_by=(),
        missing=0,
        unlinked=int(store.rows(forget_queries.UNLINKED)[0]["n"]),
        guard=request.guard,
        rebuilt=True,
    )


def _statements(store: Store, request: Request) -> Iterator[ForgetStatement]:
    wanted = {"wanted": frame(request.statements, "statement")}
    found = {
        str(row["statement_sha256"]): bytes(row["statement"])
        for row in store.rows(forget_queries.STATEMENTS, wanted)
    }
    for digest in request.statements:
        yield read_forget(found[digest])


def _rows(store: Store, statements: Iterable[ForgetStatement]) -> Iterator[PlanRow]:
    told = list(statements)
    contents = dict.fromkeys(content for one in told for content in one.contents)
    items = {one.item: one for statement in told for one in statement.items}
    owned: dict[tuple[str, str], list[str]] = {("item", item): [] for item in items}
    left = dict(contents)
    for row in store.rows(forget_queries.REVISIONS, {"wanted": frame(items)}):
        for name, content in row.items():
            if _PART.search(name) and content in left:
                owned["item", str(row["item"])].append(content)
                del left[content]
    if left:
        for row in store.rows(forget_queries.OWNERS, {"wanted": frame(left, "commitment")}):
            if row["commitment"] in left:
                key = (str(row["kind"]), str(row["id"]))
                owned.setdefault(key, []).append(str(row["commitment"]))
                del left[row["commitment"]]
    for (kind, ident), mine in owned.items():
        yield _row(RowKind(kind), ident, items.get(ident), mine)
    for content in left:
        yield _row(RowKind.CONTENT, content, None, [content])


def _row(kind: RowKind, ident: str, named: Forgotten | None, contents: list[str]) -> PlanRow:
    return PlanRow(
        id=ident,
        kind=kind,
        why=Why.ID,
        foreseen=Foreseen.ERASED,
        rev=0 if named is None else named.rev,
        artifact="" if named is None else named.artifact,
        contents=tuple(contents),
    )
