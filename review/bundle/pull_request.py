"""``PULL_REQUEST.md``: what a person who is asked to merge the rule has to see.

All foreign words stand in fences and code spans, so nothing in it is live when it is rendered.
"""

from __future__ import annotations

from collections.abc import Iterator

from review.bundle import case_texts, codes, inert
from review.bundle.targets import Placement
from review.clause_strength.places import Passage, Place
from review.rules.export_told import Conflict, Opposes, RuleExport, Settled
from store.cells import Stance

LIMIT = "This check looks for known words. It can miss a stronger meaning."


def body(export: RuleExport, placement: Placement) -> str:
    """The whole text of the pull request."""
    return "\n".join(
        [
            f"# Rule from memory: {inert.span(' '.join(export.title.split()) or 'Rule')}\n",
            "This text was written from what people decided in earlier runs. It is a proposal: "
            "it becomes a rule only if you merge it. The memory it comes from stays unverified, "
            "whatever becomes of this pull request.\n",
            f"Goes to: {inert.span(placement.path)} ({codes.TARGETS[export.target]}). "
            f"Owner: {inert.span(export.owner) if export.owner else 'nobody is named'}.\n",
            "## The rule\n",
            inert.fenced(export.rule_text),
            "## Its source, word for word\n",
            *_sources(export),
            "## Is the rule stronger than its source?\n",
            *_strength(export),
            "## Cases\n",
            *_cases(export),
            "## Thresholds, as they were evaluated\n",
            "\n".join(_thresholds(export)) + "\n",
            "## Tried on runs outside its support\n",
            *(case_texts.tried(export) or ["No run outside its support is kept.\n"]),
            "## What speaks against it elsewhere\n",
            *(_conflicts(export.conflicts) or ["Nothing that is known here.\n"]),
            "## What is not known\n",
            "\n".join(f"- {codes.UNKNOWNS[one]}" for one in export.unknown) + "\n",
            "## How to check this bundle\n",
            "`README.md` beside this file says how, with `sha256sum`, `ssh-keygen` and `git`. "
            f"Export `{export.export_id}`, item `{export.item}`, revision {export.revision}.\n",
        ]
    )


def _sources(export: RuleExport) -> Iterator[str]:
    for n, one in enumerate(export.sources, 1):
        about = (
            f"{case_texts.where(one.who, one.when)}; item `{one.item}`, {inert.span(one.place)}"
        )
        yield f"{n}. {about}\n"
        yield inert.fenced(one.text)


def _strength(export: RuleExport) -> Iterator[str]:
    strength = export.strength
    yield f"{codes.VERDICTS[strength.verdict]}. {LIMIT}\n"
    settled = {one.place: one for one in export.settled if one.place is not None}
    for n, place in enumerate(strength.places):
        yield _place(export, place, settled.get(n))
    restored = [one for one in export.settled if one.place is None]
    if restored:
        yield "Changed back before this text was final:\n"
    for one in restored:
        yield (
            f"- {codes.DRIFTS[one.drift]}: source {_quoted(one.source_words)}, rule was "
            f"{_quoted(one.rule_words)}; {codes.ANSWERS[one.answer]}.\n"
        )


def _place(export: RuleExport, place: Place, settled: Settled | None) -> str:
    told = (
        f"- **{place.verdict.value.upper()}**, {codes.DRIFTS[place.drift]} "
        f"({codes.CHANGES[place.change]}): source {_cue(place.source)}, rule {_cue(place.rule)}"
    )
    if settled is None:
        return told + ".\n"
    told += f"; {codes.ANSWERS[settled.answer]}"
    return f"{told}:\n\n{inert.fenced(settled.reason)}" if settled.reason else f"{told}.\n"


def _cue(passage: Passage | None) -> str:
    return _quoted(passage.cue if passage is not None else "")


def _quoted(words: str) -> str:
    return inert.span(words) if words.strip() else "has no such words"


def _cases(export: RuleExport) -> Iterator[str]:
    against = [one for one in export.cases if one.stance == Stance.CONTRADICTS]
    yield (
        f"{len(export.cases) - len(against)} for, {len(against)} against; all of them are in "
        "`cases.md`. Against it:\n"
    )
    for n, one in enumerate(against, 1):
        words = inert.fenced(one.words) if one.words else "Its words are not kept.\n"
        yield f"{n}. {case_texts.where(one.who, one.when)}\n\n{words}"
    if not against:
        yield "None that is kept.\n"


def _thresholds(export: RuleExport) -> Iterator[str]:
    for one in export.thresholds:
        found = "cannot be told" if one.found is None else one.found
        verdict = "passed" if one.passed else "NOT passed"
        yield (
            f"- {codes.THRESHOLDS[one.name]}: wanted {one.wanted}, found {found} (n = {one.n}); "
            f"{verdict}: {codes.WHYS[one.why]}."
        )


def _conflicts(found: tuple[Conflict, ...]) -> list[str]:
    names = {Opposes.CELL: "memory item", Opposes.EXPORT: "earlier export"}
    return [
        f"{n}. {names[one.with_]} `{one.other}`:\n\n{inert.fenced(one.words)}"
        for n, one in enumerate(found, 1)
    ]
