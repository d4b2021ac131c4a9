"""How often an insight was shown, repeated and blamed: three counts that never become one.

To have been in the context of an answer is no merit, and of a run that failed it is no fault.
Only a person who says so blames a memory. No count of these enters a threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from review.auditing import answers, verdict_labels
from review.evidence import found_in
from review.rules.seen import Events
from store.log import Store
from store.trajectories import Verdict

_LEAST: Final = 8
"""Characters of a claim by which it is looked for in other texts."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """What became of one insight in answers and runs."""

    shown: int
    """Answers whose context held it; at most ``review.auditing.answers.MOST_USES``."""

    repeated: int
    """Those of them whose words hold its words."""

    blamed: int
    """Decisions of people against a step that told its words, and verdicts that people labelled
    as wrongly admitted."""


def exposure(store: Store, item: str, claim: str, events: Events) -> Exposure:
    """The three counts of one insight."""
    shown = answers.using(store, item)
    long_enough = len(claim.strip()) >= _LEAST
    repeated = sum(
        1 for one in shown if long_enough and one.said and bool(found_in(one.said, claim))
    )
    labelled = sum(1 for one in verdict_labels.labels(store) if one.item == item and not one.admit)
    judged = 0
    if long_enough:
        judged = sum(
            1
            for run in events.runs
            for one in run.judged
            if one.verdict is Verdict.REJECT and found_in(one.words, claim)
        )
    return Exposure(len(shown), repeated, labelled + judged)
