"""Where a rule goes in a checkout, under which name, and what the file says there.

Nothing is overwritten: a file that is there is left alone and another name is taken, and an
existing ``AGENTS.md`` or ``CLAUDE.md`` only gets a section after its end. Pure: what a checkout
holds is handed in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from review.bundle import target_texts, unified
from review.bundle.open_blocks import left_open
from review.bundle.slugs import distinct, slug
from review.rules.export_told import RuleExport, Target

SECTIONS: Final[Mapping[Target, str]] = {
    Target.AGENTS_SECTION: "AGENTS.md",
    Target.CLAUDE_SECTION: "CLAUDE.md",
}
FOLDERS: Final[Mapping[Target, Sequence[str]]] = {
    Target.CLAUDE_RULES: (".claude/rules",),
    Target.DECISION_RECORD: (
        "docs/decisions",
        "docs/adr",
        "doc/adr",
        "docs/architecture/decisions",
    ),
    Target.RUNBOOK: ("docs/runbooks", "runbooks"),
    Target.SKILL: (".claude/skills",),
    Target.PLAIN_DOCS: ("docs",),
}
"""Folders that are tried in this order; the first one is made when none is there."""

_NUMBERED: Final = re.compile(r"(\d{1,6})[-_ ].*")


class NoPlaceError(ValueError):
    """A rule has no place in what was named. The message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What was seen of a checkout, as far as one target needs it."""

    name: str
    """Of its folder, as the person named it."""

    commit: str | None
    """What is checked out, hex; None before the first commit."""

    section: bytes | None = None
    """The file that gets a section; None when it is not there."""

    listings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Names in the folders of the target that are there."""


@dataclass(frozen=True, slots=True)
class Placement:
    """One rule in its place."""

    path: str
    """Relative to the checkout, ``/`` between folders."""

    text: bytes
    """What the rule adds: the whole new file, or the section."""

    patch: bytes
    renamed: bool = False
    """Whether the name or heading it would have had was taken."""


def placed(export: RuleExport, looked: Looked | None) -> Placement:
    """The place of a rule, with the patch that puts it there.

    Args:
        export: The rule.
        looked: The checkout; None when no checkout was named, and the patch adds a new file.

    Raises:
        NoPlaceError: If a section is wanted and no checkout was named, or the file is no text.
    """
    if export.target in SECTIONS:
        return _section(export, looked)
    listings = {} if looked is None else looked.listings
    folders = FOLDERS[export.target]
    folder = next((one for one in folders if one in listings), folders[0])
    taken = listings.get(folder, ())
    name, wanted = slug(export.title), slug(export.title)
    if export.target == Target.SKILL:
        name = distinct(name, taken, mark=export.export_id[:8])
        path, text = f"{folder}/{name}/SKILL.md", target_texts.skill(export, name)
    elif export.target == Target.DECISION_RECORD:
        number = 1 + max((int(m[1]) for m in map(_NUMBERED.fullmatch, taken) if m), default=0)
        path, text = f"{folder}/{number:04d}-{name}.md", target_texts.record(export, number)
    else:
        name = distinct(
            name, [one.casefold().removesuffix(".md") for one in taken], mark=export.export_id[:8]
        )
        path, text = f"{folder}/{name}.md", target_texts.document(export)
    data = text.encode("utf-8")
    return Placement(path, data, unified.new_file(path, data), renamed=name != wanted)


def _section(export: RuleExport, looked: Looked | None) -> Placement:
    path = SECTIONS[export.target]
    if looked is None:
        msg = (
            f"a section of {path} needs the checkout it goes to: nobody knows what {path} says "
            "there. Nothing was exported. Name the checkout, or choose a file of its own."
        )
        raise NoPlaceError(msg)
    heading = target_texts.heading(export)
    if looked.section is None:
        data = target_texts.section(export, heading).encode("utf-8")
        return Placement(path, data, unified.new_file(path, data))
    text = looked.section.decode("utf-8", "replace")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    unclosed = left_open(text)
    if unclosed is not None:
        msg = (
            f"{path} ends inside {unclosed.what} that line {unclosed.line} opens, so a section "
            "after it would not be read as one. Nothing was exported. Close it first, or choose "
            "a file of its own."
        )
        raise NoPlaceError(msg)
    taken = [line.lstrip("#").strip() for line in lines if line.startswith("#")]
    free = heading
    if heading.casefold() in {one.casefold() for one in taken}:
        free = f"{heading} ({export.export_id[:8]})"
    data = target_texts.section(export, free).encode("utf-8")
    try:
        _, patch = unified.appended(path, looked.section, data)
    except unified.NotTextError as error:
        msg = f"{error} Nothing was exported."
        raise NoPlaceError(msg) from error
    return Placement(path, data, patch, renamed=free != heading)
