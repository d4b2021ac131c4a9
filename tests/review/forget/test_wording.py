"""What people add to a report brings neither words that say too much nor what was asked for."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review.forget import wording
from review.forget.headline import headline
from review.forget.letter import letter
from review.forget.locations import Confirmation, Location
from review.forget.markdown import markdown
from review.forget.report import BadReportError, read_report
from review.forget.scope import BadScopeError, Hold, Scope
from review.forget.statuses import LocationKind, Status
from tests.review.forget.test_report import BACKUP, BANNED, made

TOO_MUCH = (
    "everything",
    "EveryThing",
    "every-thing.was/erased",
    "e.v.e.r.y.t.h.i.n.g",
    "case:completely:gone",
    "permanently-deleted-4411",
    "forgotten",
    "fully-erased",
)
LOOKING_ALIKE = (
    "еverything",  # the first letter is Cyrillic
    "ｅｖｅｒｙｔｈｉｎｇ",
    "every\u200bthing",
    "every\u00adthing",
    "e\u0301verything",
    "\u202eeverything",
    "<b>everything</b>",
    "[everything](https://example.org)",
    "every&#116;hing",
    "ПОЛНОСТЬЮ",
    "полно\u200bстью",
    "пoлнoстью",  # three of its letters are Latin
    "навсегда, честное слово",
    "всё",
)
HARMLESS = ("T-4411", "DSAR-2026/17", "LH-2", "carefully-checked", "permanent-staff", "#12")


@pytest.mark.parametrize("word", [*TOO_MUCH, *LOOKING_ALIKE])
def test_a_word_that_says_too_much_is_known_in_any_spelling(word):
    assert wording.says_too_much(word)
    assert wording.person(word) == ""
    assert wording.door(word) != word
    assert not wording.says_too_much(wording.door(word))


@pytest.mark.parametrize("word", HARMLESS)
def test_what_only_looks_a_little_like_it_is_kept(word):
    assert not wording.says_too_much(word)
    assert Scope(subject="ana", reference=word).reference == word


@pytest.mark.parametrize("word", TOO_MUCH)
def test_neither_a_case_number_nor_a_duty_says_what_was_done(word):
    with pytest.raises(BadScopeError, match="says nothing of what was done"):
        Scope(subject="ana", reference=word)
    with pytest.raises(BadScopeError, match="says nothing of what was done"):
        Scope(subject="ana", holds=(Hold("0" * 26, word, "2027-01-01"),))


@pytest.mark.parametrize(
    ("asked", "reference"),
    [
        ({"subject": "Ana López"}, "ana-lopez"),
        ({"subject": "Ana López"}, "DSAR.AnaLopez.2026"),
        ({"subject": "client:4411"}, "T/client-4411"),
        ({"subject": "4411"}, "T-4411"),
        ({"run": "run-77"}, "about/run-77"),
        ({"sources": ("mem0:31f4",)}, "mem0-31f4"),
    ],
)
def test_a_case_number_names_the_case_and_not_whom_it_is_about(asked, reference):
    with pytest.raises(BadScopeError, match="names the case"):
        Scope(**asked, reference=reference)


def test_a_case_number_that_only_shares_letters_is_kept():
    assert Scope(subject="ana", reference="anaheim-12").reference == "anaheim-12"


def said(report):
    for lang in ("en", "ru"):
        yield headline(report, lang)
        yield letter(report, lang)
        yield markdown(report, lang)


NAMES = st.one_of(
    st.sampled_from([*TOO_MUCH, *LOOKING_ALIKE]),
    st.text(max_size=80),
    st.sampled_from(["Irina", "Ирина Петрова", "O'Neil", "Zoë"]),
)


@settings(max_examples=150, deadline=None)
@given(name=NAMES)
def test_a_persons_name_brings_no_markup_and_no_such_word_into_a_report(name):
    one = Confirmation("r-1", name, "2026-03-02T10:00:00Z")
    report = made((Status.ERASED,), (replace(BACKUP, confirmed=(one,)),))
    for text in said(report):
        assert not BANNED.search(text), text
        assert not set(text) & set("\u200b\u202e\u2066\u200f\u00ad\ufeff")
    (line,) = [one for one in markdown(report).splitlines() if one.startswith("- backup")]
    shown = line.removesuffix(" says removed, 2026-03-02T10:00:00Z").split("(2026-12-29) ", 1)[1]
    assert not set(shown) & set("<>[]()*_`|\\~#"), line


def test_names_in_many_scripts_are_kept():
    assert wording.person("Ирина Петрова") == "Ирина Петрова"
    assert wording.person("O'Neil-Zoë") == "O'Neil-Zoë"
    assert wording.person("a\n# head <script>") == "a head script"


def test_a_door_that_says_too_much_is_told_by_a_digest_wherever_it_stands():
    name = "everything-bot"
    one = Location(
        f"door:{name}",
        LocationKind.AGENT_READ,
        Status.ERASED,
        path_hint=f"doors/{name}/spool",
        recipient=name,
    )
    shown = wording.shown(one)
    assert "everything" not in json.dumps(shown.as_json())
    assert shown.path_hint.endswith("/spool")
    assert wording.shown(
        replace(one, location_id="door:bot", recipient="bot", path_hint="doors/bot")
    ) == (replace(one, location_id="door:bot", recipient="bot", path_hint="doors/bot"))
    assert wording.place(f"answers:{name}") != f"answers:{name}"


WORDY = {
    ("head", "reference"): ["everything", "a b", "<b>", "пока"],
    ("head", "requested_by"): ["r 1", "everything"],
    ("head", "started"): ["yesterday", "2026-03-10", "2026-03-10T12:00:00"],
    ("head", "scope_by"): [["everything"], ["subject", "Ana lives here"]],
    ("head", "statement_sha256"): [["Ana"], ["a" * 63]],
    ("head", "missing"): ["1", 1.5, True, None],
    ("head", "due"): ["2026-02-30", "soon"],
    ("row", "id"): ["Ana lives by the harbour", "everything", "\u202e"],
    ("row", "checked_by"): ["Everything", "all gone"],
    ("row", "hold"): [["permanently", "2027-01-01"], ["LH-2", "for ever"], ["LH-2"]],
    ("row", "contents"): ["3"],
    ("location", "location_id"): ["backup:a b", "[x](y)", "door:everything"],
    ("location", "path_hint"): ["stores/Ana lives", "a\nb"],
    ("location", "delete_by"): ["permanently", "2026-13-01", "٢٠٢٦-٠١-٠١"],
    ("location", "residual_reason"): ["It is gone", "<i>"],
    ("location", "recipient"): ["Ana L", "everywhere"],
    ("location", "told_at"): ["then"],
}


@pytest.mark.parametrize(("where", "value"), [(k, v) for k, vs in WORDY.items() for v in vs])
def test_a_file_with_other_words_in_it_is_no_report_of_ours(where, value):
    told = made((Status.ERASED, Status.RETAINED_BY_DUTY), (BACKUP,)).as_json()
    assert read_report(told)
    part, name = where
    into = {"head": told["head"], "row": told["rows"][1], "location": told["locations"][0]}[part]
    into[name] = value
    with pytest.raises(BadReportError):
        read_report(told)
