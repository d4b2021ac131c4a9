from datetime import UTC, datetime, timedelta

import pytest

from bench.quality import causal, cloze, intents, situated, updates
from bench.quality import recall_at_ten as recalls
from bench.quality import timelines as lines
from bench.quality.bm25 import Bm25
from bench.quality.cascades import sharing, stale_by, usable
from bench.quality.datasets import Wanted
from bench.quality.figures import Limit, Tally, f1, mean, row
from bench.quality.noise import noise
from bench.quality.overlap_curve import partial_pairs
from bench.quality.pairs import gold_fate, gold_groups
from bench.quality.partitions import by_pattern, edited_pairs, stored_case
from bench.quality.public_path import Cell
from bench.quality.substitution import ATTACKS, targets
from bench.rows import table
from tests.bench import made_up


def test_a_share_of_nothing_is_no_figure_and_its_target_is_open():
    told = row(("Q0", "found", "share"), Tally().share, n=0, limit=Limit(0.9))
    assert (told.value, told.holds, told.n) == (None, None, 0)
    assert table([told]).splitlines()[1].split() == ["Q0", "found", "share", "-", "-", ">=", "0.9", "-", "0"]  # fmt: skip  # noqa: E501


@pytest.mark.parametrize(
    ("limit", "value", "holds"),
    [(Limit(0.9), 0.9, True), (Limit(0.9), 0.89, False), (Limit(0.1, at_least=False), 0.2, False)],
)
def test_a_target_holds_at_its_very_value(limit, value, holds):
    assert limit.holds(value) is holds


def test_a_mean_with_an_unmeasured_part_is_not_measured():
    assert mean([0.5, None]) is None
    assert mean([0.5, 1.0]) == 0.75
    assert mean([]) is None


def test_f1_is_one_without_errors_and_open_without_cases():
    assert f1(found=3, wrong=0, missed=0) == 1.0
    assert f1(found=1, wrong=1, missed=1) == 0.5
    assert f1(found=0, wrong=0, missed=0) is None


def test_a_file_that_is_absent_or_odd_is_an_empty_one(tmp_path):
    wanted = Wanted(made_up.write(tmp_path, odd={"a": 1}, mixed=[{"a": 1}, "b"]))
    assert wanted.load("none.json") == wanted.load("odd.json") == []
    assert wanted.load("mixed.json") == [{"a": 1}]


def test_a_sample_keeps_the_order_and_the_smaller_bound(tmp_path):
    wanted = Wanted(tmp_path, limit=4, seed=3)
    some = wanted.sample(range(100), 10)
    assert len(some) == 4
    assert some == sorted(some) == Wanted(tmp_path, limit=4, seed=3).sample(range(100))
    assert wanted.sample([1, 2]) == [1, 2]


def test_a_pair_needs_two_distinct_starts_and_its_cells_tell_only_the_start():
    items = [
        made_up.situated("who leads", ("Bo", 2020), ("Al", 2015)),
        made_up.situated("кто главный", ("Яна", 2020), ("Юра", 2020)),
        made_up.static("what is tea", "a drink"),
        {"question": "broken", "timelines": [{"cur_start": "2020"}]},
    ]
    (pair,) = situated.pairs(items)
    new, old = pair.cells("2021-01-01T00:00:00Z")
    assert (new.claim, old.claim) == ("who leads: Bo", "who leads: Al")
    assert new.more == {"valid": {"start": "2020-01-01", "precision": "year"}}
    assert pair.asked("AS-OF old") == "who leads as of 2015"
    assert situated.statics(items) == [("static:2", "what is tea", "a drink")]
    assert situated.told_at([pair]) > datetime(2020, 1, 1, tzinfo=UTC)


def test_updates_are_ordered_by_date_and_one_turn_is_left_out():
    later, earlier = ("2024/03/01 (Fri) 09:00", "In Omsk"), ("2024/01/01 (Mon) 09:00", "В Казани")
    items = [
        made_up.update(later, earlier, intent="CURRENT"),
        made_up.update(later, intent="CURRENT"),
        made_up.update(later, earlier, intent=None),
    ]
    (found,) = updates.updates(items)
    assert [turn.text for turn in found.turns] == ["В Казани", "In Omsk"]
    cells = updates.cells_of([found], items, seed=1)
    assert {cell.source_id for cell in cells} >= {"update:0:0", "update:0:1"}
    assert all(cell.scope == found.scope for cell in cells)


def test_a_question_is_never_asked_before_its_newest_evidence():
    told = made_up.update(
        ("2024/04/01 (Mon) 09:00", "a"), ("2024/05/01 (Wed) 18:00", "b"), intent="CURRENT"
    )
    (found,) = updates.updates([told])
    assert found.asked_at == found.turns[-1].said_at + timedelta(minutes=1)


def test_facts_of_a_chain_stand_where_their_values_do():
    (case,) = cloze.cases([made_up.edited()])
    claim = case.claim()
    for fact, hop in zip(cloze.facts(case.hops, labelled=True), case.hops, strict=True):
        assert claim[fact["start"] : fact["end"]] == fact["value"] == hop.value_label
    assert claim.startswith("Гражданство Анна: Норвегия. The capital of Норвегия is Осло. So ")
    words = [fact["parameter"] for fact in cloze.facts(case.hops, labelled=False)]
    assert words == ["Гражданство :", "The capital of is"]


def test_a_conclusion_is_stale_by_its_edited_hop_and_shares_more_than_that():
    item = made_up.edited()
    memory = cloze.cases([item])
    edits = usable(memory, cloze.edits([item]))
    assert [edit.sentence for edit in edits] == ["Гражданство Анна: Италия."]
    assert stale_by(memory, edits) == sharing(memory, edits) == {"case:0"}
    assert stale_by(memory, []) == set()


def test_a_fact_is_shared_conflicting_or_only_remembered_by_key_then_value():
    memory = [("city", "Omsk"), ("season", "summer"), ("form", "hall")]
    groups = gold_groups(memory, {"city": "Omsk", "season": "winter"})
    assert groups == ("shared", "conflicting", "memory_only")
    assert gold_fate(groups, same_task=True) == "dropped"
    assert gold_fate(("shared",), same_task=True) == "kept"
    assert gold_fate(("memory_only",), same_task=False) == "demoted"


def test_edited_facts_conflict_and_an_unmentioned_one_is_only_remembered():
    (case,) = cases = cloze.cases([made_up.edited()])
    told = {pair.sort: pair for pair in edited_pairs(case, cases, seed=1)}
    assert told["edited facts"].groups == ("conflicting", "memory_only")
    assert told["edited facts"].fate == "dropped"
    assert told["edited facts"].wrong
    assert told["same facts, same question"].overlap == 1.0
    assert told["same facts, same question"].fate == "kept"


def test_a_stored_answer_is_wrong_only_where_an_edit_is_stated():
    (case,) = cases = cloze.cases([made_up.edited()])
    pairs = partial_pairs(case, cases, seed=1)
    silent = next(pair for pair in pairs if pair.text == case.question)
    assert not silent.wrong
    assert all(pair.wrong == ("conflicting" in pair.groups) for pair in pairs)


def test_figures_of_one_story_are_keyed_by_expression_and_compared_by_value():
    items = [
        made_up.causal(10, 20, "Does tea help?", "yes"),
        made_up.causal(10, 20, "Does tea harm?", "no"),
        made_up.causal(10, 60, "Does tea help?", "no", model=2),
    ]
    first, other_task, other_figures = causal.problems(items)
    assert first.on(first).fate == "kept"
    assert other_task.on(first).fate == "demoted"
    assert other_figures.on(first).groups == ("shared", "conflicting")
    stored = first.stored()
    assert [stored.claim[start:end] for start, end in stored.places] == ["10%", "20%"]
    assert by_pattern(stored, other_figures.on(first), causal.pattern).groups == (
        "shared",
        "conflicting",
    )


def test_sentences_that_do_not_fit_their_expressions_are_left_out():
    broken = made_up.causal(10, 20, "Does tea help?", "yes")
    broken["meta"]["given_info"] = {"p(Y | X)": [0.1]}
    assert causal.problems([broken, {"given_info": "Tea."}, {}]) == []


def test_malformed_evidence_is_skipped_and_turns_come_in_order_of_sessions():
    talk = recalls.conversation("talk:0", made_up.talk())
    assert [cell.claim for cell in talk.cells] == [
        "Вера: Смотри! [a boat on a lake]",
        "Ann: My sister Vera lives in Omsk now.",
    ]
    assert [(one.text, sorted(one.evidence)) for one in talk.questions] == [
        ("Where does Vera live?", ["talk:0:D2:1"]),
        ("What did Vera show?", ["talk:0:D1:1"]),
    ]
    assert talk.cells[0].written_at == "2024-05-01T00:10:00Z"


def test_a_timeline_hides_versions_and_links_unless_they_are_given():
    told = lines.timeline("t", made_up.timeline())
    assert [one.text for one in told.memories] == [
        "hall: Hall A",
        "Draft of the plan",
        "hall: Hall B",
    ]
    assert all(not cell.more for cell in told.cells(given=False))
    assert told.cells(given=True)[2].more == {"edges": [{"kind": "supersedes", "target": "t:0"}]}
    (query,) = told.queries
    assert (query.must, query.must_not) == (("hall b",), ("Hall A",))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Where do I live?", "CURRENT"),
        ("Where did I live before?", "HISTORY"),
        ("How has it changed?", "CHANGE"),
    ],
)
def test_the_cue_baseline_goes_by_its_words(text, kind):
    assert intents.by_cue(text) == kind


def test_bm25_puts_the_rarer_word_first_and_leaves_out_what_shares_none():
    texts = ["the hall in Omsk", "the hall", "чай и хлеб", "the hall again"]
    assert Bm25(texts).best("hall in Omsk", 3)[0] == 0
    assert 2 not in Bm25(texts).best("hall in Omsk", 4)
    assert Bm25(texts).best("хлеб", 1) == [2]
    assert Bm25([]).best("hall", 3) == []


def test_ten_times_as_much_noise_and_some_of_it_on_the_ids_of_durable_cells():
    cells = [Cell(f"a:{n}", f"Кошка {n} ест рыбу", "2024-01-01T00:00:00Z") for n in range(7)]
    told = list(noise(cells, seed=1))
    assert len(told) == 70
    assert {cell.source_id for cell in told} & {cell.source_id for cell in cells}
    assert any("edges" in cell.more for cell in told)
    assert any("facts" in cell.more for cell in told)


def test_an_attack_states_the_value_of_another_fact_of_the_relation():
    first, second = made_up.edited(), made_up.edited()
    second["orig"]["triples"][1] = ["Q40", "P36", "Q1741"]
    second["single_hops"][1] |= {"cloze": "The capital of Austria is", "answer": "Wien"}
    hops = [hop for case in cloze.cases([first, second]) for hop in case.hops]
    found = targets(hops, seed=1)
    assert {(one.fact.value_label, one.wrong) for one in found} == {
        ("Осло", "Wien"),
        ("Wien", "Осло"),
    }
    assert [len(found[0].attack(sort)) for sort in ATTACKS] == [1, 10, 1]
    assert all(found[0].lie in cell.claim for sort in ATTACKS for cell in found[0].attack(sort))


def test_the_baseline_pattern_knows_the_stored_question_word_for_word():
    (case,) = cases = cloze.cases([made_up.edited()])
    stored = stored_case(case, labelled=True)
    same = next(p for p in edited_pairs(case, cases, 1) if p.sort == "same facts, same question")
    assert by_pattern(stored, same, causal.pattern).fate == "kept"
