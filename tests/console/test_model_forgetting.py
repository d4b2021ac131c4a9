"""What a real forget run does to what models were asked and said: typed questions, too."""

from __future__ import annotations

import json
import os
import random
import subprocess

import pytest
from streamlit.testing.v1 import AppTest

from review.facts.protocol import Setting
from review.forget import letter
from review.forget.headline import headline
from review.forget.locations import TYPED
from review.forget.plan import Foreseen, RowKind
from review.forget.scope import Scope
from review.forget.statuses import Status
from review.proposals.proposing import Proposing
from review.staged.placing import Writer
from tests.conftest import Clock
from tests.console.forget_worlds import (
    about,
    bytes_with,
    cell,
    desk_of,
    faults,
    firm,
    run,
    statuses,
    vault_words,
)
from tests.console.messages_stub import claim, fact, message
from tests.console.model_worlds import TABLE, adapter, stub
from tests.console.test_cli import command, environment
from tests.console.test_pages_forget import _page, ran, submit

ASKED, SAID, STAYS = "canary71aa", "canary72bb", "canary73cc"
QUESTION = f"Where does Ana keep the {ASKED} key of the boat house?"
OTHER = f"When does the {STAYS} ferry leave for the island?"
RECORD = "Ana lives in Lisbon near the river Tagus since the spring of 2024"


def answering(heard):
    if "claim" in heard.data:
        told = claim(fact("lives in Lisbon", "Lisbon", "residence"), task=f"says {SAID} of Ana")
        return message(json.dumps(told))
    return message(json.dumps({"facts": [], "asked": [], "names": [], "task": f"{SAID} again"}))


@pytest.fixture
def acme(tmp_path):
    one = firm(tmp_path / "w")
    (one.item, one.boris) = one.stage(
        cell(RECORD, 1, **about("Ana")),
        cell("Boris likes dark roast coffee in the morning", 2, **about("boris")),
    )
    with stub(answering) as server:
        one.help = help_of(one, tmp_path, server.address)
        one.help.question(QUESTION, Setting())
        one.help.question(OTHER, Setting())
        one.help.claims([one.desk.card_of(one.item)])
        one.heard = server.heard
        assert len(one.heard) == 3
    return one


def help_of(one, folder, address, seed=8):
    """Each its own ``seed``: two contents with one salt would be found where the other stays."""
    writer = Writer("p-test", Clock(), random.Random(seed).randbytes)
    return Proposing(one.desk, writer, TABLE, adapter(folder, address))


def typed(plan, foreseen):
    return [row for row in plan.of(foreseen) if row.kind is RowKind.CONTENT]


def test_a_typed_question_that_names_the_subject_is_left_to_a_person_and_told_if_left(acme):
    plan, report = run(acme, Scope(subject="Ana"))
    (row,) = typed(plan, Foreseen.NEEDS_DECISION)
    assert statuses(report)[row.id] == "unknown_lineage"
    place = report.location(TYPED)
    assert (place.status, place.items) == (Status.UNKNOWN_LINEAGE, 2)
    assert "2 questions typed to a model" in headline(report)
    assert "2 вопроса, заданных модели" in headline(report, "ru")
    assert "typed to a model" in letter.letter(report)
    words = vault_words(acme)
    assert ASKED in words
    assert f"says {SAID}" not in words, "what was said of the record went with it"
    assert statuses(report)[acme.item] == "erased"
    assert bytes_with(acme.place.home, f"says {SAID}".encode()) == set()


def test_ticked_it_goes_and_no_byte_of_it_is_left(acme, tmp_path):
    desk = desk_of(acme)
    (row,) = typed(desk.forget.plan(Scope(subject="Ana")), Foreseen.NEEDS_DECISION)
    plan, report = run(acme, Scope(subject="Ana", also=(row.id,)), desk)
    assert statuses(report)[row.id] == "erased"
    assert bytes_with(acme.place.home, ASKED.encode()) == set()
    assert STAYS in vault_words(acme)
    assert report.location(TYPED).items == 1
    assert faults(acme) == []
    with stub(answering) as server:  # asked again, it is not sent again and does not come back
        again = help_of(acme, tmp_path / "again", server.address).question(QUESTION, Setting())
        assert not server.heard
    assert (again.facts, again.record.text) == (None, None)
    assert ASKED not in vault_words(acme)
    assert plan.typed == 2


@pytest.mark.parametrize("scope", [{"tenant": True}, {"since": "2026-01-01"}])
def test_the_whole_tenant_and_a_stretch_of_days_take_typed_questions_along(acme, scope):
    plan, report = run(acme, Scope(**scope))
    assert len(typed(plan, Foreseen.ERASED)) == 2
    assert {status for ident, status in statuses(report).items() if len(ident) == 64} == {"erased"}
    assert report.location(TYPED) is None
    assert bytes_with(acme.place.home, ASKED.encode(), STAYS.encode(), SAID.encode()) == set()
    assert faults(acme) == []


def test_a_reply_about_two_records_goes_with_either_and_the_other_record_stays(acme, tmp_path):
    reason, draft = "canary74dd", "canary75ee"
    boris = acme.boris
    cards = [acme.desk.card_of(one) for one in (acme.item, boris)]
    edge = {
        "kind": "conflicts_with",
        "source": "c2",
        "target": "c1",
        "source_quote": "dark roast coffee",
        "target_quote": "lives in Lisbon",
        "reason": f"Ana and Boris, {reason}",
    }

    def both(heard):
        told = {"relations": [edge]} if "blocks" in heard.data else {"rule": f"Always {draft}."}
        return message(json.dumps(told))

    with stub(both) as server:
        help_ = help_of(acme, tmp_path / "more", server.address, seed=9)
        assert len(help_.relations(cards).relations) == 1
        assert help_.learning.rule(cards[0]).rule == f"Always {draft}."
        assert len(help_.seen(cards[1]).relations) == 1
    _plan, report = run(acme, Scope(items=(acme.item,)))
    assert statuses(report)[acme.item] == "erased"
    assert bytes_with(acme.place.home, reason.encode(), draft.encode(), SAID.encode()) == {
        f"stores/{acme.tenant.id}/store.duckdb"  # the reply to the other typed question
    }
    words = vault_words(acme)
    assert (reason in words, draft in words, f"says {SAID}" in words) == (False, False, False)
    desk = desk_of(acme)
    assert "dark roast" in desk.card_of(boris).claim
    assert (
        help_of(acme, tmp_path / "after", "http://127.0.0.1:9").seen(desk.card_of(boris)).relations
        == ()
    )
    assert faults(acme) == []


def test_days_before_a_question_leave_it(acme):
    plan = desk_of(acme).forget.plan(Scope(until="2026-01-01"))
    assert typed(plan, Foreseen.ERASED) == []
    assert any(one.location_id == TYPED for one in plan.locations)


def test_an_import_takes_no_typed_question_along(acme):
    desk = desk_of(acme)
    imports = {one.import_id for one in desk.journal.imports()}
    plan = desk.forget.plan(Scope(imports=tuple(imports)))
    assert acme.item in {row.id for row in plan.erased}
    assert typed(plan, Foreseen.ERASED) == []


HIDDEN = "Is Ana \u202eevil\u202c, with the password Tr0ub4dor&3?"
SHOWN = "Is Ana ⟦U+202E RLO⟧evil⟦U+202C PDF⟧, with the password ████████████"


def test_a_preview_shows_the_words_of_a_typed_question_with_its_hidden_marks(acme, tmp_path):
    with stub(answering) as server:
        help_of(acme, tmp_path / "more", server.address, seed=9).question(HIDDEN, Setting())
    words = ("forget", "--subject", "Ana", "--preview")
    master, own = os.openpty()
    done = subprocess.run(
        command(*words),
        env=environment(acme.place.home),
        stdout=own,
        stderr=subprocess.PIPE,
        timeout=60,
    )
    os.close(own)
    told = os.read(master, 65_536).decode()
    os.close(master)
    assert done.returncode == 0, done.stderr
    assert f"Question to a model: {QUESTION}" in told
    assert "3 questions typed to a model" in told
    assert f"Question to a model: {SHOWN}" in told
    assert "\u202e" not in told
    plan = desk_of(acme).forget.plan(Scope(subject="Ana"))
    assert ASKED not in json.dumps(plan.as_json()), "a file of a plan holds ids and digests"


@pytest.mark.parametrize(
    ("lang", "label"), [("en", "Question to a model"), ("ru", "Вопрос модели")]
)
def test_the_page_shows_it_where_a_person_decides_on_it(acme, lang, label):
    kwargs = {
        "name": "forget",
        "desk": desk_of(acme),
        "unlock": None,
        "lang": lang,
        "backups": tuple,
    }
    app = ran(AppTest.from_function(_page, kwargs=kwargs, default_timeout=120))
    app.text_input(key="forget-subject").input("Ana")
    app = submit(app, {"en": "Preview", "ru": "Просмотреть"}[lang])
    (claim,) = app.dataframe(key="forget-undecided").value["claim"]
    assert claim == f"{label}: {QUESTION}"
    assert [claim in list(one.value["claim"]) for one in app.dataframe] == [True, True]
