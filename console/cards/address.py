"""The URL is where a page's state lives: filters, views and ids, in codes, never translated.

Streamlit's own ``bind`` writes the translated label of an option, so it is not used. Here the URL
decides on every run, and a widget that changes writes the URL before the run. Nothing in a URL is
believed: a value outside its closed list is dropped, and an id is a plain short word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

import streamlit as st

from console.words import Say

_ID: Final = re.compile(r"[0-9A-Za-z._:-]{1,64}")
LONGEST_SEARCH: Final = 200
ANY_ID: Final[Collection[str]] = ("<id>",)
ANY_WORDS: Final[Collection[str]] = ("<words>",)


@dataclass(frozen=True, slots=True)
class Address:
    """The parameters of a page and the names of those that said something unknown."""

    values: Mapping[str, str]
    unknown: tuple[str, ...]

    def __getitem__(self, name: str) -> str:
        """A parameter, or its default."""
        return self.values[name]

    @property
    def page(self) -> int:
        """The page of a list, counted from 1."""
        return int(self.values.get("p") or 1)


def read(defaults: Mapping[str, str], allowed: Mapping[str, Collection[str]]) -> Address:
    """The page's parameters, each held against its closed list."""
    values, unknown = dict(defaults), []
    for name, default in defaults.items():
        told = st.query_params.get(name) or default
        if told == default or _fits(name, told, allowed.get(name, ANY_ID)):
            values[name] = told
        else:
            unknown.append(name)
    return Address(values, tuple(unknown))


def note_unknown(address: Address, say: Say) -> None:
    """One grey note about parameters that were not understood."""
    if address.unknown:
        st.caption(say("address.unknown", names=", ".join(address.unknown)))


def put(**values: str) -> None:
    """Set parameters; a blank one leaves the URL."""
    for name, value in values.items():
        if value:
            st.query_params[name] = value
        elif name in st.query_params:
            del st.query_params[name]


def follow(name: str, default: str, forget: Collection[str] = ("p", "item")) -> None:
    """Write a widget's new value to the URL, and take out what no longer fits it."""
    value = st.session_state.get(name)
    told = "" if value is None else str(value)
    put(**{name: "" if told == default else told}, **dict.fromkeys(forget, ""))


def language(default: str) -> str:
    """The language of this session: the URL's, the last one chosen, or the configured one."""
    told = st.query_params.get("lang") or st.session_state.get("language") or default
    chosen = told if told in ("en", "ru") else default
    st.session_state["language"] = chosen
    if chosen != default:
        put(lang=chosen)
    return chosen


def _fits(name: str, told: str, allowed: Collection[str]) -> bool:
    if name == "p":
        return told.isascii() and told.isdigit() and len(told) < 7 and int(told) > 0
    if allowed is ANY_WORDS:
        return len(told) <= LONGEST_SEARCH
    if allowed is ANY_ID:
        return _ID.fullmatch(told) is not None
    return told in allowed
