"""CLADDER as pairs: a stored answer over given figures, and another question over other figures.

A fact is one sentence of ``given_info``. Its key is the data's own expression, with the names of
its variables put in, and the place in it, such as (``P(cancer | smoking)``, 1); its value is the
figure as printed. For the questions that compare two methods they are the method's number and
what is said of it. These are for scoring: the product sees sentences, and with a stored
conclusion its support, each fact by the words of its sentence before and after the first comma,
as a reviewer marks them.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from bench.quality.datasets import Item
from bench.quality.pairs import Pair, Sentence, Stored, gold_fate, gold_groups

_SENTENCE: Final = re.compile(r"(\S.*?)(?: is (-?\d+(?:\.\d+)?%?)| ?: (.+?))\.(?=\s|$)")
"""One fact: words, then ``is <figure>.``, or ``Method 1: <what it looks at>.``"""

_NAMED: Final = re.compile(r"(\w+) = ([^;.]+)")
_VARIABLE: Final = re.compile(r"[A-Z]\d*(?![\w(])")


@dataclass(frozen=True, slots=True)
class Figure:
    """One stated fact and where its value stands in ``given_info``."""

    key: tuple[str, int]
    words: str
    written: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Problem:
    """A question over figures."""

    id: str
    story: str
    model: object
    sort: str
    given: str
    question: str
    answer: str
    figures: tuple[Figure, ...]

    @property
    def text(self) -> str:
        """Figures and question, as they are asked."""
        return f"{self.given} {self.question}"

    def stored(self) -> Stored:
        """The answer as it would have been remembered."""
        support = [_fact(one) for one in self.figures]
        return Stored(
            id=self.id,
            claim=f"{self.given} So the answer to “{self.question}” is {self.answer}.",
            places=tuple((one.start, one.end) for one in self.figures),
            more={"conclusion": {"text": self.answer, "task": self.question, "support": support}},
        )

    def on(self, memory: Problem) -> Pair:
        """This question, asked where ``memory`` is remembered."""
        stated = {one.key: one.written for one in self.figures}
        groups = gold_groups(((one.key, one.written) for one in memory.figures), stated)
        same = self.question == memory.question
        return Pair(
            memory=memory.id,
            text=self.text,
            groups=groups,
            fate=gold_fate(groups, same_task=same),
            wrong=self.answer != memory.answer,
            sort=f"{memory.sort} / {self.sort}",
        )


def problems(items: list[Item]) -> list[Problem]:
    """The problems whose sentences and expressions fit together."""
    found = []
    for n, item in enumerate(items):
        meta = item.get("meta") or {}
        given, question = str(item.get("given_info") or ""), str(item.get("question") or "")
        names = dict(_NAMED.findall(str((item.get("reasoning") or {}).get("step0") or "")))
        figures = tuple(_figures(given, meta.get("given_info"), names))
        if figures and question and item.get("answer"):
            found.append(
                Problem(
                    id=f"causal:{n}",
                    story=str(meta.get("story_id")),
                    model=meta.get("model_id"),
                    sort=str(meta.get("query_type")),
                    given=given.strip(),
                    question=question,
                    answer=str(item["answer"]),
                    figures=figures,
                )
            )
    return found


def pairs(chosen: list[Problem], everything: list[Problem], seed: int) -> list[Pair]:
    """Four questions on each memory: itself, other figures, another question, any of its story."""
    by_story: dict[str, list[Problem]] = defaultdict(list)
    for one in everything:
        by_story[one.story].append(one)
    found = []
    for memory in chosen:
        rng = random.Random(f"{seed}/{memory.id}")
        others = [one for one in by_story[memory.story] if one.id != memory.id]
        same_model = [one for one in others if one.model == memory.model]
        pools = (
            [memory],
            [one for one in others if one.sort == memory.sort and one.model != memory.model],
            [one for one in same_model if one.question != memory.question],
            others,
        )
        asked = {one.id: one for one in (rng.choice(pool) for pool in pools if pool)}
        found += [one.on(memory) for one in asked.values()]
    return found


def pattern(text: str) -> list[Sentence]:
    """The baseline's reading: what stands before ``is`` or a colon, and what stands after it."""
    return [
        Sentence(found[1], found[2] or found[3], found.start(), found.end())
        for found in _SENTENCE.finditer(text)
    ]


def _figures(
    given: str,
    told: Any,  # noqa: ANN401 - JSON
    names: dict[str, str],
) -> Iterator[Figure]:
    text = given.strip()
    sentences = list(_SENTENCE.finditer(text))
    keyed = list(_keyed(told, names))
    if not sentences or len(sentences) != len(keyed):
        return
    for sentence, key in zip(sentences, keyed, strict=True):
        group = 2 if sentence[2] else 3
        yield Figure(
            key=key,
            words=sentence[1],
            written=sentence[group],
            start=sentence.start(group),
            end=sentence.end(group),
        )


def _keyed(
    told: Any,  # noqa: ANN401 - JSON
    names: dict[str, str],
) -> Iterator[tuple[str, int]]:
    if isinstance(told, list):
        for n, _ in enumerate(told):
            yield ("method", n)
    elif isinstance(told, dict):
        for name, values in told.items():
            meant = _VARIABLE.sub(lambda one: names.get(one[0], one[0]), str(name))
            expression = meant.replace("p(", "P(").replace("=1)", ")")
            for n, _ in enumerate(_leaves(values)):
                yield (expression, n)


def _leaves(values: Any) -> Iterator[object]:  # noqa: ANN401 - JSON
    if isinstance(values, list):
        for one in values:
            yield from _leaves(one)
    else:
        yield values


def _fact(one: Figure) -> dict[str, Any]:
    subject, _, parameter = one.words.partition(", ")
    return {
        "subject": subject,
        "parameter": parameter or subject,
        "value": one.written,
        "start": one.start,
        "end": one.end,
    }
