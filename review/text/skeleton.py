"""What is left of a text when all that can be changed without changing its words is taken away.

Case, spacing, punctuation, accents, hidden characters, HTML entities, percent signs and letters
that look like others do not matter. Both sides of a comparison are folded in the same way, so a
Russian text equals itself though half of its letters became Latin ones.

``Sought`` looks for texts of which only keyed digests of the skeletons are known: of a whole text,
and of every eight words of it.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Final
from urllib.parse import unquote

_HIDDEN: Final = re.compile(
    r"[\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    r"\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0"
    r"\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters that show nothing: format characters, fillers, selectors, tags."""

_MARKS: Final = re.compile(
    r"[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f"
    r"\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f'’ʼʹ`´]"
)
"""Accents, points and apostrophes. The vowel signs of other scripts are letters and stay."""

_NOT_WORD: Final = re.compile(
    r"(?:[^\w\u0900-\u0963\u0966-\u0df3\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u1000-\u109f"
    r"\u1780-\u17d3]|_)+"
)

_ALIKE: Final = str.maketrans(
    "авекмнорстухіјѕԁһԛԝѵӏԍαβεζικμνορτυχγսոօհցզıȷɑɡɩłøđƅʋ",
    "abekmhopctyxijsdhqwvlgabezikmvoptyxysnohgqijagilodbv",
)
"""Lower-case letters of other alphabets, and the Latin ones they look like in either case."""


LATIN: Final = {
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "e", "ж": "zh", "з": "z",
    "и": "i", "й": "i", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r",
    "с": "s", "т": "t", "у": "u", "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh",
    "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "iu", "я": "ia",
}  # fmt: skip
"""Russian letters as they sound. Source: ICAO Doc 9303, part 3, section 6, without the signs."""

_SOUNDS: Final = (("kh", "h"), ("y", "i"), ("j", "i"), ("ii", "i"))
"""Spellings of one Russian sound in Latin letters."""


def sound(name: str) -> tuple[str, ...]:
    """The words of a person's name as they sound, in any order: "Пётр Иванов", "ivanov.petr".

    What stands behind the @ of an address is left out.
    """
    local = name.partition("@")[0].strip() or name
    plain = unicodedata.normalize("NFC", local).lower()
    told = "".join(LATIN.get(char, char) for char in plain)
    for spelled, same in _SOUNDS:
        told = told.replace(spelled, same)
    return tuple(sorted(words(told)))


def words(text: str) -> list[str]:
    """The words of ``text``, each folded; the same for every spelling that reads the same."""
    for _ in range(2):  # what was escaped may have been escaped again
        if "&" in text:
            text = html.unescape(text)
        if "%" in text:
            text = unquote(text)
    try:
        plain = text.encode(_CODEC)
    except UnicodeEncodeError:
        return _any_words(text)
    if plain.translate(None, _FIT):
        return _any_words(text)
    return plain.translate(_TABLE, _NOTHING).decode(_CODEC).split()


def skeleton(text: str) -> str:
    """The letters and digits of ``text``, folded, with nothing between them."""
    return "".join(words(text))


def _any_words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", _HIDDEN.sub("", text)).casefold()
    plain = _MARKS.sub("", _HIDDEN.sub("", unicodedata.normalize("NFKD", plain)))
    return _NOT_WORD.sub(" ", plain.translate(_ALIKE)).split()


# --- the same for Latin and Cyrillic letters, many times faster ----------------------------------

_CODEC: Final = "cp1251"


def _table() -> tuple[bytes, bytes, bytes]:
    """What becomes of each byte, which bytes vanish, and which are folded one by one at all."""
    table, nothing, fit = bytearray(b" " * 256), bytearray(), bytearray()
    for byte in range(256):
        letter = bytes([byte]).decode(_CODEC, "ignore")
        told = "".join(_any_words(letter))
        if _MARKS.match(letter) or _HIDDEN.match(letter):
            nothing.append(byte)
        elif len(told) == 1 and len(seen := told.encode(_CODEC, "ignore")) == 1:
            table[byte] = seen[0]
        elif told:
            continue
        fit.append(byte)
    return bytes(table), bytes(nothing), bytes(fit)


_TABLE, _NOTHING, _FIT = _table()


# --- looking for forgotten texts, of which only keyed digests are known --------------------------

PART: Final = 8
"""Words in a row by which a text is found inside a longer one."""

FORGOTTEN: Final = "⟦erased on request⟧"
"""What stands in a run where a forgotten text stood."""

_LEAST: Final = 5
"""Letters without which no text is long enough to be known by its words."""

_SEARCHED: Final = 1024 * 1024
"""Bytes of a record that are searched. More are kept of none; if they were, they count as told."""

_REMEMBERED: Final = 4096
"""Texts of one batch whose answer is kept: names and ids come again and again."""

_LITERAL: Final = re.compile(r'"((?:[^"\\\n]|\\[^\n])*+)(?:"|\\?(?:\n|\Z))')
"""A string of JSON; one that is not closed ends with its line, so that each byte is read once."""

_OPENING: Final = ("{", "[")
_DECODER: Final = json.JSONDecoder(strict=False)

Mac = Callable[[bytes], bytes]


class Sought:
    """Looks for the forgotten in the texts of records about one subject, each text once."""

    def __init__(self, mac: Mac, known: frozenset[bytes], whose: str) -> None:
        """For records about ``whose``; blank are those that name nobody."""
        self._mac = mac
        self._known = known
        head = f"{whose}\0" if whose else ""
        self._whole = named("about" if whose else "said", head)
        self._part = named("about part" if whose else "part", head)
        self._looked: dict[str, bool] = {}

    def knows(self, purpose: str, text: str) -> bool:
        """Whether this very text was remembered for this purpose."""
        return self._mac(named(purpose, text)) in self._known

    def has(self, text: str) -> bool:
        """Whether ``text`` is or holds a forgotten one, also inside of JSON."""
        if len(text) < _LEAST:
            return False
        told = self._looked.get(text)
        if told is None:
            told = self._is(text) or (
                text.lstrip()[:1] in _OPENING and any(self.has(one) for one in _literals(text))
            )
            if len(self._looked) >= _REMEMBERED:
                self._looked.clear()
            self._looked[text] = told
        return told

    def in_bytes(self, raw: bytes) -> bool:
        """Whether a text in the record's own bytes is a forgotten one."""
        if len(raw) > _SEARCHED:
            return True
        text = raw.decode("utf-8", "replace")
        if not text.strip("*\n"):
            return False
        if any(self.has(one) for one in _literals(text)):
            return True
        loose = [line for line in text.split("\n") if not _is_json(line)]
        return bool(loose) and (self._is(text) or any(self.has(line) for line in loose))

    def in_name(self, name: str) -> bool:
        """Whether the name of a file or of a member in it, with its folders, holds one."""
        pieces = (piece for part in name.split("/") for piece in (part, part.rpartition(".")[0]))
        return self.has(name) or any(self.has(piece) for piece in pieces)

    def safe(self, text: str) -> str:
        """``text``, or what stands in place of a forgotten one."""
        return FORGOTTEN if self.has(text) else text

    def key(self, key: object) -> object:
        """A key of a foreign mapping; a forgotten one is replaced."""
        return "erased" if self.has(str(key)) else key

    def _is(self, text: str) -> bool:
        told = words(text)
        whole = "".join(told).encode("utf-8", "surrogatepass")
        if len(whole) < _LEAST:
            return False
        if self._mac(self._whole + whole) in self._known:
            return True
        if len(told) < PART:
            return False
        return any(
            [
                self._mac(self._part + part.encode("utf-8", "surrogatepass")) in self._known
                for part in parts(told)
            ]
        )


def maker(key: bytes) -> Mac:
    """What ``store.vault.digester`` computes, in bytes: HMAC-SHA-256, its first 128 bits.

    Every eight words of every text are looked up, so the padded key is taken in once.
    """
    padded = key.ljust(64, b"\0") if len(key) <= 64 else sha256(key).digest().ljust(64, b"\0")
    inner = sha256(bytes(byte ^ 0x36 for byte in padded) + b"forgotten\0")
    outer = sha256(bytes(byte ^ 0x5C for byte in padded))

    def mac(data: bytes) -> bytes:
        told, last = inner.copy(), outer.copy()
        told.update(data)
        last.update(told.digest())
        return last.digest()[:16]

    return mac


def named(purpose: str, text: str) -> bytes:
    """What is digested for one purpose."""
    return f"{purpose}\0{text}".encode("utf-8", "surrogatepass")


def parts(told: Sequence[str]) -> list[str]:
    """Every ``PART`` words in a row."""
    return ["".join(told[n : n + PART]) for n in range(len(told) - PART + 1)]


def _is_json(line: str) -> bool:
    """Whether all words of ``line`` stand in strings that ``_literals`` tells."""
    if line.lstrip()[:1] not in _OPENING:
        return not line.strip()
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _literals(text: str) -> Iterator[str]:
    """The string values and keys of JSON, broken or not."""
    for inner in _LITERAL.findall(text):
        if "\\" not in inner:
            yield inner
            continue
        try:
            yield _DECODER.decode(f'"{inner}"')
        except ValueError:
            yield inner
