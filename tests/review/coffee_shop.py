"""The coffee shop of the specification's worked examples, with facts built by hand."""

from __future__ import annotations

from review.facts.protocol import QuestionFacts
from review.trimming.trim import Admitted
from store.cells import Cardinality, Conclusion, Fact, FactRole, Interval, Span

ONE, MANY, UNKNOWN = Cardinality.ONE, Cardinality.MANY, Cardinality.UNKNOWN


def fact(claim, parameter, value, key=None, **more):
    """A fact of ``claim`` whose span is its value, or the words of ``clause``."""
    clause = more.pop("clause", value)
    start = claim.index(clause)
    return Fact(
        subject=more.pop("subject", ""),
        parameter=parameter,
        value=value,
        span=Span(start, start + len(clause)),
        parameter_key=parameter,
        value_key=(key or value).casefold(),
        cardinality=more.pop("cardinality", ONE),
        role=more.pop("role", FactRole.STATES),
        **more,
    )


def stated(*pairs, task="", cardinality=ONE):
    """What a question states: pairs of parameter and value key."""
    facts = tuple(
        Fact("", name, key, Span(0, 1), parameter_key=name, value_key=key, cardinality=cardinality)
        for name, key in pairs
    )
    return QuestionFacts(facts=facts, task=task)


def cell(claim, *facts, item="m1", conclusion=None, valid=None, relevance=1.0, kind="decision"):
    return Admitted(
        item=item,
        kind=kind,
        claim=claim,
        facts=facts,
        conclusion=conclusion,
        provenance={"source_id": f"notes:{item}", "source_type": "document"},
        valid=valid or Interval(),
        relevance=relevance,
    )


ENGLISH = (
    "Coffee shop in Kazan, budget 100 000 RUB/month, audience 25–35, season summer,"
    " format dine-in and takeaway. Conclusion: search campaigns only, no network ads."
)
RUSSIAN = (
    "Кофейня в Казани: бюджет 100 тыс. руб. в месяц, гостям 25–35 лет, сезон — лето,"
    " формат: зал и навынос. Решили так: оставляем поиск, сети выключаем."
)
_WORDS = {
    "en": (ENGLISH, "Kazan", "100 000 RUB/month", "25–35", "summer", "dine-in and takeaway"),
    "ru": (RUSSIAN, "Казани", "100 тыс. руб. в месяц", "25–35", "лето", "зал и навынос"),
}
_KEYS = ("kazan", "100000 rub/month", "25-35", "summer", "dine-in takeaway")
NAMES = ("city", "budget", "audience", "season", "format")
TASKS = {
    "en": (
        "Choose the channels in Yandex Direct",
        "Which channels do we choose in Yandex Direct?",
    ),
    "ru": ("Выбрать каналы в Яндекс Директе", "Какие каналы нам выбрать в Яндекс Директе?"),
}
OTHER_TASKS = {"en": "Write a post about the opening", "ru": "Написать пост об открытии"}
ANSWERS = {
    "en": "search campaigns only, no network ads",
    "ru": "оставляем поиск, сети выключаем",
}


def remembered(language, **more):
    """The old case: five facts, and a conclusion that rests on season and format."""
    claim, *told = _WORDS[language]
    facts = tuple(
        fact(claim, name, value, key) for name, value, key in zip(NAMES, told, _KEYS, strict=True)
    )
    conclusion = Conclusion(ANSWERS[language], TASKS[language][0], facts[3:])
    return cell(claim, *facts, conclusion=conclusion, **more)


def asked(language, *, season="winter", kind="delivery", task=None):
    """The new question: the same city, budget and audience."""
    told = zip(NAMES, (*_KEYS[:3], season, kind), strict=True)
    return stated(*told, task=TASKS[language][1] if task is None else task)


SAME = {"season": "summer", "kind": "dine-in takeaway"}
