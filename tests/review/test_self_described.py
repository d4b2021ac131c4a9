"""What a memory says of itself, and what it does not say."""

import pytest

from review.text.self_described import Sort, asks_for_suppositions, described, may_read, speaks_of


@pytest.mark.parametrize(
    ("claim", "sort"),
    [
        ("[OBSOLETE] The portal is at portal.example.org", Sort.WITHDRAWN),
        ("note: [Superseded by the June list] Prices start at 40", Sort.WITHDRAWN),
        ("[УСТАРЕЛО] Пропуск получают на втором этаже", Sort.WITHDRAWN),
        ("[CONFIDENTIAL] The founders want to sell in spring", Sort.RESTRICTED),
        ("plan: [Restricted to the board] The plant in Tula closes", Sort.RESTRICTED),
        ("(только для бухгалтерии) Премия — два оклада", Sort.RESTRICTED),
        ("[Конфиденциально: отдел кадров] Ирину переводят в июле", Sort.RESTRICTED),
        ("[scope: the Kazan shop] Deliveries come on Mondays", Sort.SCOPED),
        ("[Область: магазин в Казани] Товар привозят по понедельникам", Sort.SCOPED),
        ("[Brainstorming] A robot could greet the guests", Sort.SUPPOSED),
        ("Hypothetically we could go down to 35.", Sort.SUPPOSED),
        ("Suppose they order a thousand. What if we charge 20 then?", Sort.SUPPOSED),
        ("Допустим, они возьмут тысячу штук.", Sort.SUPPOSED),
        ("Теоретически можно уложиться в неделю.", Sort.SUPPOSED),
        ("The fair is on 4 May (tentative)", Sort.TENTATIVE),
        ("We're considering a move to the old mill.", Sort.TENTATIVE),
        ("Ярмарка четвёртого мая (черновик)", Sort.TENTATIVE),
        ("Пока рассматриваем переезд на мельницу.", Sort.TENTATIVE),
    ],
)
def test_a_label_or_a_supposing_claim_says_how_it_is_to_be_read(claim, sort):
    assert described(claim).sort is sort


@pytest.mark.parametrize(
    "claim",
    [
        "The old portal is obsolete since May.",
        "Anna's diet is restricted to rice and fish.",
        "Anna signs confidential papers for the plant.",
        "We discussed a hypothesis about bees. The lab is in Tula.",
        "[1] The lab is in Tula",
        "Maybe I will be late. The lab is in Tula.",
        "The draft is due on Friday.",
        "Черновик договора лежит у Ирины.",
        "Приказ отменён, склад работает.",
        "Бюджет только для бухгалтерии — 40 тысяч.",
    ],
)
def test_a_claim_about_such_things_says_nothing_of_itself(claim):
    assert described(claim) is None


def test_a_restriction_lets_in_whom_it_names_by_whole_words():
    label = described("[Restricted to Finance and irina] The audit found a hole").label
    assert may_read(label, frozenset({"finance"}))
    assert may_read(label, frozenset({"Irina"}))
    assert not may_read(label, frozenset({"fin", "ops", ""}))


def test_a_scope_in_words_is_met_by_a_question_that_names_it():
    label = described("[scope: the Kazan shop] Deliveries come on Mondays").label
    assert speaks_of(label, "When do deliveries come to Kazan?")
    assert not speaks_of(label, "When do deliveries come to Tula?")
    assert not speaks_of(label, "What is the scope of it?")


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Which ideas did we have for the fair?", True),
        ("Какие варианты мы обсуждали?", True),
        ("When is the fair?", False),
        ("Когда ярмарка?", False),
    ],
)
def test_a_question_about_ideas_is_told_from_one_about_what_is_so(question, asks):
    assert asks_for_suppositions(question) is asks
