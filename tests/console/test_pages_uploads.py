"""What the page says after an upload: what was left out, and the newest receipt first."""

from __future__ import annotations

from tests.console.job_worlds import done
from tests.console.test_cli_import import line, written
from tests.console.test_pages_importing import (  # noqa: F401  # fixtures
    ended,
    jobs,
    open_page,
    place,
    press,
    said,
    uploaded,
    working,
)


def test_files_that_are_left_out_are_named_with_the_reason_also_afterwards(place, jobs, working):  # noqa: F811
    app = open_page(place, jobs)
    uploaded(
        app,
        ("good.jsonl", line(1).encode()),
        ("nothing.jsonl", b""),
        ("letter.bin", b"\x00\x01\x02 no format"),
    )
    assert app.button(key="stage").label == "Stage 1 file"
    press(app, "stage")
    working.finish()
    ended(app, jobs)
    told = said(app)
    assert "2 files are left out." in told
    for name, why in (("nothing.jsonl", "it is empty"), ("letter.bin", "not recognised")):
        assert name in told, name
        assert why in told, why
    uploaded(app, ("more.jsonl", line(2).encode()))
    press(app, "stage")
    working.finish()
    ended(app, jobs)
    assert "left out" not in said(app)


def test_the_newest_receipt_stands_open_and_older_ones_are_folded(place, jobs, tmp_path, working):  # noqa: F811
    done(place.home, written(tmp_path, [line(3), "{broken"], name="old.jsonl"))
    app = open_page(place, jobs)
    assert not app.expander
    uploaded(app, ("new.jsonl", line(1).encode()))
    press(app, "stage")
    working.finish()
    ended(app, jobs)
    (folded,) = app.expander
    assert folded.label == "1 older import"
    inside = {one.value for one in folded.text}
    assert "old.jsonl" in inside
    assert "new.jsonl" not in inside
    assert "new.jsonl" in {one.value for one in app.text}


def test_a_job_has_an_address_of_its_own(place, jobs, tmp_path):  # noqa: F811
    job = done(place.home, written(tmp_path, [line(1)]))
    app = open_page(place, jobs, name="jobs")
    press(app, f"open-{job.id}")
    assert app.query_params["id"] == [job.id] or app.query_params["id"] == job.id
    press(app, "all")
    assert "id" not in app.query_params
    assert f"open-{job.id}" in [one.key for one in app.button]
