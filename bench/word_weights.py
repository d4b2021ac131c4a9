"""Makes the files of word weights that ``review.text.word_weights`` reads.

``python -m bench.word_weights`` writes them anew. They change only with wordfreq or with the
stemmer, and then every score that is made of words changes with them.

Source:
    Ours: 8 minus the zipf frequency (log10 of occurrences in a billion words) of all words with
    one stem together, in hundredths, in wordfreq's small lists.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from itertools import product
from math import log10
from pathlib import Path
from string import digits
from typing import Final

import wordfreq

from review.facts.words import is_cyrillic, stem
from review.text import word_weights
from review.text.word_weights import COUNTED, RAREST

LANGUAGES: Final = ("en", "ru")
_HEAD: Final = """\
# How much a stem tells, and the stems of that weight. Whatever is missing has weight {rarest}.
# Made by "python -m bench.word_weights" from wordfreq {wordfreq} and PyStemmer {stemmer}.
# The frequencies of wordfreq are by Robyn Speer, under CC BY-SA 4.0; so is this file.
"""


def made(language: str) -> bytes:
    """The whole file of one language."""
    by_weight: dict[int, list[str]] = defaultdict(list)
    for one, worth in weights(language).items():
        if worth < RAREST:
            by_weight[worth].append(one)
    head = _HEAD.format(rarest=RAREST, wordfreq=version("wordfreq"), stemmer=version("PyStemmer"))
    lines = (f"{worth} {' '.join(sorted(by_weight[worth]))}\n" for worth in sorted(by_weight))
    return f"{head}{''.join(lines)}".encode()


def weights(language: str) -> dict[str, int]:
    """The weight of every stem of a language; English has that of every short number, too."""
    told = {
        one: _weight(share)
        for one, share in _shares(language).items()
        if is_cyrillic(one) is (language == "ru") and not COUNTED.fullmatch(one)
    }
    if language == "en":
        told |= {one: _weight(_share_of_number(one)) for one in numbers()}
    return told


def numbers() -> Iterator[str]:
    """Every number of at most four characters."""
    for length in range(1, 5):
        for letters in product(f"{digits}.", repeat=length):
            if COUNTED.fullmatch("".join(letters)):
                yield "".join(letters)


def main() -> None:
    """Write the files beside the module that reads them."""
    folder = Path(word_weights.__file__).parent
    for language in LANGUAGES:
        (folder / word_weights.file_of(language)).write_bytes(made(language))


def _shares(language: str) -> Mapping[str, float]:
    shares: dict[str, float] = defaultdict(float)
    for word, share in wordfreq.get_frequency_dict(language, "small").items():
        shares[stem(word)] += share
    return shares


def _share_of_number(number: str) -> float:
    return float(wordfreq.word_frequency(number, "en", wordlist="small"))


def _weight(share: float) -> int:
    zipf = log10(share) + 9.0 if share > 0.0 else 0.0
    return min(RAREST, max(1, round(100 * (8.0 - zipf))))


if __name__ == "__main__":
    main()
