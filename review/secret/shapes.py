"""Shapes of passwords that do not stand right behind their name, and words that are none.

Patterns run on the folded text of ``review.secrets`` in lower case; the last group is the value.
"""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = r"(?:password|passwd|passphrase|pwd)"

PASS: Final = (
    r"(?:passwords?|passwd|pwd|pass ?phrase|passcode|(?<![a-z])pass(?=\s*=)"
    r"|парол(?:ь|я|ю|ем|и|ьная фраза)|кодов(?:ое слово|ая фраза))"
    r"(?![_-](?:policy|length|expir|min|max|rotation|reset|manager|field|hint))[\w-]{0,30}"
)
"""Names of a password, with what may be glued to them."""

NAMED: Final = (
    r"(?:(?:api|access|secret|private|account|auth|encryption|signing)[ _-]?(?:api|access|secret)?"
    r"[ _-]?(?:key|token|secret)|secret|token"
    r"|секрет(?:ный ключ)?|токен|ключ(?: (?:api|апи|доступа|шифрования))?|api[- ]ключ)(?![a-zа-я])"
)
"""Names of other secrets."""

NAMED_ASIDE: Final = re.compile(
    rf"<[\w:.-]{{0,30}}?{_WORD}[\w:.-]{{0,30}}(?:\s[^<>]{{0,100}})?>\s{{0,5}}"
    r"([^<>\s]{1,200})\s{0,5}</"
    rf"|--?[\w-]{{0,30}}?{_WORD}[\"']\s{{0,3}},\s{{0,3}}[\"']([^\"'\n]{{1,200}})[\"']"
    rf"|(?:name|key)[\"']?\s?[:=]\s?[\"']?[\w.-]{{0,40}}?{_WORD}[\w.-]{{0,20}}[\"']?,?"
    r"\s{1,40}[\"']?value[\"']?\s?[:=]\s?[\"']?([^\s\"'<>]{1,200})"
)
"""In an element of markup, an argument behind its option, a ``value`` under its ``name``."""

ON_A_COMMAND_LINE: Final = re.compile(
    r"\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]?[\"']?[\w.@+-]{1,60}:([^\s\"']{1,200})"
    r"|\bsshpass\s+-p\s{0,3}[\"']?([^\s\"']{1,200})"
    r"|\bmysql(?:dump|admin)?\b[^\n|;]{0,120}?\s-p[\"']?([^\s\"';|&-][^\s\"';|&]{1,200})"
)
"""What programs take as a password without naming it."""

PLACEHOLDERS: Final = re.compile(
    r"required|needed|none|null|nil|true|false|unset|empty|unknown|hidden|redacted|masked|removed"
    r"|changed|expired|rotated|reset|stored|saved|kept|set|see|ask|same|your|my|the|an?|in|is|not"
    r"|must|should|via|from|with|for|at|least|min|minimum|max|length|string|str|text|xxx|todo|tbd"
    r"|n/a|yes|no|optional|changeme|обязателен|обязательно|нужен|нет|есть|хранится|лежит|записан"
    r"|смен[её]н|измен[её]н|просрочен|ист[её]к|скрыт|удал[её]н|см|смотри|спросить|спроси|неизвестен"
    r"|не|минимум|длина|от|до|из|тот|как|уже|строка|пусто"
)
"""What stands behind ``password:`` in prose, and is no password."""
