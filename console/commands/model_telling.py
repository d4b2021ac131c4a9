"""Prints proposals, each as what a model said and a text bears out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.commands import model_words
from console.commands.model_words import GRAMMAR
from console.commands.telling import count, say, tell
from review.text.visible import escape_line

if TYPE_CHECKING:
    from review.proposals.learning import Learned, RuleDraft
    from review.proposals.proposing import ReadQuestion, Related
    from review.proposals.reading import ReadClaim
    from review.proposals.records import Record
    from store.cells import Fact

_OTHER_TEXT = "It is about another text than the record has now."


def claim(record: Record, read: ReadClaim | None) -> None:
    """The facts of one claim as they are proposed."""
    tell(f"{record.items[0]}  {record.reader}  {model_words.took(record)}")
    if read is None:
        tell(f"  {model_words.outcome(record) or _OTHER_TEXT} {GRAMMAR}")
        return
    for one in read.facts.facts:
        tell(f"  {one.role:<9} {_fact(one)}")
    if read.conclusion is not None:
        tell(f"  old answer: {escape_line(read.conclusion.text)}")
        tell(f"  to: {escape_line(read.conclusion.task)}")
        for one in read.conclusion.support:
            tell(f"  rests on: {_fact(one)}")
    if read.dropped:
        tell(f"  not in the text, left out: {count(read.dropped)}")


def question(read: ReadQuestion) -> None:
    """What a question states and asks for."""
    tell(f"{read.record.reader}  {model_words.took(read.record)}")
    if read.facts is None:
        tell(f"  {model_words.outcome(read.record)} {GRAMMAR}")
        return
    for fact in read.facts.facts:
        tell(f"  {fact.role:<9} {_fact(fact)}")
    for asked in read.facts.asked:
        tell(f"  asks for  {escape_line(asked.parameter_key)}  ({escape_line(asked.words)})")
    if read.dropped:
        tell(f"  not in the text, left out: {count(read.dropped)}")


def relations(found: Related) -> None:
    """Edges that are proposed."""
    tell(f"{found.record.reader}  {model_words.took(found.record)}")
    for edge in found.relations:
        tell(f"  {edge.source}  {edge.kind}  {edge.target}  {escape_line(edge.reason)}")
    say(model_words.outcome(found.record) or "No edge was drawn. A person draws it, or does not.")


def insights(learned: Learned) -> None:
    """Insights that were staged."""
    tell(f"{learned.record.reader}  {model_words.took(learned.record)}")
    for one in learned.lessons:
        tell(f"  {one.told.polarity:<6} {escape_line(one.told.statement)}")
    say(model_words.outcome(learned.record) or "They wait in the inbox. None of them is durable.")


def rule(draft: RuleDraft) -> None:
    """A draft of a rule, with the places in which it says something else than its source."""
    tell(f"{draft.record.reader}  {model_words.took(draft.record)}")
    if draft.rule is None or draft.strength is None:
        tell(f"  {model_words.outcome(draft.record)}")
        return
    tell(escape_line(draft.rule))
    tell(f"beside its source: {draft.strength.verdict}")
    for place in draft.strength.places:
        tell(f"  {place.drift} {place.change} {escape_line(place.rule.cue)}".rstrip())


def _fact(one: Fact) -> str:
    about = f" [{escape_line(one.subject)}]" if one.subject else ""
    bounds = [bound for bound in (one.valid.start, one.valid.end) if bound]
    when = f" ({' … '.join(bounds)})" if bounds else ""
    return f"{escape_line(one.parameter)} = {escape_line(one.value)}{about}{when}"
