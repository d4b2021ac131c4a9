"""What a real PostgreSQL keeps of a deleted row: why a report on it lists what it lists."""

from __future__ import annotations

import pytest

from review.forget import sentences
from review.forget.databases import JOURNAL, POSTGRESQL, Server, residues
from review.forget.locations import Evidence
from review.forget.statuses import Status
from tests import postgres_server

CANARY = "canary 7919 sings at the green gate"
needs_server = pytest.mark.skipif(postgres_server.SERVER is None, reason=postgres_server.WHY)


@pytest.fixture(scope="module")
def cluster():
    with postgres_server.cluster() as folder:
        yield postgres_server.Server(folder)


def sql(cluster, *statements):
    """Statements in a server of their own, which ends with a checkpoint."""
    words = ("--single", "-D", str(cluster.data), "postgres")
    return postgres_server.run("postgres", *words, told="\n".join(statements))


def holding(cluster):
    return cluster.holding(CANARY.encode())


@needs_server
def test_a_deleted_row_stays_until_the_table_is_written_anew_and_in_the_log_beyond(cluster):
    others = ", ".join(f"('an ordinary sentence, number {n}')" for n in range(50))
    sql(cluster, "create table vault_payload(body text);",
        f"insert into vault_payload values {others}, ('{CANARY}');")  # fmt: skip
    assert holding(cluster) == {"base", "pg_wal"}
    sql(cluster, f"delete from vault_payload where body = '{CANARY}';")
    assert "base" in holding(cluster)
    sql(cluster, "vacuum full vault_payload;", "checkpoint;")
    assert holding(cluster) == {"pg_wal"}


def names(server):
    return [one.residual_reason.removeprefix("postgresql_") for one in residues(server)]


def test_a_report_lists_what_nobody_can_look_into():
    told = residues(Server())
    assert [one.location_id for one in told] == [
        f"always:postgresql_{name}" for name, _ in POSTGRESQL
    ]
    assert {one.status for one in told} == {Status.OUTSIDE_CONTROL}
    assert residues(None) == ()


def test_it_says_what_the_server_says_of_itself():
    quiet = Server(archives=False, readable=True, log=Evidence(files_scanned=3))
    assert names(quiet)[:3] == ["wal", "archive", "replicas"]
    busy = Server(archives=True, readers=2, log=Evidence(files_scanned=3, hits=7))
    assert names(busy)[:2] == ["heap", "statistics"]
    assert names(busy)[2:5] == ["wal_here", "archive_here", "replicas_here"]
    found = next(one for one in residues(busy) if one.location_id == JOURNAL)
    assert found.next_step == "recycle_log"
    for one in (*residues(quiet), *residues(busy)):
        for lang in ("en", "ru"):
            assert one.residual_reason in sentences.REASONS[lang]
