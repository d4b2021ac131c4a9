"""What is never exported, whoever signs: secrets, hidden characters, a rule nobody settled.

There is no way around any of these. A message says what it is and where, never the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from review import secrets
from review.bundle.folder import WRITTEN
from review.clause_strength.places import ASKED, Verdict
from review.rules.export_told import Answer, RuleExport, Target
from review.text.visible import hidden

LONGEST: Final = 64 * 1024
"""Characters of one text."""


_RUN: Final = re.compile(r"!`|`!")
"""How a skill asks for the output of a command: before a code span, or behind a fence's marks."""


class ExportRefusedError(ValueError):
    """A rule may not leave. The message says every reason; nothing was signed or written."""

    def __init__(self, reasons: tuple[str, ...]) -> None:
        """Keep the reasons, a sentence each."""
        self.reasons = reasons
        super().__init__(" ".join((*reasons, "Nothing was exported.")))


def refuse(export: RuleExport) -> None:
    """Let pass what may leave.

    Raises:
        ExportRefusedError: With every reason.
    """
    reasons = tuple((*_missing(export), *_unsettled(export), *_texts(export)))
    if reasons:
        raise ExportRefusedError(reasons)


def refuse_files(files: Mapping[str, bytes]) -> None:
    """Let pass files without a secret: a patch shows lines of a file that nobody looked at here.

    Raises:
        ExportRefusedError: If one holds a secret.
    """
    reasons = tuple(
        reason for name in WRITTEN for reason in _secrets(name, secrets.decoded(files[name])[0])
    )
    if reasons:
        raise ExportRefusedError(reasons)


def _missing(export: RuleExport) -> Iterator[str]:
    if not export.rule_text.strip():
        yield "The rule has no text."
    if export.target == Target.SKILL and any(_RUN.search(text) for text in _shown(export)):
        yield (
            "The rule, its title or owner has !` in it, which some agents run as a command "
            "when they load a skill. Take it out, or choose another target."
        )
    if not export.sources:
        yield "The rule has no source."
    for n, one in enumerate(export.sources, 1):
        if not one.text.strip():
            yield f"Source {n} is empty or was erased; export is off."
    for threshold in export.thresholds:
        if not threshold.passed:
            yield f"The threshold {threshold.name} is not passed: {threshold.why}."


def _shown(export: RuleExport) -> Iterator[str]:
    """What of others' words stands in a skill."""
    yield from (export.rule_text, export.title, export.owner or "")


def _unsettled(export: RuleExport) -> Iterator[str]:
    answered = {
        one.place
        for one in export.settled
        if one.place is not None and one.answer == Answer.REASON and one.reason.strip()
    }
    for n, place in enumerate(export.strength.places):
        if place.verdict in ASKED and n not in answered:
            more = "says" if place.verdict is Verdict.STRICTER else "may say"
            yield (
                f"Place {n + 1} ({place.drift}) {more} more than its source, and there is neither "
                "a restoration nor a written reason."
            )


def _texts(export: RuleExport) -> Iterator[str]:
    for name, text in (("rule", export.rule_text), ("title", export.title)):
        found = hidden(text)
        if found.bidi or found.tags or found.other:
            yield f"The {name} has characters that nobody can see. Take them out."
    for name, text in _named(export):
        if len(text) > LONGEST:
            yield f"The {name} has more than {LONGEST:,} characters."
        else:
            yield from _secrets(name, text)


def _named(export: RuleExport) -> Iterator[tuple[str, str]]:
    """Every text of others, by what it is called in a message."""
    yield from (("rule", export.rule_text), ("title", export.title))
    yield from (("insight", export.statement), ("owner", export.owner or ""))
    for n, source in enumerate(export.sources, 1):
        yield f"text of source {n}", source.text
        yield f"name in source {n}", f"{source.who or ''} {source.when or ''}"
    for n, case in enumerate(export.cases, 1):
        yield f"words of case {n}", case.words
        yield f"name in case {n}", f"{case.who or ''} {case.when or ''} {case.source_id}"
    for n, tried in enumerate(export.tried, 1):
        yield f"words of trial {n}", f"{tried.words} {tried.who or ''} {tried.when or ''}"
    for n, settled in enumerate(export.settled, 1):
        yield f"settled place {n}", f"{settled.source_words} {settled.rule_words}"
        yield f"reason {n}", settled.reason
    for n, conflict in enumerate(export.conflicts, 1):
        yield f"words of conflict {n}", conflict.words


def _secrets(name: str, text: str) -> Iterator[str]:
    for one in secrets.find(text):
        yield (
            f"There is a secret ({one.kind}) in the {name}, characters {one.start} to {one.end}."
        )
