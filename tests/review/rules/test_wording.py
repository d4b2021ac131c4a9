"""The strength dialogue: places, put back, reasons, and the two bad instructions of the seeds."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review.clause_strength.places import Verdict
from review.independence import Count
from review.rules import drafting
from review.rules.cases import Cases
from review.rules.drafting import NotReadyError, Opened, RuleDraft
from review.rules.export_told import Answer, SourceText, Threshold, ThresholdName, Unknown, Why
from review.rules.exposure import Exposure
from review.rules.learned import Learned
from review.rules.readiness import Ground, Missing
from review.rules.transfer import Transfer

SOURCE = "In March we usually shipped jackets to Elektrostal when Koledino was full."


def opened(text: str, *more: str, **changes) -> Opened:
    """A candidate on which everything but the text is ready."""
    sources = tuple(
        SourceText(f"i{n}", 1, "claim", "oleg", "2026-02-01", one, "0" * 64)
        for n, one in enumerate((text, *more))
    )
    passed = tuple(Threshold(name, "1", "1", 5, True, Why.REACHED) for name in ThresholdName)
    told = {
        "sources": sources, "erased": False, "fallen": False, "thresholds": passed,
        "confidence": 0.9, "duplicates": "", "searched": True,
        "transfer": Transfer((), 1, 1, 0), "somebody": True,
    }  # fmt: skip
    ground = Ground(**(told | changes))
    learned = Learned(
        "i0", 1, "0" * 64, text, "do", {}, (), "human_review", "", "", "", "", "", None
    )
    cases = Cases((), Count(5, 0, 5, 0, 5))
    return Opened(learned, cases, passed, sources, ground.transfer, (), Exposure(0, 0, 0), ground)


def checked(source: str, rule: str, **changes):
    return drafting.checked(opened(source), RuleDraft(rule, **changes))


def exported(one: Opened, draft: RuleDraft):
    return drafting.exported(
        one, draft, export_id="0f" * 16, tenant="t", now="2026-03-10T12:00:00Z", reviewer="r"
    )


def lacks(told):
    return [one.what for one in told.lacks]


def test_the_source_itself_is_no_change_and_ready():
    told = checked(SOURCE, SOURCE)
    assert told.unchanged
    assert told.ready


def test_every_stricter_place_is_asked_for_and_a_blank_reason_is_none():
    told = checked(SOURCE, "Always ship jackets to Elektrostal.")
    assert lacks(told) == [Missing.PLACES]
    assert told.lacks[0].n == len(told.places) == 6
    blank = {one.key: " \n\t" for one in told.places}
    assert lacks(checked(SOURCE, "Always ship jackets to Elektrostal.", reasons=blank)) == [
        Missing.PLACES
    ]
    reasons = {one.key: "agreed on 2 March" for one in told.places}
    assert checked(SOURCE, "Always ship jackets to Elektrostal.", reasons=reasons).ready


def test_a_reason_stays_with_its_place_and_counts_for_no_other():
    told = checked(SOURCE, "Always ship jackets to Elektrostal.")
    always = next(one for one in told.places if one.place.rule.cue == "Always")
    reasons = {always.key: "the yard closed"}
    edited = checked(SOURCE, "Please always ship our jackets to Elektrostal.", reasons=reasons)
    settled = [one for one in edited.places if one.settled]
    assert {one.place.rule.cue.casefold() for one in settled} <= {"always"}
    never = checked(SOURCE, "Never ship jackets to Elektrostal.", reasons=reasons)
    assert not any(one.settled for one in never.places)


def test_the_reasons_and_restorations_travel_in_the_export():
    one = opened(SOURCE)
    draft = RuleDraft("Always ship jackets to Elektrostal when Koledino was full, in March.")
    told = drafting.checked(one, draft)
    draft = replace(draft, reasons={place.key: "the yard closed" for place in told.places})
    export = exported(one, draft)
    assert [place.answer for place in export.settled] == [Answer.REASON] * len(told.places)
    assert {place.reason for place in export.settled} == {"the yard closed"}
    for place in export.settled:
        assert export.strength.places[place.place].verdict is Verdict.STRICTER
    back = draft
    while (told := drafting.checked(one, replace(back, reasons={}))).places:
        back = drafting.put_back(one, replace(back, reasons={}), told.places[0].key)
    export = exported(one, back)
    assert {place.answer for place in export.settled} == {Answer.RESTORED}
    assert {place.place for place in export.settled} == {None}


def test_a_restoration_that_a_later_edit_undid_is_none():
    one = opened(SOURCE)
    first = RuleDraft("Always ship jackets to Elektrostal.")
    key = drafting.checked(one, first).places[0].key
    back = drafting.put_back(one, first, key)
    again = replace(back, text="Always ship jackets to Elektrostal.")
    assert lacks(drafting.checked(one, again)) == [Missing.PLACES]


def test_nothing_leaves_while_anything_is_missing():
    one = opened(SOURCE, somebody=False)
    with pytest.raises(NotReadyError, match="not ready to export: nobody"):
        exported(one, RuleDraft(SOURCE))


@pytest.mark.parametrize(
    ("rule", "missing"),
    [
        ("", Missing.EMPTY_RULE),
        (" \n ", Missing.EMPTY_RULE),
        ("Pay couriers in cash.", Missing.NO_SOURCE),
        ("Отправляй куртки в Электросталь.", Missing.NO_SOURCE),
        (SOURCE + " In M\u200barch.", Missing.NOT_PLAIN),
        (SOURCE + " \u202eyes.", Missing.NOT_PLAIN),
        (SOURCE + " Аlways.", Missing.NOT_PLAIN),  # a Cyrillic letter
        (SOURCE + " Ａｌｗａｙｓ.", Missing.NOT_PLAIN),  # full-width letters
        (SOURCE + " Key AKIA" + "IOSFODNN7" + "EXAMPLE.", Missing.SECRET),
        ("x" * 20_001, Missing.LONG_RULE),
    ],
)
def test_a_text_that_cannot_leave_says_why(rule, missing):
    assert missing in lacks(checked(SOURCE, rule))


def test_an_empty_source_and_an_erased_one_switch_export_off():
    assert Missing.EMPTY_SOURCE in lacks(checked(" ", "Ship jackets."))
    told = drafting.checked(opened(SOURCE, erased=True), RuleDraft(SOURCE))
    assert lacks(told) == [Missing.ERASED]


def test_a_sentence_without_a_source_is_flagged_and_told_as_unknown():
    one = opened(SOURCE)
    draft = RuleDraft(f"{SOURCE} Pay couriers in cash.")
    told = drafting.checked(one, draft)
    assert [draft.text[span.start : span.end] for span in told.unsourced] == [
        "Pay couriers in cash"
    ]
    assert lacks(told) == [Missing.PLACES]
    with pytest.raises(NotReadyError):
        exported(one, draft)
    draft = replace(draft, reasons={told.places[0].key: "The owner of the yard asked for it."})
    export = exported(one, draft)
    assert Unknown.UNALIGNED in export.unknown
    assert [place.reason for place in export.settled] == ["The owner of the yard asked for it."]
    assert drafting.put_back(one, draft, told.places[0].key).text == SOURCE


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        (SOURCE, SOURCE.replace("shipped", "trucked")),
        ("Don't split the parcels of one order.", "Don't divide the parcels of one order."),
        ("Склад отправляет куртки утром.", "Склад вывозит куртки утром."),
    ],
)
def test_words_that_nobody_can_compare_need_a_reason_or_the_source_again(source, rule):
    one = opened(source)
    told = drafting.checked(one, RuleDraft(rule))
    assert {place.place.verdict for place in told.places} == {Verdict.UNKNOWN}
    assert lacks(told) == [Missing.PLACES]
    reasons = {place.key: "The same act in the words of the yard." for place in told.places}
    assert drafting.checked(one, RuleDraft(rule, reasons)).ready
    back = drafting.put_back(one, RuleDraft(rule), told.places[0].key)
    assert back.text == source
    assert drafting.checked(one, back).ready


def test_mixed_languages_are_held_against_the_source_of_their_language():
    one = opened("Не звоните клиенту до 10 утра.", "Do not phone before 10.")
    told = drafting.checked(
        one, RuleDraft("Не звоните клиенту до 10 утра. Do not phone before 10.")
    )
    assert told.ready
    told = drafting.checked(one, RuleDraft("Никогда не звоните клиенту."))
    assert Missing.PLACES in lacks(told)


def test_what_cannot_be_known_is_always_told():
    told = exported(opened(SOURCE), RuleDraft(SOURCE)).unknown
    assert told[:2] == (Unknown.KNOWN_WORDS_ONLY, Unknown.WORLD_OUTSIDE)


def test_a_title_is_the_beginning_of_the_insight_and_never_worded_anew():
    assert exported(opened(SOURCE), RuleDraft(SOURCE)).title == SOURCE
    long = "word " * 40
    title = drafting.titled(long)
    assert len(title) <= 80
    assert title.endswith("…")


def test_a_momentary_correction_made_a_ban_is_flagged():
    """P105: "don't ask this now" is not "never ask"."""
    told = checked("Don't ask this now.", "Never ask this.")
    assert Missing.PLACES in lacks(told)
    told = checked("Не спрашивай сейчас.", "Никогда не спрашивай.")
    assert Missing.PLACES in lacks(told)


# --- the two bad instructions of the seeds ----------------------------------------------------

INSIGHTS = [
    "On 2026-02-15 Oleg once asked not to phone client 4411 before ten, because of the time zone.",
    "In March we usually shipped jackets to Elektrostal when Koledino was full.",
    "Deploying on Friday 6 March broke the shop twice, so Vera would maybe wait until Monday.",
    "Anna said on 3 February that invoices above 400,000 RUB sometimes need a second signature.",
    "In one case the carrier Delovye Linii was late, so Petr preferred to call them on Tuesdays.",
    "15 февраля Олег один раз попросил не звонить клиенту до десяти утра.",
    "В марте мы обычно отправляли куртки в Электросталь, если Коледино было заполнено.",
    "Релиз в пятницу 6 марта дважды сломал магазин, поэтому Вера, возможно, подождала бы.",
    "Анна сказала 3 февраля, что счета выше 400 000 рублей иногда подписывает второй человек.",
    "В одном случае перевозчик опоздал, и Пётр предпочёл позвонить ему во вторник.",
]
_PROVENANCE = re.compile(
    r"(?i)\b(?:on \d{4}-\d\d-\d\d|on (?:friday )?\d+ \w+|in march|in one case|once|twice|oleg|anna"
    r"|vera|petr|\d+ (?:февраля|марта)|в марте|в одном случае|один раз|дважды|олег|анна|вера"
    r"|п[её]тр"
    r"|sometimes|usually|maybe|иногда|обычно|возможно)\b,?"
)


def without_provenance(text: str) -> str:
    """The instruction "remove dates, people and one-off cases"."""
    return re.sub(r"\s{2,}", " ", _PROVENANCE.sub("", text)).strip(" ,")


def absolute(text: str) -> str:
    """The instruction "state it as an absolute standard"."""
    bare = without_provenance(text)
    russian = re.search("[а-я]", bare)
    return f"Всегда: {bare} Это обязательно." if russian else f"Always: {bare} This is a must."


@pytest.mark.parametrize("text", INSIGHTS)
@pytest.mark.parametrize("instruction", [without_provenance, absolute])
def test_both_bad_instructions_are_caught_for_every_insight(text, instruction):
    rule = instruction(text)
    assert rule != text
    told = checked(text, rule)
    assert told.strength.verdict is Verdict.STRICTER
    assert Missing.PLACES in lacks(told), (rule, told.strength)
    with pytest.raises(NotReadyError):
        exported(opened(text), RuleDraft(rule))


@pytest.mark.parametrize("text", INSIGHTS)
def test_the_insight_itself_passes(text):
    assert checked(text, text).ready


@pytest.mark.parametrize("text", INSIGHTS)
@pytest.mark.parametrize("instruction", [without_provenance, absolute])
def test_putting_every_place_back_ends_with_a_rule_that_may_leave(text, instruction):
    one, draft = opened(text), RuleDraft(instruction(text))
    for _ in range(20):
        told = drafting.checked(one, draft)
        if not told.places:
            break
        after = drafting.put_back(one, draft, told.places[0].key)
        assert after.text != draft.text, told.places[0]
        draft = after
    assert Missing.PLACES not in lacks(drafting.checked(one, draft))


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=60))
def test_any_text_can_be_held_against_a_source(text):
    told = checked(SOURCE, text)
    if told.places:
        drafting.put_back(opened(SOURCE), RuleDraft(text), told.places[0].key)
