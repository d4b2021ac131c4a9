"""What a real PostgreSQL keeps of a deleted row: why a report on it would list what it lists.

There is no store on PostgreSQL (``docs/forget.md``). These are facts about the server, so that the
list of residues rests on something.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from review.forget import sentences
from review.forget.databases import POSTGRESQL, Database, residues
from review.forget.statuses import Status

SERVER = shutil.which("postgres") or next(
    (str(path) for path in sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))), None
)
CANARY = "canary 7919 sings at the green gate"
needs_server = pytest.mark.skipif(SERVER is None, reason="PostgreSQL is not installed")


def nobody() -> dict[str, str]:
    """The server does not run as root: then it runs as another user."""
    if os.geteuid():
        return {}
    names = {one.pw_name for one in pwd.getpwall()}
    return {"user": "postgres" if "postgres" in names else "nobody"}


@pytest.fixture(scope="module")
def cluster():
    folder = Path(tempfile.mkdtemp(prefix="memory-console-pg-"))
    try:
        if user := nobody().get("user"):
            shutil.chown(folder, user)
        run("initdb", "-D", str(folder / "data"), "--no-sync", "-A", "trust", "-E", "UTF8")
        yield folder / "data"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(name, *words, told=""):
    program = Path(SERVER).resolve().with_name(name)
    done = subprocess.run(
        [str(program), *words],
        input=told,
        capture_output=True,
        text=True,
        timeout=120,
        cwd="/",
        check=False,
        **nobody(),
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def sql(data, *statements):
    """Statements in a server of their own, which ends with a checkpoint."""
    return run("postgres", "--single", "-D", str(data), "postgres", told="\n".join(statements))


def holding(data):
    """Folders of the cluster in which the bytes stand."""
    found = set()
    for path in data.rglob("*"):
        if path.is_file() and CANARY.encode() in path.read_bytes():
            found.add(path.relative_to(data).parts[0])
    return found


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


def test_a_report_on_such_a_store_would_list_what_nobody_can_look_into():
    told = residues(Database.POSTGRESQL)
    names = [f"postgresql_{name}" for name, _ in POSTGRESQL]
    assert [one.residual_reason for one in told] == names
    assert {"postgresql_wal", "postgresql_replicas", "postgresql_backups"} <= set(names)
    assert {one.status for one in told} == {Status.OUTSIDE_CONTROL}
    assert all(one.location_id.startswith("always:") for one in told)
    for lang in ("en", "ru"):
        assert set(names) <= set(sentences.REASONS[lang])
    assert residues(Database.DUCKDB) == ()
