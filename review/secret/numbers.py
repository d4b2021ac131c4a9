"""Numbers that carry a check digit: payment cards, IBAN, and the Russian SNILS and INN.

A checksum alone is weak: one random number in ten passes Luhn. So a card also needs an issuer's
prefix and length and the grouping of a card, and an INN or a bare SNILS needs its name before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from review.secret.rules import SecretKind

_BETWEEN_DIGITS: Final = "[ \xa0._·‐‒–—−-]"

_IBAN: Final = re.compile(r"([A-Z][A-Z])(?<![A-Za-z0-9]..)[0-9]{2}(?: ?[A-Z0-9]){11,30}")
_IBAN_LENGTHS: Final = {
    country: size
    for size, countries in (
        (15, "NO"),
        (16, "BE"),
        (18, "DK FI FO GL NL"),
        (19, "MK SI"),
        (20, "AT BA EE KZ LT LU XK"),
        (21, "CH HR LI LV"),
        (22, "BG BH CR DE GB GE IE ME RS VA"),
        (23, "AE GI IL IQ TL"),
        (24, "AD CZ ES MD PK RO SA SE SK TN VG"),
        (25, "LY PT ST"),
        (26, "IS TR"),
        (27, "FR GR IT MC MR SM"),
        (28, "AL AZ BY CY DO GT HU LB PL SV"),
        (29, "BR EG PS QA UA"),
        (30, "JO KW"),
        (31, "MT SC"),
        (32, "LC"),
        (33, "RU"),
    )
    for country in countries.split()
}
_RUN: Final = re.compile(
    rf"[0-9](?<![A-Za-z0-9].)(?:{_BETWEEN_DIGITS}{{0,3}}[0-9]){{10,}}(?![A-Za-z0-9])"
)
_GROUP: Final = re.compile(r"[0-9]+")
_CARD_GROUPS: Final = frozenset({(4, 4, 4, 4), (4, 4, 4, 4, 3), (4, 6, 5), (4, 6, 4), (8, 8)})
_CARD_WORDS: Final = re.compile(r"(?i)card|visa|mastercard|amex|pan\b|карт|мир\b")
_MARK_END: Final = re.compile("[a-z_]*⟧")  # of our own mark, which names cards too
_ISSUERS: Final = (
    (re.compile(r"3[47]"), (15,)),
    (re.compile(r"3(?:0[0-5]|[68])"), (14,)),
    (re.compile(r"4"), (13, 16, 19)),
    (re.compile(r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|220[0-4]|35(?:2[89]|[3-8])"), (16,)),
    (re.compile(r"6011|6[4-9]|62|5[06-8]|8600|9792"), (16, 17, 18, 19)),
)
_SNILS: Final = re.compile(r"[0-9](?<![0-9-].)[0-9]{2}-[0-9]{3}-[0-9]{3}[ -][0-9]{2}(?![0-9-])")
_NAMES: Final = ("снилс", "инн", "snils", "inn", "itn")
_LABELLED: Final = re.compile(
    r"(?<!\w)(?<!⟦secret: )(?:(снилс|snils)(?!\w)[^\n0-9]{0,20}([0-9](?:[ -]?[0-9]){10})"
    r"|(инн|inn|itn)(?!\w)[^\n0-9]{0,20}([0-9]{12}|[0-9]{10}))(?![0-9])"
)


def _digits_of(text: str) -> str:
    return "".join(_GROUP.findall(text))


def _luhn(digits: str) -> bool:
    total = sum(map(int, digits[-1::-2]))
    return (total + sum(sum(divmod(2 * int(d), 10)) for d in digits[-2::-2])) % 10 == 0


def _is_card(digits: str) -> bool:
    issued = any(len(digits) in sizes and who.match(digits) for who, sizes in _ISSUERS)
    return issued and _luhn(digits) and len(set(digits)) > 1


def _is_snils(digits: str) -> bool:
    total = sum(int(d) * (9 - i) for i, d in enumerate(digits[:9]))
    return (
        len(digits) == 11 and digits[:9].strip("0") != "" and total % 101 % 100 == int(digits[9:])
    )


def _is_inn(digits: str) -> bool:
    def check(weights: tuple[int, ...]) -> bool:
        total = sum(w * int(d) for w, d in zip(weights, digits, strict=False))
        return total % 11 % 10 == int(digits[len(weights)])

    tail = (2, 4, 10, 3, 5, 9, 4, 6, 8)
    if len(digits) == 10:
        return check(tail) and digits.strip("0") != ""
    return len(digits) == 12 and check((7, *tail)) and check((3, 7, *tail))


def _cards(text: str) -> Iterator[tuple[SecretKind, int, int]]:
    for run in _RUN.finditer(text):
        groups = [match.span() for match in _GROUP.finditer(text, run.start(), run.end())]
        before = _MARK_END.sub("", text[max(0, run.start() - 40) : run.start()])
        named = _CARD_WORDS.search(before) is not None
        for first, (start, _) in enumerate(groups):
            sizes: tuple[int, ...] = ()
            for low, end in groups[first : first + 19]:
                sizes = (*sizes, end - low)
                shaped = named or len(sizes) == 1 or sizes in _CARD_GROUPS
                if sum(sizes) > 19 or (len(sizes) > 5 and not named):
                    break
                if sum(sizes) >= 13 and shaped and _is_card(_digits_of(text[start:end])):
                    yield SecretKind.PAYMENT_CARD, start, end


def may_match(text: str, low: str) -> bool:
    """Whether ``numbers`` has anything to check, an IBAN aside."""
    return (
        _RUN.search(text) is not None
        or _SNILS.search(text) is not None
        or any(name in low for name in _NAMES)
    )


def numbers(text: str, low: str) -> Iterator[tuple[SecretKind, int, int]]:
    """Every number whose check digits hold, as ``(kind, start, end)`` in ``text``."""
    yield from _cards(text)
    yield from _ibans(text)
    for match in _SNILS.finditer(text):
        if _is_snils(_digits_of(match.group())):
            yield SecretKind.SNILS, *match.span()
    if not any(name in low for name in _NAMES):
        return
    for match in _LABELLED.finditer(low):
        if match[1] and _is_snils(_digits_of(match[2])):
            yield SecretKind.SNILS, *match.span(2)
        elif match[3] and _is_inn(match[4]):
            yield SecretKind.INN, *match.span(4)


def _ibans(text: str) -> Iterator[tuple[SecretKind, int, int]]:
    for match in _IBAN.finditer(text):
        size, start, compact = _IBAN_LENGTHS.get(match[1]), match.start(), ""
        for at in range(start, match.end() if size else start):
            compact += text[at].strip()
            if len(compact) == size:
                moved = compact[4:] + compact[:4]
                if int("".join(str(int(c, 36)) for c in moved)) % 97 == 1:
                    yield SecretKind.IBAN, start, at + 1
                break
