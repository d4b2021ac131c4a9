"""Every word on the screen, in two languages, from ``locales``. Nothing foreign passes through.

Parameters are ids, codes, numbers, times and names from our own configuration. They are escaped
all the same, because Streamlit reads labels as Markdown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final

from review.text.visible import escape_line

LANGUAGES: Final = ("en", "ru")
_ALIVE: Final = str.maketrans({char: f"\\{char}" for char in r"\`*_{}[]()<>#+.!|~$:&@/=\"'^"})
"""Punctuation that means something in Markdown, its directives, links or formulas."""

_LINKING: Final = re.compile(r":(?=//)|(?<=www)\.|(?<=[\w.+-])@", re.IGNORECASE)
"""Where Streamlit makes links of plain words. It does so after escapes are read, so they do not
help: the sign is shown in the brackets that stand around everything that is not as it was."""


class Say:
    """Speaks one language: ``say("inbox.title")`` is for labels, ``plain`` for text elements."""

    def __init__(self, lang: str) -> None:
        """Speak ``lang``, or English if it is none of ours."""
        self.lang = lang if lang in LANGUAGES else "en"

    def __call__(self, key: str, **params: object) -> str:
        """The words for a place that is read as Markdown: parameters are made inert."""
        return t(key, self.lang, **params)

    def plain(self, key: str, **params: object) -> str:
        """The words for ``st.text`` and table cells, which show every character as it is."""
        return _spoken(key, self.lang, {k: _shown(v, self.lang) for k, v in params.items()})


def t(key: str, lang: str, **params: object) -> str:
    """The words under ``key``, with parameters escaped against Markdown.

    A plural form is chosen by ``n``. A key that a language lacks is said in English.
    """
    inert = {name: _inert(_shown(value, lang)) for name, value in params.items()}
    return _spoken(key, lang, inert | {"n": params.get("n", inert.get("n", ""))})


def plural(lang: str, n: int) -> str:
    """The CLDR form of a count: one, few or many in Russian; one or many in English."""
    if lang != "ru":
        return "one" if n == 1 else "many"
    if n % 10 == 1 and n % 100 != 11:
        return "one"
    return "few" if 2 <= n % 10 <= 4 and not 12 <= n % 100 <= 14 else "many"


@cache
def catalogue(lang: str) -> Mapping[str, Any]:
    """All the words of a language: a text, or plural forms, under each key."""
    told: dict[str, Any] = json.loads(
        resources.files("console").joinpath(f"locales/{lang}.json").read_text(encoding="utf-8")
    )
    return told


def _spoken(key: str, lang: str, params: Mapping[str, object]) -> str:
    found = catalogue(lang).get(key) or catalogue("en").get(key)
    if found is None:
        return f"{catalogue(lang)['words.unknown']}" + f" {escape_line(key).translate(_ALIVE)}"
    n = params.get("n", 0)
    if isinstance(found, dict):
        count = int(str(n).replace(",", "").replace("\xa0", "") or 0)
        found = found[plural(lang, count)]
    shown = {**params, "n": _shown(n, lang)} if isinstance(n, int) else params
    return str(found).format_map(shown)


def _inert(text: str) -> str:
    """For a place that is read as Markdown: no markup, no formula, no link."""
    return _LINKING.sub(lambda found: f"⟦{found[0]}⟧", text).translate(_ALIVE)


def _shown(value: object, lang: str) -> str:
    if isinstance(value, bool) or not isinstance(value, int):
        return escape_line(str(value))
    return f"{value:,}".replace(",", "\xa0" if lang == "ru" else ",")
