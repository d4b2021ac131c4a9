"""The folder with the files about a tenant's forget requests: ids, digests and codes alone."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from console.backup import one_at_a_time
from console.identity import Tenant
from console.wiring import FORGETS, Workspace
from store import whole_files


class RequestFolder:
    """See ``review.forget.ground.Ground`` for what each call promises."""

    def __init__(self, folder: Path, tenant: Tenant) -> None:
        """For ``folder`` of ``tenant``, which is made when something is written."""
        self._folder, self._tenant = folder, tenant

    @classmethod
    def of(cls, place: Workspace, tenant: Tenant) -> RequestFolder:
        """That of a tenant, beside its store."""
        return cls(place.store_path(tenant).parent / FORGETS, tenant)

    def working(self) -> AbstractContextManager[None]:
        """See ``Ground.working``."""
        return one_at_a_time.working(self._folder, self._tenant)

    def at_work(self) -> bool:
        """See ``Ground.at_work``."""
        return one_at_a_time.at_work(self._folder, self._tenant)

    def write(self, name: str, data: bytes) -> None:
        """See ``Ground.write``."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        whole_files.put(self._folder / name, data)

    def remove(self, name: str) -> None:
        """See ``Ground.remove``."""
        (self._folder / name).unlink(missing_ok=True)

    def read(self, name: str) -> bytes | None:
        """See ``Ground.read``."""
        if "/" in name or name.startswith("."):
            return None
        try:
            return (self._folder / name).read_bytes()
        except OSError:
            return None

    def names(self) -> tuple[str, ...]:
        """See ``Ground.names``."""
        return tuple(sorted((path.name for path in self._folder.glob("*.json")), reverse=True))
