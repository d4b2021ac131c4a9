"""The cleaned context: what the model gets of memory, as quoted data and never as our own word.

Every text that comes from memory is a JSON string inside of a data block, so it cannot end the
block or speak outside of it. Each cell says that it is unverified. Withheld facts are not here;
they are in the trim, for the auditor.

Source: the gate's specification, section 4.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from review.gate.scored import Gap
from review.trimming.agreement import Disagreement
from review.trimming.context_words import PHRASES
from review.trimming.fate import Fate
from review.trimming.telling import Manner, Telling, telling
from review.trimming.trim import CellTrim, Trim
from store.cells import VALIDATION_STATE, Fact, Interval

_HIDDEN: Final = re.compile(
    r"[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
    r"|[\ud800-\udfff\U000e0000-\U000e007f]"
)


@dataclass(frozen=True, slots=True)
class Quoted:
    """What is handed over of one cell. All words are foreign text."""

    item: str
    kind: str
    provenance: Mapping[str, str]
    valid: Interval
    manner: Manner
    texts: tuple[str, ...]
    """The claim, or the parts of it that hold nothing withheld."""

    facts: tuple[Fact, ...]
    validation_state: str = VALIDATION_STATE


@dataclass(frozen=True, slots=True)
class Reference:
    """An old conclusion: an earlier answer, to the same question or to another."""

    item: str
    fate: Fate
    """``kept`` or ``demoted``."""

    task: str
    answer: str
    unsupported: bool
    """It names nothing that it rests on."""

    unchecked: tuple[str, ...]
    """Parameters it rests on that the question does not mention."""


@dataclass(frozen=True, slots=True)
class Context:
    """Everything that is handed over for one question."""

    question: str
    memory: tuple[Quoted, ...] = ()
    references: tuple[Reference, ...] = ()
    gaps: tuple[Gap, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    left_out: tuple[str, ...] = ()
    """Admitted cells of which nothing is left to hand over."""

    def texts(self) -> str:
        """All words of memory that are handed over, one text a line."""
        return "\n".join(self._texts())

    def as_json(self) -> str:
        """See ``as_json`` of this module."""
        return as_json(self)

    def _texts(self) -> Iterator[str]:
        for one in self.memory:
            yield from one.texts
            for fact in one.facts:
                yield f"{fact.subject} {fact.parameter} {fact.value}".strip()
        for reference in self.references:
            yield reference.task
            yield reference.answer


def cleaned(question: str, trim: Trim, *, gaps: Sequence[Gap] = ()) -> Context:
    """The context of a question out of trimmed memory.

    Args:
        question: The question as asked.
        trim: Its trimmed memory.
        gaps: What memory does not know.

    Returns:
        The cleaned context; cells in the order of the trim.
    """
    told = [(cell, telling(cell, question)) for cell in trim.cells]
    return Context(
        question=question,
        memory=tuple(_quoted(cell, one) for cell, one in told if one is not None),
        references=tuple(_reference(cell) for cell in trim.cells if _is_reference(cell)),
        gaps=tuple(gaps),
        disagreements=trim.disagreements,
        left_out=tuple(cell.item for cell, one in told if one is None and not _is_reference(cell)),
    )


def as_value(context: Context) -> dict[str, Any]:
    """The context as plain values for JSON."""
    return {
        "question": context.question,
        "memory": [_memory_value(one) for one in context.memory],
        "references": [_reference_value(one) for one in context.references],
        "not_known": [
            {"parameter": one.parameter, "asked": one.words, "of": one.entity}
            for one in context.gaps
        ],
        "disagreements": [
            {"parameter": one.parameter, "subject": one.subject, "ids": list(one.items)}
            for one in context.disagreements
        ],
        "left_out": list(context.left_out),
    }


def as_json(context: Context) -> str:
    """The context as canonical JSON: sorted keys, no blanks, characters as they are."""
    return _spelled(as_value(context))


def as_text(context: Context, language: str = "en") -> str:
    """The context as text for a prompt: our headings, and a block of JSON lines below each.

    Args:
        context: What is handed over.
        language: Of our own words: a key of ``review.trimming.context_words.PHRASES``.

    Raises:
        KeyError: For another language.
    """
    words = PHRASES[language]
    parts = [words["question"], *_block([context.question])]
    if context.memory:
        lines = [{**_memory_value(one), "note": words[one.manner]} for one in context.memory]
        parts += [words["memory"], *_block(lines)]
    else:
        parts.append(words["no_memory"])
    if context.references:
        lines = [
            {**_reference_value(one), "note": _reference_note(one, words)}
            for one in context.references
        ]
        parts += [words["references"], *_block(lines)]
    value = as_value(context)
    for name in ("not_known", "disagreements", "left_out"):
        if value[name]:
            parts += [words[name], *_block(value[name])]
    return "\n".join(parts)


def _is_reference(cell: CellTrim) -> bool:
    return cell.fate in {Fate.KEPT, Fate.DEMOTED}


def _quoted(cell: CellTrim, told: Telling) -> Quoted:
    return Quoted(
        item=cell.item,
        kind=cell.cell.kind,
        provenance=dict(cell.cell.provenance),
        valid=cell.cell.valid,
        manner=told.manner,
        texts=told.texts,
        facts=told.facts,
    )


def _reference(cell: CellTrim) -> Reference:
    conclusion = cell.cell.conclusion
    return Reference(
        item=cell.item,
        fate=cell.judged.fate,
        task="" if conclusion is None else conclusion.task,
        answer="" if conclusion is None else conclusion.text,
        unsupported=cell.judged.unsupported,
        unchecked=tuple(one.fact.parameter for one in cell.judged.unchecked),
    )


def _memory_value(one: Quoted) -> dict[str, Any]:
    return {
        "id": one.item,
        "kind": one.kind,
        "provenance": dict(one.provenance),
        "validation_state": one.validation_state,
        "valid_from": one.valid.start,
        "valid_to": one.valid.end,
        "given": str(one.manner),
        "text": list(one.texts),
        "facts": [
            {
                "subject": fact.subject,
                "parameter": fact.parameter,
                "value": fact.value,
                "role": str(fact.role),
            }
            for fact in one.facts
        ],
    }


def _reference_value(one: Reference) -> dict[str, Any]:
    return {
        "id": one.item,
        "given": str(one.fate),
        "task": one.task,
        "answer": one.answer,
        "validation_state": VALIDATION_STATE,
        "rests_on_nothing_named": one.unsupported,
        "not_mentioned_unchecked": list(one.unchecked),
    }


def _reference_note(one: Reference, words: Mapping[str, str]) -> str:
    notes = [words[one.fate]]
    if one.unsupported:
        notes.append(words["unsupported"])
    if one.unchecked:
        notes.append(words["unchecked"])
    return " ".join(notes)


def _block(lines: Sequence[object]) -> list[str]:
    return ["```json", *(_visible(_spelled(line)) for line in lines), "```"]


def _spelled(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _visible(spelled: str) -> str:
    """The same JSON, with characters that break lines or cannot be seen as escapes."""
    return _HIDDEN.sub(lambda found: _escape(found.group()), spelled)


def _escape(character: str) -> str:
    return json.dumps(character)[1:-1]
