"""From a key press to a signed decision: drafts, the statements to sign, and recording them.

A draft is checked against what the store holds now, twice: when it is made and when it is signed.
Nothing here can sign; a function that does is handed in by the console.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from review import secrets
from review.cards import draft_checks
from review.cards.card import Card
from review.identities import Chance, Clock, new_id, stamp
from store import queries
from store.drafts import Draft, DraftBook
from store.events import ActorKind, EventType, Happening
from store.log import AlreadyDecidedError, Entry, Store
from store.stages import MOVES, DecisionKind, Stage, advance
from store.standing import OutOfTurnError
from store.statements import MOST_SUBJECTS, DecisionStatement, Seen, SignedStatement, Verdict
from store.vault import Payload, Role

_ROUNDS: Final = 20
"""How often a batch that lost a race is looked at again."""

Signer = Callable[[Sequence[bytes]], Sequence[SignedStatement]]


class NotDraftedError(ValueError):
    """A decision cannot be drafted. The message says why, and that nothing was recorded."""


class ChangedError(RuntimeError):
    """The record under the open card is not the one that is stored now."""

    def __init__(self, item: str) -> None:
        """Keep the item."""
        self.item = item
        super().__init__(
            f"item {item} has changed since it was drawn: its source was imported again with "
            "other content. No decision was recorded. Please look again."
        )


@dataclass(frozen=True, slots=True)
class SetAside:
    """A draft that was not signed, because its item had moved."""

    item: str
    why: str
    """``decided`` by somebody else, ``changed`` since it was drawn, or ``altered``: the draft
    does not fit what is stored, what was shown, or the rules for drafting."""

    by: str = ""
    when: str = ""
    stage: str = ""


@dataclass
class SigningReceipt:
    """What a signing session recorded."""

    recorded: Counter[DecisionKind] = field(default_factory=Counter)
    statements: list[str] = field(default_factory=list)
    """Digests of the signed statements."""

    set_aside: list[SetAside] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Wish:
    """What the reviewer asked for on one card."""

    decision: DecisionKind
    reason: str | None = None
    note: str | None = None
    acknowledged: tuple[str, ...] = ()
    nonce: str = ""
    """From the button that was pressed: one press, one draft."""

    mode: str = "single"
    list_sha256: str | None = None


def drafted(store: Store, shown: Card, wish: Wish, *, now: str) -> Draft:
    """The draft of ``wish`` over the exact artifact that was shown.

    Raises:
        ChangedError: If the stored record is another one by now.
        store.stages.IllegalMoveError: If it does not wait for this decision.
        NotDraftedError: For a rejection without a reason, an approval of a record with a Stop
            flag, or one whose Check flags were not ticked.
    """
    _unchanged(store, shown.item, shown.rev, shown.artifact)
    advance(shown.item, store.standing().stage_of(shown.item, shown.rev), wish.decision)
    why = draft_checks.why_refused(
        wish.decision,
        wish.reason,
        wish.acknowledged,
        erased=shown.claim is None,
        flags=shown.flags,
    )
    if why:
        raise NotDraftedError(why)
    return Draft(
        item=shown.item,
        rev=shown.rev,
        artifact=shown.artifact,
        decision=wish.decision,
        view_sha256=shown.view_sha256,
        nonce=wish.nonce,
        drafted_at=now,
        reason=wish.reason,
        note=secrets.mask(wish.note)[0] if wish.note else None,
        mode=wish.mode,
        list_sha256=wish.list_sha256,
        acknowledged=wish.acknowledged,
    )


class Recorder:
    """Turns one reviewer's drafts into signed statements and appends them."""

    def __init__(
        self, store: Store, *, reviewer: str, process: str, clock: Clock, chance: Chance
    ) -> None:
        """For ``reviewer``, acting through ``process``."""
        self._store = store
        self._reviewer = reviewer
        self._process = process
        self._clock = clock
        self._chance = chance

    def record(
        self, book: DraftBook, sign: Signer, *, policy_sha256: str, only: Sequence[str] = ()
    ) -> SigningReceipt:
        """Sign the drafts and append them, at most 200 to a statement.

        Drafts whose item has moved are set aside and named, and the rest is signed. A batch that
        loses a race is looked at again; nothing is ever recorded without a fresh signature.

        Raises:
            Exception: Whatever ``sign`` raises (a wrong passphrase, a locked key). Drafts that
                were not recorded are still there then.
        """
        receipt = SigningReceipt()
        for _ in range(_ROUNDS):
            drafts = [d for d in book.all() if not only or d.item in only]
            drafts = self._still_open(drafts, receipt)
            book.drop([aside.item for aside in receipt.set_aside])
            if not drafts:
                return receipt
            built = self._statements(drafts, policy_sha256)
            signed = sign([statement for statement, _, _ in built])
            for (_, chunk, notes), one in zip(built, signed, strict=True):
                try:
                    self._store.append(self._entry(one, notes))
                except (AlreadyDecidedError, OutOfTurnError):
                    break
                book.drop([draft.item for draft in chunk])
                receipt.recorded.update(draft.decision for draft in chunk)
                receipt.statements.append(one.sha256)
            else:
                return receipt
        msg = "others keep deciding first. What was not recorded is still drafted. Sign again."
        raise NotDraftedError(msg)

    def _still_open(self, drafts: Sequence[Draft], receipt: SigningReceipt) -> list[Draft]:
        fitting = []
        with self._store.held():  # several questions for each group of drafts
            standing = self._store.standing()
            stages = [standing.stage_of(one.item, one.rev) for one in drafts]
            pairs = list(zip(drafts, stages, strict=True))
            waiting = [one for one, stage in pairs if stage in MOVES[one.decision][0]]
            misfits = draft_checks.misfits(self._store, waiting, standing)
            for draft, stage in pairs:
                stands = standing.items.get(draft.item)
                aside = None
                if stage in MOVES[draft.decision][0]:
                    why = next(misfits)
                    aside = SetAside(draft.item, why) if why else None
                elif stands is None:
                    aside = SetAside(draft.item, "altered")
                else:
                    told = (stands.by, stands.signed_at, str(stage))
                    aside = SetAside(draft.item, "decided", *told)
                if aside is None:
                    fitting.append(draft)
                else:
                    receipt.set_aside.append(aside)
        return fitting

    def _statements(
        self, drafts: Sequence[Draft], policy_sha256: str
    ) -> list[tuple[bytes, list[Draft], list[Payload]]]:
        head, standing = self._store.head(), self._store.standing()
        due = standing.sequence.get(self._reviewer, 0) + 1
        built = []
        for place, start in enumerate(range(0, len(drafts), MOST_SUBJECTS)):
            chunk, notes = list(drafts[start : start + MOST_SUBJECTS]), []
            verdicts = []
            for draft in chunk:
                note = None
                if draft.note:
                    told = secrets.mask(draft.note)[0]  # the drafts file is not believed
                    note = Payload(Role.NOTE, self._chance(32), told.encode("utf-8"))
                    notes.append(note)
                verdicts.append(_verdict(draft, standing.stage_of(draft.item, draft.rev), note))
            now = self._clock()
            statement = DecisionStatement(
                store=self._store.store_id,
                tenant=self._store.tenant_id,
                verdicts=tuple(verdicts),
                prev=Seen(head.size, head.root),
                policy_sha256=policy_sha256,
                reviewer=self._reviewer,
                reviewer_seq=due + place,
                signed_at=stamp(now),
                nonce=new_id(now, self._chance(10)),
            )
            built.append((statement.encode(), chunk, notes))
        return built

    def _entry(self, signed: SignedStatement, notes: Sequence[Payload]) -> Entry:
        happening = Happening(
            EventType.BATCH_DECIDED,
            recorded_at=stamp(self._clock()),
            actor=self._reviewer,
            actor_kind=ActorKind.HUMAN_KEY,
            process=self._process,
        )
        return Entry(happening, payloads=notes, signed=signed)


def _verdict(draft: Draft, stage: Stage, note: Payload | None) -> Verdict:
    return Verdict(
        item=draft.item,
        rev=draft.rev,
        artifact=draft.artifact,
        decision=draft.decision,
        came_from=stage,
        goes_to=MOVES[draft.decision][1],
        view_sha256=draft.view_sha256,
        nonce=draft.nonce,
        reason=draft.reason,
        note=note.commitment if note is not None else None,
        mode=draft.mode,
        list_sha256=draft.list_sha256,
        acknowledged=draft.acknowledged,
    )


def _unchanged(store: Store, item: str, rev: int, artifact: str) -> None:
    found = store.rows(queries.ITEM, item=item)
    if not found or (found[0]["rev"], found[0]["digest"]) != (rev, artifact):
        raise ChangedError(item)
