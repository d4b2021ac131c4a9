"""S1: how well the strength check names what a rule says beyond its source.

Data: one JSON object a line with ``source`` (a text, or a list of texts for several cases),
``rule``, ``verdict`` (STRICTER, SAME, SOFTER, UNKNOWN) and ``kinds`` (the kinds of drift, empty
for a paraphrase); optionally ``held_out`` and ``language`` (else read off the rule's letters).

A kind counts as found when the check names at least one place of that kind; what it cannot judge
(wording, sentences without a source) is no kind of drift. The baseline is the word list that most
linters have: a rule is stricter when it holds an absolute word that its source does not.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.rows import Row
from review.clause_strength.places import Drift, Verdict
from review.facts.tables import word_set
from review.facts.words import folded, is_cyrillic
from review.strength import check

FILES: Final = tuple(
    Path(__file__).resolve().parents[1] / "tests" / "review" / "data" / f"strength_{name}.jsonl"
    for name in ("en", "ru")
)
"""The pairs written for this project."""

TARGET: Final = 0.95
PARTS: Final = ("all", "dev", "held-out")
_UNJUDGED: Final = frozenset({Drift.WORDING.value, Drift.UNALIGNED.value})
_WORD: Final = re.compile(r"[^\W\d_]+")
_DUTY: Final = word_set("must shall required mandatory должен должна должны обязан нужно")
_ALL: Final = word_set("always never all every any всегда никогда все каждый любой любая")


@dataclass(frozen=True, slots=True)
class Labelled:
    """One pair with what a person said of it."""

    sources: tuple[str, ...]
    rule: str
    verdict: Verdict
    kinds: frozenset[str]
    held_out: bool
    language: str


@dataclass(frozen=True, slots=True)
class Said:
    """What a way of checking said of a pair."""

    verdict: Verdict
    kinds: frozenset[str]


def read(files: Sequence[Path], part: str = "all") -> tuple[list[Labelled], int]:
    """The pairs of ``files`` in order, and how many lines are none.

    Args:
        files: Files of the shape above; one that is absent counts as a line that is none.
        part: ``all``, ``dev`` or ``held-out``.
    """
    pairs: list[Labelled] = []
    odd = 0
    for path in files:
        if not path.is_file():
            odd += 1
            continue
        for line in path.read_text("utf-8").splitlines():
            try:
                pairs += [_labelled(json.loads(line))] if line.strip() else []
            except (ValueError, KeyError, TypeError, AttributeError):
                odd += 1
    wanted = {"dev": False, "held-out": True}.get(part)
    return [one for one in pairs if wanted is None or one.held_out is wanted], odd


def measure(files: Sequence[Path] = FILES, part: str = "all") -> list[Row]:
    """The rows of S1, for each language and kind, and how the verdicts did."""
    pairs, odd = read(files, part)
    rows: list[Row] = []
    told = [_checked(pair) for pair in pairs]
    simple = [_by_words(pair) for pair in pairs]
    for language in sorted({pair.language for pair in pairs}):
        chosen = [n for n, pair in enumerate(pairs) if pair.language == language]
        gold = [Said(pairs[n].verdict, pairs[n].kinds) for n in chosen]
        ours, theirs = [told[n] for n in chosen], [simple[n] for n in chosen]
        rows += _of_kinds(language, gold, ours, theirs)
        rows += _of_verdicts(language, gold, ours, theirs)
    if not pairs or odd:
        rows.append(
            Row("S1", part, "lines that are no pair", float(odd), None, "", None, len(pairs))
        )
    return rows


def misses(
    files: Sequence[Path] = FILES, part: str = "dev", most: int = 3
) -> list[dict[str, Any]]:
    """The first pairs of which something else was said than is true, with what was said."""
    found = []
    for pair in read(files, part)[0]:
        told = _checked(pair)
        if (told.verdict, told.kinds) != (pair.verdict, pair.kinds):
            found.append(
                {
                    "source": list(pair.sources),
                    "rule": pair.rule,
                    "true": [pair.verdict.value, *sorted(pair.kinds)],
                    "told": [told.verdict.value, *sorted(told.kinds)],
                }
            )
    return found[:most]


def _labelled(row: dict[str, Any]) -> Labelled:
    source, rule = row["source"], str(row["rule"])
    sources = tuple(map(str, source)) if isinstance(source, list) else (str(source),)
    return Labelled(
        sources,
        rule,
        Verdict(str(row["verdict"]).lower()),
        frozenset(map(str, row.get("kinds", ()))) - _UNJUDGED,
        bool(row.get("held_out", False)),
        str(row.get("language") or ("ru" if is_cyrillic(rule) else "en")),
    )


def _checked(pair: Labelled) -> Said:
    told = check(pair.sources, pair.rule)
    kinds = frozenset(place.drift.value for place in told.places)
    return Said(told.verdict, kinds - _UNJUDGED)


def _by_words(pair: Labelled) -> Said:
    """The baseline: absolute words of the rule that no source has."""
    known = set(_WORD.findall(folded(" ".join(pair.sources))))
    new = set(_WORD.findall(folded(pair.rule))) - known
    kinds = {name for name, words in (("deontic", _DUTY), ("universality", _ALL)) if new & words}
    return Said(Verdict.STRICTER if kinds else Verdict.SAME, frozenset(kinds))


def _of_kinds(
    language: str, gold: Sequence[Said], ours: Sequence[Said], theirs: Sequence[Said]
) -> list[Row]:
    rows: list[Row] = []
    counts, simple = _counted(gold, ours), _counted(gold, theirs)
    for kind in sorted(set(counts) | {name for one in gold for name in one.kinds}):
        for name, part in (("precision", "found"), ("recall", "true")):
            value = _share(counts[kind], part)
            holds = None if value is None else value >= TARGET
            variant = f"{language} {kind}"
            base = _share(simple[kind], part)
            n = counts[kind][part]
            rows.append(Row("S1", variant, name, value, base, f">= {TARGET}", holds, n))
    return rows


def _counted(gold: Iterable[Said], told: Iterable[Said]) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for true, said in zip(gold, told, strict=True):
        for kind in true.kinds | said.kinds:
            counts[kind]["true"] += kind in true.kinds
            counts[kind]["found"] += kind in said.kinds
            counts[kind]["both"] += kind in true.kinds and kind in said.kinds
    return counts


def _share(counts: Counter[str], part: str) -> float | None:
    return counts["both"] / counts[part] if counts[part] else None


def _of_verdicts(
    language: str, gold: Sequence[Said], ours: Sequence[Said], theirs: Sequence[Said]
) -> list[Row]:
    """Rows of the verdicts; the one that matters is a stricter rule that is let pass."""
    mild = (Verdict.SAME, Verdict.SOFTER)
    strict = [n for n, one in enumerate(gold) if one.verdict is Verdict.STRICTER]
    passed, base = (sum(side[n].verdict in mild for n in strict) for side in (ours, theirs))
    name = "STRICTER called SAME or SOFTER"
    rows = [Row("S1", language, name, float(passed), float(base), "0", passed == 0, len(strict))]
    for verdict in Verdict:
        of = [n for n, one in enumerate(gold) if one.verdict is verdict]
        if of:
            hit, simple = (
                sum(side[n].verdict is verdict for n in of) / len(of) for side in (ours, theirs)
            )
            name = f"{verdict.name} called {verdict.name}"
            rows.append(Row("S1", language, name, hit, simple, "", None, len(of)))
    return rows
