"""Desks over stores in memory, and pages opened on them, for the tests of pages."""

from __future__ import annotations

import random
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256

from streamlit.testing.v1 import AppTest

from console.signing import PassphraseError
from console.wiring import shipped_policy
from review.desk import Desk
from review.person import Person
from store.cells import Kind, Proposal, SourceType, Span
from store.drafts import DraftBook
from store.duckdb_store import DuckDbStore
from store.records import Failed, FailReason, Nothing, NothingReason, Origin, Place, Read, Reading
from tests.conftest import Clock, created

PASSPHRASE = "correct horse"


def store_for(irina) -> DuckDbStore:
    return DuckDbStore.create(
        None,
        store_id="store-1",
        tenant_id="tenant-1",
        key=bytes(range(32)),
        first=created(),
        trust=irina.root,
    )


def desk_over(store, reviewer=None, *, clock=None, book=None) -> Desk:
    desk = Desk(
        store,
        person=Person(reviewer.name, "Irina K.") if reviewer is not None else None,
        book=book or DraftBook(None),
        process="p-test",
        clock=clock or Clock(),
        chance=random.Random(store.head().size + 11).randbytes,
    )
    desk.adopt_policy(shipped_policy())
    return desk


def proposal(claim: str, n: int, **changes) -> Proposal:
    raw = claim.encode("utf-8")
    told = {
        "claim": claim,
        "kind": Kind.FACT,
        "source_type": SourceType.DOCUMENT,
        "source_id": f"test:{n}",
        "written_at": "2026-03-01T10:00:00Z",
        "evidence": (Span(0, len(raw)),),
    }
    return Proposal(**(told | changes))


def stage(desk, *claims: str, name: str = "notes.jsonl", more=(), start: int = 0, **changes):
    """Stage each claim as a record of its own line; ``more`` holds Nothing and Failed."""
    reads = []
    for n, claim in enumerate(claims, start=start):
        raw = claim.encode("utf-8", "replace")
        found = proposal(claim, n, **changes)
        reads.append(Read(Place(n + 1, 10 * n, 10 * n + len(raw)), raw, found))
    for n, found in enumerate(more, start=start + len(claims)):
        reads.append(Read(Place(n + 1, 10 * n, 10 * n + 5), b"raw \xff", found))
    sha = sha256(b"\n".join(one.raw for one in reads)).hexdigest()
    origin = Origin(name, sha, 100, "application/jsonl", "own_jsonl", "1")
    return desk.stage(Reading(origin, iter(reads)))


NOTHING = Nothing(NothingReason.EMPTY_TEXT)
FAILED = Failed(FailReason.NOT_JSON, column=3)


def unlocking(reviewer):
    """The way to a signature that the wiring gives, over a key in memory."""

    @contextmanager
    def unlock(passphrase):
        if passphrase != PASSPHRASE:
            raise PassphraseError(passphrase)
        yield lambda statements: reviewer.key.sign(statements, now=datetime.now().astimezone())

    return unlock


def _page(name, desk, unlock, lang, why):  # AppTest runs this body alone
    import importlib

    from console.cards import people
    from console.cards.visit import Visit
    from console.words import Say

    page = importlib.import_module(f"console.pages.{name}")
    visit = Visit(Say(lang), unlock=unlock, why_read_only=why, people=people.of(desk))
    page.render(desk, visit)


def open_page(name, desk, *, reviewer=None, lang="en", **params) -> AppTest:
    why = "" if desk.person is not None else "nobody"
    kwargs = {
        "name": name,
        "desk": desk,
        "unlock": unlocking(reviewer) if reviewer is not None else None,
        "lang": lang,
        "why": why,
    }
    app = AppTest.from_function(_page, kwargs=kwargs, default_timeout=60)
    for key, value in params.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception, app.exception
    return app


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception, app.exception
    return app


def sign(app: AppTest, passphrase: str = PASSPHRASE) -> AppTest:
    press(app, "act-sign")
    app.text_input(key="passphrase").input(passphrase)
    button = next(
        one for one in app.button if one.label.startswith("Sign ") and one.key != "act-sign"
    )
    button.click().run()
    assert not app.exception, app.exception
    return app
