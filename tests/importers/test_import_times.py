from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from importers import times
from store.cells import Precision

OLD = datetime.fromisoformat("1990-01-01")
LATE = datetime.fromisoformat("2100-01-01")


@pytest.mark.parametrize(
    ("given_", "text"),
    [
        ("2026-01-13T20:51:42Z", "2026-01-13T20:51:42Z"),
        ("2025-06-01T10:00:00.000000-07:00", "2025-06-01T10:00:00.000000-07:00"),
        ("2026-01-13T20:51:42.394870000+00:00", "2026-01-13T20:51:42.394870000+00:00"),
        ("2026-01-10T08:00:00.2-08:00", "2026-01-10T08:00:00.2-08:00"),
        ("2026-01-10T08:00:00+0300", "2026-01-10T08:00:00+03:00"),
        ("2026-01-10 08:00:00.5+03", "2026-01-10T08:00:00.5+03:00"),
        (1768313916, "2026-01-13T14:18:36+00:00"),
        (1768313916.5, "2026-01-13T14:18:36.500000+00:00"),
        (1768313916000, "2026-01-13T14:18:36+00:00"),
        ("1768313916000000000", "2026-01-13T14:18:36+00:00"),
        ("20241011T205824544431Z0d5f2b8e", "2024-10-11T20:58:24.544431+00:00"),
    ],
)
def test_a_time_with_a_zone_keeps_its_meaning(given_, text):
    found = times.moment(given_)
    assert found is not None
    assert (found.text, found.tz_assumed) == (text, False)


@pytest.mark.parametrize(
    ("given_", "text"),
    [
        ("2026-01-13T20:51:42", "2026-01-13T20:51:42+00:00"),
        ("2026-01-13 20:51", "2026-01-13T20:51:00+00:00"),
        ("202601132051", "2026-01-13T20:51:00+00:00"),
        ("2023/05/20 (Sat) 02:21", "2023-05-20T02:21:00+00:00"),
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56:00+00:00"),
        ("12:05 am on 8 May, 2023", "2023-05-08T00:05:00+00:00"),
        ("2026-03-01", "2026-03-01T00:00:00+00:00"),
    ],
)
def test_a_time_without_a_zone_is_taken_as_utc_and_says_so(given_, text):
    found = times.moment(given_)
    assert found is not None
    assert (found.text, found.tz_assumed) == (text, True)


@pytest.mark.parametrize(
    "given_",
    [
        "yesterday",
        "",
        "2026-13-01",
        "2026-02-30T10:00:00Z",
        "2026-01-01T25:00:00Z",
        True,
        None,
        [],
        7,
        "13:56 pm on 8 May, 2023",
        "1:56 pm on 8 Mai, 2023",
        "2026-01-01T10:00:00.1234567890Z",
        "0001-01-01T00:00:00+14:00",
        float("nan"),
        float("inf"),
        "२०२६-०१-०१T10:00:00+00:00",
        -5,
        10**30,
    ],
)
def test_what_is_no_time_is_not_guessed(given_):
    assert times.moment(given_) is None


def test_a_plain_date_stays_a_date_as_a_bound():
    assert times.bound("2026-03-01") == times.Bound("2026-03-01", Precision.DAY)
    assert times.bound("2026-03") == times.Bound("2026-03-01", Precision.MONTH)
    assert times.bound("2026") == times.Bound("2026-01-01", Precision.YEAR)
    assert times.bound("2026-02-30") is None


@given(st.datetimes(min_value=OLD, max_value=LATE))
def test_seconds_and_milliseconds_of_one_moment_agree(naive):
    whole = naive.replace(microsecond=0, tzinfo=UTC)
    seconds = int(whole.timestamp())
    found = times.moment(seconds), times.moment(seconds * 1000), times.moment(whole.isoformat())
    assert {one.instant() for one in found if one} == {whole}


@given(
    st.datetimes(min_value=OLD, max_value=LATE),
    st.sampled_from(["Z", "+00:00", "+03:00", "-08:00", "+05:30"]),
)
def test_what_comes_out_goes_in_again_unchanged(naive, zone):
    found = times.moment(naive.isoformat() + zone)
    assert found is not None
    assert times.moment(found.text) == found


def test_later_is_told_across_offsets():
    early, late = times.moment("2026-01-01T10:00:00+03:00"), times.moment("2026-01-01T08:00:00Z")
    assert early
    assert late
    assert times.is_later(late, early)
    assert not times.is_later(early, late)
