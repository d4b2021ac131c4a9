"""Edit as new: what may be written as a date."""

from __future__ import annotations

import pytest

from review.editing import Edit, InvalidDateError, reading_of
from store.cells import Kind
from tests.console.desks import desk_over, stage, store_for


@pytest.fixture
def shown(irina):
    desk = desk_over(store_for(irina), irina)
    (item,) = stage(desk, "First claim.").items
    return desk.card_of(item)


def read(shown, since, until=""):
    edit = Edit("In my words.", Kind.FACT, since, until)
    return next(iter(reading_of(shown, edit, reviewer="r", now="2026-03-09T09:00:00Z").records))


@pytest.mark.parametrize(
    "bad",
    ["yesterday", "2026", "2026-03", "2026-02-30", "01.03.2026", "2026-3-1", "20260301",
     "2026-03-01T10:00", "2026-03-01T10:00:00", "2026-03-01 10:00:00Z", "2026-W10-1",
     "2026-03-01T25:00:00Z", "2026-03-01\n", "٢٠٢٦-٠٣-٠١", "9999-12-31T23:59:59-12:00"],
)  # fmt: skip
def test_a_bound_that_is_no_date_is_refused(shown, bad):
    for bounds in ((bad, ""), ("", bad)):
        with pytest.raises(InvalidDateError, match=r"Nothing was staged\. Write it like 2026-03"):
            read(shown, *bounds)


@pytest.mark.parametrize(
    ("since", "until"),
    [("2026-03-02", "2026-03-01"), ("2026-03-01", "2026-03-01"),
     ("2026-03-01", "2026-03-01T00:00:00Z"),
     ("2026-03-01T10:00:00+03:00", "2026-03-01T07:00:00Z")],
)  # fmt: skip
def test_an_end_that_is_not_after_the_start_is_refused(shown, since, until):
    with pytest.raises(InvalidDateError) as refused:
        read(shown, since, until)
    assert refused.value.backwards


@pytest.mark.parametrize(
    ("since", "until"),
    [("", ""), ("2026-03-01", ""), ("", "2026-03-01T10:00:00Z"), ("2026-03-01", "2026-03-02"),
     ("2026-03-01T10:00:00.25+03:00", "2026-03-01T07:00:01Z")],
)  # fmt: skip
def test_dates_and_instants_are_taken_as_written(shown, since, until):
    found = read(shown, since, until).found
    assert (found.valid.start or "", found.valid.end or "") == (since, until)
