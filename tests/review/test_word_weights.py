"""Weights of words come from files of the package, and are those of the frequency lists."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections import defaultdict
from importlib.resources import files
from math import log10

import pytest
import wordfreq

from bench import word_weights as making
from review.facts.words import is_cyrillic, stem
from review.text.word_weights import RAREST, file_of, weight, wording

PINNED = {
    "en": "37cadcd72f51c443e8adcb263d716b3aabf11c2533de793610283aa9ddfd0d3f",
    "ru": "e35042db78f410e547eaec4faf252375e41001c87f87ee4363d752f124d5fa37",
}
"""Digests of the files: a score that is made of words changes only with them."""


def in_package(language):
    return files("review.text").joinpath(file_of(language)).read_bytes()


@pytest.mark.parametrize("language", making.LANGUAGES)
def test_the_file_is_made_by_the_documented_command_and_has_its_digest(language):
    assert making.made(language) == in_package(language)
    assert hashlib.sha256(in_package(language)).hexdigest() == PINNED[language]


@pytest.fixture(scope="module")
def by_frequency():
    """Weights as they were computed in each process, out of the lists themselves."""
    shares = {one: defaultdict(float) for one in ("en", "ru")}
    for language, into in shares.items():
        for word, share in wordfreq.get_frequency_dict(language, "small").items():
            into[stem(word)] += share

    def told(of_stem):
        share = shares["ru" if is_cyrillic(of_stem) else "en"].get(of_stem, 0.0)
        if of_stem[0].isdigit() and len(of_stem) <= 4:
            share = float(wordfreq.word_frequency(of_stem, "en", wordlist="small"))
        zipf = log10(share) + 9.0 if share > 0.0 else 0.0
        return min(RAREST, max(1, round(100 * (8.0 - zipf))))

    told.stems = [*shares["en"], *shares["ru"]]
    return told


def test_no_number_differs_from_what_the_lists_give(by_frequency):
    odd = [
        "٢٠٢٤",
        "१२",
        "²",
        "1st",
        "12a",
        "1.2.",
        "1,5",
        "007.",
        "12345",
        "1234.5",
        "xyzzy",
        "щзщз",
    ]
    for one in (*by_frequency.stems, *making.numbers(), *odd):
        assert weight(one) == by_frequency(one), one
    assert (weight("go"), weight("2026"), weight("unheardof")) == (161, 329, RAREST)


def test_a_first_ranking_reads_no_frequency_list():
    script = (
        "import sys; from review.text.word_weights import wording; "
        "wording('The main warehouse moved in 2026. Основной склад переехал в 1.5 раза'); "
        "print('wordfreq' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "False"


def test_words_keep_their_weights():
    assert wording("The research begins in 2026").weights == {
        "research": 254,
        "begin": 245,
        "2026": 329,
    }
