"""Receipts of imports on the page: runs, archives, what a field takes, and what is no table."""

from __future__ import annotations

import zipfile

from console.cards import importing_preview
from tests.console.job_worlds import done
from tests.console.test_cli_import import line, written
from tests.console.test_cli_import_told import transcript
from tests.console.test_pages_importing import (  # noqa: F401 - fixtures
    jobs,
    open_page,
    place,
    said,
    uploaded,
)


def test_runs_are_kept_as_evidence_and_nothing_waits(place, jobs, tmp_path):  # noqa: F811
    done(place.home, transcript(tmp_path))
    told = said(open_page(place, jobs))
    assert "1 run was kept as evidence. It waits for nobody." in told
    assert "wait for a person" not in told
    done(place.home, written(tmp_path, [line(1)]))
    assert "Memories that were written wait for a person." in said(open_page(place, jobs))


def test_parts_of_an_archive_are_told_by_format_and_members(place, jobs, tmp_path):  # noqa: F811
    archive = tmp_path / "mixed.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        for n in range(5):
            made.writestr(f"logs/{n}.jsonl", transcript(tmp_path).read_text())
        made.writestr("a.csv", "name,text\nAna,The shop is in Kazan.\n")
        made.writestr("b.txt", "no format")
        made.writestr("own.jsonl", line(1))
    told = done(place.home, archive)
    app = open_page(place, jobs, "jobs", id=told.id)
    lines = [one.value for one in app.text]
    assert lines.count("mixed.zip") == 1 + sum(part.name == "mixed.zip" for part in told.parts)
    words = said(app)
    for expected in (
        "Claude Code transcript",
        "Members in no known format",
        "a.csv, b.txt",
        "Memory Console JSONL",
    ):
        assert expected in words
    assert not [one for one in lines if one.startswith("+")]


def test_what_a_field_takes_is_said_below_the_rows(place, jobs, tmp_path):  # noqa: F811
    done(place.home, written(tmp_path, [line(n, source_type="wiki") for n in range(3)]))
    told = said(open_page(place, jobs))
    assert told.count("is one of: raw") == 1
    assert "owner\\_order" in told


def test_a_picture_has_no_columns_to_choose(place, jobs):  # noqa: F811
    picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR,a,b\n1,2,3\n"
    app = uploaded(open_page(place, jobs), ("a.png", picture))
    assert "CSV with columns" not in said(app)
    assert app.selectbox(key="importer-0").options[0] != "With columns you choose"
    assert importing_preview.MAPPED not in app.selectbox(key="importer-0").options
    assert app.button(key="stage").disabled


def test_an_empty_file_offers_nothing_to_choose(place, jobs):  # noqa: F811
    app = uploaded(open_page(place, jobs), ("e.jsonl", b""))
    assert "The file is empty." in said(app)
    assert not [one for one in app.selectbox if one.key == "importer-0"]
    assert app.button(key="stage").disabled


def test_a_wrong_encoding_is_named_on_the_page(place, jobs):  # noqa: F811
    table = "имя,текст\nАнна,Склад в Электростали.\n".encode("cp1251")
    app = uploaded(open_page(place, jobs), ("t.csv", table))
    app.selectbox(key="encoding-0").set_value("utf-16").run()
    assert "It is not UTF-16" in " ".join(one.value for one in app.code)
    assert app.button(key="stage").disabled


def test_a_table_in_utf16_still_has_its_columns(place, jobs):  # noqa: F811
    table = "имя,текст\nАнна,Склад в Электростали.\n".encode("utf-16")
    app = uploaded(open_page(place, jobs), ("t.csv", table))
    assert app.selectbox(key="importer-0").options[0] == "With columns you choose"


def test_the_same_file_again_is_nothing_new(place, jobs, tmp_path):  # noqa: F811
    path = written(tmp_path, [line(1), line(2, source_type="raw_user_prompt")])
    done(place.home, path)
    again = done(place.home, path)
    told = said(open_page(place, jobs, "jobs", id=again.id))
    assert "nothing new; the rest failed or was refused" in told
    assert "recorded 2 (done)" in told
    assert "written down" not in told
