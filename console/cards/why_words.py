"""An explanation in words: templates filled with recorded values, never a sentence of a model.

The page, the command line and the downloads all take their sentences from here. Cells are named
by their ids; what a cell says is foreign text, and whoever draws it makes it inert.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import floor
from typing import Final

from console.cards.times import moment
from console.words import Say
from review.auditing.answers import Answer
from review.auditing.audit import Account, Why
from review.auditing.origin import ChainLink, Step
from review.auditing.then_and_now import Since
from review.auditing.why import PartWhy, Row, Verdict
from review.auditing.why_flat import Flat
from review.gate import reasons
from review.identities import short
from review.trimming.partition import Group

SIGNS: Final = {
    Verdict.IN: "+",
    Verdict.READ: "○",
    Verdict.FETCHED: "#",
    Verdict.SHARED: "=",
    Verdict.CONFLICT: "/",
    Verdict.NOTHING_LEFT: "∅",
    Verdict.BELOW: "−",
    Verdict.BLOCKED: "×",
    Verdict.NOT_RETRIEVED: "·",
    Verdict.NOT_DURABLE: "◌",
    Verdict.NOT_THERE: "·",
    Verdict.UNKNOWN: "?",
}
"""A sign beside each verdict, so that no verdict is told by colour alone."""

_SLACK: Final = 1e-6
"""What a sum of binary fractions may lack of the number that it means."""


def number(value: float) -> str:
    """A score as people read it: two or three digits, rounded down, so that 0.5499 is not 0.55."""
    told = f"{floor(value * 1000 + _SLACK) / 1000:.3f}"
    return told[:-1] if told.endswith("0") else told


def verdict(say: Say, item: str, told: Verdict) -> str:
    """The verdict on a cell in one sentence."""
    return say.plain(f"why.verdict.{told}", fact=short(item))


def word(say: Say, told: Verdict) -> str:
    """Sign and word of a verdict, for a cell of a table."""
    return f"{SIGNS[told]} {say.plain(f'why.word.{told}')}"


def because(say: Say, told: Verdict, row: Row | None) -> list[str]:
    """Why it came so: the numbers of its row, and each bar that it failed."""
    if row is None:
        return [say.plain(f"why.because.{told}")]
    strong, weak = row.strongest, row.weakest
    values = {
        "score": number(row.score.score),
        "theta": number(row.score.theta),
        "margin": f"{abs(row.margin):.2f}",
        "strong": say.plain(f"why.part.{strong[0]}"),
        "strong_value": number(strong[1]),
        "weak": say.plain(f"why.part.{weak[0]}"),
        "weak_value": number(weak[1]),
    }
    lines = [say.plain(f"why.because.{told}", **values)]
    if told is Verdict.BLOCKED:
        lines += bars(say, row)
    if row.trimmed is not None and row.trimmed.fate is not None:
        lines.append(say.plain(f"why.fate.{row.trimmed.fate}"))
    return lines


def otherwise(row: Row) -> list[tuple[str, str, str]]:
    """What the question gives otherwise than a cell: parameter, value in memory, value asked.

    All three are foreign text; each parameter is told once.
    """
    if row.cell is None or row.trimmed is None or len(row.cell.facts) != len(row.trimmed.facts):
        return []
    told: dict[str, tuple[str, str, str]] = {}
    for fact, became in zip(row.cell.facts, row.trimmed.facts, strict=True):
        if became.group is Group.CONFLICTING and became.against:
            name = fact.parameter_key or fact.parameter
            told.setdefault(name, (name, fact.value, became.against))
    return list(told.values())


def bars(say: Say, row: Row) -> list[str]:
    """Each part of the hard filter that a cell failed, as a sentence."""
    return [capital(reasons.sentence(one, say.lang)) for one in row.barred_by]


def today(say: Say, told: Why, item: str) -> list[str]:
    """What the same question would give now, and why."""
    if not told.now:
        return []
    movement = told.movement_of(item)
    now = None if movement is None else movement.now
    then = None if movement is None else movement.then
    if now is None:
        return [say.plain("why.today.no_candidate")]
    if then is not None and then.verdict is now.verdict and not told.ours:
        same = then.score.score == now.score.score
        key = "why.today.same" if same else "why.today.same_verdict"
        return [say.plain(key, then=number(then.score.score), now=number(now.score.score))]
    lines = [say.plain(f"why.today.{now.verdict}", score=number(now.score.score))]
    return [*lines, *bars(say, now)]


def since(say: Say, decided: Iterable[Since], named: Callable[[str], str] = short) -> list[str]:
    """What was decided after the answer, that bears on it; ``named`` says which cell it is."""
    return [
        say.plain(
            "why.since",
            item=named(one.item),
            what=say.plain(f"decision.{one.decision}"),
            when=moment(one.signed_at),
        )
        for one in decided
    ]


def origin(say: Say, answer: Answer) -> str:
    """Whether it was observed or reported, by whom, as one line."""
    return say.plain(f"answers.source.{answer.source}")


def honest(say: Say, account: Account) -> str:
    """What can be shown of a cell of an answer, and what cannot."""
    if not account.why.explanation.answer.observed:
        return say.plain("why.honest.reported")
    return say.plain("why.honest" if account.verdict is Verdict.IN else "why.honest.out")


def funnel(say: Say, part: PartWhy, *, happened: bool) -> str:
    """How many cells were left after each step; of what did not happen, how many would be."""
    told = part.funnel
    return say.plain(
        "why.funnel" if happened else "why.funnel.would",
        retrieved=told.retrieved,
        passed=told.passed,
        admitted=told.admitted,
        kept=told.kept,
    )


def flat(say: Say, told: Iterable[Flat]) -> list[str]:
    """The alarm for each sub-question of which one score fits every candidate."""
    return [
        say.plain("why.flat", part=one.part + 1, n=one.count, score=number(one.score))
        + (" " + say.plain("why.flat.others", n=one.others) if one.others else "")
        for one in told
    ]


def agreement(say: Say, told: Why) -> str:
    """Whether asking again as of then gives what was recorded."""
    found = told.agreement
    if found is None:
        return say.plain("why.agrees.no_record")
    if not found.parts:
        return say.plain("why.agrees.parts")
    if found.agrees:
        return say.plain("why.agrees.yes")
    return say.plain("why.agrees.no", n=len(found.differing))


def link(say: Say, one: ChainLink, who: Callable[[str], str] = short) -> str:
    """One step of the chain as words; names of files are left to whoever draws them.

    Args:
        say: The words.
        one: The step.
        who: Tells who a reviewer is.
    """
    if one.gap is not None:
        return say.plain(f"why.gap.{one.gap}")
    key = f"why.chain.{one.step}.told"
    if one.step is Step.DECISION and not one.count:
        key = "why.chain.decision.single"
    if one.reported:
        key = "why.chain.context.reported"
    return say.plain(
        key,
        id=_id(one, who),
        when=moment(one.when) if one.when else "–",
        n=one.count,
        start=one.start,
        end=one.end,
    )


def _id(one: ChainLink, who: Callable[[str], str]) -> str:
    if one.step is Step.DECISION:
        return who(one.id)
    return one.id if one.step is Step.RECORD else short(one.id)


def capital(sentence: str) -> str:
    """A reason as a sentence of its own."""
    return f"{sentence[:1].upper()}{sentence[1:]}."
