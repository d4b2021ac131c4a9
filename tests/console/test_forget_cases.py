"""Cases from the field, section E, that need more than one request; named by their numbers."""

from __future__ import annotations

import duckdb
import pytest

from review.forget.headline import headline
from review.forget.plan import Foreseen
from review.forget.scope import Scope
from store.verify import Verdict, verify
from tests.console.forget_worlds import (
    about,
    bytes_with,
    cell,
    desk_of,
    faults,
    firm,
    made_from,
    run,
    statuses,
    vault_words,
)
from tests.review.run_worlds import reading
from tests.review.run_worlds import run as a_run

CANARY = "the canary 9be41d lives in the second drawer"
REASON = "Never deploy the billing service on a Friday afternoon, nobody is there"


@pytest.fixture(scope="module")
def acme(tmp_path_factory):
    return firm(tmp_path_factory.mktemp("cases") / "w")


def columns_with(one, word: str) -> set[tuple[str, str]]:
    """Every (table, column) of the store in which a word stands, in whatever type."""
    found = set()
    with duckdb.connect(str(one.place.store_path(one.tenant))) as connection:
        names = connection.execute(
            "select table_name, column_name from duckdb_columns()"
        ).fetchall()
        for table, column in names:
            if table.startswith(("log_", "vault_", "proj_")):
                query = f'select count(*) from {table} where contains("{column}"::varchar, ?)'
                ((count,),) = connection.execute(query, [word]).fetchall()
                if count:
                    found.add((table, column))
    return found


def test_p52_a_fact_that_survives_in_a_summary_is_told_and_taken_out_of_use(acme):
    fact, other = acme.learn(
        cell(CANARY.capitalize(), 1), cell("Boris keeps a boat on the lake", 2)
    )
    (summary,) = acme.learn(
        cell(f"The house: {CANARY}, and somebody keeps a boat", 3, **made_from(1, 2))
    )
    _plan, report = run(acme, Scope(items=(fact,)))
    told = statuses(report)
    assert told[summary] == "withdrawn_pending_review"
    assert told[fact] in ("erased", "erased_unverified")
    desk = desk_of(acme)
    assert summary not in {item for item, _rev, _digest in desk.standing().durable()}
    assert "1 record with other sources" in headline(report)
    assert "canary 9be41d" in vault_words(acme)  # in the summary, which a person has to look at
    run(acme, Scope(items=(summary,)))
    assert "canary 9be41d" not in vault_words(acme)
    assert columns_with(acme, "canary 9be41d") == set()
    assert columns_with(acme, "boat") == {("vault_payload", "body")}
    assert bytes_with(acme.place.home, b"canary 9be41d") == set()
    assert desk_of(acme).standing().stage_of(other, 1) == "durable"


def test_p60_an_insight_loses_its_support_with_the_first_run_and_goes_with_the_second(acme):
    desk = desk_of(acme)
    call = {"name": "deploy", "call": "c1"}
    steps = [("input", "ship it"), ("action", "deploy billing", call)]
    runs = [
        a_run(
            f"r-{n}",
            steps,
            [{"verdict": "reject", "step": 1, "reason": REASON, "by": who}],
            session=f"s-{n}",
        )
        for n, who in ((1, "oleg"), (2, "rita"))
    ]
    desk.stage(reading(runs))
    insight = desk.experience.build().receipt.items[0]
    plan, report = run(acme, Scope(run="test:s-1/r-1"), desk)
    assert {row.id: row.foreseen for row in plan.rows}[insight] is Foreseen.WITHDRAWN
    assert statuses(report)[insight] == "withdrawn_pending_review"
    assert report.head.derivatives_withdrawn == 1
    _plan, report = run(acme, Scope(run="test:s-2/r-2"), desk)
    assert statuses(report)[insight] in ("erased", "erased_unverified")
    assert report.head.derivatives_erased == 1
    assert desk_of(acme).standing().stage_of(insight, 1) == "erased"
    assert "billing" not in vault_words(acme)
    assert faults(acme) == []


def test_p64_a_row_that_is_gone_without_a_request_is_found(acme):
    (item,) = acme.stage(cell("Egon has a red bicycle with a basket", 40, **about("egon")))
    run(acme, Scope(subject="egon"))
    assert faults(acme) == []
    acme.stage(cell("Frida has a green bicycle without a basket", 41, **about("frida")))
    path = acme.place.store_path(acme.tenant)
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "delete from vault_payload where role = 'text' and decode(body) like 'Frida%'"
        )
    told = verify(path, root=acme.place.root)
    line = next(one for one in told.lines if one.name == "payloads")
    assert line.verdict is Verdict.FAIL
    assert "missing without an erasure" in line.detail
    assert item


def test_tenants_stay_apart_in_requests_searches_and_reports(tmp_path):
    from tests.console.agents import Firm

    first, second = Firm.founded(tmp_path / "w", "acme", "coffee")
    words = "Ana has a canary a77c21 in her office on the third floor"
    first.learn(cell(words, 1, **about("ana")), cell("a sentence that stays at acme", 2))
    second.learn(cell(words, 1, **about("ana")))
    _plan, report = run(first, Scope(subject="ana"))
    assert report.outcome == "completed"
    assert set(statuses(report).values()) == {"erased"}
    assert second.tenant.id not in str(report.as_json())
    left = bytes_with(first.place.home, b"canary a77c21")
    assert left == {f"stores/{second.tenant.id}/store.duckdb"}
    assert desk_of(second).forget.reports() == ()


def test_a_run_in_the_midst_of_a_page_that_holds_the_store(tmp_path):
    one = firm(tmp_path / "w")
    one.learn(cell(CANARY, 1, **about("ana")), cell("a sentence that stays here for good", 2))
    desk = desk_of(one)
    with desk.held():
        _plan, report = run(one, Scope(subject="ana"), desk)
        assert report.outcome == "completed"
        assert desk.durable_count() == 1
    assert bytes_with(one.place.home, b"canary 9be41d") == set()


def test_a_backup_is_listed_with_its_day_and_put_beyond_use_by_a_signed_word_alone(tmp_path):
    from datetime import timedelta

    from store import backups

    one = firm(tmp_path / "w")
    one.learn(cell(CANARY, 1, **about("ana")), cell("a sentence that stays here for good", 2))
    day = one.place.clock().date() + timedelta(days=20)
    backups.write(
        one.place.store(one.tenant),
        one.place.home / "backups" / one.tenant.id / "b-1",
        backup="b-1",
        delete_by=day,
        now=one.place.clock(),
        process="p-test",
    )
    _plan, report = run(one, Scope(subject="ana"))
    place = report.location("backup:b-1")
    assert (place.status, place.delete_by) == ("outside_control", day.isoformat())
    assert place.evidence.hits > 0
    assert set(statuses(report).values()) == {"erased"}
    assert report.outcome == "completed"
    assert f"1 backup until {day} (outside control)" in headline(report)
    desk = desk_of(one)
    assert desk.forget.due() == ()
    told = desk.forget.confirm(report.head.forget_id, "backup:b-1", one.sign, what="beyond_use")
    assert told.location("backup:b-1").status == "put_beyond_use"
    assert f"1 backup until {day} (beyond use)" in headline(told)
    late = one.place.clock() + timedelta(days=21)
    desk.forget._writer = type(desk.forget._writer)("p-test", lambda: late, one.place.chance)
    (due,) = desk.forget.due()
    assert (due.location_id, due.since) == ("backup:b-1", day.isoformat())
    desk.forget.confirm(report.head.forget_id, "backup:b-1", one.sign)
    assert desk.forget.due() == ()
