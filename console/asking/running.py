"""One go at asking about what waits, by the process that holds the lock."""

from __future__ import annotations

import os
from collections.abc import Callable

from console.asking.kept import Keeping, Kept, State
from console.job_stopping import Stop
from review.identities import Clock, stamp
from review.proposals import backlog
from review.proposals.backlog import Heard
from review.proposals.proposing import Proposing

Told = Callable[[Kept], None]


def run(
    keeping: Keeping,
    proposing: Callable[[], Proposing],
    *,
    most: int,
    clock: Clock,
    stop: Stop,
    explain: Callable[[Exception], str],
    told: Told = lambda _: None,
) -> Kept:
    """Ask until it has ended in some way, which is kept.

    Args:
        keeping: Whose lock this process holds.
        proposing: Opens what can be asked; its errors end it.
        most: Records at most.
        clock: For the moments that are kept.
        stop: Ends it between two groups of records.
        explain: Gives the sentence that is kept of an error.
        told: Told of every step forward.

    Raises:
        Exception: Whatever ended it; it is kept as failed.
    """
    kept = Kept(pid=os.getpid(), started_at=stamp(clock()))

    def step(heard: Heard) -> bool:
        kept.wanted, kept.gone = heard.wanted, heard.gone
        kept.replies = {str(name): n for name, n in heard.replies.items()}
        kept.failed = {str(name): n for name, n in heard.failed.items()}
        keeping.write(kept)
        told(kept)
        return not (stop.asked or keeping.stop_asked())

    keeping.ask_to_stop(wanted=False)
    keeping.write(kept)
    try:
        with stop.listening():
            heard = backlog.ask(proposing(), most, step)
    except BaseException as error:
        failed = isinstance(error, Exception)
        kept.state = State.FAILED if failed else State.STOPPED
        kept.problem = explain(error) if isinstance(error, Exception) else ""
        _end(keeping, kept, clock)
        raise
    left = heard.done < heard.wanted and heard.ended is None
    kept.state = State.STOPPED if left else State.FINISHED
    kept.ended = str(heard.ended or "")
    _end(keeping, kept, clock)
    return kept


def _end(keeping: Keeping, kept: Kept, clock: Clock) -> None:
    kept.ended_at = stamp(clock())
    keeping.ask_to_stop(wanted=False)
    keeping.write(kept)
