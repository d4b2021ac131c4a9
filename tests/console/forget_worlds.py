"""Workspaces with memories, doors and files, and forget requests over them, for tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from console.forget.files import Files, ground
from review.desk import Desk
from review.forget.plan import Plan
from review.forget.report import Report
from review.forget.scope import Scope
from store.cells import EdgeKind
from store.verify import Verdict, verify
from tests.console.agents import Firm, cell


def firm(home: Path, *tenants: str) -> Firm:
    """One tenant of a fresh workspace."""
    return Firm.founded(home, *(tenants or ("acme",)))[0]


def desk_of(one: Firm, files: Callable[..., Files] | None = None) -> Desk:
    """A desk that stands on its files; ``files`` makes other ones, for negative controls."""
    desk = ground(one.place, one.tenant, one.desk)
    if files is not None:
        desk.forget.stand_on(files(one.place, one.tenant, desk, desk.store))
    return desk


def made_from(*sources: object) -> dict[str, object]:
    """The edges of a record that was made from others, by their numbers."""
    return {
        "edges": [
            {"kind": str(EdgeKind.DERIVED_FROM), "target": f"notes:{one}"} for one in sources
        ]
    }


def about(user: str, **more: object) -> dict[str, object]:
    return {"scope": {"user": user}, **more}


def run(one: Firm, scope: Scope, desk: Desk | None = None) -> tuple[Plan, Report]:
    """Preview and run, over a store that is held open as a page holds it."""
    desk = desk or desk_of(one)
    with desk.held():
        plan = desk.forget.plan(scope)
        shown = desk.forget.token(plan)
        return plan, desk.forget.run(scope, shown, one.sign, typed=plan.typed)


def statuses(report: Report) -> dict[str, str]:
    return {row.id: str(row.status) for row in report.rows}


def vault_words(one: Firm) -> str:
    """Every text that the store still hands out, in one."""
    store = one.place.store(one.tenant)
    rows = store.rows("select body from vault_payload")
    return "\n".join(bytes(row["body"]).decode("utf-8", "replace") for row in rows)


def bytes_with(home: Path, *needles: bytes) -> set[str]:
    """Files under ``home`` that hold one of the needles, found without any of our code."""
    return {
        path.relative_to(home).as_posix()
        for path in home.rglob("*")
        if path.is_file() and any(needle in path.read_bytes() for needle in needles)
    }


def faults(one: Firm) -> list[str]:
    """What verify finds wrong with the store."""
    report = verify(one.place.store_path(one.tenant), root=one.place.root)
    return [line.name for line in report.lines if line.verdict is Verdict.FAIL]


def told_in(report: Report, *words: str) -> list[str]:
    """Which words stand anywhere in a report."""
    text = json.dumps(report.as_json(), ensure_ascii=False)
    return [word for word in words if word in text]


__all__ = ["Firm", "cell"]
