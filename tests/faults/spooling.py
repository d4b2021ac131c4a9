"""A door that stages without pause, or a console that takes in without pause, until it is killed.

Run as ``python -m tests.faults.spooling HOME door|console``. The door prints each job once it has
been told that it is kept.
"""

from __future__ import annotations

import sys
from pathlib import Path

from console import door_wiring, identity
from console.agent_acts import RefusedError
from console.agent_wiring import open_door
from console.wiring import open_workspace


def staging(home: Path) -> None:
    acts = open_door(home, "bot")
    acts.warm()
    print("ready", flush=True)
    for n in range(100_000):
        try:
            claim = f"Shelf {n} of {identity.fresh_id()} holds a box."
            print("job", acts.stage([{"claim": claim}])["job"], flush=True)
            acts.recall(f"What does shelf {n} hold?")
        except RefusedError:
            return


def taking(home: Path) -> None:
    place = open_workspace(home)
    tenant = place.settings.tenant()
    desk = place.desk(tenant)
    print("ready", flush=True)
    while True:
        door_wiring.ingest(place, tenant, desk, most=3)


if __name__ == "__main__":
    {"door": staging, "console": taking}[sys.argv[2]](Path(sys.argv[1]))
