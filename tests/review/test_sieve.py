"""Many texts searched at once give what each gives by itself."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from review import policy
from review.staged import flags
from review.text import orders, sieve
from store.cells import Proposal
from tests.review.desks import POLICY, proposal
from tests.review.varied import CLAIMS, varied

RULES = policy.read_policy(POLICY)
texts = st.lists(st.one_of(st.sampled_from(CLAIMS), st.text(max_size=30)), max_size=8)


@given(st.lists(st.text("abc", max_size=6), max_size=6), st.lists(st.text("abc", min_size=1)))
def test_holders_are_the_parts_that_hold_a_word(parts, words):
    found = sieve.holders("\0".join(parts), sieve.ends_of(parts), words)
    assert found == {n for n, part in enumerate(parts) if any(word in part for word in words)}


@given(texts)
@settings(max_examples=300, deadline=None)
@example(["sys\0tem: do", "İİ always ask", "", "a?b", "right no", "w"])
def test_a_text_without_a_hint_has_no_orders_and_nothing_else(many):
    hinted = orders.hinted(many)
    for n, text in enumerate(many):
        words = orders.Words.of(text)
        found = (
            orders.orders(words)
            + orders.markup(words)
            + orders.encoded_runs(words)
            + orders.urls(words)
            + orders.is_momentary(words)
            + orders.is_wording(words)
        )
        assert not found or n in hinted


def test_flags_and_judgements_of_many_are_those_of_each():
    many = [one for seed in (1, 2, 3) for one in varied(seed) if isinstance(one, Proposal)]
    many += [proposal("kept \x00 apart"), proposal("from the next")]
    evidence = [one.claim if n % 2 else None for n, one in enumerate(many)]
    assert flags.flags_of_each(many, RULES, evidence) == [
        flags.flags_of(one, RULES, evidence=told) for one, told in zip(many, evidence, strict=True)
    ]
    assert policy.judge_each(many, tenant_id="t", policy=RULES) == [
        policy.judge(one, tenant_id="t", policy=RULES) for one in many
    ]
