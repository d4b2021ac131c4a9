"""``audit`` as a person or a script meets it: verdict, numbers, chain, and words made harmless."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from console.commands.audit_reporting import reports
from console.wiring import open_workspace
from store.verify import verify
from tests.console.test_cli import HIDDEN, quick
from tests.console.test_cli_ask import AT, QUESTION, home

__all__ = ["home"]
EVIL = "Ship to Koledino.\u202e\x1b[31m ``` [a](http://evil.test) @all :red[x]"


@pytest.fixture(scope="module")
def audited(home, tmp_path_factory) -> Path:
    """The same workspace, with one recall recorded and one answer reported."""
    folder = tmp_path_factory.mktemp("audited") / "w"
    shutil.copytree(home, folder)
    assert quick(folder, "ask", QUESTION, *AT, "--record").exit_code == 0
    told = {
        "question": "Where is the main warehouse?",
        "answer": EVIL,
        "asked_at": "[when](http://evil.test)",
        "documents": ["For shipping to Koledino we use the carrier Delovye Linii, on Tuesdays."],
        "trace": "tr-9",
    }
    file = folder / "answer.json"
    file.write_text(json.dumps(told), encoding="utf-8")
    assert quick(folder, "audit", "report", str(file)).exit_code == 0
    return folder


def ids(audited):
    told = json.loads(quick(audited, "audit", "--json").stdout)
    return {one["source"]: one["id"] for one in told["answers"]}


def test_answers_are_listed_newest_first_and_say_who_saw_them(audited):
    lines = quick(audited, "audit").stdout.splitlines()
    assert "reported" in lines[0]
    assert "observed" in lines[1]
    assert "2 of 4" in lines[1]
    assert not HIDDEN.search("\n".join(lines))
    assert quick(audited, "audit", "--search", "next week").stdout.count("\n") == 1


def test_the_verdict_comes_first_then_the_numbers_then_where_it_is_from(audited):
    told = quick(audited, "audit", ids(audited)["memory.recalled"]).stdout
    assert "WAS IN THE PROMPT" in told
    assert told.index("WAS IN THE PROMPT") < told.index("Retrieved 4") < told.index("sha256")
    assert "every number agrees with the record to the last bit" in told
    assert "We cannot show the model relied on it." in told
    assert "Gap: no run" in told


def test_a_fact_that_was_kept_out_is_explained_by_its_bar(audited):
    answer = ids(audited)["memory.recalled"]
    told = json.loads(quick(audited, "audit", answer, "--json").stdout)
    blocked = next(one for one in told["then"][0]["candidates"] if one["bars"] == ["superseded"])
    text = quick(audited, "audit", answer, "--fact", blocked["item"]).stdout
    assert "WAS BLOCKED BEFORE SCORING" in text
    assert "Superseded by" in text
    assert told["agreement"]["agrees"] is True
    assert told["chain"][-1]["gap"] == "no_run"


def test_a_pasted_text_leads_to_its_answer(audited, tmp_path):
    pasted = tmp_path / "pasted.txt"
    pasted.write_text("ship to koledino", encoding="utf-8")
    told = quick(audited, "audit", "--text", str(pasted), "--json")
    assert json.loads(told.stdout)["answer"]["id"] == ids(audited)["read.reported"]
    told = quick(audited, "audit", "--text", "-", typed=EVIL)
    assert "○ Reported" in told.stdout
    assert not HIDDEN.search(told.stdout)


def test_what_is_not_recorded_is_said_with_the_cells_that_state_it(audited, tmp_path):
    pasted = tmp_path / "pasted.txt"
    pasted.write_text("Nobody knows why everything must go through Elektrostal", encoding="utf-8")
    told = quick(audited, "audit", "--text", str(pasted))
    assert told.exit_code == 3
    assert "No answer that is recorded here contains this text. 2 are known" in told.stderr
    assert "Elektrostal" in told.stderr


@pytest.mark.parametrize("language", ["en", "ru"])
def test_markdown_of_hostile_words_is_inert(audited, language):
    answer = ids(audited)["read.reported"]
    told = quick(audited, "audit", answer, "--md", "--language", language).stdout
    outside = []
    fence = ""
    for line in told.splitlines():
        ticks = line.strip().split("text")[0]
        if set(ticks) == {"`"} and (not fence or line.strip() == fence):
            fence = "" if fence else ticks
        elif not fence:
            outside.append(line)
    assert fence == ""
    for word in ("evil.test", "@all", ":red", "Koledino."):
        assert word not in "\n".join(outside), word
    assert "⟦U+202E RLO⟧" in told
    assert not HIDDEN.search(told)


def test_a_report_is_recorded_once_and_the_store_still_verifies(audited):
    file = str(audited / "answer.json")
    again = quick(audited, "audit", "report", file, "--json")
    assert json.loads(again.stdout) == {
        "answers": [ids(audited)["read.reported"]], "recorded": 0, "already_known": 1,
    }  # fmt: skip
    place = open_workspace(audited)
    path = place.store_path(place.settings.tenants[0])
    report = verify(path, root=place.root)
    assert report.exit_code == 0, report


def test_a_report_may_be_json_a_list_lines_or_a_plain_text():
    one, two = {"question": "q", "answer": "a"}, {"answer": "b", "documents": [{"id": 7}]}
    forms = [json.dumps([one, two]), f"{json.dumps(one)}\n\n{json.dumps(two)}\n"]
    for form in forms:
        told = reports(form.encode())
        assert [(x.question, x.answer) for x in told] == [("q", "a"), ("", "b")]
        assert told[1].documents[0].id == "7"
    (plain,) = reports("\ufeffShip it.\n".encode(), question="Where?")
    assert (plain.question, plain.answer, plain.system) == ("Where?", "Ship it.", "command_line")


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("audit", "ans-999"), 3),
        (("audit", "show"), 2),
        (("audit", "ans-1", "--text", "x.txt"), 2),
        (("audit", "--text", "missing.txt"), 3),
        (("audit", "report", "missing.json"), 3),
        (("audit", "ans-1", "--language", "de"), 2),
        (("gate", "fit"), 2),
        (("gate", "fit", "--from-audit"), 1),
    ],
)
def test_what_cannot_be_told_ends_with_a_sentence_and_a_code(audited, args, code):
    told = quick(audited, *args)
    assert told.exit_code == code
    assert told.stderr.strip()
    assert "Traceback" not in told.output


def test_labels_and_shares_are_told_even_when_there_are_none(audited):
    assert "Nobody has labelled a verdict yet." in quick(audited, "audit", "labels").stderr
    told = json.loads(quick(audited, "audit", "shares", "--json").stdout)
    assert told["uses"] == 2
    assert sum(one["share"] for one in told["imports"]) == pytest.approx(1.0)
