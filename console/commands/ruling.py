"""``rules list``, ``show`` and ``why-not``: what could leave memory, and what keeps it in.

These read. What leaves is in ``rule_exporting``; there is no command by which a memory becomes a
rule without a signature, files and a pull request elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from console.commands import opening
from console.commands.faults import ExitCode
from console.commands.telling import count, say, tell, tell_json
from review.rules.listed import Show
from review.text.visible import escape_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from review.desk import Desk
    from review.rules.candidates import Candidate
    from review.rules.drafting import Opened
    from review.rules.export_told import Threshold
    from review.rules.readiness import Lack
    from review.rules.ruling import Exported

EXAMPLES: Final = """
memory-console rules list                     insights that could leave as rules
memory-console rules list --exported          rules that left, and on what they stand
memory-console rules show 01KK...             one candidate with its evidence
memory-console rules why-not 01KK...          what keeps it from leaving
memory-console rules export 01KK... --dry-run
"""
LIST_EXAMPLES: Final = """
memory-console rules list --show reached
memory-console rules list --exported --json
"""
SHOW_EXAMPLES: Final = "memory-console rules show 01KK... --json"
WHY_NOT_EXAMPLES: Final = "memory-console rules why-not 01KK..."

EVALUATED: Final = {
    "confidence": "supporting / (supporting + contradicting), by independent sources",
    "votes": "independent supporting sources",
    "people": "different named people",
    "days": "whole days since the oldest case",
}
"""What is computed for each threshold."""

MISSING: Final = {
    "nobody": "no reviewer identity is set",
    "erased": "its source was erased; export is off",
    "empty_source": "its source has no words",
    "fallen": "its source is superseded or stale",
    "confidence": "confidence is below the policy",
    "votes": "independent cases are too few",
    "people": "people are too few",
    "days": "the oldest case is too young, or a case has no date that can be read",
    "duplicates": "its look-alikes are not settled (console, Duplicates)",
    "not_searched": "nobody has looked for look-alikes yet (console, Duplicates)",
    "untried": "no other kept run says whether it holds",
    "not_transferred": "it failed on runs outside its support",
    "empty_rule": "the rule has no text",
    "long_rule": "the rule is too long",
    "not_plain": "the rule has hidden, struck-out or look-alike characters",
    "no_source": "no sentence of the rule has a source",
    "places": "places in which it is or may be stronger than its source are not settled",
    "secret": "something in it looks like a secret; there is no override",
}
"""What keeps a rule in, by member of ``review.rules.readiness.Missing``."""


def list_(
    tenant: opening.TenantOption = None,
    show: Annotated[Show, typer.Option("--show", help="Which candidates.")] = Show.ALL,
    words: Annotated[
        str, typer.Option("--search", metavar="WORDS", help="Literal words of the insight.")
    ] = "",
    page: Annotated[int, typer.Option("--page", min=1, help="50 candidates on each.")] = 1,
    exported: Annotated[
        bool, typer.Option("--exported", help="Rules that left, instead of candidates.")
    ] = False,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """List the candidates for rules, or the rules that were exported.

    A candidate is a durable insight on which at least two independent cases agree.
    """
    desk = _desk(tenant, wait)
    with desk.held():
        if exported:
            _list_exported(desk, as_json=as_json)
            return
        found = desk.rules.page(show, words, page)
    if as_json:
        told = [_brief(one) for one in found.rows]
        tell_json({"total": found.total, "aside": found.aside, "candidates": told})
        return
    for one in found.rows:
        below = [str(t.name) for t in one.thresholds if not t.passed]
        state = "reached" if not below else f"below: {', '.join(below)}"
        numbers = f"{one.cases.count.supporting} for, {one.cases.count.contradicting} against"
        claim = escape_line(one.learned.claim or "")[:90]
        tell(f"{one.learned.item}  {numbers:<18}  {state:<28}  {claim}")
    say(f"{count(found.total)} {'candidate' if found.total == 1 else 'candidates'}.")
    if found.aside:
        say(f"{count(found.aside)} durable insights have fewer than 2 independent cases here.")


def show(
    item: Annotated[str, typer.Argument(metavar="ITEM")],
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """Show one candidate: its words, its cases, the thresholds as evaluated, and its trials."""
    desk = _desk(tenant, wait)
    with desk.held():
        opened = desk.rules.open(item)
        lacks = desk.rules.why_not(opened)
    if as_json:
        tell_json(_whole(opened, lacks))
        return
    tell(f"{opened.learned.item}  revision {opened.learned.rev}  unverified")
    for source in opened.sources:
        tell(f"source     {escape_line(source.text)}")
    for one in opened.told:
        words = escape_line(one.words) or "not kept here, or erased"
        who = escape_line(one.who or "-")
        tell(f"{one.stance:<11}{who}  {escape_line(one.when or '-')}  {words}")
    _tell_thresholds(opened.thresholds)
    for tried in opened.transfer.tried:
        apart = ", ".join(str(one) for one in tried.differs_in)
        tell(f"tried      {tried.outcome:<15}{apart:<22}{tried.run}  {escape_line(tried.words)}")
    for conflict in opened.conflicts:
        tell(f"conflict   {conflict.with_} {conflict.other}  {escape_line(conflict.words)}")
    exposure = opened.exposure
    tell(
        f"apart      shown {exposure.shown}, repeated {exposure.repeated}, "
        f"blamed by people {exposure.blamed}"
    )
    _tell_lacks(lacks)


def why_not(
    item: Annotated[str, typer.Argument(metavar="ITEM")],
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """Say what keeps an insight from being exported, before its text is looked at.

    Ends with 4 when something does. ``rules export --dry-run`` also looks at a text.
    """
    desk = _desk(tenant, wait)
    with desk.held():
        opened = desk.rules.open(item)
        lacks = desk.rules.why_not(opened)
    if as_json:
        told = _whole(opened, lacks)
        names = ("item", "ready", "missing", "thresholds")
        tell_json({name: told[name] for name in names})
    else:
        _tell_thresholds(opened.thresholds)
        _tell_lacks(lacks)
    raise typer.Exit(ExitCode.LEFT if lacks else ExitCode.OK)


def _desk(tenant: str | None, wait: float) -> Desk:
    place = opening.workspace()
    which = opening.chosen(place, tenant)
    opening.wait_for(place.store_path(which), seconds=wait)
    return place.desk(which)


def _list_exported(desk: Desk, *, as_json: bool) -> None:
    found = desk.rules.exports()
    if as_json:
        tell_json({"total": len(found), "exports": [_exported(one) for one in found]})
        return
    for one in found:
        told = _exported(one)
        words = escape_line(told["statement"] or "erased")[:80]
        tell(f"{told['export']}  {told['exported_at']}  {told['state']:<12}  {words}")
    fallen = sum(one.fall is not None for one in found)
    say(f"{count(len(found))} exported rules, {count(fallen)} on fallen ground.")


def _exported(one: Exported) -> dict[str, Any]:
    signed, kept = one.past.signed, one.past.kept
    state = "withdrawn" if one.past.withdrawn else str(one.fall or "stands")
    return {
        "export": signed.export,
        "item": signed.item,
        "revision": signed.rev,
        "state": "withdrawn_export" if one.past.withdrawn else state,
        "statement": None if kept is None else kept.statement,
        "path": None if kept is None else kept.path,
        "folder": None if kept is None else kept.folder,
        "sha256": signed.bundle_sha256,
        "exported_at": signed.signed_at,
        "exported_by": signed.by,
        "withdrawn_at": signed.withdrawn_at,
    }


def _brief(one: Candidate) -> dict[str, Any]:
    return {
        "item": one.learned.item,
        "revision": one.learned.rev,
        "statement": one.learned.claim,
        "supporting": one.cases.count.supporting,
        "contradicting": one.cases.count.contradicting,
        "people": one.cases.count.people,
        "events": one.cases.count.events,
        "reached": one.reached,
        "thresholds": [_threshold(told) for told in one.thresholds],
    }


def _threshold(one: Threshold) -> dict[str, Any]:
    return {
        "name": str(one.name),
        "computed": EVALUATED[one.name],
        "wanted": one.wanted,
        "found": one.found,
        "n": one.n,
        "passed": one.passed,
        "why": str(one.why),
    }


def _whole(opened: Opened, lacks: Sequence[Lack]) -> dict[str, Any]:
    learned, exposure = opened.learned, opened.exposure
    return {
        "item": learned.item,
        "revision": learned.rev,
        "artifact": learned.artifact,
        "statement": learned.claim,
        "validation_state": "unverified",
        "ready": not lacks,
        "missing": [
            {"what": str(one.what), "n": one.n, "found": one.found, "wanted": one.wanted}
            for one in lacks
        ],
        "thresholds": [_threshold(one) for one in opened.thresholds],
        "claimed_confidence": learned.claimed or None,
        "cases": [
            {
                "run": one.run or None,
                "source_id": one.source_id,
                "who": one.who,
                "when": one.when,
                "stance": str(one.stance),
                "words": one.words,
            }
            for one in opened.told
        ],
        "tried": [
            {
                "run": one.run,
                "outcome": str(one.outcome),
                "differs_in": [str(apart) for apart in one.differs_in],
                "words": one.words,
                "who": one.who,
                "when": one.when,
            }
            for one in opened.transfer.tried
        ],
        "conflicts": [
            {"with": str(one.with_), "other": one.other, "words": one.words}
            for one in opened.conflicts
        ],
        "exposure": {
            "shown": exposure.shown,
            "repeated": exposure.repeated,
            "blamed": exposure.blamed,
        },
    }


def _tell_thresholds(thresholds: Sequence[Threshold]) -> None:
    for one in thresholds:
        found = one.found if one.found is not None else str(one.why)
        mark = "reached" if one.passed else "below"
        tell(f"{mark:<11}{found} of {one.wanted}, n = {one.n}: {EVALUATED[one.name]}")


def _tell_lacks(lacks: Sequence[Lack]) -> None:
    for one in lacks:
        tell(f"missing    {MISSING[one.what]}")
    say("Nothing is missing but the text." if not lacks else "Not ready to export.")
