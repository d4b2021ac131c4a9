"""``model ask``: asks the model about what waits, group by group, within the budget of the day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from console import identity
from console.commands import model_words, opening
from console.commands.faults import CommandError, ExitCode, sentence
from console.commands.telling import count, say, tell, tell_json

if TYPE_CHECKING:
    from console.asking.kept import Kept

EXAMPLES: Final = """
memory-console model ask
memory-console model ask --most 50
memory-console model ask --json
"""


def ask(
    most: Annotated[
        int, typer.Option("--most", min=1, max=1000, help="Records at most, the newest first.")
    ] = 200,
    tenant: opening.TenantOption = None,
    wait: opening.WaitOption = opening.PATIENCE,
    as_json: opening.JsonOption = False,
) -> None:
    """Ask the model about records that wait and nobody asked about. Each reply is a proposal.

    It ends at the budget of the day. Ctrl-C ends it between two groups of records.
    """
    from console import model_wiring
    from console.asking import running
    from console.asking.kept import BusyError
    from console.job_stopping import Stop

    place = opening.workspace()
    which = opening.chosen(place, tenant)
    opening.wait_for(place.store_path(which), seconds=wait)
    keeping = model_wiring.keeping(place, which)

    def told(kept: Kept) -> None:
        if kept.wanted and not as_json:
            say(f"{count(kept.done)} of {count(kept.wanted)}")

    try:
        with keeping.locked():
            kept = running.run(
                keeping,
                lambda: model_wiring.proposing(place, place.desk(which)),
                most=most,
                clock=identity.now,
                stop=Stop(said=b"Stopping after this group of records.\n"),
                explain=sentence,
                told=told,
            )
    except BusyError as error:
        raise CommandError(str(error), ExitCode.BUSY) from error
    if as_json:
        import msgspec

        tell_json(msgspec.to_builtins(kept))
    else:
        _tell(kept)
    if kept.ended or kept.failed or kept.done < kept.wanted:
        raise typer.Exit(ExitCode.LEFT)


def _tell(kept: Kept) -> None:
    if not kept.wanted:
        tell("Every record that waits has a proposal.")
        return
    for name, n in sorted(kept.replies.items()):
        tell(f"{count(n):>7}  {name}")
    for name, n in sorted(kept.failed.items()):
        tell(f"{count(n):>7}  no reply: {name}")
    if kept.ended:
        tell(f"{model_words.sentence(kept.ended)} {model_words.GRAMMAR}")
    say("Proposals stand on the cards. None of them is part of a record.")
