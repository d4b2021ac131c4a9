"""What model help is set to. It is off until somebody switches it on.

The key of the account is in none of these: it comes from the environment and is written nowhere.
Every command reads settings, so what counts money and takes addresses apart is imported late.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

ADDRESS: Final = "https://api.anthropic.com"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@-]{0,99}", re.ASCII)
_MOST: Final = 1_000_000
_TYPES: Final = {bool: "true or false", str: "text", int: "whole number", float: "number"}
_CURRENCY: Final = re.compile(r"[A-Z]{3}", re.ASCII)
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_BOUNDS: Final[Mapping[str, tuple[float, float]]] = {
    "tokens_per_day": (0, 1_000_000_000),
    "connect_seconds": (0.1, 60),
    "read_seconds": (0.1, 600),
    "attempts": (1, 5),
    "longest_wait": (0, 120),
    "at_once": (1, 16),
}


class ModelSettingsError(ValueError):
    """A setting of model help cannot be used. The message says which one."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Everything that can be set. Money is a decimal number in words, such as ``2.50``."""

    on: bool = False
    name: str = ""
    """The model, as the provider names it."""

    tokens_per_day: int = 200_000
    """Input and output together, from midnight UTC."""

    money_per_day: str = ""
    """Empty is no budget in money; the one in tokens always holds."""

    currency: str = "USD"
    price_in: str = ""
    """Of a million input tokens, as your contract says; we keep no price list."""

    price_out: str = ""
    connect_seconds: float = 5.0
    read_seconds: float = 60.0
    attempts: int = 3
    """Tries of one request when the service is busy, the first one too."""

    longest_wait: float = 20.0
    """Seconds between two tries at most, whatever the service asks for."""

    at_once: int = 2
    address: str = ADDRESS
    """Where requests go: HTTPS, or plain HTTP to this machine."""

    @property
    def has_prices(self) -> bool:
        """Whether money can be counted."""
        return bool(self.price_in and self.price_out)

    @property
    def money_micros(self) -> int | None:
        """The budget in millionths of the currency."""
        from decimal import Decimal

        return int(Decimal(self.money_per_day) * 1_000_000) if self.money_per_day else None

    def cost_micros(self, tokens_in: int, tokens_out: int) -> int | None:
        """What so many tokens cost, rounded up to a millionth; None without prices."""
        if not self.has_prices:
            return None
        from decimal import Decimal

        cost = Decimal(self.price_in) * tokens_in + Decimal(self.price_out) * tokens_out
        return int(cost.to_integral_value(rounding="ROUND_CEILING"))

    def checked(self) -> ModelSettings:
        """The same settings.

        Raises:
            ModelSettingsError: If one cannot be used.
        """
        for problem in _problems(self):
            msg = f"[model] {problem}"
            raise ModelSettingsError(msg)
        return self


def read(told: Mapping[str, Any]) -> ModelSettings:
    """The settings of a ``[model]`` section.

    Raises:
        ModelSettingsError: For an unknown name, a value of another type, or one out of bounds.
    """
    known = {field.name: getattr(ModelSettings(), field.name) for field in fields(ModelSettings)}
    values: dict[str, Any] = {}
    for name, value in told.items():
        if name not in known:
            msg = f"[model] {name} is not known"
            raise ModelSettingsError(msg)
        wanted = type(known[name])
        if wanted is float and type(value) is int:
            values[name] = float(value)
        elif type(value) is wanted:
            values[name] = value
        else:
            msg = f"[model] {name} is no {_TYPES[wanted]}"
            raise ModelSettingsError(msg)
    return ModelSettings(**values).checked()


def spelled(name: str, words: str) -> bool | int | float | str:
    """A setting out of the words of a command, in its type.

    Raises:
        ModelSettingsError: For an unknown name, or words that are no value of it.
    """
    usual = ModelSettings()
    if name not in {field.name for field in fields(ModelSettings)}:
        msg = f"[model] {name} is not known"
        raise ModelSettingsError(msg)
    wanted = type(getattr(usual, name))
    try:
        if wanted is bool:
            return {"true": True, "false": False}[words]
        return wanted(words) if wanted in (int, float) else words
    except (KeyError, ValueError):
        msg = f"[model] {name} is no {_TYPES[wanted]}"
        raise ModelSettingsError(msg) from None


def changed(settings: ModelSettings, changes: Mapping[str, str]) -> ModelSettings:
    """Settings with some of them given anew in words.

    Raises:
        ModelSettingsError: As ``spelled`` and ``read``.
    """
    values = told(settings) | {name: spelled(name, words) for name, words in changes.items()}
    return read(values)


def told(settings: ModelSettings) -> dict[str, Any]:
    """What differs from the defaults, by name, in order."""
    usual = ModelSettings()
    names = [field.name for field in fields(ModelSettings)]
    values = {name: getattr(settings, name) for name in names}
    return {name: one for name, one in values.items() if one != getattr(usual, name)}


def _problems(one: ModelSettings) -> Iterator[str]:
    for name, (low, high) in _BOUNDS.items():
        if not low <= getattr(one, name) <= high:
            yield f"{name} is not between {low:g} and {high:g}"
    if one.name and not _NAME.fullmatch(one.name):
        yield "name is no name of a model"
    if one.on and not one.name:
        yield "name is empty, and model help is on"
    if not _CURRENCY.fullmatch(one.currency):
        yield "currency is no code of three letters"
    for name in ("money_per_day", "price_in", "price_out"):
        if not _is_amount(getattr(one, name)):
            yield f"{name} is no decimal number between 0 and 1000000"
    if one.money_per_day and not one.has_prices:
        yield "money_per_day needs price_in and price_out to be counted"
    if one.address != ADDRESS:
        yield from _of_address(one.address)


def _of_address(address: str) -> Iterator[str]:
    from urllib.parse import urlsplit

    where = urlsplit(address)
    local = where.scheme == "http" and where.hostname in _LOOPBACK
    if not where.hostname or not (where.scheme == "https" or local):
        yield "address is neither https:// nor http:// on this machine"
    if where.username or where.password or where.query or where.fragment:
        yield "address holds more than a host and a path"


def _is_amount(value: str) -> bool:
    if not value:
        return True
    from decimal import Decimal, InvalidOperation

    try:
        amount = Decimal(value)
    except InvalidOperation:
        return False
    return amount.is_finite() and 0 <= amount <= _MOST
