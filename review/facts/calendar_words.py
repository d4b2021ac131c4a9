"""The words of the calendar, English and Russian: each has one letter (its part) and a value.

The letters spell a text's "date shape", over which the patterns of ``date_shapes`` are matched:
"since 1 March 2026" is ``pdMy``. A word that says nothing about time is ``_``.
In the rows below, ``stem+a,b`` is the stem with each ending (``-`` is none); ``+HARD`` and the
like are the usual sets of endings.

====== ========================================  ====== =====================================
letter meaning                                   letter meaning
====== ========================================  ====== =====================================
M      month; its number                         U Y q  unit; year; quarter
m      month that is also another word           K      weekend
S      season                                    w a    number word; "a", "an"
W      weekday; 0 is Monday                      o      ordinal word
L T X  last, this, next                          h j    half; one and a half
V      the one before the last                   A      ago
l      trailing: "past year", "последний год"    >      in, through: "in 5 days", "через"
H      day word; days from today                 E N    early third; N wants "of" after it
g G    part of a day; several of them            p      preposition; its kind
f t e  of; the; now                              x      every: a habit, no moment
b      "числа": day of the month                 & B ~  and; between; "тому" before "назад"
====== ========================================  ====== =====================================
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

Meaning = tuple[str, int | str]

_ENDINGS: Final = {
    "SOFT": "ь,я,ю,ем,е",
    "HARD": "-,а,у,ом,е",
    "ADJ": "ый,ая,ое,ые,ой,ого,ому,ую,ым,ом,ых,ыми",
    "ADJS": "ий,ая,яя,ое,ее,ие,ей,ой,его,ему,ую,юю,им,ем,их,ими",
}

_ROWS: Final[tuple[tuple[str, int | str, str], ...]] = (
    ("M", 1, "january январ+SOFT"),
    ("M", 2, "february феврал+SOFT"),
    ("M", 3, "март+-,у,ом,е"),
    ("M", 4, "april апрел+SOFT"),
    ("M", 5, "ма+й,я,е,ю,ем"),
    ("M", 6, "june июн+SOFT"),
    ("M", 7, "july июл+SOFT"),
    ("M", 8, "august август+HARD"),
    ("M", 9, "september сентябр+SOFT"),
    ("M", 10, "october октябр+SOFT"),
    ("M", 11, "november ноябр+SOFT"),
    ("M", 12, "december декабр+SOFT"),
    ("m", 1, "jan янв"),
    ("m", 2, "feb фев"),
    ("m", 3, "march mar мар марта"),
    ("m", 4, "apr апр"),
    ("m", 5, "may"),
    ("m", 6, "jun"),
    ("m", 7, "jul"),
    ("m", 8, "aug авг"),
    ("m", 9, "sep sept сен сент"),
    ("m", 10, "oct окт"),
    ("m", 11, "nov ноя нояб"),
    ("m", 12, "dec дек"),
    ("S", "spring", "spring springs весн+а,ы,е,у,ой,ою"),
    ("S", "summer", "summer summers лет+о,а,у,ом,е"),
    ("S", "autumn", "autumn autumns fall осен+ь,и,ью"),
    ("S", "winter", "winter winters зим+а,ы,е,у,ой,ою"),
    ("W", 0, "monday понедельник+HARD"),
    ("W", 1, "tuesday вторник+HARD"),
    ("W", 2, "wednesday сред+у,ы,е"),
    ("W", 3, "thursday четверг+HARD"),
    ("W", 4, "friday пятниц+а,ы,е,у,ей"),
    ("W", 5, "saturday суббот+а,ы,е,у,ой"),
    ("W", 6, "sunday воскресень+е,я,ю,ем"),
    ("U", "minute", "minute minutes минут+-,а,ы,у"),
    ("U", "hour", "hour hours час+-,а,ов"),
    ("U", "day", "day days день дн+я,ей,ю,и,ях сут+ки,ок"),
    ("U", "week", "week weeks недел+я,и,ю,е,ь,ей,ям,ях"),
    ("U", "month", "month months месяц+-,а,у,ем,е,ы,ев,ам,ах"),
    ("U", "half", "полгода полугоди+е,и,я"),
    ("U", "decade", "decade decades десятилети+е,я,й,и,ю"),
    ("q", "quarter", "quarter quarters квартал+-,а,е,у,ы,ов"),
    ("Y", "year", "year years год+-,а,у,ом,е,ы,ов,ам,ах лет г гг"),
    ("K", "weekend", "weekend weekends выходны+е,х"),
    ("L", 1, "last previous прошл+ADJ прошедш+ADJS минувш+ADJS предыдущ+ADJS"),
    ("V", 2, "позапрошл+ADJ"),
    ("l", 1, "past последн+ADJS"),
    ("T", 0, "this current эт+от,а,о,и,ой,ого,у,ом,их,им текущ+ADJS нынешн+ADJS"),
    ("X", 1, "next coming upcoming следующ+ADJS ближайш+ADJS будущ+ADJS грядущ+ADJS"),
    ("X", 1, "предстоящ+ADJS"),
    ("H", 0, "today tonight сегодня"),
    ("H", -1, "yesterday вчера"),
    ("H", 1, "tomorrow завтра"),
    ("H", -2, "позавчера"),
    ("H", 2, "послезавтра"),
    ("g", "part", "morning afternoon evening night"),
    ("G", "parts", "mornings afternoons evenings nights"),
    ("A", "ago", "ago назад back"),
    ("~", "тому", "тому"),
    ("E", 0, "early начал+о,е,а,у"),
    ("E", 1, "mid середин+а,е,ы,у"),
    ("E", 2, "late кон+ец,це,ца,цу"),
    ("N", 0, "beginning start"),
    ("N", 1, "middle"),
    ("N", 2, "end"),
    ("a", 1, "a an"),
    ("w", 1, "one одн+у,ого,а один"),
    ("w", 2, "two couple два две двух пар+а,у"),
    ("w", 3, "three три трех"),
    ("w", 4, "four четыр+е,ех"),
    ("w", 4, "few several несколько"),
    ("w", 5, "five пят+ь,и"),
    ("w", 6, "six шест+ь,и"),
    ("w", 7, "seven сем+ь,и"),
    ("w", 8, "eight восемь восьми"),
    ("w", 9, "nine девят+ь,и"),
    ("w", 10, "ten десят+ь,и"),
    ("w", 11, "eleven одиннадцат+ь,и"),
    ("w", 12, "twelve двенадцат+ь,и"),
    ("o", 1, "first перв+ADJ"),
    ("o", 2, "second втор+ADJ ii"),
    ("o", 3, "third трет+ий,ья,ье,ьего,ьему,ьим,ьем,ьей iii"),
    ("o", 4, "fourth четверт+ADJ iv"),
    ("o", 5, "fifth пят+ADJ"),
    ("o", 6, "sixth шест+ADJ"),
    ("o", 7, "seventh седьм+ADJ"),
    ("o", 8, "eighth восьм+ADJ"),
    ("o", 9, "ninth девят+ADJ"),
    ("o", 10, "tenth десят+ADJ"),
    ("h", "half", "half пол половин+а,е,ы,у"),
    ("j", "half more", "полтор+а,ы"),
    ("p", "", "with than on at during over within throughout for в во на за"),
    ("p", "from", "from since starting с со начиная"),
    ("p", "until", "until till til to by до к ко"),
    ("p", "through", "through thru по"),
    ("p", "before", "before prior перед"),
    ("p", "after", "after после"),
    (">", "", "in через"),
    ("f", "of", "of"),
    ("t", "the", "the"),
    ("e", "now", "now"),
    ("b", "day of the month", "числ+а,о,у"),
    ("&", "and", "and и"),
    ("B", "between", "between между"),
    ("x", "every", "every each кажд+ADJ"),
)


def listed(names: str) -> Iterator[str]:
    """Each word that a row lists: ``зим+а,ы`` is two of them."""
    for name in names.split():
        stem, plus, endings = name.partition("+")
        if not plus:
            yield name
        for ending in _ENDINGS.get(endings, endings).split(",") if plus else ():
            yield stem + ending.replace("-", "")


WORDS: Final = {word: (letter, value) for letter, value, names in _ROWS for word in listed(names)}
"""Folded word to its letter and value."""

TIME_WORDS: Final = frozenset(
    word for word, (letter, _) in WORDS.items() if letter in "MmSWUYqKLTXVlHA"
)
"""A text without one of these and without a digit names no moment."""
