"""A published snapshot: what is in it, what a reader refuses, and what a crash leaves."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from datetime import timedelta

import pytest

from store import snapshot_checks
from store.events import ActorKind, EventType
from store.forget_statements import ForgetStatement, Forgotten
from store.last_seen import Seen as SeenBefore
from store.log import Entry, LogMovedError
from store.publications import PublishStatement, read_publish, state_root
from store.refusing import NotServedError, Refused
from store.stages import DecisionKind
from store.standing import NotAcceptedError
from store.statements import Seen
from store.verify import verify
from tests.contract import staged
from tests.store.publishing_worlds import World, somebody


@pytest.fixture(scope="module")
def irina():
    return somebody()


@pytest.fixture(scope="module")
def template(tmp_path_factory, irina) -> World:
    made = World(tmp_path_factory.mktemp("template") / "acme", irina)
    made.learn("one", "two", "three")
    made.stage("waits")
    return made


@pytest.fixture
def world(template, tmp_path) -> World:
    return template.copied(tmp_path / "acme")


def durable(found) -> set[str]:
    return {item for item, _rev, _artifact in found.standing().durable()}


def why(world: World, **more) -> Refused:
    with pytest.raises(NotServedError) as refused:
        world.read(**more)
    assert "Nothing was served." in str(refused.value)
    return refused.value.reason


def seen_of(world: World, denied: int = -1) -> SeenBefore:
    told = read_publish(world.current()["statement"].encode())
    return SeenBefore(told.store, told.size, told.root, denied)


# --- what is published --------------------------------------------------------------------------


def test_a_reader_finds_what_signatures_stand_behind_and_nothing_else(world):
    now = world.publish()
    assert (now.cells, now.denied) == (3, 0)
    found = world.read()
    assert durable(found) == {"item-one", "item-two", "item-three"}
    assert set(found.standing().durable()) == set(world.store.standing().durable())
    data = world.snapshot().read_bytes()
    assert b"three" in data  # the control: words of a durable cell are found in the bytes
    assert b"waits" not in data


def test_words_of_what_was_rejected_or_withdrawn_are_not_in_the_file(world):
    world.learn("withdrawn-words")
    world.stage("rejected-words")
    world.decide("item-rejected-words", decision=DecisionKind.REJECT)
    world.decide("item-withdrawn-words", decision=DecisionKind.WITHDRAW)
    world.publish()
    payloads = world.read().rows("select decode(body) as words from vault_payload")
    told = {one["words"] for one in payloads}
    assert {"one", "two", "three"} <= told
    assert not told & {"waits", "rejected-words", "withdrawn-words"}


def test_verify_holds_the_state_against_the_last_publish_statement(world, irina):
    def line():
        report = verify(world.home / "store.duckdb", root=irina.root)
        return next(one for one in report.lines if one.name == "state_root")

    assert line().verdict == "N/A"
    world.publish()
    assert (line().verdict, line().detail) == (
        "PASS",
        f"3 durable items equal the last PUBLISH statement, size {world.store.head().size - 1}",
    )
    world.decide("item-one", decision=DecisionKind.WITHDRAW)
    assert line().verdict == "PASS"  # it is held against what was durable then
    world.publish()
    assert line().detail.startswith("2 durable items")


def test_a_store_takes_no_statement_over_another_state_or_another_head(world):
    head, standing = world.store.head(), world.store.standing()

    def appended(**changes):
        statement = PublishStatement(
            store=world.store.store_id,
            tenant=world.tenant,
            size=head.size,
            root=head.root,
            state_root=state_root(standing.durable()),
            snapshot_sha256="0" * 64,
            reviewer=world.reviewer.name,
            reviewer_seq=standing.sequence[world.reviewer.name] + 1,
            signed_at=staged.TIME,
            valid_until=None,
        )
        (signed,) = world.sign([replace(statement, **changes).encode()])
        happening = staged.happening(EventType.SNAPSHOT_PUBLISHED)
        return world.store.append(Entry(happening, signed=signed))

    for changes in (
        {"state_root": "0" * 64},
        {"size": head.size - 1},
        {"root": "0" * 64},
        {"tenant": "another"},
        {"reviewer_seq": 7},
        {"reviewer": "r-nobody"},
    ):
        with pytest.raises(NotAcceptedError):
            appended(**changes)
    assert world.store.head() == head
    assert appended().type == "snapshot.published"


def test_a_log_that_moves_between_is_published_again_and_not_half(world):
    moved = []

    def sign(statements):
        if not moved:
            moved.append(True)
            raise LogMovedError(after=1, now=2)
        return world.sign(statements)

    assert world.publishing.publish(sign).cells == 3
    assert durable(world.read()) == {"item-one", "item-two", "item-three"}
    assert len(list(world.folder.glob("snapshot-*"))) == 1


# --- taken back ----------------------------------------------------------------------------------


def test_what_was_withdrawn_is_denied_before_anything_new_is_published(world):
    world.publish()
    before = world.snapshot()
    world.decide("item-two", decision=DecisionKind.WITHDRAW)
    assert durable(world.read()) == {"item-one", "item-two", "item-three"}  # nothing shipped yet
    assert world.publishing.deny(world.sign) == 1
    assert world.snapshot() == before
    assert durable(world.read()) == {"item-one", "item-three"}
    head = world.store.head()
    assert world.publishing.deny(world.sign) == 1  # shipped again, not signed again
    assert world.store.head() == head
    assert world.publish().denied == 1
    assert durable(world.read()) == {"item-one", "item-three"}


def test_a_cell_that_was_approved_again_is_served_again_with_the_next_snapshot(world):
    world.publish()
    world.decide("item-two", decision=DecisionKind.WITHDRAW)
    world.publishing.deny(world.sign)
    world.decide("item-two")
    assert durable(world.read()) == {"item-one", "item-three"}
    world.publish()
    assert durable(world.read()) == {"item-one", "item-two", "item-three"}


def test_a_deny_list_that_was_seen_and_is_gone_stops_everything(world):
    world.publish()
    world.decide("item-two", decision=DecisionKind.WITHDRAW)
    older = None
    for item in ("item-two", "item-three"):
        if item == "item-three":
            older = (world.folder / "deny.json").read_bytes()
            world.decide(item, decision=DecisionKind.WITHDRAW)
        world.publishing.deny(world.sign)
    size = json.loads(json.loads((world.folder / "deny.json").read_text())["statement"])
    seen = seen_of(world, size["predicate"]["size"])
    assert durable(world.read(seen)) == {"item-one"}
    (world.folder / "deny.json").write_bytes(older or b"")
    assert why(world, seen=seen) == Refused.DENY_LIST_MISSING
    (world.folder / "deny.json").unlink()
    assert why(world, seen=seen) == Refused.DENY_LIST_MISSING
    world.publish()  # the new snapshot does without
    (world.folder / "deny.json").unlink(missing_ok=True)
    assert durable(world.read(seen)) == {"item-one"}


def test_a_deny_list_of_somebody_unknown_stops_everything(world, mallory):
    world.publish()
    world.decide("item-two", decision=DecisionKind.WITHDRAW)
    world.publishing.deny(world.sign)
    path = world.folder / "deny.json"
    told = json.loads(path.read_text())
    (forged,) = mallory.key.sign([told["statement"].encode()], now=mallory.key._until)
    path.write_text(json.dumps({**told, "signature": forged.signature}))
    assert why(world) == Refused.DENY_LIST
    path.write_text("{}")
    assert why(world) in (Refused.DENY_LIST, Refused.UNREADABLE)


# --- what is refused ----------------------------------------------------------------------------


def test_nothing_is_served_before_anything_was_published(world):
    assert why(world) == Refused.NOTHING_PUBLISHED


def test_each_flipped_byte_of_the_snapshot_is_refused(world):
    world.publish()
    path = world.snapshot()
    whole = path.read_bytes()
    chance = random.Random(5)
    for place in (0, len(whole) - 1, *(chance.randrange(len(whole)) for _ in range(28))):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert why(world) == Refused.FILE_DIFFERS, place
    path.write_bytes(whole[:-4096])
    assert why(world) == Refused.FILE_DIFFERS
    path.write_bytes(whole)
    assert len(durable(world.read())) == 3


def test_each_flipped_byte_of_what_names_it_is_refused_or_changes_nothing(world):
    world.publish()
    path = world.folder / "current.json"
    whole = path.read_bytes()
    chance = random.Random(6)
    for place in (chance.randrange(len(whole)) for _ in range(30)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        refused = reason_or_nothing(world)
        assert refused in (
            *(Refused.UNREADABLE, Refused.NOT_SIGNED, Refused.OTHER_ROOT, Refused.OTHER_TENANT),
            None,  # white space between two values
        )


def reason_or_nothing(world: World) -> Refused | None:
    try:
        assert durable(world.read()) == {"item-one", "item-two", "item-three"}
    except NotServedError as refused:
        return refused.reason
    return None


def test_an_older_snapshot_is_refused_once_a_newer_one_was_seen(world, tmp_path):
    world.publish()
    shutil.copytree(world.folder, tmp_path / "older")
    world.learn("four")
    world.publish()
    seen = seen_of(world)
    assert len(durable(world.read(seen))) == 4
    shutil.rmtree(world.folder)
    shutil.copytree(tmp_path / "older", world.folder)
    assert len(durable(world.read())) == 3  # a reader that has seen nothing cannot know
    assert why(world, seen=seen) == Refused.OLDER


def test_a_log_that_was_bent_is_refused_though_a_reviewer_signed_it(world, tmp_path, irina):
    world.publish()
    seen = seen_of(world)
    other = World(tmp_path / "forked", irina)
    other.learn("other", "words", "than", "before")
    other.stage("more")
    other.publish()
    other.learn("again")
    other.publish()
    assert other.store.store_id == world.store.store_id
    assert why(other, seen=seen) == Refused.FORKED


def test_a_statement_over_another_snapshot_is_refused(world):
    world.publish()
    first = world.current()
    shutil.copy(world.snapshot(), world.home / "kept")
    world.learn("four")
    world.publish()
    second = world.current()
    shutil.copy(world.home / "kept", world.folder / first["snapshot"])
    for told in (
        {**second, "snapshot": first["snapshot"]},
        {**first, "snapshot": second["snapshot"]},
    ):
        (world.folder / "current.json").write_text(json.dumps(told))
        assert why(world) == Refused.FILE_DIFFERS
    (world.folder / "current.json").write_text(
        json.dumps({**second, "statement": first["statement"]})
    )
    assert why(world) == Refused.NOT_SIGNED


def test_a_foreign_key_a_foreign_root_and_a_foreign_tenant_are_refused(
    world, tmp_path, mallory, irina
):
    world.publish()
    told = world.current()
    (forged,) = mallory.key.sign([told["statement"].encode()], now=mallory.key._until)
    (world.folder / "current.json").write_text(json.dumps({**told, "signature": forged.signature}))
    assert why(world) == Refused.NOT_SIGNED
    theirs = World(tmp_path / "theirs", mallory)
    theirs.learn("one")
    theirs.publish()
    assert why(theirs, expected=world.expected) == Refused.OTHER_ROOT
    beta = World(tmp_path / "beta", irina, tenant="tenant-2")
    beta.learn("one")
    beta.publish()
    assert why(beta, expected=world.expected) == Refused.OTHER_TENANT


def test_a_snapshot_is_served_until_the_moment_it_was_signed_for(world):
    world.publish(valid_for=timedelta(days=1))
    at = snapshot_checks.pointed(world.folder, world.expected, "2026-03-11T11:00:00.000000Z")
    assert at.statement.valid_until is not None
    with pytest.raises(NotServedError) as refused:
        snapshot_checks.pointed(world.folder, world.expected, "2026-03-11T13:00:00.000000Z")
    assert refused.value.reason == Refused.EXPIRED
    world.publish()  # as long as the last one was for
    again = read_publish(world.current()["statement"].encode())
    assert again.valid_until is not None
    assert again.valid_until > at.statement.valid_until


# --- crashes -----------------------------------------------------------------------------------


def test_a_crash_at_any_step_leaves_the_old_snapshot_or_the_new_one(world, monkeypatch):
    world.publish()
    world.learn("four")
    old = durable(world.read())
    for step in ("write", "sign", "append", "place"):
        with monkeypatch.context() as patched:

            def crash(*_args, **_more):
                raise OSError(28, "No space left on device")

            def sign(statements, step=step):
                return crash() if step == "sign" else world.sign(statements)

            if step in ("write", "place"):
                name = {"write": "sha256_of", "place": "put"}[step]
                patched.setattr(f"store.whole_files.{name}", crash)
            if step == "append":
                patched.setattr(world.store, "append", crash)
            with pytest.raises(OSError, match="No space"):
                world.publishing.publish(sign)
        assert durable(world.read()) == old, step
    assert not list(world.folder.glob(".*"))
    world.publish()
    assert durable(world.read()) == old | {"item-four"}
    assert len(list(world.folder.glob("snapshot-*"))) == 1


# --- forgotten ---------------------------------------------------------------------------------


def test_what_was_forgotten_is_denied_and_the_next_snapshot_is_read_without_it(world):
    """A forget statement over a durable cell and one that nobody had decided on."""
    world.publish()
    head, standing = world.store.head(), world.store.standing()
    items = []
    for item in ("item-two", "item-waits"):
        rev, artifact = staged.artifact_of(world.store, item)
        items.append(Forgotten(item, rev, artifact))
    texts = world.store.rows("select text_c from proj_item where item = 'item-two'")
    statement = ForgetStatement(
        store=world.store.store_id,
        tenant=world.tenant,
        forget="f-1",
        part=1,
        parts=1,
        plan_sha256="0" * 64,
        items=tuple(items),
        contents=tuple(row["text_c"] for row in texts),
        prev=Seen(head.size, head.root),
        reviewer=world.reviewer.name,
        reviewer_seq=standing.sequence[world.reviewer.name] + 1,
        signed_at=staged.TIME,
        nonce="n-forget",
    )
    (signed,) = world.sign([statement.encode()])
    happening = replace(
        staged.happening(EventType.FORGET_REQUESTED), actor_kind=ActorKind.HUMAN_KEY
    )
    world.store.append(Entry(happening, signed=signed))
    assert world.publishing.deny(world.sign) == 2
    assert durable(world.read()) == {"item-one", "item-three"}
    world.publish()
    assert durable(world.read()) == {"item-one", "item-three"}
