"""Signs that a rule leaves, or that an export is withdrawn, and records it. Writes no file.

Nothing here can sign; a function that does is handed in by the console. The cell stays what it
was. The event holds ids and digests; the bundle's content and a reason lie in the vault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

from review import secrets
from review.bundle import folder
from review.bundle.refusals import ExportRefusedError, refuse, refuse_files
from review.bundle.targets import Looked, Placement
from review.deciding import Signer
from review.exported import kept, past
from review.exported.kept import Kept
from review.exported.past import PastExport
from review.identities import new_id, stamp
from review.person import Person
from review.rules.export_told import RuleExport
from review.staged.placing import Writer
from store import export_queries
from store.events import ActorKind, EventType, Happening
from store.log import Entry, Head, LogMovedError, Store
from store.rule_exports import PROVENANCE, ExportAct, ExportStatement
from store.standing import OutOfTurnError, Standing
from store.statements import Seen
from store.vault import Payload, Role

_ROUNDS: Final = 20
LONGEST_REASON: Final = 1_000
"""Characters of the reason for a withdrawal."""


class NotRecordedError(RuntimeError):
    """Nothing was recorded. The message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Exporting:
    """One person who exports rules from one store."""

    store: Store
    person: Person
    writer: Writer
    policy_sha256: str

    def export(
        self,
        told: RuleExport,
        placement: Placement,
        sign: Signer,
        *,
        looked: Looked | None = None,
        name: str | None = None,
    ) -> PastExport:
        """Sign that a rule leaves, and record it. The folder can be written from then on.

        Args:
            told: The rule with its evidence.
            placement: Where it goes.
            sign: Signs statements with the person's key.
            looked: The checkout that the patch was made for.
            name: Name of the folder; made from the title by default.

        Raises:
            review.bundle.refusals.ExportRefusedError: If it may not leave.
            NotRecordedError: If the reviewer has no key here, or others keep writing first.
            Exception: Whatever ``sign`` raises. Nothing was recorded then.
        """
        refuse(told)
        if (told.tenant, told.exported_by) != (self.store.tenant_id, self.person.reviewer):
            raise ExportRefusedError(("It was made by somebody else, or for another tenant.",))
        key = self.store.standing().keys.get(self.person.reviewer)
        if key is None:
            msg = "your key may not sign in this store. Nothing was exported."
            raise NotRecordedError(msg)
        bound = folder.Bound(self.store.store_id, key, self.writer.chance(32))
        files = folder.files(told, placement, bound, looked)
        refuse_files(files)
        content = Kept(
            files,
            folder=name or folder.name_of(told),
            title=told.title,
            statement=told.statement,
            target=str(told.target),
            path=placement.path,
            checkout=None if looked is None else looked.name,
        )
        payload = Payload(Role.EXPORT, self.writer.chance(32), kept.spelled(content))
        made_from = self._made_from(told, payload.commitment)

        def statement(head: Head, standing: Standing) -> ExportStatement:
            self._still_there(made_from)
            return ExportStatement(
                **self._tied(head, standing),
                export=told.export_id,
                act=ExportAct.EXPORTED,
                item=told.item,
                rev=told.revision,
                artifact=told.artifact_digest,
                bundle_sha256=folder.sha256(files[PROVENANCE]),
                content=payload.commitment,
                note=None,
            )

        self._append(EventType.RULE_EXPORTED, statement, sign, [payload], made_from)
        return past.export_of(self.store, told.export_id)

    def withdraw(self, export: str, reason: str, sign: Signer) -> PastExport:
        """Mark an export as not to be followed any more. The files stay where they are.

        Args:
            export: Its id.
            reason: Why; may be empty.
            sign: Signs statements with the person's key.

        Raises:
            LookupError: If there is none of that id.
            store.standing.NotAcceptedError: If it is withdrawn already.
            NotRecordedError: If others keep writing first.
        """
        signed = past.export_of(self.store, export).signed
        why = secrets.mask(reason.strip()[:LONGEST_REASON])[0]
        notes = [Payload(Role.NOTE, self.writer.chance(32), why.encode("utf-8"))] if why else []

        def statement(head: Head, standing: Standing) -> ExportStatement:
            return ExportStatement(
                **self._tied(head, standing),
                export=export,
                act=ExportAct.WITHDRAWN,
                item=signed.item,
                rev=signed.rev,
                artifact=signed.artifact,
                bundle_sha256=signed.bundle_sha256,
                content=None,
                note=notes[0].commitment if notes else None,
            )

        self._append(EventType.RULE_EXPORT_WITHDRAWN, statement, sign, notes)
        return past.export_of(self.store, export)

    def _append(
        self,
        kind: EventType,
        statement: Callable[[Head, Standing], ExportStatement],
        sign: Signer,
        payloads: Sequence[Payload],
        lineage: Sequence[tuple[str, str, str]] = (),
    ) -> None:
        for _ in range(_ROUNDS):
            with self.store.held():
                head, standing = self.store.head(), self.store.standing()
                told = statement(head, standing)
                (signed,) = sign([told.encode()])
                happening = Happening(
                    kind,
                    recorded_at=stamp(self.writer.clock()),
                    actor=self.person.reviewer,
                    actor_kind=ActorKind.HUMAN_KEY,
                    process=self.writer.process,
                    body={"export": told.export},
                    item=told.item,
                    rev=told.rev,
                )
                entry = Entry(happening, payloads=payloads, lineage=lineage, signed=signed)
                try:
                    self.store.append(entry, after=head.size)
                except (LogMovedError, OutOfTurnError):
                    continue
            return
        msg = "others keep writing first. Nothing was exported. Try again."
        raise NotRecordedError(msg)

    def _tied(self, head: Head, standing: Standing) -> dict[str, Any]:
        now = self.writer.clock()
        return {
            "store": self.store.store_id,
            "tenant": self.store.tenant_id,
            "prev": Seen(head.size, head.root),
            "policy_sha256": self.policy_sha256,
            "reviewer": self.person.reviewer,
            "reviewer_seq": standing.sequence.get(self.person.reviewer, 0) + 1,
            "signed_at": stamp(now),
            "nonce": new_id(now, self.writer.chance(10)),
        }

    def _still_there(self, made_from: Sequence[tuple[str, str, str]]) -> None:
        """Words that were erased since the rule was opened do not come back with it."""
        parents = {parent for _, parent, _ in made_from}
        if parents - set(self.store.payloads(parents)):
            msg = "Something that it is made from was erased meanwhile. Open it again."
            raise ExportRefusedError((msg,))

    def _made_from(self, told: RuleExport, content: str) -> list[tuple[str, str, str]]:
        """What the bundle's content is made from: the words of all that it quotes.

        That is its cell, its cases and sources, its trials, and what speaks against it.
        """
        exports = self.store.standing().exports
        against = (
            exports[one.other].item if one.other in exports else one.other
            for one in told.conflicts
        )
        items: Iterable[str] = (
            told.item,
            *(one.item for one in told.sources),
            *(one.run for one in told.cases),
            *(one.run for one in told.tried),
            *against,
        )
        wanted = pd.DataFrame({"item": pd.Series(sorted(set(items) - {""}), dtype="str")})
        found = self.store.rows(export_queries.MADE_FROM, {"wanted": wanted})
        return [(content, str(one["content"]), "exported_from") for one in found]
