"""Several consoles of one store tell the same as a file with the same appends, whatever happens.

Random histories: imports, revisions, decisions, links, bundles, forget requests and erasures, with
appends that are refused on the way, copies that are thrown away, and work inside ``held``.
"""

from __future__ import annotations

import os
import random
import threading
from dataclasses import replace

import duckdb
import pytest

from store import forgetting, projections
from store.connections import StoreAwayError
from store.events import EventType
from store.log import AlreadyDecidedError, DamagedStoreError, LogMovedError
from store.postgres_store import PostgresStore
from store.postgres_verify import verify_place
from store.stages import DecisionKind, Stage
from store.standing import NotAcceptedError
from store.vault import Payload, Role, keyed_digest
from tests.conftest import founded
from tests.contract import test_links, test_rule_exports
from tests.contract.staged import decide, stage, verdict
from tests.store.forgotten import ended, forget
from tests.store.test_postgres_store import made, server

STEPS = int(os.environ.get("HISTORY_STEPS", "15"))


class History:
    """Three consoles over a server, and one over a file."""

    def __init__(self, place, folder, reviewer, seed):
        self.draw, self.reviewer = random.Random(seed), reviewer
        first = made(place, reviewer.root)
        more = [PostgresStore(place, trust=reviewer.root) for _ in range(2)]
        self.team, self.place = [first, *more], place
        self.file = founded(folder / "store.duckdb", reviewer.root)
        self.items: dict[str, int] = {}
        self.texts: set[str] = set()
        self.contents: set[str] = set()
        self.forgets = 0

    @property
    def one(self) -> PostgresStore:
        return self.draw.choice(self.team)

    def told(self, store):
        """Everything that somebody can ask, in an order that does not depend on how it is kept."""
        with store.held():
            return self._told(store)

    def _told(self, store):
        key = store.digest_key()
        standing = store.standing()
        lists = {
            name: sorted(map(repr, store.rows(f"select * from {name}")))
            for name in projections.names()
        }
        texts = [keyed_digest(key, "content", one.encode()) for one in sorted(self.texts)]
        sources = [keyed_digest(key, "source", one.encode()) for one in sorted(self.items)]
        return {
            "head": store.head(),
            "events": [one.digest for one in store.events()],
            "lists": lists,
            "payloads": store.payloads(sorted(self.contents)),
            "waiting": store.rows("select count(*) as n from vault_condemned")[0]["n"]
            if store.rows(
                "select count(*) as n from duckdb_tables() where table_name = 'vault_condemned'"
            )[0]["n"]
            else 0,
            "standing": {
                name: getattr(standing, name)
                for name in ("items", "links", "sequence", "used", "position")
            },
            "forgets": {name: one.contents for name, one in standing.forgets.items()},
            "known": store.known(texts),
            "by_source": store.by_source(sources),
        }

    def both(self, make, store=None):
        """Append what ``make`` makes over one console to the server and to the file."""
        store = store or self.one
        entry = make(store)
        self.contents |= {one.commitment for one in entry.payloads}
        store.append(entry)
        self.file.append(entry)

    def refused(self, make):
        """What cannot be appended is refused by both, and leaves nothing."""
        entry = make(self.one)
        for store in (self.one, self.file):
            with pytest.raises(
                (NotAcceptedError, AlreadyDecidedError, LogMovedError, DamagedStoreError)
            ):
                store.append(entry)

    # --- what may happen ---------------------------------------------------------------------

    def imports(self):
        texts = [f"t{len(self.texts) + n}" for n in range(self.draw.randint(1, 5))]
        self.texts |= set(texts)
        names = tuple(f"item-{one}" for one in texts)
        self.items |= dict.fromkeys(names, 1)
        self.both(lambda store: stage(store, self.draw.randbytes, *texts, names=names))

    def revises(self):
        item = self.some()
        if item is not None:
            self.items[item] += 1
            self.texts.add(f"{item} again")
            self.both(
                lambda store: stage(
                    store,
                    self.draw.randbytes,
                    f"{item} again",
                    names=(item,),
                    rev=self.items[item],
                )
            )

    def some(self, stage_now=None):
        fit = [
            one
            for one, rev in sorted(self.items.items())
            if self.file.rows("select stage from proj_item where item = :i and latest", i=one)[0][
                "stage"
            ]
            in (stage_now or (Stage.STAGED, Stage.DURABLE))
        ]
        return self.draw.choice(fit) if fit else None

    def decides(self):
        item = self.some((Stage.STAGED,))
        kind = self.draw.choice((DecisionKind.APPROVE, DecisionKind.REJECT))
        if item is not None:
            self.both(lambda store: decide(store, self.reviewer, verdict(store, item, kind)))

    def decides_twice(self):
        item = self.some((Stage.STAGED,))
        if item is not None:
            stale = decide(self.file, self.reviewer, verdict(self.file, item))
            self.both(lambda _store: stale)
            self.refused(lambda _store: stale)

    def links(self):
        start, target = self.some(), self.some()
        if start is not None and start != target:
            pairs = {(one.link.start.item, one.link.target.item)
                     for one in self.file.standing().links.values()}  # fmt: skip
            if not {(start, target), (target, start)} & pairs:
                self.both(
                    lambda store: test_links.entry(
                        store, self.reviewer, test_links.link(store, start, target)
                    )
                )

    def exports(self):
        item = self.some((Stage.DURABLE,))
        if item is not None:
            named, what = f"{self.draw.getrandbits(128):032x}", self.draw.randbytes(40)
            self.both(
                lambda store: test_rule_exports.entry(
                    store,
                    self.reviewer,
                    item,
                    export=named,
                    payload=Payload(Role.EXPORT, self.draw.randbytes(32), what),
                )
            )

    def forgets_some(self):
        items = {self.some() for _ in range(self.draw.randint(1, 3))} - {None}
        if items:
            self.forgets += 1
            named = f"f-{self.forgets}"
            self.both(lambda store: forget(store, self.reviewer, *sorted(items), forget=named))

    def erases(self, *, by=None):
        wiped = [
            forgetting.erase(store, forgetting.pending(store))
            for store in (by or self.one, self.file)
        ]
        assert {one.commitment for one in wiped[0].payloads} == {
            one.commitment for one in wiped[1].payloads
        }
        for request in wiped[0].requests:
            self.both(
                lambda _store, one=request: ended(EventType.FORGET_COMPLETED, one.forget), by
            )

    def erases_while_another_one_looks(self):
        with self.team[0].held():
            before = self.told(self.team[0])
            self.erases(by=self.team[1])
            assert self.told(self.team[0]) == before

    def appends_inside_held(self):
        store = self.one
        with store.held():
            store.rows("select 1")
            if self.draw.random() < 0.5:
                self.one_of(self.imports, self.revises)
            texts = [f"t{len(self.texts)}"]
            self.texts |= set(texts)
            self.items[f"item-{texts[0]}"] = 1
            self.both(lambda one: stage(one, self.draw.randbytes, *texts), store)
            assert store.head() == self.file.head()

    def is_refused_by_the_server(self):
        entry = stage(self.one, self.draw.randbytes, "never")
        with server(self.place) as raw:
            raw.execute("alter table vault_payload add constraint full_disk check (role <> 'raw')"
                        " not valid")  # fmt: skip
            with pytest.raises(StoreAwayError, match="full_disk"):
                self.one.append(entry)
            raw.execute("alter table vault_payload drop constraint full_disk")

    def loses_a_copy(self):
        self.one._opener.discard()

    def rebuilds(self):
        self.one.rebuild()

    def loses_its_line(self):
        with server(self.place) as raw:
            raw.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where application_name = 'memory-console' and pid <> pg_backend_pid()"
            )

    def is_asked_from_a_thread(self):
        store, told = self.one, list[object]()
        threads = [threading.Thread(target=lambda: told.append(store.head())) for _ in range(3)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert set(told) == {self.file.head()}

    def repeats_a_payload(self):
        entry = stage(self.one, self.draw.randbytes, "again")
        known = self.file.payloads(sorted(self.contents))
        if known:
            twice = replace(entry, payloads=[*entry.payloads, next(iter(known.values()))])
            for store in (self.one, self.file):
                with pytest.raises((DamagedStoreError, duckdb.Error)):
                    store.append(twice)

    def one_of(self, *acts):
        self.draw.choice(acts)()

    def step(self):
        often = (self.imports, self.decides, self.forgets_some)
        self.one_of(
            *often, *often, self.revises, self.decides_twice, self.links, self.exports,
            self.erases, self.erases_while_another_one_looks, self.appends_inside_held,
            self.is_refused_by_the_server, self.loses_a_copy, self.rebuilds, self.loses_its_line,
            self.is_asked_from_a_thread, self.repeats_a_payload,
        )  # fmt: skip


@pytest.mark.parametrize("seed", range(int(os.environ.get("HISTORY_SEEDS", "2"))))
def test_consoles_and_a_file_tell_the_same_after_every_step(postgres_place, tmp_path, irina, seed):
    history = History(postgres_place, tmp_path, irina, seed)
    history.imports()
    for _ in range(STEPS):
        history.step()
        expected = history.told(history.file)
        for store in history.draw.sample(history.team, history.draw.randint(1, 3)):
            told = history.told(store)
            for name, value in expected.items():
                assert told[name] == value, name
    report = verify_place(postgres_place, root=irina.root)
    assert report.exit_code == 0, report.lines
    assert report.root == history.file.head().root
