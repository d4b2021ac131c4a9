"""Keeps the rule that a person is wording, so that a reload or another session finds it again.

The draft lies in the reviewer's own erasable file. It is taken up only for the very insight it
was begun for: of a later revision its reasons would say nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from review import secrets
from review.clause_strength.places import Drift
from review.identities import Clock, stamp
from review.rules.drafting import Opened, RuleDraft
from review.rules.export_told import Target
from review.rules.settling import Restored
from store.draft_file import DraftsUnreadableError
from store.rule_drafts import ByModel, PutBack, RuleBook, RuleInHand, Worded, words_of


@dataclass(frozen=True, slots=True)
class Drafted:
    """A text that a model wrote, and what a person had in the box before."""

    text: str
    model: str
    prompt: str
    before: RuleDraft


@dataclass(frozen=True, slots=True)
class InHand:
    """A draft that was kept."""

    draft: RuleDraft
    by_model: Drafted | None


class Keeping:
    """The rules that one person is wording."""

    def __init__(self, book: RuleBook, clock: Clock) -> None:
        """Nothing is read until something is asked."""
        self._book, self._clock = book, clock

    def items(self) -> frozenset[str]:
        """The insights for which there is a draft, of whatever revision.

        Raises:
            store.draft_file.DraftsUnreadableError: If the file is not one of ours.
        """
        return frozenset(one.item for one in self._book.all())

    def found(self, opened: Opened) -> InHand | None:
        """The draft of this insight; None if there is none, or it is of another revision.

        Raises:
            store.draft_file.DraftsUnreadableError: If the file is not one of ours.
        """
        learned = opened.learned
        kept = next((one for one in self._book.all() if one.item == learned.item), None)
        if kept is None or kept.artifact != learned.artifact:
            return None
        try:
            return InHand(_draft(kept.worded), _drafted(kept.by_model))
        except ValueError as error:
            msg = "a drafted rule names what is not in the lists. Nothing was lost from the store."
            raise DraftsUnreadableError(msg) from error

    def keep(self, opened: Opened, draft: RuleDraft, by_model: Drafted | None = None) -> bool:
        """Keep a draft; one that says no more than the insight is kept no longer.

        Returns:
            Whether the file says what the draft does; a secret is not written to it.
        """
        learned = opened.learned
        if draft == RuleDraft(learned.claim or "") and by_model is None:
            self.drop(learned.item)
            return True
        by = None
        if by_model is not None:
            before = _worded(by_model.before)
            by = ByModel(by_model.text, by_model.model, by_model.prompt, before)
        now = stamp(self._clock())
        told = RuleInHand(learned.item, learned.artifact, now, _worded(draft), by)
        if secrets.find(words_of(told)):
            self.drop(learned.item)
            return False
        self._book.put(told)
        return True

    def drop(self, item: str) -> None:
        """Give up the draft of an insight."""
        if item in self.items():
            self._book.drop([item])


def _drafted(told: ByModel | None) -> Drafted | None:
    if told is None:
        return None
    return Drafted(told.text, told.model, told.prompt, _draft(told.before))


def _worded(draft: RuleDraft) -> Worded:
    return Worded(
        draft.text,
        tuple(sorted(draft.reasons.items())),
        tuple(
            PutBack(one.key, str(one.drift), one.source_words, one.rule_words)
            for one in draft.restored
        ),
        str(draft.target),
        draft.owner,
    )


def _draft(told: Worded) -> RuleDraft:
    return RuleDraft(
        told.text,
        dict(told.reasons),
        tuple(
            Restored(one.key, Drift(one.drift), one.source_words, one.rule_words)
            for one in told.restored
        ),
        Target(told.target),
        told.owner,
    )
