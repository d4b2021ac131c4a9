"""Units, currencies and periods in words, and the unit in which a normal form is told."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Final

from review.facts.tables import forms
from review.facts.words import lemma

TIME: Final = forms("""
second: sec secs секунда сек
minute: min mins минута мин
hour: hr hrs час ч
day: день сутки дней
night: ночь
week: wk wks неделя нед
fortnight:
month: mo mos месяц мес
quarter: квартал
year: yr yrs год лет
decade: десятилетие
century: столетие
workday:
""")
MEASURES: Final = TIME | forms("""
%: percent pct процент проц
pp: пп
time: раз
km: kilometer kilometre kms км километр
m: metre meter м метр
cm: centimeter centimetre см сантиметр
mm: millimeter millimetre мм миллиметр
mile: mi миля
foot: ft фут
inch: дюйм
yard: yd ярд
kg: kilogram kilo kgs кг килограмм кило
g: gram гр грамм
mg: milligram мг миллиграмм
tonne: ton т тонна
pound: lb lbs фунт
ounce: oz унция
l: liter litre л литр
ml: milliliter millilitre мл миллилитр
gallon: галлон
cup: чашка стакан
tb: terabyte тб терабайт
gb: gigabyte гб гигабайт
mb: megabyte мб мегабайт
kb: kilobyte кб килобайт
byte: байт
mbit: mbps мбит
ms: millisecond мс миллисекунда
w: watt вт ватт
kw: kilowatt квт киловатт
kwh: квтч
hp: лс
kcal: ккал килокалория
calorie: cal калория
star: звезда
point: балл
page: страница стр
piece: pcs штука шт
unit: единица ед
person: people человек чел
step: шаг
rep: повторение
degree: deg градус
mph:
kmh: кмч
""")
"""Every unit by its dictionary form or a common short one; a lone letter needs digits before."""

_LONE_LETTERS: Final = {"h": "hour", "d": "day", "г": "g", "ч": "hour"}
_PAIRS: Final = {
    ("business", "day"): "workday",
    ("working", "day"): "workday",
    ("рабочий", "день"): "workday",
    ("calendar", "day"): "day",
    ("календарный", "день"): "day",
    ("square", "meter"): "m2",
    ("square", "metre"): "m2",
    ("sq", "m"): "m2",
    ("кв", "м"): "m2",
    ("квадратный", "метр"): "m2",
    ("square", "foot"): "sqft",
    ("sq", "foot"): "sqft",
    ("sq", "ft"): "sqft",
    ("percentage", "point"): "pp",
    ("процентный", "пункт"): "pp",
    ("°", "c"): "°C",
    ("°", "с"): "°C",
    ("°", "f"): "°F",
    ("degree", "celsius"): "°C",
    ("degree", "fahrenheit"): "°F",
}
CURRENCIES: Final = forms("""
USD: $ usd dollar buck доллар долл бакс
EUR: € eur euro евро
GBP: £ gbp quid
RUB: ₽ rub rur ruble rouble рубль руб р
UAH: ₴ uah hryvnia гривна
KZT: ₸ kzt tenge тенге
BYN: byn
JPY: ¥ jpy yen иена йена
CNY: cny rmb yuan юань
INR: ₹ inr rupee рупия
CHF: chf franc франк
CAD: cad
AUD: aud
TRY: ₺ lira лира
""")
_CURRENCY_PAIRS: Final = {("pound", "sterling"): "GBP", ("фунт", "стерлинг"): "GBP"}
BEFORE: Final = frozenset("$€£₽₴₸¥₹₺") | frozenset(code.lower() for code in CURRENCIES.values())
"""What may stand before an amount: symbols and codes, not words."""

_HUNDREDTH: Final = Decimal("0.01")
PARTS: Final = {
    "cent": ("USD", _HUNDREDTH),
    "цент": ("USD", _HUNDREDTH),
    "pence": ("GBP", _HUNDREDTH),
    "копейка": ("RUB", _HUNDREDTH),
    "коп": ("RUB", _HUNDREDTH),
    "т.р.": ("RUB", Decimal(1000)),
    "т. р.": ("RUB", Decimal(1000)),
}
"""Words for a part or a multiple of a currency."""

HALVES: Final = {
    "полгода": "year",
    "полугода": "year",
    "полгодика": "year",
    "полчаса": "hour",
    "получаса": "hour",
    "полдня": "day",
    "полмесяца": "month",
    "полкило": "kg",
    "полкилограмма": "kg",
    "пол-литра": "l",
    "поллитра": "l",
    "полмиллиона": "",
}
RATES: Final = forms("""
hour: hourly ежечасно ежечасный почасовой
day: daily ежедневно ежедневный
week: weekly еженедельно еженедельный
month: monthly ежемесячно ежемесячный pcm
quarter: quarterly ежеквартально ежеквартальный
year: yearly annually annual ежегодно ежегодный p.a.
""")
"""Words that say once in a period by themselves."""

_SIZES: Final = {
    "second": ("time", "1"), "minute": ("time", "60"), "hour": ("time", "3600"),
    "day": ("time", "86400"), "week": ("time", "604800"), "fortnight": ("time", "1209600"),
    "month": ("calendar", "1"), "quarter": ("calendar", "3"), "year": ("calendar", "12"),
    "decade": ("calendar", "120"), "century": ("calendar", "1200"),
    "g": ("mass", "1"), "kg": ("mass", "1000"), "tonne": ("mass", "1000000"),
    "mm": ("length", "1"), "cm": ("length", "10"), "m": ("length", "1000"),
    "km": ("length", "1000000"), "inch": ("feet", "1"), "foot": ("feet", "12"),
    "ml": ("volume", "1"), "l": ("volume", "1000"), "ounce": ("pounds", "1"),
    "pound": ("pounds", "16"),
}  # fmt: skip
_TOLD_IN: Final = {
    "time": ("week", "day", "hour", "minute", "second"),
    "calendar": ("year", "month"),
    "mass": ("tonne", "kg", "g"),
    "length": ("km", "m", "cm", "mm"),
    "feet": ("foot", "inch"),
    "volume": ("l", "ml"),
    "pounds": ("pound", "ounce"),
}


@lru_cache(maxsize=20_000)
def unit_of(low: str) -> str:
    """The unit that a folded word names, or nothing. A lone letter may be one."""
    if low in MEASURES:
        return MEASURES[low]
    if low in _LONE_LETTERS:
        return _LONE_LETTERS[low]
    return MEASURES.get(lemma(low), "") if len(low) > 2 else ""


@lru_cache(maxsize=20_000)
def period_of(low: str) -> str:
    """The span of time that a folded word names, or nothing."""
    return TIME.get(low, "") or (TIME.get(lemma(low), "") if len(low) > 2 else "")


@lru_cache(maxsize=20_000)
def currency_of(low: str) -> str:
    """The currency code that a folded word or a symbol names, or nothing."""
    return CURRENCIES.get(low, "") or (CURRENCIES.get(lemma(low), "") if len(low) > 2 else "")


@lru_cache(maxsize=20_000)
def pair_of(first: str, second: str) -> tuple[str, bool]:
    """The unit of two folded words together, and whether it is a currency."""
    pair = (lemma(first), lemma(second))
    money = _CURRENCY_PAIRS.get(pair, "")
    return (money, True) if money else (_PAIRS.get(pair, ""), False)


def told(values: tuple[Decimal, ...], unit: str) -> tuple[tuple[Decimal, ...], str]:
    """The same amounts in the largest unit that leaves all of them whole.

    So half a year, six months and two quarters are told alike: 6 months. A fraction goes down by
    one unit at most: 1.5 hours are 90 minutes, 2.5 weeks stay. Months and days are never turned
    into each other, nor metric measures into others.

    Source: ours.
    """
    family, size = _SIZES.get(unit, ("", "1"))
    if not family:
        return values, unit
    base = [value * Decimal(size) for value in values]
    for other in _TOLD_IN[family]:
        per = Decimal(_SIZES[other][1])
        if all(one % per == 0 for one in base) and any(base):
            return tuple(one / per for one in base), other
        if per < Decimal(size):
            break
    return values, unit


def combined(first: Decimal, unit: str, second: Decimal, smaller: str) -> Decimal | None:
    """``1 hour`` and ``30 minutes`` in the smaller unit.

    ``None`` when they are no two parts of one amount: "1.5 kg, 1500 g" are two amounts.
    """
    family, size = _SIZES.get(unit, ("", "1"))
    other, small = _SIZES.get(smaller, ("", "1"))
    ratio = Decimal(size) / Decimal(small)
    if not family or family != other or second >= ratio:
        return None
    return first * ratio + second
