import json
from datetime import UTC, datetime

import pytest

from bench.__main__ import main
from bench.quality import running
from bench.quality.datasets import Wanted
from bench.quality.gathered import admitted, handed_over
from bench.quality.public_path import Cell, World
from review.recall import Question
from store.cells import SourceType
from tests.bench import made_up

OLD, NEW = "2024-01-01T09:00:00Z", "2024-03-01T09:00:00Z"
LATER = datetime(2025, 1, 1, tzinfo=UTC)


def test_only_what_was_signed_is_handed_over():
    world = World()
    world.learn([Cell("a:1", "The carrier for Omsk is Delovye Linii.", OLD)])
    world.stage([Cell("a:2", "The carrier for Omsk is Baikal.", NEW)])
    recall = world.ask(Question("Which is the carrier for Omsk?", asked_at=LATER))
    assert admitted(recall) == {"a:1"}
    assert "Delovye Linii" in handed_over(recall)
    assert "Baikal" not in handed_over(recall)


def test_a_record_that_holds_a_secret_is_counted_and_never_durable():
    world = World()
    secret = "The key of the shop is AKIA" + "IOSFODNN7EXAMPLQ."
    assert world.learn([Cell("a:1", secret, OLD), Cell("a:2", "Чай стоит на полке.", OLD)]) == 1
    assert world.outcomes["refused"] == 1
    assert set(world.statuses(LATER)) == {"a:2"}


def test_what_is_withdrawn_waits_again_and_can_be_approved_by_its_name():
    world = World()
    world.learn([Cell("a:1", "Первое.", OLD), Cell("a:2", "Второе.", OLD)])
    assert world.withdraw(["a:1", "a:9"]) == 1
    assert set(world.statuses(LATER)) == {"a:2"}
    assert world.approve(["a:1"]) == 1
    assert set(world.statuses(LATER)) == {"a:1", "a:2"}


def test_a_named_owner_is_in_the_policy_of_the_next_question():
    world = World()
    world.learn([Cell("a:1", "The capital of Norway is Oslo.", OLD)])
    world.name_owner(SourceType.DOCUMENT)
    assert set(world.desk.policy.policy.owners.values()) == {SourceType.DOCUMENT}
    assert world.desk.policy.policy.owners


def test_an_empty_folder_gives_rows_without_values(tmp_path):
    results = running.run(Wanted(tmp_path))
    assert list(results) == list(running.NAMES)
    for name, result in results.items():
        assert result.rows, name
        if name != "Q13":
            assert all(row.value is None and row.n == 0 for row in result.rows), name


def test_every_measure_counts_the_cases_of_a_small_folder(tmp_path):
    made_up.write(
        tmp_path,
        situatedqa_temp=[
            made_up.situated("who leads the club", ("Bo", 2020), ("Al", 2015)),
            made_up.situated("кто директор завода", ("Яна", 2019), ("Юра", 2011)),
            made_up.static("what is tea made of", "leaves"),
        ],
        longmemeval_evidence=[
            made_up.update(
                ("2024/01/01 (Mon) 09:00", "I live in Kazan."),
                ("2024/03/01 (Fri) 09:00", "I moved to Omsk."),
                intent="CURRENT",
            )
        ],
        mquake_cf3k=[made_up.edited()],
        cladder=[
            made_up.causal(10, 20, "Does tea help?", "yes"),
            made_up.causal(10, 60, "Does tea help?", "no", model=2),
        ],
        locomo=[made_up.talk()],
        statebench_by_prompt=[made_up.timeline()],
    )
    results = running.run(Wanted(tmp_path))
    for name in set(running.NAMES) - {"Q12"}:  # no two facts of one relation, so no attack
        head = results[name].rows[0]
        assert head.value is not None, name
        assert head.n, name
    assert results["Q10"].rows[0].value == 0.0
    told = running.misses(results, examples=1)
    assert all(isinstance(kinds, dict) for kinds in told.values())


def test_the_command_writes_rows_with_n_and_refuses_an_unknown_measure(tmp_path, capsys):
    out = tmp_path / "figures" / "q9.json"
    words = ["quality", "--data", str(tmp_path), "--only", "q9", "--json", str(out)]
    assert main(words) == 0
    assert "Q9" in capsys.readouterr().out
    (told,) = json.loads(out.read_text())["rows"]
    assert (told["id"], told["value"], told["n"]) == ("Q9", None, 0)
    with pytest.raises(SystemExit):
        main(["quality", "--only", "Q99"])
    assert "Known ones" in capsys.readouterr().err
