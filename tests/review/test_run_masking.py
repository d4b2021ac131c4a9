"""No secret stays in a run that is kept, in whatever field or form it came."""

import json
from dataclasses import replace

import pytest

from review.staged import run_masking, run_spelling
from store.records import RemarkCode
from store.trajectories import Omitted, StepKind
from tests.review.run_worlds import run

TOKEN = "ghp_" + "x8Fq2LmZ0aKd7RtYb3NwVc5UjHe9PsGiQo1T"
PW = "hunter2" + "Zebra9!"

READ = run(
    "one",
    [
        ("input", "Deploy"),
        ("action", "deploy", {"name": "d", "call": "c1"}),
        ("result", "ok"),
    ],
    [{"verdict": "reject", "step": 1, "reason": "no"}],
)
RUN = READ.found


def step(**told):
    return replace(RUN, steps=(RUN.steps[0], replace(RUN.steps[1], **told)))


def decision(**told):
    return replace(RUN, decisions=(replace(RUN.decisions[0], **told),))


@pytest.mark.parametrize(
    "told",
    [
        *(step(**{name: TOKEN}) for name in ("text", "who", "name", "call", "at")),
        step(omitted=Omitted(1, "a" * 64, TOKEN)),
        step(omitted=Omitted(1, TOKEN, "text/plain")),
        *(decision(**{name: TOKEN}) for name in ("reason", "edit", "by", "review_id", "at")),
        *(
            replace(RUN, **{name: TOKEN})
            for name in ("source_id", "branch_of", "started_at", "ended_at")
        ),
        replace(RUN, remarks=(TOKEN,)),
        replace(RUN, run={"session": TOKEN}),
        replace(RUN, run={TOKEN: "x"}),
        replace(RUN, foreign={TOKEN: 1}),
        replace(RUN, foreign={"m": {TOKEN: "y"}}),
        replace(RUN, foreign={"m": [{"a": [TOKEN]}]}),
        replace(RUN, foreign={"password": PW}),
        replace(RUN, foreign={"m": {"password": PW}}),
        replace(RUN, foreign={"password": [PW]}),
        replace(RUN, foreign={"m": {"password": {"value": PW}}}),
        replace(RUN, foreign={"m": [{"name": "DB_PASSWORD", "value": PW}]}),
        replace(RUN, run={"password": PW}),
        step(text=json.dumps({"field": "password", "value": PW})),
        step(text=json.dumps({"fields": [{"name": "password", "type": "text", "value": PW}]})),
        step(text=json.dumps({"password": {"value": PW}, "n": 1})),
        step(text=json.dumps({"password": [PW]})),
        step(text=json.dumps({"args": ["login", "--password", PW]})),
        decision(edit=json.dumps({"field": "password", "value": PW})),
    ],
)
def test_a_secret_is_masked_wherever_it_stands(told):
    kept, raw = run_masking.masked(told, READ.raw)
    body = run_spelling.spelled(kept)
    assert TOKEN.encode() not in body
    assert PW.encode() not in body
    assert run_spelling.spelled(run_spelling.read(body)) == body
    assert RemarkCode.SECRETS_MASKED in kept.remarks
    assert len(raw) == len(READ.raw)


def test_what_stands_beside_a_secret_stays():
    told = replace(RUN, foreign={TOKEN: 1, "city": "Kazan", "m": {"password": PW, "n": 2}})
    kept, _ = run_masking.masked(told, READ.raw)
    assert kept.foreign["city"] == "Kazan"
    assert kept.foreign["masked"] == 1
    assert kept.foreign["m"]["n"] == 2
    assert kept.steps == RUN.steps


def test_what_stands_beside_a_secret_in_the_arguments_of_a_call_stays():
    """How a browser is told to fill in a form: the name and the value are two members."""
    form = {"fields": [{"name": "password", "value": PW}, {"name": "city", "value": "Kazan"}]}
    kept, _ = run_masking.masked(step(text=json.dumps(form)), READ.raw)
    told = json.loads(kept.steps[1].text)["fields"]
    assert told[0]["value"].startswith("⟦secret")
    assert (told[0]["name"], told[1]["value"]) == ("password", "Kazan")


def test_two_keys_that_are_secrets_keep_both_values():
    told = replace(RUN, foreign={TOKEN: 1, TOKEN[:-1] + "Z": 2})
    assert sorted(run_masking.masked(told, READ.raw)[0].foreign.values()) == [1, 2]


def test_a_run_without_secrets_is_left_alone():
    told = replace(RUN, foreign={"tokens": {"input": 12, "name": "gpt"}, "note": "a b"})
    assert run_masking.masked(told, READ.raw) == (told, READ.raw)


def test_a_value_that_masking_of_the_bytes_does_not_see_blanks_them():
    raw = json.dumps({"name": "DB_PASSWORD", "value": PW}, indent=1).encode()
    told = replace(RUN, foreign={"m": {"name": "DB_PASSWORD", "value": PW}})
    _, kept = run_masking.masked(told, raw + b"\npassword: " + PW[::-1].encode())
    assert PW.encode() not in kept


def test_what_only_the_spelled_run_shows_goes_with_its_texts(monkeypatch):
    """The net below: nothing was masked in the texts, and the run is searched once more."""
    monkeypatch.setattr(run_masking, "_texts", lambda _: iter(()))
    told = step(text=f"my token is {TOKEN}")
    kept, raw = run_masking.masked(told, READ.raw)
    assert [one.text for one in kept.steps] == ["Deploy", run_masking.BLANK]
    assert kept.steps[1].kind is StepKind.ACTION
    assert raw == b"*" * len(READ.raw)
    assert RemarkCode.SECRETS_MASKED in kept.remarks
