"""Verification from raw bytes: what is whole passes, and every kind of tampering is found."""

from __future__ import annotations

import duckdb
import pytest

from store.duckdb_store import DuckDbStore
from store.stages import DecisionKind
from store.tables import APPEND_ONLY
from store.verify import SeenState, Verdict, verify
from tests.conftest import created
from tests.contract.staged import decide, stage, verdict


@pytest.fixture
def path(tmp_path, irina, chance):
    file = tmp_path / "store.duckdb"
    store = DuckDbStore.create(
        file,
        store_id="store-1",
        tenant_id="tenant-1",
        key=bytes(32),
        first=created(),
        trust=irina.root,
    )
    with store.held():
        store.append(stage(store, chance, "a", "b", "linked"))
        store.append(decide(store, irina, verdict(store, "item-a")))
        store.append(
            decide(
                store,
                irina,
                verdict(store, "item-b", DecisionKind.REJECT),
                verdict(store, "item-linked", DecisionKind.DEFER),
            )
        )
        store.append(stage(store, chance, "later"))
    return file


def failed(report):
    return {line.name for line in report.lines if line.verdict == Verdict.FAIL}


def tamper(path, *statements):
    """As somebody with the file and DuckDB's own tools would."""
    with duckdb.connect(str(path)) as connection:
        for table in APPEND_ONLY:
            for act in ("update", "delete"):
                connection.execute(f"drop trigger {table}_no_{act} on {table}")
        for statement in statements:
            connection.execute(statement)
        for table in APPEND_ONLY:
            for act in ("update", "delete"):
                connection.execute(
                    f"create trigger {table}_no_{act} before {act} on {table} for each statement"
                    f" insert into log_append_only select error('{table} is append-only')"
                )


def test_an_untouched_store_passes_every_check(path, irina):
    report = verify(path, root=irina.root, pin=irina.root.key.fingerprint)
    assert failed(report) == set()
    assert report.exit_code == 0
    assert report.pinned
    assert report.size == 5
    told = {line.name: line.detail for line in report.lines}
    assert told["chain"].startswith("5 of 5")
    assert "2 statements" in told["signatures"]
    assert "size 4; unsigned tail 1" in told["last human head"]


def test_a_store_without_reviewers_passes(tmp_path, chance):
    file = tmp_path / "s.duckdb"
    store = DuckDbStore.create(file, store_id="s", tenant_id="t", key=bytes(32), first=created())
    store.append(stage(store, chance, "a"))
    assert verify(file, root=None).exit_code == 0


def test_an_unpinned_root_is_said_and_a_wrong_pin_fails(path, irina, mallory):
    told = {line.name: line for line in verify(path, root=irina.root).lines}
    assert told["trust root"].verdict == Verdict.WARN
    assert failed(verify(path, root=irina.root, pin="SHA256:other")) == {"trust root"}
    assert "signatures" in failed(verify(path, root=mallory.root))


@pytest.mark.parametrize(
    ("statement", "found_by"),
    [
        (
            "update log_event set canon = replace(decode(canon), 'p-test', 'p-tess')::blob"
            " where seq = 1",
            "chain",
        ),
        ("delete from log_event where seq = 4", "batches"),
        ("update log_event set type = 'store.created' where seq = 1", "columns"),
        ("update log_event set recorded_at = '2020' where seq = 2", "columns"),
        ("delete from log_leaf where seq = 1 and ordinal = 1", "batches"),
        (
            "update log_leaf set canon = replace(decode(canon), '\"fact\"', '\"event\"')::blob"
            " where seq = 1 and ordinal = 0",
            "batches",
        ),
        (
            "delete from log_signature where statement_sha256 in"
            " (select statement_sha256 from log_signature limit 1)",
            "signatures",
        ),
        (
            "update log_signature set statement = replace(decode(statement), 'approve',"
            " 'reject')::blob",
            "signatures",
        ),
        ("update vault_payload set body = 'b'::blob where body = 'a'::blob", "payloads"),
        ("delete from vault_payload where body = 'b'::blob", "payloads"),
        (
            "update vault_payload set salt = repeat('x', 32)::blob where body = 'a'::blob",
            "payloads",
        ),
        (
            "insert into vault_payload select repeat('0', 64), salt, role, body from"
            " vault_payload limit 1",
            "payloads",
        ),
        ("update proj_item set stage = 'durable' where item = 'item-later'", "unsigned approvals"),
        ("update proj_item set kind = 'decision' where item = 'item-a'", "projections"),
        ("delete from proj_item where item = 'item-b'", "projections"),
        ("update proj_root set root = repeat('x', 32)::blob where size = 2", "projections"),
        ("update log_identity set store = 'store-2'", "chain"),
    ],
)
def test_tampering_is_found(path, irina, statement, found_by):
    tamper(path, statement)
    report = verify(path, root=irina.root)
    assert found_by in failed(report), failed(report)
    assert report.exit_code == 5


def test_a_missing_trigger_is_found(path, irina):
    with duckdb.connect(str(path)) as connection:
        connection.execute("drop trigger log_event_no_update on log_event")
    assert failed(verify(path, root=irina.root)) == {"append-only"}


def test_a_rechained_history_fails_by_the_signed_head(path, irina):
    """Whoever rewrites an old event can rebuild chain and columns, but not what people signed."""
    from store.events import chain_hash

    with duckdb.connect(str(path)) as connection:
        rows = connection.execute("select seq, canon from log_event order by seq").fetchall()
    previous, statements = bytes(32), []
    for seq, canon in rows:
        canon = canon.replace(b"p-test", b"p-evil") if seq == 0 else canon
        h = chain_hash(previous, canon)
        statements.append(
            f"update log_event set canon = unhex('{canon.hex()}'),"
            f" prev = unhex('{previous.hex()}'), h = unhex('{h.hex()}') where seq = {seq}"
        )
        previous = h
    tamper(path, *statements)
    report = verify(path, root=irina.root)
    assert "chain" not in failed(report)
    assert "signatures" in failed(report)


def test_a_shortened_log_is_found_by_a_head_seen_before(path, irina, tmp_path):
    whole = verify(path, root=irina.root)
    seen = SeenState(whole.size, whole.root)
    assert failed(verify(path, root=irina.root, seen=seen)) == set()
    tamper(
        path,
        "delete from log_leaf where seq = 4",
        "delete from log_event where seq = 4",
    )
    assert "rollback" in failed(verify(path, root=irina.root, seen=seen))


def test_every_flipped_byte_of_an_event_is_found(path, irina):
    with duckdb.connect(str(path), read_only=True) as connection:
        (canon,) = connection.execute("select canon from log_event where seq = 2").fetchone()
    for at in range(0, len(canon), 37):
        flipped = canon[:at] + bytes([canon[at] ^ 1]) + canon[at + 1 :]
        tamper(path, f"update log_event set canon = unhex('{flipped.hex()}') where seq = 2")
        assert "chain" in failed(verify(path, root=irina.root)), at
