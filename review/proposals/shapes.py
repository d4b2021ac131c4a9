"""What a reply may hold, and no more: closed fields, closed words, bounded lengths.

A reply with any further field is refused as a whole. No field is a stage, a status, a decision,
a trust mark, a tenant or a writer, so there is nothing by which a reply could set one.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

_Quote = Annotated[str, Field(max_length=400)]
_Name = Annotated[str, Field(max_length=200)]
_Day = Annotated[str, Field(max_length=40)]
_Label = Annotated[str, Field(max_length=8)]
LONGEST_REPLY: Final = 200_000
"""Characters of a reply that are kept and read."""


class _Closed(BaseModel):
    """Nothing but the fields that are named, each of exactly its type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class FactTold(_Closed):
    """One fact, by words that stand in the text."""

    quote: _Quote
    """The stretch of the text that says it, letter by letter."""

    value: _Name
    """Words inside of the quote."""

    subject: _Name
    """Words of the text, or empty."""

    about_speaker: bool
    """Whether it is said of whoever speaks."""

    parameter: _Name
    role: Literal["states", "ends", "rests_on"]
    valid_from: _Day
    valid_to: _Day
    single: bool
    """Whether there can be only one such value at one moment."""


class ClaimTold(_Closed):
    """What a claim says."""

    facts: Annotated[list[FactTold], Field(max_length=64)]
    task: _Quote
    """Words for what an old answer in the claim was given for; empty when there is none."""

    conclusion: Annotated[str, Field(max_length=2_000)]
    """The old answer, letter by letter; empty when there is none."""

    support: Annotated[list[Annotated[int, Field(ge=0, le=63)]], Field(max_length=8)]
    """Places in ``facts`` of what the answer rests on."""


class AskedTold(_Closed):
    """One thing that a question asks for."""

    quote: _Quote
    parameter: _Name
    subject: _Name
    single: bool


class QuestionTold(_Closed):
    """What a question states and asks for."""

    facts: Annotated[list[FactTold], Field(max_length=64)]
    asked: Annotated[list[AskedTold], Field(max_length=16)]
    names: Annotated[list[_Name], Field(max_length=32)]
    """Words for persons, things and places that it names."""

    task: _Quote


class RelationTold(_Closed):
    """One record bears on another."""

    kind: Literal["conflicts_with", "depends_on"]
    source: _Label
    target: _Label
    source_quote: _Quote
    target_quote: _Quote
    reason: Annotated[str, Field(max_length=500)]


class RelationsTold(_Closed):
    """What bears on what."""

    relations: Annotated[list[RelationTold], Field(max_length=50)]


class EvidenceTold(_Closed):
    """Words of one step of one run."""

    run: _Label
    step: Annotated[int, Field(ge=0, le=10_000)]
    quote: _Quote
    stance: Literal["supports", "contradicts"]


class InsightTold(_Closed):
    """Something that could be learned."""

    statement: Annotated[str, Field(min_length=1, max_length=600)]
    polarity: Literal["do", "avoid"]
    tool: Annotated[str, Field(max_length=120)]
    """The tool it is about, as the runs name it; empty for any."""

    evidence: Annotated[list[EvidenceTold], Field(min_length=1, max_length=20)]


class InsightsTold(_Closed):
    """What could be learned from the runs."""

    insights: Annotated[list[InsightTold], Field(max_length=20)]


class RuleTold(_Closed):
    """The text of a rule."""

    rule: Annotated[str, Field(min_length=1, max_length=2_000)]


class AnswerTold(_Closed):
    """An answer, and what it was made with."""

    answer: Annotated[str, Field(max_length=4_000)]
    used: Annotated[list[_Label], Field(max_length=50)]
