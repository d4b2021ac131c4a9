"""Rules that a reviewer is wording and has not signed: a small erasable file per reviewer.

A draft has no effect on anything. It is not in the log, and nothing is believed of it: whoever
takes one up holds it against its sources again.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from store.draft_file import DraftFile

SUFFIX: Final = ".rules.json"
MOST: Final = 50
"""Drafts of one reviewer that are kept; the oldest goes first."""


@dataclass(frozen=True, slots=True)
class PutBack:
    """A place whose words were put back or taken out by a press."""

    key: str
    drift: str
    source_words: str
    rule_words: str


@dataclass(frozen=True, slots=True)
class Worded:
    """A rule as it stands in somebody's hands."""

    text: str
    reasons: tuple[tuple[str, str], ...] = ()
    """Key of a place, and the reason written for it."""

    restored: tuple[PutBack, ...] = ()
    target: str = ""
    owner: str = ""


@dataclass(frozen=True, slots=True)
class ByModel:
    """The text of a model that a draft was begun from, and what a person had before."""

    text: str
    model: str
    prompt: str
    before: Worded


@dataclass(frozen=True, slots=True)
class RuleInHand:
    """The draft of a rule for one insight."""

    item: str
    artifact: str
    """Digest of the insight as it was when the draft was begun."""

    drafted_at: str
    worded: Worded
    by_model: ByModel | None = None


class RuleBook:
    """The drafted rules of one reviewer, at most one for each insight, the oldest first."""

    def __init__(self, path: Path | None) -> None:
        """Keep them in ``path``, or in memory when it is None."""
        self._file = DraftFile(path, read=_draft, told=asdict)

    @classmethod
    def beside(cls, path: Path | None) -> RuleBook:
        """The book that belongs to a book of decisions in ``path``."""
        return cls(None if path is None else path.with_suffix(SUFFIX))

    def all(self) -> list[RuleInHand]:
        """Every draft, in the order they were last changed.

        Raises:
            store.draft_file.DraftsUnreadableError: If the file is not one of ours.
        """
        return self._file.all()

    def put(self, draft: RuleInHand) -> None:
        """Keep a draft in place of the one of its insight."""
        self._file.change(
            lambda present: [*(one for one in present if one.item != draft.item), draft][-MOST:]
        )

    def drop(self, items: Collection[str]) -> None:
        """Remove the drafts of these insights: exported, given up or forgotten."""
        gone = set(items)
        self._file.change(lambda present: [one for one in present if one.item not in gone])


def words_of(draft: RuleInHand) -> str:
    """Every word that a draft holds, for a search."""
    texts: list[str] = []
    for worded in (draft.worded, *([draft.by_model.before] if draft.by_model else [])):
        texts += [worded.text, worded.owner, *(reason for _, reason in worded.reasons)]
        texts += [words for one in worded.restored for words in (one.source_words, one.rule_words)]
    if draft.by_model is not None:
        texts.append(draft.by_model.text)
    return "\n".join(texts)


def _draft(told: dict[str, Any]) -> RuleInHand:
    """A draft as the file tells it.

    Raises:
        TypeError, ValueError, KeyError: If it is none; the file is not believed.
    """
    by = told["by_model"]
    return RuleInHand(
        _word(told["item"]),
        _word(told["artifact"]),
        _word(told["drafted_at"]),
        _worded(told["worded"]),
        None
        if by is None
        else ByModel(
            _word(by["text"]), _word(by["model"]), _word(by["prompt"]), _worded(by["before"])
        ),
    )


def _worded(told: dict[str, Any]) -> Worded:
    return Worded(
        _word(told["text"]),
        tuple((_word(key), _word(reason)) for key, reason in told["reasons"]),
        tuple(
            PutBack(**{name: _word(one) for name, one in put.items()}) for put in told["restored"]
        ),
        _word(told["target"]),
        _word(told["owner"]),
    )


def _word(told: object) -> str:
    if type(told) is not str:
        msg = "a drafted rule has a value of another type."
        raise TypeError(msg)
    return told
