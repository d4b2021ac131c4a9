"""The process that does one job. ``console.job_starting`` starts it and hands over its lock."""

from __future__ import annotations

import os

from console import identity
from console.commands.faults import explained
from console.hardening import harden
from console.job_files import JobFiles
from console.job_running import Running
from console.job_stopping import Stop, StoppedError
from console.wiring import open_workspace
from review.desk import Desk


def main(job: str, tenant: str, lock: str) -> int:
    """Do ``job`` of ``tenant``; ``lock`` is the descriptor that says that this process lives."""
    harden()
    os.set_inheritable(int(lock), False)
    home = identity.home()

    def desk() -> Desk:
        workspace = open_workspace(home)
        return workspace.desk(workspace.settings.tenant(tenant))

    files = JobFiles(home)
    running = Running(
        files.read(job, tenant), files, clock=identity.now, stop=Stop(), explain=_sentence
    )
    try:
        running.run(desk, pid=os.getpid())
    except StoppedError:
        return 0
    except Exception:
        return 1  # the job says what happened
    finally:
        os.close(int(lock))
    return 0


def _sentence(error: Exception) -> str:
    fault = explained(error)
    return fault.sentence if fault is not None else f"A defect here: {type(error).__name__}."
