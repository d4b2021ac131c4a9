"""Premises, and what follows from them."""

from __future__ import annotations

import pytest

from review.facts.reasoning import hence, with_premises
from store.cells import FactRole
from tests.review.facts.reading_facts import facts


@pytest.mark.parametrize(
    "text",
    [
        "Mira is a citizen of Norway. The capital of Norway is Oslo. So she flies from Oslo.",
        "Мира живёт в Туле. Поэтому посылки идут в Тулу.",
        "The office is in Riga; hence the tax is Latvian.",
    ],
)
def test_what_stands_before_a_conclusion_is_what_the_claim_rests_on(text):
    told = with_premises(text, facts(text))
    start = hence(text)
    before = [fact for fact in told if fact.span.end <= start]
    assert before
    assert all(fact.role is FactRole.RESTS_ON for fact in before)


@pytest.mark.parametrize(
    "text", ["So we moved to Oslo.", "Поэтому склад — Тула.", "We do so. It is fine."]
)
def test_a_text_without_an_argument_concludes_nothing(text):
    assert hence(text) is None
    assert with_premises(text, facts(text)) == facts(text)
