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
from console.backup.request_folder import RequestFolder
from console.cards.forget import asked, tree
from console.forget.files import ground
from console.wiring import open_workspace
from review.forget.plan import Foreseen, PlanRow, RowKind, Why
from review.forget.scope import Scope
from review.forget.started import begin as started
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
    told = shown(app)
    assert "nobody knows the words any more" in told
    assert re.search(r"[1-9]\d* controls found", told)


def lost_report(world):
    """The report's file is not here any more; where it went."""
    (path,) = (world.path.parent / "forgets").glob("*.report.json")
    return path.rename(world.place.home.parent / "kept.json")


def test_without_its_report_a_request_is_told_by_the_log_and_looked_at(after):
    world, _backup, report = after
    request = report.query_params["request"]
    lost_report(world)
    app = world.page()
    assert [one.label for one in app.expander][-1].startswith("1 request was carried out, and its")
    assert "So it is after a restore" in shown(app)
    app = world.page(step="report", request=request)
    assert "The log says that it was carried out" in shown(app)
    app = press(app, "forget-look")
    told = shown(app)
    assert "The file about this request is lost" not in told, "only its report is"
    assert next(one.value for one in app.metric) == "4"
    assert not [one for one in app.button if one.key and one.key.startswith("sign-")]
    for path in (world.path.parent / "forgets").glob("*.request.json"):
        path.unlink()
    told = shown(press(world.page(step="report", request=request), "forget-look"))
    assert "The file about this request is lost. Told is what was signed" in told
    russian = world.page(lang="ru", step="report", request=request)
    assert "Отчёта по этому запросу в этой установке нет" in shown(russian)


def test_a_report_is_brought_back_if_the_log_names_it(after):
    world, _backup, report = after
    request = report.query_params["request"]
    kept = lost_report(world)
    changed = json.loads(kept.read_bytes())
    changed["head"]["answers_given"] = 5
    app = world.page(step="report", request=request)
    for data in (b"[]", b"{", json.dumps(changed).encode()):
        app.file_uploader(key="forget-bring").set_value(("r.json", data, "application/json"))
        assert "This is no report that the log names" in shown(ran(app))
    app = world.page()
    app.file_uploader(key="forget-bring").set_value(
        ("r.json", kept.read_bytes(), "application/json")
    )
    app = ran(app)
    assert app.query_params["request"] == request
    assert "done within scope" in shown(app)
    assert world.desk.forget.unreported() == ()


def test_a_report_that_was_altered_is_said_and_the_others_are_still_listed(after):
    world, _backup, report = after
    request = report.query_params["request"]
    path = world.path.parent / "forgets" / f"{request}.report.json"
    path.write_bytes(path.read_bytes().replace(b'"erased"', b'"failed"', 1))
    for told in (shown(world.page()), shown(world.page("start"))):
        assert "none that the log names: it was changed or replaced" in told
    told = shown(world.page(step="report", request=request))
    assert "Bring it as it was made" in told


def test_a_request_that_nobody_signed_is_told_and_thrown_away(world):
    forget = world.desk.forget

    def cut_off(_statements):
        raise KeyboardInterrupt

    scope = Scope(subject="client 4411")
    plan = forget.plan(scope)
    folder = world.path.parent / "forgets"
    with pytest.raises(KeyboardInterrupt):
        forget.run(scope, forget.token(plan), cut_off, typed=plan.typed)
    name = f"{plan.forget}.request.json"
    assert not (folder / name).exists(), "one that fails cleans up; a kill cannot"
    (folder / name).write_bytes(started(plan, reviewer="r-1", now="2026-03-01T10:00:00Z").encode())
    app = world.page()
    told = shown(app)
    assert "begun on 2026-03-01 10:00" in told
    assert "Nothing of it was erased" in told
    assert "1 record may have been taken out of use" in told
    app = press(app, f"forget-discard-{plan.forget}")
    assert "cut off" not in shown(app)
    assert not (folder / name).exists()


def test_while_another_process_is_at_work_nothing_is_offered_and_nothing_begins(world):
    app = begun(world)
    with RequestFolder.of(world.place, world.firm.tenant).working():
        assert "is being carried out on this memory now" in shown(world.page())
        world.clock.ahead += timedelta(seconds=61)
        told = shown(ran(app))
        assert "This preview does not hold any more. Nothing was erased." in told
        assert "Nothing was begun. Wait for it" in told
    assert EventType.FORGET_REQUESTED not in world.kinds()
    assert "is being carried out" not in shown(world.page())


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"due": "2026-02-30"}, "День пишется как 2026-03-31"),
        ({"reference": "everything-erased"}, "О том, что сделано, он ничего не говорит"),
        ({"reference": "client-4411"}, "называет обращение, а не того, о ком оно"),
        ({"ids": "x"}, "Идентификаторов не этой программы: 1"),
        ({"since": "2026-03-02", "until": "2026-03-01"}, "Первый день позже последнего"),
    ],
)
def test_what_is_wrong_with_a_scope_is_said_in_the_language_of_the_screen(world, fields, says):
    app = world.page(lang="ru")
    app.text_input(key="forget-subject").input("client 4411")
    for name, value in fields.items():
        kind = app.text_area if name == "ids" else app.text_input
        kind(key=f"forget-{name}").input(value)
    app.button(key="forget-preview").click()
    told = shown(ran(app))
    assert says in told
    assert "step" not in app.query_params


def test_why_a_preview_does_not_hold_is_said_in_the_language_of_the_screen(world):
    app = world.page(lang="ru")
    app.text_input(key="forget-subject").input("client 4411")
    app.button(key="forget-preview").click()
    app = press(ran(app), "forget-go")
    app.text_input(key="forget-typed").input("4")
    app.text_input(key="forget-passphrase").input(PASSPHRASE)
    app.button(key="forget-begin").click()
    app = ran(app)
    world.firm.stage(cell("A fourth canary of the client.", "c4", **SUBJECT))
    world.clock.ahead += timedelta(seconds=61)
    told = shown(ran(app))
    assert "После просмотра память изменилась: записано" in told
    assert "Добавились 2 строки." in told, "the record, and what is kept of its source"
    assert "moved on" not in told


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
