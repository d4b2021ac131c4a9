"""Import in the console: previews, columns a person maps, receipts of jobs, what needs a look."""

from __future__ import annotations

import os
import time

import pytest
from streamlit.testing.v1 import AppTest

from console import identity
from console.cards import job_receipt
from console.job_starting import Jobs
from console.job_words import JobState, Verdict
from console.jobs import Asked
from console.wiring import open_workspace
from review.queue import Wanted
from store.records import Outcome
from tests.console.job_worlds import WorkHere, done
from tests.console.test_cli import environment
from tests.console.test_cli_import import MIXED, line, written
from tests.console.workspaces import workspace


@pytest.fixture
def place(tmp_path):
    return workspace(tmp_path / "home", "acme", "beta")


@pytest.fixture
def jobs(place):
    return Jobs(
        place.home,
        place.settings.tenant("acme").id,
        clock=identity.now,
        chance=identity.chance,
        environment=environment(place.home),
    )


@pytest.fixture
def working(monkeypatch):
    return WorkHere(monkeypatch)


def _page(name, home, jobs, lang):  # AppTest runs this body alone
    import importlib

    from console.cards.visit import Visit
    from console.wiring import open_workspace
    from console.words import Say

    workspace = open_workspace(home)
    desk = workspace.desk(workspace.settings.tenant("acme"))
    page = importlib.import_module(f"console.pages.{name}")
    page.render(desk, Visit(Say(lang), why_read_only="nobody", jobs=jobs))


def open_page(place, jobs, name="start", lang="en", **params) -> AppTest:
    kwargs = {"name": name, "home": place.home, "jobs": jobs, "lang": lang}
    app = AppTest.from_function(_page, kwargs=kwargs, default_timeout=90)
    for key, value in params.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception, app.exception
    return app


def uploaded(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    app.file_uploader[0].set_value([(name, data, "text/plain") for name, data in files])
    app.run()
    assert not app.exception, app.exception
    return app


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception, app.exception
    return app


def ended(app: AppTest, jobs: Jobs) -> AppTest:
    until = time.monotonic() + 120
    while any(job.open for job in jobs.all()):
        assert time.monotonic() < until
        time.sleep(0.1)
    app.run()
    assert not app.exception, app.exception
    return app


def said(app: AppTest) -> str:
    shown = (*app.info, *app.text, *app.caption, *app.error, *app.success, *app.warning)
    badges = [one.proto.body for one in app.get("markdown")]
    html = [one.proto.body for one in app.get("html")]
    return " ".join([*(one.value for one in shown), *badges, *html])


def test_an_upload_becomes_a_job_whose_receipt_has_the_five_outcomes(place, jobs):
    app = open_page(place, jobs)
    uploaded(app, ("crm.jsonl", "\n".join(MIXED).encode()))
    assert "Own memory" in said(app) or "JSONL" in said(app) or "JSON Lines" in said(app)
    assert jobs.all() == []
    press(app, "stage")
    assert len(jobs.all()) == 1
    ended(app, jobs)
    told = said(app)
    for words in ("2 written", "2 nothing extracted", "2 parse failed", "1 refused",
                  "1 already known", "8 records read", "written, something is left"):  # fmt: skip
        assert words in told, words
    (rows,) = [one.value for one in app.dataframe if "reason" in one.value]
    assert list(rows["line"]) == ["6", "7", "8"]
    assert "A time is not valid." in list(rows["reason"])
    assert "No memory yet." not in told


def test_nothing_extracted_is_never_green_and_is_said_in_words(place, jobs, working):
    app = open_page(place, jobs)
    uploaded(app, ("empty.jsonl", line(1, claim="").encode()))
    press(app, "stage")
    working.finish()
    ended(app, jobs)
    told = said(app)
    assert "0 written" in told
    assert "1 nothing extracted" in told
    assert "Nothing was written." in told
    assert "green" not in " ".join(one.proto.body for one in app.get("markdown"))
    assert not app.success
    assert jobs.all()[0].verdict is Verdict.EMPTY


def test_the_same_upload_again_says_that_it_is_known(place, jobs, tmp_path, working):
    done(place.home, written(tmp_path, [line(1)]))
    app = open_page(place, jobs)
    uploaded(app, ("crm.jsonl", line(1).encode()))
    press(app, "stage")
    working.finish()
    ended(app, jobs)
    assert "nothing new: already known" in said(app)
    assert "1 already known" in said(app)


def test_every_outcome_and_verdict_has_a_shape_of_its_own():
    for table in (job_receipt._OUTCOMES, job_receipt._VERDICTS):
        assert len({icon for icon, _ in table.values()}) == len(table)
    greens = [key for key, (_, colour) in job_receipt._VERDICTS.items() if colour == "green"]
    assert greens == [Verdict.WRITTEN]


def test_a_table_of_ones_own_asks_which_column_is_what(place, jobs, working):
    table = b"Text,When,Who\nThe depot is in Tver.,2026-03-01,Oleg\nIt is open.,2026-03-02,Ira\n"
    app = open_page(place, jobs)
    uploaded(app, ("t.csv", table))
    assert "a table or JSON of your own" in said(app)
    (examples,) = [one.value for one in app.dataframe if "first" in one.value]
    assert list(examples["name"]) == ["Text", "When", "Who"]
    assert examples["first"][0] == "The depot is in Tver."
    assert app.selectbox(key="map-0--claim").value == "Text"
    app.selectbox(key="map-0--claim").set_value("").run()
    assert app.button(key="stage").disabled
    app.selectbox(key="map-0--claim").set_value("Text").run()
    app.selectbox(key="map-0--written_at").set_value("When").run()
    app.multiselect(key="map-0--entities").set_value(["Who"]).run()
    press(app, "stage")
    working.finish()
    ended(app, jobs)
    job = jobs.all()[0]
    assert job.totals[Outcome.WRITTEN] == 2
    assert job.sources[0].mapping.entities == ("Who",)


def test_a_hostile_column_is_shown_with_its_characters_and_never_as_markdown(place, jobs):
    table = "**Text** [a](http://evil.test)\u202e,When\nA depot stands in Tver.,2026-03-01\n"
    app = open_page(place, jobs)
    uploaded(app, ("t.csv", table.encode()))
    (examples,) = [one.value for one in app.dataframe if "first" in one.value]
    assert "⟦U+202E RLO⟧" in examples["name"][0]
    options = app.selectbox(key="map-0--claim").options
    assert not any("\u202e" in one for one in options)
    assert "evil.test" not in said(app)


def test_text_in_another_encoding_is_asked_for_with_the_likeliest_chosen(place, jobs, working):
    table = "Текст,Когда\nСклад стоит в Твери.,2026-03-01\n".encode("cp1251")
    app = open_page(place, jobs)
    uploaded(app, ("t.csv", table))
    assert app.selectbox(key="encoding-0").value == "cp1251"
    press(app, "stage")
    working.finish()
    ended(app, jobs)
    desk = place.desk(place.settings.tenant("acme"))
    assert [row.claim for row in desk.waiting(Wanted()).rows] == ["Склад стоит в Твери."]


def test_utf_8_is_not_asked_about(place, jobs):
    app = open_page(place, jobs)
    uploaded(app, ("crm.jsonl", line(1, claim="Склад стоит в Твери.").encode()))
    assert not [one for one in app.selectbox if one.key == "encoding-0"]


def test_a_file_in_no_known_format_cannot_be_staged_until_one_is_chosen(place, jobs):
    app = open_page(place, jobs)
    uploaded(app, ("odd.txt", b"just some words"))
    assert app.button(key="stage").disabled


def test_a_file_that_cannot_be_opened_says_why_and_holds_up_nobody(place, jobs, working):
    app = open_page(place, jobs)
    broken = b"PK\x03\x04" + b"\0" * 200
    uploaded(app, ("bad.zip", broken), ("crm.jsonl", line(1).encode()))
    assert app.button(key="stage").label == "Stage 1 file"
    press(app, "stage")
    working.finish()
    ended(app, jobs)
    assert [asked.name for asked in jobs.all()[0].sources] == ["crm.jsonl"]


def test_an_interrupted_job_is_on_start_and_goes_on_by_a_button(place, jobs, tmp_path, working):
    job = jobs.new([Asked("crm.jsonl", str(written(tmp_path, [line(1)])))], verbatim=False)
    job.state = JobState.RUNNING
    jobs.files.write(job)
    app = open_page(place, jobs)
    assert "Its process is gone." in said(app)
    press(app, f"go-on-{job.id}")
    working.finish()
    ended(app, jobs)
    assert jobs.read(job.id).totals[Outcome.WRITTEN] == 1
    press(app, f"put-away-{job.id}")
    assert "Its process is gone." not in said(app)
    page = open_page(place, jobs, "jobs")
    assert "1 written" in said(page)
    assert "crm.jsonl" in said(page)


def test_a_job_at_work_shows_real_counts_and_can_be_asked_to_stop(place, jobs, tmp_path):
    job = jobs.new([Asked("crm.jsonl", str(written(tmp_path, [line(1)])))], verbatim=False)
    job.state = JobState.RUNNING
    handle = jobs.files.lock(job.id)
    try:
        jobs.files.write(job)
        app = open_page(place, jobs)
        assert "reading" in said(app)
        assert "green" not in " ".join(one.proto.body for one in app.get("markdown"))
        press(app, f"stop-{job.id}")
        assert jobs.files.stop_asked(job.id)
    finally:
        os.close(handle)


def test_the_page_of_one_job_and_of_none(place, jobs, tmp_path):
    assert "No import was begun on this page." in said(open_page(place, jobs, "jobs"))
    job = done(place.home, written(tmp_path, MIXED))
    app = open_page(place, jobs, "jobs", id=job.id)
    assert "policy and secrets 8" in said(app).replace("\\", "")
    assert "There is no such import." in said(open_page(place, jobs, "jobs", id="job-x"))
    russian = said(open_page(place, jobs, "jobs", lang="ru", id=job.id))
    assert "записано: 2" in russian
    assert "записано, но не всё" in russian


def test_a_job_of_another_tenant_is_not_shown(place, jobs, tmp_path):
    other = Jobs(
        place.home,
        open_workspace(place.home).settings.tenant("beta").id,
        clock=identity.now,
        chance=identity.chance,
        environment={},
    )
    job = other.new([Asked("theirs.jsonl", "/nowhere")], verbatim=False)
    other.files.write(job)
    for name, params in (("start", {}), ("jobs", {}), ("jobs", {"id": job.id})):
        assert "theirs" not in said(open_page(place, jobs, name, **params))
