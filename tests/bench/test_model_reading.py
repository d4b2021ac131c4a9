"""The quality measures read through the adapter: recorded once, the same again, and told apart."""

from __future__ import annotations

import json

import pytest

from bench.__main__ import main
from bench.quality import model_reading, running
from bench.quality.datasets import Wanted
from bench.quality.model_reading import Chosen, through
from review.facts import parameters
from review.facts.grammar import GrammarParser
from review.facts.protocol import Setting
from tests.bench import made_up


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    made_up.write(folder, mquake_cf3k=[made_up.edited()])
    return folder


def figures(results):
    rows = running.rows(results)
    return {(row.id, row.variant, row.measure): row.value for row in rows}


def test_a_recording_gives_the_same_figures_again_and_nobody_is_called(tmp_path, data):
    wanted = Wanted(data, None, 1, frozenset({"Q4"}))
    chosen = Chosen(recorded=tmp_path / "replies.jsonl")
    with through(chosen) as first:
        once = figures(running.run(wanted))
    with through(chosen) as second:
        again = figures(running.run(wanted))
    assert once == again
    assert first.recordings.asked > 0
    assert (second.recordings.asked, second.model.spending().calls) == (0, 0)
    assert second.recordings.replayed >= first.recordings.asked
    assert not first.parser.fallen_back
    lines = (tmp_path / "replies.jsonl").read_text().splitlines()
    assert len(lines) == first.recordings.asked
    assert set(json.loads(lines[0])) == {
        "request", "text", "stop", "input_tokens", "output_tokens",
    }  # fmt: skip


def test_the_way_through_the_stub_costs_little_of_what_the_grammar_reads(data):
    wanted = Wanted(data, None, 1, frozenset({"Q4"}))
    grammar = figures(running.run(wanted))
    with through(Chosen()):
        model = figures(running.run(wanted))
    assert model.keys() == grammar.keys()
    told = [key for key, value in grammar.items() if value is not None and model[key] is not None]
    assert told
    assert sum(abs(model[key] - grammar[key]) for key in told) / len(told) <= 0.1


def test_a_budget_is_for_a_live_run_alone(data):
    wanted = Wanted(data, None, 1, frozenset({"Q4"}))
    with through(Chosen(tokens=1)) as told:
        running.run(wanted)
    assert told.recordings.asked > 0
    assert not told.parser.fallen_back


CLAIMS = (
    "who is the present minister of food of the island: Irina Petrova",
    "who is the current president of the royal society: Sir Adrian Smith",
    "The warehouse of the shop in Kazan is Koledino.",
    "Комиссия магазина — 45 рублей за штуку.",
)


@pytest.mark.parametrize("text", CLAIMS)
def test_a_model_that_reads_as_the_grammar_does_leaves_the_same_keys(text):
    """Whose it is, of what, with which value, and whether there is one: kept on the way."""
    table = parameters.load()
    grammar = GrammarParser(table)
    with through(Chosen()) as told:
        read = told.parser.claim(text, Setting())
    assert not told.parser.fallen_back
    assert [keys(one) for one in read.facts] == [
        keys(one) for one in grammar.claim(text, Setting()).facts
    ]


def keys(fact):
    return fact.subject_key, plain(fact.parameter_key), fact.value_key, fact.cardinality


def plain(key):
    return key.removeprefix("open:").removeprefix("open ")


def test_the_command_adds_rows_of_what_it_took(tmp_path, data, capsys):
    words = ["quality", "--data", str(data), "--only", "Q11", "--limit", "2", "--parser", "model"]
    assert main([*words, "--json", str(tmp_path / "rows.json")]) == 0
    told = json.loads((tmp_path / "rows.json").read_text())["rows"]
    names = {(row["id"], row["variant"]) for row in told}
    assert ("Q11", "model current_context") in names
    assert ("Q11", "model answer_first") in names
    taken = {row["measure"]: row["value"] for row in told if row["id"] == "model"}
    assert taken["replies asked for"] > 0
    assert taken["read by the grammar instead"] == 0


def test_a_live_run_without_a_key_calls_nobody(monkeypatch):
    monkeypatch.delenv(model_reading.KEY, raising=False)
    with pytest.raises(ValueError, match="Nobody was called"), through(Chosen(live=True)):
        pass
