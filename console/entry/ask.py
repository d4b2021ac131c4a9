"""The process that asks a model about what waits. ``console.asking.starting`` starts it."""

from __future__ import annotations

import os

from console import identity, model_wiring
from console.asking import running
from console.asking.kept import Keeping
from console.commands.faults import sentence
from console.hardening import harden
from console.job_stopping import Stop
from console.wiring import open_workspace
from review.proposals.proposing import Proposing


def main(tenant: str, most: str, lock: str) -> int:
    """Ask about records of ``tenant``; ``lock`` is the descriptor that says that this lives."""
    harden()
    os.set_inheritable(int(lock), False)
    home = identity.home()

    def proposing() -> Proposing:
        workspace = open_workspace(home)
        return model_wiring.proposing(workspace, workspace.desk(workspace.settings.tenant(tenant)))

    try:
        running.run(
            Keeping(home, tenant),
            proposing,
            most=int(most),
            clock=identity.now,
            stop=Stop(),
            explain=sentence,
        )
    except Exception:
        return 1  # what is kept says what happened
    finally:
        os.close(int(lock))
    return 0
