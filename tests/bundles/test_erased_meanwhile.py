"""Erased words do not come back with a rule: while it is signed, nor when written again."""

from __future__ import annotations

import pytest

from console.bundles.exporting import Folders, GoneError
from console.wiring import root_statement
from review.bundle.recording import Exporting
from review.bundle.refusals import ExportRefusedError
from review.bundle.targets import placed
from review.forget import contents
from review.forget.scope import Scope
from review.forget.statuses import Status
from review.rules.drafting import RuleDraft
from review.rules.export_told import Conflict, Opposes
from review.staged.placing import Writer
from store import export_queries
from tests.bundles.told import POLICY, World, export
from tests.conftest import Clock
from tests.console.forget_worlds import (
    about,
    bytes_with,
    cell,
    desk_of,
    faults,
    firm,
    run,
    vault_words,
)
from tests.review.desks import signer
from tests.review.rules import lessons


def lineage(store):
    return {one["parent"] for one in store.rows("select child, parent from vault_lineage")}


def words_of(store, item):
    import pandas as pd

    wanted = pd.DataFrame({"item": pd.Series([item], dtype="str")})
    return {
        str(one["content"]) for one in store.rows(export_queries.MADE_FROM, {"wanted": wanted})
    }


@pytest.fixture
def exported(store, irina, tmp_path):
    """A rule that left, with the desk it came from."""
    desk, item = lessons.ready(store, irina)
    opened = desk.rules.open(item)
    told = desk.rules.told(opened, RuleDraft(opened.learned.claim))
    exporting = Exporting(store, desk.person, Writer("p", Clock(), desk._writer.chance), POLICY)
    return desk, told, exporting, signer(irina)


def test_a_bundle_is_made_from_every_cell_and_run_that_it_quotes(tmp_path, irina):
    world = World(tmp_path, irina)
    world.export()
    assert lineage(world.store) == words_of(world.store, "item-a") | words_of(
        world.store, "item-b"
    )


def test_a_run_that_is_forgotten_takes_the_bundles_that_quote_it_along(exported):
    desk, told, exporting, sign = exported
    done = exporting.export(told, placed(told, None), sign)
    for name in {one.run for one in told.cases} | {one.run for one in told.tried}:
        assert done.signed.content in contents.of_runs(desk.store, [name])[name].contents


CANARY = "canary 7f3a91c2 sits by the river"


@pytest.fixture
def world(tmp_path):
    """Two durable cells on the disk, of which the second speaks against the first."""
    one = firm(tmp_path / "w")
    one.items = one.learn(
        cell("Boris likes dark roast coffee in the morning", 1, **about("boris")),
        cell(f"Ana keeps a {CANARY} and a note of it since 2024", 2, **about("ana")),
    )
    return one


def leaving(one):
    """A rule of the first cell that quotes the second, the way out, and who signs."""
    desk = desk_of(one)
    stands = desk.store.standing().items[one.items[0]]
    told = export(
        item=one.items[0], revision=stands.rev, artifact_digest=stands.artifact,
        tenant=desk.store.tenant_id, exported_by=desk.person.reviewer, cases=(), tried=(),
        conflicts=(Conflict(Opposes.CELL, one.items[1], CANARY),),
    )  # fmt: skip
    writer = Writer("p", one.place.clock, one.place.chance)
    folders = Folders(one.place.home, desk.store, lambda: root_statement(one.place.home))
    return told, folders, Exporting(desk.store, desk.person, writer, POLICY)


def test_what_was_erased_while_the_rule_was_open_keeps_it_in(world):
    told, folders, exporting = leaving(world)
    run(world, Scope(subject="ana"))
    with pytest.raises(ExportRefusedError, match="erased"):
        folders.export(told, exporting, world.sign)
    assert "canary" not in vault_words(world)
    assert bytes_with(world.place.home, b"canary 7f3a91c2") == set()


def test_a_bundle_that_quotes_what_is_forgotten_is_told_and_not_written_again(world):
    told, folders, exporting = leaving(world)
    done = folders.export(told, exporting, world.sign)
    _, report = run(world, Scope(subject="ana"))
    assert "canary" not in vault_words(world)
    assert report.location(f"export:{done.export}").status is Status.OUTSIDE_CONTROL
    (done.folder / "rule.md").unlink()
    with pytest.raises(GoneError):
        Folders(folders.home, desk_of(world).store, folders.trust).write_again(done.export)
    assert faults(world) == []
