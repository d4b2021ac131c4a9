"""The curve that the console draws is the one that the benchmark measured, bin by bin."""

from __future__ import annotations

import json

import pytest

from bench.__main__ import main
from bench.quality.overlap_curve import BINS
from console import measured
from console.cards import why_trim
from tests.bench import made_up


def test_the_command_writes_the_curve_that_its_rows_tell(tmp_path, capsys):
    data = tmp_path / "data"
    data.mkdir()
    told = [
        made_up.causal(10, 20, "Does tea help?", "yes"),
        made_up.causal(10, 60, "Does tea help?", "no", model=2),
    ]
    made_up.write(data, mquake_cf3k=[made_up.edited()], cladder=told)
    rows, curve = tmp_path / "rows.json", tmp_path / "out" / "curve.json"
    words = ["quality", "--data", str(data), "--only", "Q11"]
    assert main([*words, "--json", str(rows), "--curve", str(curve)]) == 0
    capsys.readouterr()
    told = json.loads(curve.read_text(encoding="utf-8"))
    listed = [
        row
        for row in json.loads(rows.read_text(encoding="utf-8"))["rows"]
        if row["variant"].startswith("overlap ")
    ]
    assert [(b["after"], b["before"], b["n"]) for b in told["bins"]] == [
        (row["value"], row["baseline"], row["n"]) for row in listed
    ]
    assert told["n"] > 0
    assert told["n"] == sum(row["n"] for row in listed)


def test_the_shipped_curve_has_every_bin_with_how_many_and_when():
    curve = measured.overlap_curve()
    assert curve is not None
    assert [(one.low, one.high) for one in curve.bins] == [(a, min(b, 1.0)) for a, b in BINS]
    assert curve.n == sum(one.n for one in curve.bins) > 100
    assert len(curve.date) == len("2026-03-10")
    for one in curve.bins:
        assert one.before is None or 0.0 <= one.before <= 1.0


@pytest.mark.parametrize(
    ("share", "n", "low", "high"),
    [(0.0, 0, 0.0, 1.0), (0.0, 10, 0.0, 0.2775), (0.5, 10, 0.2366, 0.7634), (1.0, 1, 0.2065, 1.0)],
)
def test_a_band_is_wilsons_and_wide_where_there_are_few(share, n, low, high):
    assert why_trim.band(share, n) == pytest.approx((low, high), abs=1e-3)
