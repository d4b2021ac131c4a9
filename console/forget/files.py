"""The files of one tenant, as a forget request meets them. The ground of ``review.forget``."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from console import door_wiring, doors
from console.backup.request_folder import RequestFolder
from console.forget import server, taking
from console.forget.controls import controls
from console.forget.groups import decides, groups
from console.identity import Tenant
from console.job_files import JobFiles
from console.signing import LockedError
from console.wiring import Workspace
from review.deciding import Signer
from review.desk import Desk
from review.forget.databases import residues
from review.forget.ground import ASKED, Looked, Rewritten, Taken
from review.forget.locations import Location
from review.forget.plan import Foreseen, PlanRow, RowKind
from review.forget.run_points import RunPoint, Watch
from review.forget.statuses import LocationKind, Status
from review.person import ReadOnlyError
from review.publishing import NotPublishedError, Publishing
from store import forget_listing, forgetting, needles, scanning
from store.erase_points import Point
from store.forget_standing import Request
from store.log_store import LogStore
from store.scans import Scan, Unread
from store.vault import Payload

_POINTS: Final = {
    Point.COPIED: RunPoint.COPIED,
    Point.REPLACED: RunPoint.REPLACED,
    Point.OVERWRITTEN: RunPoint.OVERWRITTEN,
}
_TRIES: Final = 3
_NOT_PUBLISHED: Final = (NotPublishedError, LockedError, OSError, ReadOnlyError)


def ground(place: Workspace, tenant: Tenant, desk: Desk) -> Desk:
    """``desk``, with the files of its tenant under ``desk.forget``."""
    if isinstance(desk.store, LogStore) and desk.store.beside is not None:
        desk.forget.stand_on(Files(place, tenant, desk, desk.store))
    return desk


@dataclass(frozen=True)
class Files:
    """See ``review.forget.ground.Ground`` for what each call promises."""

    place: Workspace
    tenant: Tenant
    desk: Desk
    store: LogStore

    def working(self) -> AbstractContextManager[None]:
        """See ``Ground.working``."""
        return self._kept.working()

    def at_work(self) -> bool:
        """See ``Ground.at_work``."""
        return self._kept.at_work()

    # --- where copies are -------------------------------------------------------------------

    def places(self, rows: Sequence[PlanRow]) -> tuple[Location, ...]:
        """See ``Ground.places``."""
        home, tenant, items = self.place.home, self.tenant.id, _items(rows)
        hint = "" if self.tenant.database else f"stores/{tenant}/store.duckdb"
        told = [_here("store", LocationKind.STORE, hint, len(items))]
        if (self._beside / "published").is_dir():
            durable = sum(row.stage == "durable" for row in rows if row.id in items)
            hint = f"stores/{tenant}/published"
            told.append(_here("snapshot", LocationKind.SNAPSHOT, hint, durable))
        if count := taking.drafts_of(self._beside / "drafts", items):
            hint = f"stores/{tenant}/drafts"
            told.append(_here("drafts", LocationKind.STAGING, hint, count))
        for name, count in taking.recalls_of(home, tenant, items).items():
            if count:
                hint = f"doors/{name}"
                told.append(_here(f"door:{name}", LocationKind.AGENT_READ, hint, count))
        for name, count in taking.spooled(home, tenant).items():
            if count:
                hint = f"doors/{name}/spool"
                told.append(_here(f"spool:{name}", LocationKind.STAGING, hint, count))
        if kept := len(JobFiles(home).all(tenant)):
            told.append(_here("jobs", LocationKind.STAGING, "jobs", kept))
        return tuple(told)

    # --- the steps of a run -----------------------------------------------------------------

    def deny(self, sign: Signer) -> int:
        """See ``Ground.deny``. Readers that cannot be told are told by the next run."""
        publishing = self._publishing
        if not publishing.wanted:
            return 0
        try:
            return publishing.deny(sign)
        except _NOT_PUBLISHED:
            return 0

    def waiting(self, request: Request) -> tuple[Payload, ...]:
        """See ``Ground.waiting``."""
        return tuple(forgetting.waiting(self.store, request.contents))

    def rewrite(self, request: Request, watch: Watch) -> Rewritten:
        """See ``Ground.rewrite``."""

        def reached(point: Point) -> None:
            if point in _POINTS:
                watch(_POINTS[point])

        with self.store.released():
            erased = forgetting.erase(self.store, [request], reached=reached)
        return Rewritten(
            rows=erased.erasure.rows,
            size_before=erased.erasure.size_before,
            size_after=erased.erasure.size_after,
            old_overwritten=erased.erasure.old_overwritten,
            payloads=erased.payloads,
            unsought=erased.unsought,
        )

    def take_away(
        self, rows: Sequence[PlanRow], payloads: Sequence[Payload], sign: Signer
    ) -> tuple[Taken, ...]:
        """See ``Ground.take_away``."""
        home, tenant, items = self.place.home, self.tenant.id, _items(rows)
        drafts = self._beside / "drafts"
        kept = JobFiles(home).all(tenant) or doors.of(home, tenant) or taking.rules_drafted(drafts)
        sought = forgetting.sought(payloads) if kept else ()
        told = [taking.drafts(drafts, items, sought, tenant=tenant)]
        told += taking.questions(home, tenant, sought)
        door_wiring.ingest(self.place, self.tenant, self.desk)
        told += taking.recalls(home, tenant, items, sought)
        told.append(taking.jobs(home, tenant, sought))
        told.append(self._publish(sign))
        return tuple(one for one in told if one is not None)

    def keep_list(self) -> None:
        """See ``Ground.keep_list``."""
        forget_listing.keep(self.store)

    def look(self, rewritten: Rewritten) -> Looked:
        """See ``Ground.look``."""
        scan = self._scan(
            forgetting.sought(rewritten.payloads),
            too_short=[one.commitment for one in rewritten.payloads if needles.too_short(one)],
            unsought=sorted(rewritten.unsought),
            log=bool(rewritten.payloads),
        )
        scan, known = server.told(self.tenant, self.store, scan)
        found = groups(scan.files, self.tenant.id)
        deciding = tuple(one.location_id for one in found if decides(one.location_id))
        return Looked(scan, found, deciding, residues(known))

    def search(self, body: bytes) -> Scan:
        """See ``Ground.search``."""
        short = [ASKED] if len(body) < needles.SHORT else []
        return self._scan(needles.spellings(ASKED, body), too_short=short, unsought=(), kept=False)

    # --- files about requests ---------------------------------------------------------------

    def write(self, name: str, data: bytes) -> None:
        """See ``Ground.write``."""
        self._kept.write(name, data)

    def remove(self, name: str) -> None:
        """See ``Ground.remove``."""
        self._kept.remove(name)

    def read(self, name: str) -> bytes | None:
        """See ``Ground.read``."""
        return self._kept.read(name)

    def names(self) -> tuple[str, ...]:
        """See ``Ground.names``."""
        return self._kept.names()

    # --- inside -----------------------------------------------------------------------------

    @property
    def _beside(self) -> Path:
        return self.place.store_path(self.tenant).parent

    @property
    def _kept(self) -> RequestFolder:
        return RequestFolder.of(self.place, self.tenant)

    @property
    def _publishing(self) -> Publishing:
        return door_wiring.publishing(self.place, self.tenant, self.store)

    def _publish(self, sign: Signer) -> Taken | None:
        """Put a new snapshot in place of the one that readers have; it removes the old one."""
        folder, hint = self._beside / "published", f"stores/{self.tenant.id}/published"
        if not folder.is_dir():
            return None
        publishing, kind = self._publishing, LocationKind.SNAPSHOT
        if not publishing.wanted:
            gone = [*folder.glob("snapshot-*.duckdb"), *folder.glob("*.json")]
            for path in gone:
                path.unlink(missing_ok=True)
            return Taken("snapshot", kind, hint, "deleted", len(gone))
        try:
            publishing.publish(sign)
        except _NOT_PUBLISHED:
            return Taken("snapshot", kind, hint, "none", 0, "not_published")
        return Taken("snapshot", kind, hint, "published_again", 1)

    def _scan(
        self,
        sought: Sequence[needles.Needle],
        *,
        too_short: Sequence[str],
        unsought: Sequence[str],
        kept: bool = True,
        log: bool = False,
    ) -> Scan:
        """Search the workspace, and again if a file was written to meanwhile."""
        home, others = self.place.home, self._of_others()

        def once() -> Scan:
            databases = [
                path
                for path in sorted(home.rglob("*.duckdb"))
                if path.is_file() and not path.is_symlink() and not _under(path, home, others)
            ]
            with server.streams(self.tenant, self.store, log=log) as streams:
                return scanning.scan(
                    home,
                    sought,
                    controls=controls(home, self.store, databases),
                    kept=forgetting.kept(self.store) if kept else (),
                    too_short=too_short,
                    unsought=unsought,
                    leave_out=others,
                    streams=streams,
                )

        with self.store.released():
            scan = once()
            for _ in range(_TRIES):
                if not any(one.unread is Unread.CHANGED for one in scan.files):
                    break
                scan = once()
        return scan

    def _of_others(self) -> frozenset[str]:
        """Paths, relative to the workspace, of what belongs to other tenants."""
        told = set[str]()
        for other in self.place.settings.tenants:
            if other.id == self.tenant.id:
                continue
            told |= {f"stores/{other.id}", f"backups/{other.id}", f"exports/{other.id}"}
            told |= {f"doors/{door.name}" for door in doors.of(self.place.home, other.id)}
            for job in JobFiles(self.place.home).all(other.id):
                kept = (self.place.home / "jobs").glob(f"{job.id}*")
                told |= {f"jobs/{path.name}" for path in kept}
        return frozenset(told)


def _under(path: Path, home: Path, others: frozenset[str]) -> bool:
    parts = path.relative_to(home).parts
    return any("/".join(parts[:n]) in others for n in range(1, len(parts) + 1))


def _items(rows: Sequence[PlanRow]) -> set[str]:
    return {
        row.id
        for row in rows
        if row.foreseen is Foreseen.ERASED and row.kind in (RowKind.ITEM, RowKind.RUN)
    }


def _here(name: str, kind: LocationKind, hint: str, count: int) -> Location:
    """A place of ours that a run cleans."""
    return Location(name, kind, Status.ERASED, path_hint=hint, items=count, method="planned")
