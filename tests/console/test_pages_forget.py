"""Forget through its widgets, down to the bytes of the store: scope, preview, run, report."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest
from streamlit.testing.v1 import AppTest

from console.app import _unlocking
from console.backup import folders, making
from console.cards.forget import asked, tree
from console.forget.files import ground
from console.wiring import open_workspace
from review.forget.plan import Foreseen, PlanRow, RowKind, Why
from store.events import EventType
from store.stages import Stage
from tests.console.agents import PASSPHRASE, Firm, cell

SUBJECT = {"scope": {"subject": "client 4411"}, "entities": ["client 4411"]}
TEXTS = [f"Canary {n} of the client sings at gate {n * 7919}." for n in range(3)]
DERIVED = "Songs at the gate are best heard before noon."
SHARED = "Songs are heard before noon by two clients."


def made(claim, n, *parents):
    edges = [{"kind": "derived_from", "target": f"notes:{one}"} for one in parents]
    told = {"kind": "insight", "source_type": "agent_summary"}
    return cell(claim, n, edges=edges, **told)


@dataclass
class Later:
    """A clock that shows the present, or later."""

    ahead: timedelta = field(default_factory=timedelta)

    def __call__(self):
        return datetime.now(tz=UTC) + self.ahead


@dataclass
class World:
    firm: Firm
    clock: Later

    @property
    def place(self):
        return self.firm.place

    @property
    def desk(self):
        return ground(self.place, self.firm.tenant, self.place.desk(self.firm.tenant))

    @property
    def path(self):
        return self.place.store_path(self.firm.tenant)

    def kinds(self):
        return [event.type for event in self.place.store(self.firm.tenant).events()]

    def page(self, name="forget", lang="en", *, reads_only=False, **params):
        kwargs = {
            "name": name,
            "desk": self.desk,
            "unlock": None if reads_only else _unlocking(self.place),
            "lang": lang,
            "backups": self.backups,
        }
        app = AppTest.from_function(_page, kwargs=kwargs, default_timeout=120)
        for key, value in params.items():
            app.query_params[key] = value
        return ran(app)

    def backups(self):
        return folders.kept(self.place, self.firm.tenant, self.place.store(self.firm.tenant))


def _page(name, desk, unlock, lang, backups):  # AppTest runs this body alone
    import importlib

    from console.cards.visit import Visit
    from console.words import Say

    visit = Visit(Say(lang), unlock=unlock, backups=backups)
    with desk.held():
        importlib.import_module(f"console.pages.{name}").render(desk, visit)


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> Firm:
    (firm,) = Firm.founded(tmp_path_factory.mktemp("template") / "home", "acme")
    firm.items = firm.stage(
        *(cell(text, f"c{n}", **SUBJECT) for n, text in enumerate(TEXTS)),
        cell("Client 77 hears songs.", "o"),
        made(DERIVED, "d", "c0"),
        made(SHARED, "m", "c1", "o"),
        cell("A gate of another town opens at nine.", "w"),
    )
    firm.decide(*firm.items)
    return firm


def copied(firm, folder, ahead=timedelta()) -> World:
    home = shutil.copytree(firm.place.home, folder / "home")
    clock = Later(ahead)
    place = replace(open_workspace(home), clock=clock)
    return World(replace(firm, place=place), clock)


@pytest.fixture
def world(template, tmp_path) -> World:
    return copied(template, tmp_path)


def ran(app):
    app.run()
    assert not app.exception, app.exception
    return app


def press(app, key):
    app.button(key=key).click()
    return ran(app)


def submit(app, label):
    next(one for one in app.button if one.label == label).click()
    return ran(app)


def shown(app):
    kinds = (*app.info, *app.text, *app.caption, *app.error, *app.warning, *app.subheader)
    told = " ".join(str(one.value) for one in (*kinds, *app.header, *app.metric))
    return told.replace("\\", "")


def asking(world, about):
    app = world.page()
    app.radio(key="forget-about").set_value(about)
    return ran(app)


def previewed(world, **more):
    app = world.page(**more)
    app.text_input(key="forget-subject").input("client 4411")
    return submit(app, "Preview")


def begun(world, typed="4", secret=PASSPHRASE):
    app = press(previewed(world), "forget-go")
    app.text_input(key="forget-typed").input(typed)
    app.text_input(key="forget-passphrase").input(secret)
    return submit(app, "Start in one minute")


def reported(world):
    app = begun(world)
    world.clock.ahead += timedelta(seconds=61)
    return ran(app)


@pytest.fixture(scope="module")
def erased(template, tmp_path_factory):
    """A world in which a request was run on its page, its backup, and the page. Only to read."""
    world = copied(template, tmp_path_factory.mktemp("erased"))
    backup, _folder = making.write(world.place, world.firm.tenant, days=20)
    return world, backup, reported(world)


@pytest.fixture
def after(erased, tmp_path):
    """A copy of that world, the backup, and the page of the report, opened anew."""
    before, backup, app = erased
    world = copied(before.firm, tmp_path, before.clock.ahead)
    return world, backup, world.page(step="report", request=app.query_params["request"])


def test_a_preview_tells_what_goes_what_stays_and_what_nobody_can_know(world):
    app = previewed(world)
    told = shown(app)
    assert app.query_params["step"] == "preview"
    assert "client 4411" not in str(dict(app.query_params))
    assert "3 records · names the subject" in told
    assert "1 record · made from what goes" in told
    assert "1 record made from other sources, too: withdrawn" in told
    assert "Contexts of models, and what providers of models log." in told
    (rows,) = [one.value for one in app.dataframe if "made" in one.value.columns]
    by_claim = {row.claim.lstrip(" └"): row for row in rows.itertuples()}
    assert by_claim[DERIVED].fate == "erased"
    assert by_claim[DERIVED].claim.startswith("  └ ")
    assert by_claim[DERIVED].made == TEXTS[0]
    assert by_claim[SHARED].fate == "withdrawn until approved again (1 other source)"
    assert EventType.FORGET_REQUESTED not in world.kinds()


@pytest.mark.parametrize(
    "subject",
    ["nobody at all", "%", "_", "*", ".*", "' or 1=1 --", "client 44", "![x](http://x.test/a)"],
)
def test_a_subject_that_nothing_names_is_no_success_and_never_a_pattern(world, subject):
    app = world.page()
    app.text_input(key="forget-subject").input(subject)
    told = shown(submit(app, "Preview"))
    assert "No row matches. That does not prove that there is none" in told
    assert app.button(key="forget-go").disabled


@pytest.mark.parametrize(
    ("about", "says"),
    [
        ("subject", "Write whom or what it is about. Nothing was looked for."),
        ("source", "Choose a file below, or write an id of the other system."),
        ("record", "Name a record"),
        ("run", "Write the id of the run."),
        ("period", "Write the first day or the last one."),
    ],
)
def test_the_field_of_the_question_has_to_be_filled_in_whatever_narrows_it(world, about, says):
    app = asking(world, about)
    narrowing = "forget-run" if about in ("subject", "period") else "forget-since"
    app.text_input(key=narrowing).input("2026-01-01")
    told = shown(submit(app, "Preview"))
    assert says in told
    assert "step" not in app.query_params


def test_each_answer_to_the_question_shows_its_own_fields_and_folds_the_rest(world):
    for about, names in asked.OWN.items():
        app = asking(world, about)
        (fold,) = app.expander
        inside = {one.key for one in (*fold.text_input, *fold.text_area)}
        every = {one.key for one in (*app.text_input, *app.text_area)} - {"forget-words"}
        assert every - inside == {f"forget-{name}" for name in names}
        assert {"forget-reference", "forget-due"} <= inside


def test_what_narrows_a_request_is_counted_on_the_fold(world):
    app = asking(world, "subject")
    assert "0 filled in" in app.expander[0].label
    app.text_input(key="forget-until").input("2020-01-01")
    app.text_input(key="forget-subject").input("client 4411")
    ran(app)
    assert "1 filled in" in app.expander[0].label
    assert "No row matches" in shown(submit(app, "Preview"))


def test_all_of_a_tenant_is_said_to_be_all(world):
    app = asking(world, "tenant")
    assert "All memory of this tenant is covered." in shown(app)
    assert "memory of the tenant" in shown(submit(app, "Preview"))


def test_names_in_memory_are_offered_and_none_that_is_only_like_it(world):
    (offered,) = world.page().dataframe
    assert offered.value.values.tolist() == [["client 4411", "3"]]
    app = world.page()
    app.text_input(key="forget-subject").input("4411")
    assert "Nothing says that it is about exactly this." in shown(ran(app))
    app.text_input(key="forget-subject").input("Client 4411")
    assert "3 records and runs say that they are about exactly this." in shown(ran(app))
    app.text_input(key="forget-subject").input("cliemt 4411")
    assert "No name in memory has these words in it." in shown(ran(app))
    assert not app.dataframe


def test_imports_are_offered_by_the_names_of_their_files(world):
    (offered,) = asking(world, "source").dataframe
    assert set(offered.value["file"]) == {"n.jsonl"}


def test_a_link_fills_an_id_in(world):
    item = world.firm.items[0]
    app = world.page(item=item)
    assert app.text_area(key="forget-ids").value == item
    assert "1 record · named by its id" in shown(submit(app, "Preview"))


def test_words_lead_to_ids_that_a_person_ticks(world):
    app = asking(world, "record")
    app.text_input(key="forget-words").input("sings at gate")
    told = shown(ran(app))
    assert "3 records. Tick those that are meant." in told
    app.text_input(key="forget-words").input("100%")
    assert "These words stand in no record" in shown(ran(app))


def test_another_number_or_passphrase_starts_nothing(world):
    assert "not the number of the preview, which is 4" in shown(begun(world, typed="5"))
    assert "passphrase" in shown(begun(world, secret="wrong one here")).lower()
    assert EventType.FORGET_REQUESTED not in world.kinds()


def test_within_the_minute_it_can_be_cancelled(world):
    app = begun(world)
    told = shown(app)
    assert "Starts in 0:5" in told or "Starts in 1:00" in told
    assert "Nothing has been signed or erased yet." in told
    app = press(app, "forget-cancel")
    world.clock.ahead += timedelta(seconds=120)
    app = ran(app)
    assert "There is no undo" in shown(app)
    assert EventType.FORGET_REQUESTED not in world.kinds()
    assert "forget-secret" not in app.session_state


def test_a_run_erases_and_its_report_says_what_is_left(erased):
    world, backup, app = erased
    told = shown(app)
    assert app.query_params["step"] == "report"
    assert "done within scope" in told
    assert f"backup {backup.backup}" in told
    assert f"gone by {backup.delete_by}" in told
    assert "outside of our control" in told
    assert re.search(r" 0 found, [1-9]\d* controls found", told)
    assert [one.value for one in app.metric] == ["4", "1", "0", "5"]
    data = world.path.read_bytes()
    assert not [text for text in (*TEXTS, DERIVED) if text.encode() in data]
    assert SHARED.encode() in data
    standing = world.place.store(world.firm.tenant).standing()
    stages = [standing.stage_of(item, 1) for item in world.firm.items]
    assert stages[:3] == [Stage.ERASED] * 3
    assert (stages[4], stages[5]) == (Stage.ERASED, Stage.STAGED)
    for lang in ("en", "ru"):
        page = world.page(lang=lang, step="report", request=app.query_params["request"])
        files = " ".join(one.proto.label for one in page.get("download_button"))
        assert ".md" in files
        assert ".json" in files
        assert not [text for text in TEXTS if text in shown(page)]


def test_what_a_person_says_of_a_copy_is_shown_as_said(after):
    world, backup, app = after
    place = f"backup:{backup.backup}"
    app.text_input(key=f"secret-beyond_use-{place}").input(PASSPHRASE)
    app = press(app, f"sign-beyond_use-{place}")
    assert "All four have to hold" in shown(app)
    for name in ("not_used", "access_blocked", "secured", "delete_by"):
        app.checkbox(key=f"beyond_use-{place}-{name}").check()
    app.text_input(key=f"secret-beyond_use-{place}").input(PASSPHRASE)
    told = shown(press(app, f"sign-beyond_use-{place}"))
    assert "beyond use · " in told
    assert "says beyond use, " in told
    assert "Irina" in told
    app.text_input(key=f"evidence-removed-{place}").input("shredded, ticket 7")
    app.text_input(key=f"secret-removed-{place}").input(PASSPHRASE)
    told = shown(press(app, f"sign-removed-{place}"))
    assert "says removed, " in told
    assert world.kinds().count(EventType.FORGET_CONFIRMED) == 2
    world.clock.ahead += timedelta(days=40)
    assert "is due" not in shown(world.page("start"))


def test_what_is_due_comes_back_on_start(after):
    world, _backup, _app = after
    assert "backup" not in shown(world.page("start"))
    world.clock.ahead += timedelta(days=21)
    assert "1 backup has to be deleted" in shown(world.page("start"))
    (due,) = world.desk.forget.due()
    assert due.location_id.startswith("backup:")


def test_a_preview_that_is_too_old_erases_nothing(world):
    app = press(previewed(world), "forget-go")
    world.clock.ahead += timedelta(minutes=16)
    app.text_input(key="forget-typed").input("4")
    app.text_input(key="forget-passphrase").input(PASSPHRASE)
    app = submit(app, "Start in one minute")
    world.clock.ahead += timedelta(seconds=61)
    told = shown(ran(app))
    assert "This preview does not hold any more. Nothing was erased." in told
    assert "older than 15 minutes" in told
    assert EventType.FORGET_REQUESTED not in world.kinds()
    assert app.query_params["step"] == "preview"
    assert app.button(key="forget-go").disabled
    assert press(app, "forget-again").button(key="forget-go").disabled is False


def test_a_store_that_moved_on_is_told_and_nothing_is_erased(world):
    app = begun(world)
    world.firm.stage(cell("A fourth canary of the client.", "c4", **SUBJECT))
    world.clock.ahead += timedelta(seconds=61)
    told = shown(ran(app))
    assert "does not hold any more" in told
    assert "moved on" in told
    assert EventType.FORGET_REQUESTED not in world.kinds()


def test_checking_again_searches_again_and_says_when(after):
    _world, _backup, report = after
    app = press(report, "forget-check")
    assert "done within scope" in shown(app)
    assert "0 found" in shown(app)


def test_without_an_identity_a_preview_can_be_made_and_nothing_run(world):
    app = previewed(world, reads_only=True)
    assert app.button(key="forget-go").disabled
    assert "3 records · names the subject" in shown(app)


def test_an_unknown_request_looks_like_none(world):
    told = shown(world.page(step="report", request="01ARZ3NDEKTSV4RRFFQ69G5FAV"))
    assert "no such request, or you have no access" in told


def test_earlier_requests_are_listed_with_their_reports(erased):
    world, _backup, _app = erased
    assert "Requests of before" in shown(world.page())


def row(name, *parents, depth=0):
    why = Why.DERIVED if parents else Why.SUBJECT
    return PlanRow(name, RowKind.ITEM, why, Foreseen.ERASED, depth=depth, made_from=parents)


def test_a_tree_holds_each_row_once_below_a_parent_and_survives_cycles():
    rows = [row("b", "a", depth=1), row("a"), row("c", "b", "a", depth=2), row("x", "y", depth=1)]
    rows += [row("y", "x", depth=1), row("z", "gone", depth=1)]
    told = [one.id for one in tree.ordered(rows)]
    assert sorted(told) == ["a", "b", "c", "x", "y", "z"]
    assert told.index("a") < told.index("b") < told.index("c")


def test_ten_thousand_rows_are_ordered_and_the_first_are_drawn():
    rows = [row("top"), *(row(f"r{n}", "top" if n < 10 else f"r{n % 10}") for n in range(10_000))]
    deep = [replace(one, depth=len(one.made_from)) for one in rows]
    assert len(tree.ordered(deep)) == 10_001
    assert json.dumps(tree.SHOWN) == "200"
