"""What of a tenant's forget requests is open, for whoever examines an installation."""

from __future__ import annotations

from collections.abc import Iterator

from console.backup.request_folder import RequestFolder
from console.identity import Tenant
from console.wiring import Workspace
from review.forget import requests


def examined(place: Workspace, tenant: Tenant) -> Iterator[str]:
    """Each thing that somebody has to see to, in a sentence with what to do. It changes nothing.

    Args:
        place: The workspace.
        tenant: Whose store is there, and can be opened.
    """
    store, folder = place.store(tenant), RequestFolder.of(place, tenant)
    if folder.at_work():
        return  # what looks open now is being seen to
    unfinished, here = requests.unfinished(store), set(requests.reported(folder))
    for forget in unfinished:
        yield f"{forget} was signed and cut off; memory-console forget --request {forget}"
    for one in requests.unsigned(store, folder):
        yield (
            f"{one.forget} was cut off before it was signed, nothing of it was erased; "
            f"memory-console forget --discard {one.forget}"
        )
    ended = requests.ended(store).values()
    lost = sum(one.forget not in here and one.forget not in unfinished for one in ended)
    if lost:
        yield f"{lost} requests have no report here; memory-console forget-report"
