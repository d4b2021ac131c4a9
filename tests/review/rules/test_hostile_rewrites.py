"""Rewritings that say more than their source, each by another trick, English and Russian.

None may be told SAME or SOFTER: a person has to answer for it, or put the source back.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from review.clause_strength.places import ASKED, Verdict
from review.rules import drafting
from review.rules.drafting import RuleDraft
from review.rules.readiness import Missing
from review.strength import check
from tests.review.rules.test_wording import checked, lacks, opened

REWRITTEN = json.loads(
    Path(__file__).parents[1].joinpath("data", "hostile_rewrites.json").read_text("utf-8")
)
PAIRS = [(source, rule) for source, rules in REWRITTEN.items() for rule in rules]


def test_there_are_enough_of_each_language():
    russian = sum(any("а" <= char <= "я" for char in rule) for _, rule in PAIRS)
    assert russian >= 60
    assert len(PAIRS) - russian >= 100


@pytest.mark.parametrize(("source", "rule"), PAIRS)
def test_a_rewriting_that_says_more_is_asked_about(source, rule):
    told = check([source], rule)
    assert told.verdict in ASKED, told.places
    assert Missing.PLACES in lacks(checked(source, rule))


@pytest.mark.parametrize("source", REWRITTEN)
def test_the_source_itself_is_not(source):
    assert checked(source, source).ready


@pytest.mark.parametrize(("source", "rule"), PAIRS[::9])
def test_putting_every_place_back_ends_with_a_rule_that_may_leave(source, rule):
    one, draft = opened(source), RuleDraft(rule)
    for _ in range(20):
        told = drafting.checked(one, draft)
        if not told.places:
            break
        after = drafting.put_back(one, draft, told.places[0].key)
        assert after.text != draft.text, told.places[0]
        draft = after
    assert drafting.checked(one, draft).ready, draft.text


WRAPPED = [
    "In March we usually shipped jackets\nto Elektrostal when Koledino was\nfull.",
    "In March we usually shipped jackets to Elektrostal\r\nwhen Koledino was full.",
    "- In March we usually shipped jackets\n  to Elektrostal when Koledino was full.",
]


@pytest.mark.parametrize("rule", WRAPPED)
def test_a_line_that_is_broken_inside_a_sentence_says_the_same(rule):
    source = "In March we usually shipped jackets to Elektrostal when Koledino was full."
    assert check([source], rule).verdict is Verdict.SAME
    assert check([rule], source).verdict is Verdict.SAME


QUOTED = [
    ("We always weigh pallets.", 'We "always" weigh pallets.', Verdict.UNKNOWN),
    ('We "always" weigh pallets.', "We always weigh pallets.", Verdict.STRICTER),
    ('We "always" weigh pallets.', "We “always” weigh pallets.", Verdict.SAME),
    ("We weigh pallets.", 'We weigh so-called "pallets".', Verdict.UNKNOWN),
    ("Курьеры звонят.", "Курьеры якобы звонят.", Verdict.SOFTER),
    ("Курьеры якобы звонят.", "Курьеры звонят.", Verdict.STRICTER),
    ("Курьеры звонят «всегда».", "Курьеры звонят всегда.", Verdict.STRICTER),
    ("Курьеры звонят обычно.", "Курьеры звонят «обычно».", Verdict.UNKNOWN),
    ("ООО «Ромашка» платит в срок.", "ООО Ромашка платит в срок.", Verdict.SAME),
    ('The tag "Fragile" means glass.', "The tag Fragile means glass.", Verdict.SAME),
    ("Use `always` in the config.", "Use always in the config.", Verdict.SAME),
]


@pytest.mark.parametrize(("source", "rule", "verdict"), QUOTED)
def test_quotation_marks_keep_a_word_at_a_distance(source, rule, verdict):
    assert check([source], rule).verdict is verdict
