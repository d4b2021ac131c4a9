"""S1 over any file of pairs: counted per kind and language, beside a list of words."""

import json

import pytest

from bench import strength
from bench.__main__ import main

PAIRS = [
    ("Agents may refund it.", "Agents must refund it.", "STRICTER", ["deontic"]),
    ("The depot reportedly closes early.", "The depot closes early.", "STRICTER", ["certainty"]),
    ("If it is wet, refuse it.", "Refuse it if it is wet.", "SAME", []),
    ("Курьеры обычно звонят.", "Курьеры всегда звонят.", "STRICTER", ["universality"]),
    (["Один раз пломба сорвалась."], "Пломба срывается.", "STRICTER", ["cases", "tense"]),
]


@pytest.fixture
def file(tmp_path):
    lines = [
        json.dumps(dict(zip(("source", "rule", "verdict", "kinds"), pair, strict=True)))
        for pair in PAIRS
    ]
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join([*lines, "", "no pair", '{"rule": 1}']) + "\n", "utf-8")
    return path


def test_the_rows_of_any_file_are_printed_and_written(file, tmp_path, capsys):
    told = tmp_path / "rows.json"
    assert main(["strength", "--data", str(file), "--json", str(told)]) == 0
    rows = {(row["variant"], row["measure"]): row for row in json.loads(told.read_text("utf-8"))}
    assert {row["id"] for row in rows.values()} == {"S1"}
    recall = rows["en deontic", "recall"]
    assert (recall["value"], recall["baseline"], recall["holds"], recall["n"]) == (1, 1, True, 1)
    assert rows["en certainty", "recall"]["baseline"] == 0
    assert rows["ru cases", "precision"]["value"] == 1
    assert rows["ru", "STRICTER called SAME or SOFTER"]["value"] == 0
    assert rows["ru", "STRICTER called SAME or SOFTER"]["baseline"] == 1
    assert rows["all", "lines that are no pair"]["value"] == 2
    assert "S1" in capsys.readouterr().out


def test_a_stricter_rule_that_passes_breaks_the_row(tmp_path):
    path = tmp_path / "pairs.jsonl"
    pair = {
        "source": "It is wet.",
        "rule": "It is wet.",
        "verdict": "STRICTER",
        "kinds": ["scope"],
    }
    path.write_text(json.dumps(pair), "utf-8")
    rows = {(row.variant, row.measure): row for row in strength.measure([path])}
    passed = rows["en", "STRICTER called SAME or SOFTER"]
    assert (passed.value, passed.holds) == (1, False)
    assert rows["en scope", "recall"].holds is False
    assert rows["en scope", "precision"].value is None
    assert strength.misses([path], "all")[0]["told"] == ["same"]


def test_parts_of_the_pairs_and_an_absent_file(file, tmp_path):
    assert len(strength.read([file], "dev")[0]) == len(PAIRS)
    assert strength.read([file], "held-out")[0] == []
    (row,) = strength.measure([tmp_path / "absent.jsonl"])
    assert (row.value, row.n) == (1, 0)
