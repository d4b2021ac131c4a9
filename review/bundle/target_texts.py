"""What a rule says in the file that it is meant for: the rule, its owner, and where it is from.

The rule's own words are paragraphs where they are nothing but words, and stand in a fence where
Markdown could read something else into them.
"""

from __future__ import annotations

import json
from typing import Final

from review.bundle import inert
from review.rules.export_told import RuleExport
from store.cells import Stance

_LONGEST_HEADING: Final = 80
_LONGEST_DESCRIPTION: Final = 300
"""Of a skill; its format allows 1,024 characters."""


def heading(export: RuleExport) -> str:
    """The title on one line."""
    line = " ".join(export.title.split()) or "Rule"
    line = line if len(line) <= _LONGEST_HEADING else line[: _LONGEST_HEADING - 1].rstrip() + "…"
    return line if inert.is_plain(line) else inert.span(line)


def document(export: RuleExport) -> str:
    """A file of its own."""
    return f"# {heading(export)}\n\n{inert.words(export.rule_text)}\n{origin(export)}"


def section(export: RuleExport, title: str) -> str:
    """A section of a file that has others."""
    return f"## {title}\n\n{inert.words(export.rule_text)}\n{origin(export)}"


def record(export: RuleExport, number: int) -> str:
    """A decision record; whoever merges it decides."""
    against = sum(one.stance == Stance.CONTRADICTS for one in export.cases)
    told = (
        f"{against} of {len(export.cases)} cases speak against it; they are in the pull request."
        if against
        else "No case that is kept speaks against it."
    )
    return (
        f"# {number:04d}. {heading(export)}\n\nStatus: proposed, {export.exported_at[:10]}.\n\n"
        "## Context\n\nAs it was observed, word for word:\n\n"
        + "\n".join(inert.fenced(one.text) for one in export.sources)
        + f"\n## Decision\n\n{inert.words(export.rule_text)}\n"
        f"## Consequences\n\n{told}\n\n{origin(export)}"
    )


def skill(export: RuleExport, name: str) -> str:
    """``SKILL.md``, with its name and description in front."""
    plain = " ".join(export.rule_text.replace("<", " ").replace(">", " ").split())
    cut = len(plain) > _LONGEST_DESCRIPTION
    plain = plain[: _LONGEST_DESCRIPTION - 1].rstrip() + "…" if cut else plain
    front = f"---\nname: {name}\ndescription: {json.dumps(plain, ensure_ascii=False)}\n---\n\n"
    return front + document(export)


def origin(export: RuleExport) -> str:
    """The last lines of every rule: who answers for it, and where the evidence is."""
    owner = f"Owner: {inert.span(export.owner)}.\n" if export.owner else ""
    return (
        f"{owner}Origin: memory export `{export.export_id}` of {export.exported_at[:10]}. "
        "The source, word for word, and the cases for and against are in its pull request.\n"
    )
