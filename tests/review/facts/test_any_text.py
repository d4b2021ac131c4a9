"""Any text can be read: cut, mixed and broken sentences give supported facts, or none."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from review.answer import overtaken
from review.facts.grammar import GrammarParser
from review.facts.protocol import Setting, supported
from review.question.intents import sub_questions

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
SENTENCES = [
    "The main warehouse for the jackets is Koledino, storage limit up to 400k RUB a month.",
    "For shipping to Koledino we use the carrier Delovye Linii, on Tuesdays.",
    "From 1 March 2026 we close shipping to Koledino and move all jackets to Elektrostal.",
    "С 1 марта 2026 года закрываем отгрузки в Коледино, переводим пуховики на склад Тула.",
    'Для отгрузки в Коледино используем перевозчика "Деловые Линии" по вторникам.',
    "who is the head coach of X: Y",
    "Make that $75,000.",
    "CORRECTION: The value was: A. The ACTUAL value is: B",
    "Coffee shop in Kazan, budget 100 000 RUB/month, audience 25–35, summer, takeaway",
    "The probability of rain is 5%. So we stay at home.",
    "В каком городе я жил в прошлом году, до переезда?",
    "How many engineers do I lead now, and before the move?",
    "replaced A with B, switched from C to D, no longer works at",
    "У нас тариф «Базовый»; больше не",
]
_MARKS = [
    "",
    ":",
    '"',
    "'",
    " ",
    "?",
    ".",
    "«",
    "»",
    "—",
    ",",
    "\n",
    "\u202e",
    "\x00",
    "🙂",
    "%",
    "№",
]


def text(chance: random.Random) -> str:
    """A sentence cut, another with marks in odd places, or words of several in any order."""
    words = [word for one in SENTENCES for word in one.split()]
    which = chance.random()
    if which < 0.3:
        return " ".join(chance.choices(words, k=chance.randint(0, 14)))
    told = chance.choice(SENTENCES)
    if which < 0.6:
        at = chance.randint(0, len(told))
        return told[:at] if chance.random() < 0.5 else told[at:]
    letters = list(told)
    for _ in range(chance.randint(1, 6)):
        letters[chance.randrange(len(letters))] = chance.choice(_MARKS)
    return "".join(letters)


@pytest.mark.parametrize("seed", range(4))
def test_any_text_is_read_without_a_fault(seed):
    parser, chance = GrammarParser(), random.Random(seed)
    for _ in range(400):
        told = text(chance)
        claim = parser.claim(told, Setting(written_at=chance.choice([None, NOON])))
        assert supported(told, claim.facts) == (claim.facts, 0)
        parser.question(told, Setting(written_at=NOON))
        assert sub_questions(told, asked_at=NOON)
        overtaken.outdone(told, chance.choices(SENTENCES, k=3), [1, 2, 3])


def test_an_article_at_the_very_end_is_no_value():
    for told in ("works at the", "lives in “", "the budget is the", "живёт в"):
        assert all(fact.value for fact in GrammarParser().claim(told, Setting()).facts)
