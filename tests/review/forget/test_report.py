"""The report: closed lists, numbers that add up, and words that never say too much."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review.forget import headline, letter, markdown, outside, sentences
from review.forget.locations import Confirmation, Location
from review.forget.plan import RowKind, Why
from review.forget.report import BadReportError, Head, Report, ReportRow, read_report
from review.forget.statuses import BUCKETS, Bucket, LocationKind, Status

BANNED = re.compile(
    r"\b(completely|everything|permanently|everywhere|fully|forgotten|all forgotten|100 ?%)\b|!"
    r"|\b(полностью|навсегда|везде|всё удалено|всюду|окончательно)\b",
    re.IGNORECASE,
)
HEAD = Head(
    forget_id="01J8ZK4QH7V5M2N3P4R5S6T7V8",
    requested_by="r-irina",
    reference="T-4411",
    due="2026-04-10",
    statement_sha256=("a" * 64,),
    started="2026-03-10T12:00:00.000000Z",
    ended="2026-03-10T12:00:09.000000Z",
    store_root_before="b" * 64,
    store_root_after="c" * 64,
    items_requested=1,
    items_erased=1,
    derivatives_erased=2,
    derivatives_withdrawn=0,
    needs_decision=0,
    missing=1,
    unlinked=61,
    answers_given=3,
    scope_by=("subject",),
)


def row(status=Status.ERASED, n=0, **more):
    hold = ("LH-2", "2027-01-01") if status is Status.RETAINED_BY_DUTY else None
    return ReportRow(f"item-{n}", RowKind.ITEM, Why.SUBJECT, 0, status, 3, 3, "scan", hold, **more)


def place(name, kind, status=Status.OUTSIDE_CONTROL, **more):
    return Location(name, kind, status, **more)


BACKUP = place("backup:b-1", LocationKind.BACKUP, delete_by="2026-12-29", residual_reason="backup")
EXPORT = place("export:e-1", LocationKind.EXPORT, residual_reason="export")
STATUSES = st.lists(st.sampled_from(Status), max_size=30)
PLACES = st.lists(
    st.sampled_from(
        (
            BACKUP,
            replace(BACKUP, status=Status.PUT_BEYOND_USE),
            EXPORT,
            place("other:0011", LocationKind.EXPORT, residual_reason="file_of_others"),
            place("drafts", LocationKind.STAGING, Status.FAILED, residual_reason="unreadable"),
            place("store", LocationKind.STORE, Status.ERASED),
        )
    ),
    max_size=6,
    unique_by=lambda one: one.location_id,
)


def made(statuses=(Status.ERASED,), places=(), **head):
    rows = tuple(row(status, n) for n, status in enumerate(statuses))
    return Report(replace(HEAD, **head), rows, (*places, *outside.ALWAYS))


def everything_said(report):
    for lang in ("en", "ru"):
        yield headline.headline(report, lang)
        yield letter.letter(report, lang)
        yield markdown.markdown(report, lang)


def test_the_statuses_and_fields_are_those_of_the_specification():
    assert {str(one) for one in Status} == {
        "erased",
        "erased_unverified",
        "withdrawn_pending_review",
        "put_beyond_use",
        "outside_control",
        "unknown_lineage",
        "retained_by_duty",
        "failed",
    }
    assert set(BUCKETS) == set(Status)
    wanted = "location_id kind path_hint items status method evidence recipient told_at delete_by"
    assert {one.name for one in fields(Location)} >= {
        *wanted.split(),
        "residual_reason",
        "next_step",
    }


@settings(max_examples=60, deadline=None)
@given(STATUSES, PLACES)
def test_erased_left_and_unknown_add_up_and_nothing_says_too_much(statuses, places):
    report = made(statuses, places)
    counts = report.counts()
    assert sum(counts[bucket] for bucket in Bucket) == len(statuses)
    told = json.loads(json.dumps(report.as_json()))
    assert read_report(told) == report
    for text in everything_said(report):
        assert not BANNED.search(text), BANNED.search(text)


@given(STATUSES.filter(bool), st.integers(0, 29))
def test_a_report_whose_counts_were_altered_is_refused(statuses, place_):
    told = json.loads(json.dumps(made(statuses).as_json()))
    status = told["rows"][place_ % len(statuses)]["status"]
    told["rows"][place_ % len(statuses)]["status"] = "failed" if status == "erased" else "erased"
    if BUCKETS[Status(status)] is Bucket.LEFT or status == "erased":
        with pytest.raises(BadReportError):
            read_report(told)


def test_the_headline_is_computed_with_each_residue():
    report = made(
        (Status.ERASED,) * 3 + (Status.UNKNOWN_LINEAGE,) * 2,
        (replace(BACKUP, status=Status.PUT_BEYOND_USE), EXPORT),
    )
    assert headline.headline(report) == (
        "Erased 3 of 5 records from the live store, of them 2 derivatives. Remains: "
        "2 records of unknown lineage, 1 backup until 2026-12-29 (beyond use), "
        "1 exported rule (outside control), 3 answers already given."
    )
    assert headline.headline(report, "ru") == (
        "Стёрты 3 записи из 5 в рабочем хранилище, из них 2 производные. Осталось: "
        "2 записи неизвестного происхождения, 1 резервная копия до 2026-12-29 (не используется), "
        "1 выгруженное правило (вне контроля), 3 ответа уже даны."
    )


def test_without_a_residue_the_headline_still_does_not_say_that_nothing_is_left():
    told = headline.headline(made(answers_given=0, derivatives_erased=0))
    assert told.endswith("We know of nothing that remains besides what is always listed.")


@pytest.mark.parametrize(
    ("n", "word"), [(1, "запись"), (2, "записи"), (5, "записей"), (11, "записей")]
)
def test_russian_counts_have_their_forms(n, word):
    assert word in sentences.counted("unknown", n, "ru")
    assert sentences.counted("erased", n, "ru", of=n).startswith("Стёрт")


def test_both_languages_say_the_same_codes():
    for table in (sentences.STATUSES, sentences.REASONS, sentences.STEPS, sentences.KINDS):
        assert table["en"].keys() == table["ru"].keys()
    assert sentences.COUNTED["en"].keys() == sentences.COUNTED["ru"].keys()
    assert sentences.PHRASES["en"].keys() == sentences.PHRASES["ru"].keys()
    assert sentences.STATUSES["en"].keys() == {str(one) for one in Status}
    assert sentences.KINDS["en"].keys() == {str(one) for one in LocationKind}
    assert {one.residual_reason for one in outside.ALWAYS} <= sentences.REASONS["en"].keys()


def test_the_banned_words_test_bites():
    for word in ("completely", "Everything is", "permanently", "everywhere", "полностью"):
        assert BANNED.search(f"It was {word} erased.")


def test_what_somebody_said_is_shown_as_said_and_a_name_makes_no_markup():
    said = Confirmation("r-oleg", "O[l](x)eg *P*", "2026-03-02T14:10:00Z")
    told = markdown.markdown(made(places=(replace(EXPORT, confirmed=(said,)),)))
    assert "says removed, 2026-03-02T14:10:00Z" in told
    assert "[l](x)" not in told
    assert "*P*" not in told
