"""``source.txt``, ``source-vs-rule.diff`` and ``cases.md``: the evidence beside a rule."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from review.bundle import codes, inert
from review.rules.export_told import CaseTold, RuleExport, Tried
from store.cells import Stance


def source(export: RuleExport) -> bytes:
    """The sources, word for word: one alone is its exact bytes, several are framed by counts."""
    if len(export.sources) == 1:
        return export.sources[0].text.encode("utf-8")
    parts = []
    for n, one in enumerate(export.sources, 1):
        data = one.text.encode("utf-8")
        head = f"--- source {n} of {len(export.sources)}, {len(data)} bytes, sha256 {one.digest}\n"
        parts += [head.encode("ascii"), data, b"\n"]
    return b"".join(parts)


def difference(export: RuleExport) -> str:
    """The rule against its sources, line by line, as ``diff -u`` writes it."""
    before = [line for one in export.sources for line in one.text.split("\n")]
    after = export.rule_text.split("\n")
    told = difflib.unified_diff(
        before, after, "source", "rule", n=len(before) + len(after), lineterm=""
    )
    lines = list(told)
    return "\n".join([*lines, ""]) if lines else "No line differs.\n"


def cases(export: RuleExport) -> str:
    """Every case with the words in it, those against the rule first."""
    against = [one for one in export.cases if one.stance == Stance.CONTRADICTS]
    supporting = [one for one in export.cases if one.stance == Stance.SUPPORTS]
    return "\n".join(
        [
            f"# Cases: {len(supporting)} for, {len(against)} against\n",
            "Names and times are as the imported files tell them.\n",
            "## Against\n",
            *(_told(against) or ["None that is kept.\n"]),
            "## For\n",
            *(_told(supporting) or ["None that is kept.\n"]),
            "## Tried on runs outside its support\n",
            *(tried(export) or ["No run outside its support is kept.\n"]),
        ]
    )


def tried(export: RuleExport) -> list[str]:
    """The runs that the rule was tried on, a piece of Markdown each."""
    return [_tried(n, one) for n, one in enumerate(export.tried, 1)]


def where(who: str | None, when: str | None) -> str:
    """Who and when, as far as it is known."""
    person = inert.span(who) if who else "somebody unnamed"
    return f"{person}, {inert.span(when) if when else 'no date'}"


def _told(found: list[CaseTold]) -> list[str]:
    return [piece for n, one in enumerate(found, 1) for piece in _case(n, one)]


def _case(n: int, one: CaseTold) -> Iterator[str]:
    run = f"run {inert.span(one.source_id)}" if one.source_id else "a run without a name"
    yield f"### {n}. {where(one.who, one.when)}\n"
    kept = f"item `{one.run}`" if one.run else "not kept here"
    bytes_ = f", bytes {one.span.start} to {one.span.end}" if one.span else ""
    yield f"{run}, {kept}{bytes_}\n"
    yield inert.fenced(one.words) if one.words else "Its words are not kept.\n"


def _tried(n: int, one: Tried) -> str:
    apart = ", ".join(codes.APART[how] for how in one.differs_in) or "the same"
    said = f"\n\n{inert.fenced(one.words)}" if one.words else "\n"
    return (
        f"{n}. {codes.OUTCOMES[one.outcome]}; {apart}; {where(one.who, one.when)}; "
        f"run item `{one.run}`{said}"
    )
