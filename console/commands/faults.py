"""Expected faults, as one clear sentence and an exit code. What is not expected is not hidden.

The classes live in modules that are slow to import, so they are looked up only after something
was raised, and only where the module is loaded already: an error of a module that was never
imported cannot have been raised.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import IntEnum
from typing import Final


class ExitCode(IntEnum):
    """Every exit code, for every command."""

    OK = 0
    ERROR = 1
    USAGE = 2
    NOT_FOUND = 3
    LEFT = 4
    """Done, with something left over or not to be told."""

    VERIFY_FAILED = 5
    BUSY = 6
    NOT_PINNED = 7
    WITHDRAWN = 8
    """A bundle whose files hold, and which its reviewer took back."""


class CommandError(Exception):
    """A fault that a command found itself. The message is the whole sentence."""

    def __init__(self, sentence: str, code: ExitCode = ExitCode.ERROR) -> None:
        """Keep the exit code."""
        self.code = code
        super().__init__(sentence)


@dataclass(frozen=True, slots=True)
class Fault:
    """What to print and how to end."""

    sentence: str
    code: ExitCode

    def as_json(self) -> dict[str, str | int]:
        """The same as plain values."""
        return {"message": self.sentence, "exit_code": int(self.code)}


_LOCKED: Final = ("Could not set lock on file", "Conflicting lock")

_CODES: Final = (
    ("console.backup.folders", "NoSuchBackupError", ExitCode.NOT_FOUND),
    ("console.bundles.checkouts", "CheckoutError", ExitCode.ERROR),
    ("console.bundles.exporting", "GoneError", ExitCode.NOT_FOUND),
    ("console.bundles.git", "GitError", ExitCode.ERROR),
    ("console.bundles.writing", "FolderError", ExitCode.ERROR),
    ("console.doors", "DoorError", ExitCode.ERROR),
    ("console.doors", "NoSuchDoorError", ExitCode.NOT_FOUND),
    ("console.identity", "SettingsError", ExitCode.ERROR),
    ("console.identity", "NoSuchTenantError", ExitCode.NOT_FOUND),
    ("console.moving", "NotMovedError", ExitCode.ERROR),
    ("console.wiring", "NoPolicyError", ExitCode.ERROR),
    ("console.wiring", "TrustRootError", ExitCode.ERROR),
    ("console.job_files", "JobBusyError", ExitCode.BUSY),
    ("console.job_files", "NoSuchJobError", ExitCode.NOT_FOUND),
    ("console.job_starting", "NothingToDoError", ExitCode.ERROR),
    ("console.signing", "PassphraseError", ExitCode.ERROR),
    ("console.signing", "LockedError", ExitCode.ERROR),
    ("importers.catalogue", "UnknownFormatError", ExitCode.ERROR),
    ("importers.source", "SourceRefusedError", ExitCode.ERROR),
    ("review.auditing.answers", "NoSuchAnswerError", ExitCode.NOT_FOUND),
    ("review.bundle.recording", "NotRecordedError", ExitCode.ERROR),
    ("review.bundle.refusals", "ExportRefusedError", ExitCode.ERROR),
    ("review.bundle.targets", "NoPlaceError", ExitCode.ERROR),
    ("review.facts.parameters", "TableError", ExitCode.ERROR),
    ("review.forget.confirming", "NotConfirmedError", ExitCode.ERROR),
    ("review.forget.afterwards", "NoGroundError", ExitCode.ERROR),
    ("review.forget.ground", "AtWorkError", ExitCode.BUSY),
    ("review.forget.parts", "NotSignedError", ExitCode.BUSY),
    ("review.forget.report", "BadReportError", ExitCode.ERROR),
    ("review.forget.running", "NoSuchRequestError", ExitCode.NOT_FOUND),
    ("review.forget.running", "NotSignedYetError", ExitCode.NOT_FOUND),
    ("review.forget.running", "NothingToForgetError", ExitCode.NOT_FOUND),
    ("review.forget.running", "WrongCountError", ExitCode.USAGE),
    ("review.forget.scope", "BadScopeError", ExitCode.USAGE),
    ("review.forget.started", "BadRequestFileError", ExitCode.ERROR),
    ("review.forget.token", "PreviewError", ExitCode.ERROR),
    ("review.person", "ReadOnlyError", ExitCode.ERROR),
    ("review.policy", "PolicyError", ExitCode.ERROR),
    ("review.auditing.reported", "BadReportError", ExitCode.ERROR),
    ("review.rules.drafting", "NotReadyError", ExitCode.LEFT),
    ("review.rules.ruling", "NoSuchCandidateError", ExitCode.NOT_FOUND),
    ("review.publishing", "NotPublishedError", ExitCode.ERROR),
    ("store.backups", "BackupError", ExitCode.ERROR),
    ("store.connections", "StoreAwayError", ExitCode.ERROR),
    ("store.connections", "StoreBusyError", ExitCode.BUSY),
    ("store.connections", "StoreUnreadableError", ExitCode.ERROR),
    ("store.drafts", "DraftsUnreadableError", ExitCode.ERROR),
    ("store.forget_list", "ForgetListError", ExitCode.ERROR),
    ("store.copies", "CopyDiffersError", ExitCode.ERROR),
    ("store.log", "DamagedStoreError", ExitCode.ERROR),
    ("store.migrations", "StoreNewerError", ExitCode.ERROR),
    ("store.signatures", "BadSignatureError", ExitCode.ERROR),
    ("store.standing", "NotAcceptedError", ExitCode.ERROR),
    ("store.statements", "BadStatementError", ExitCode.ERROR),
)


def explained(error: Exception) -> Fault | None:
    """The sentence and exit code of an expected fault; None for one that is a defect of ours."""
    if isinstance(error, CommandError):
        return Fault(str(error), error.code)
    for module, name, code in _CODES:
        kind = getattr(sys.modules.get(module), name, None)
        if kind is not None and isinstance(error, kind):
            return Fault(_upper(str(error)), code)
    return _of_the_database(error) or _of_the_system(error)


def sentence(error: Exception) -> str:
    """What may be kept of any error: never the words of an unexpected one."""
    fault = explained(error)
    return fault.sentence if fault is not None else f"A defect here: {type(error).__name__}."


def is_lock(error: BaseException) -> bool:
    """Whether the database says that another process holds the file, and nothing else."""
    return any(words in str(error) for words in _LOCKED)


def _of_the_database(error: Exception) -> Fault | None:
    """A file that the database does not take for one of its own."""
    duckdb = sys.modules.get("duckdb")
    told = getattr(error, "orig", error)
    if duckdb is None or not isinstance(told, duckdb.Error):
        return None
    if is_lock(told):
        return Fault("The store is busy. Nothing was saved. Try again.", ExitCode.BUSY)
    first = str(told).split("\n", 1)[0]
    sentence = (
        f"The store cannot be used ({first}). Nothing was saved. "
        "Run memory-console verify, or put a backup of the file in its place."
    )
    return Fault(sentence, ExitCode.ERROR)


def _of_the_system(error: Exception) -> Fault | None:
    if not isinstance(error, OSError) or error.strerror is None:
        return None
    if isinstance(error, BrokenPipeError):
        return None  # the reader of our output has gone; typer ends quietly
    named = f": {error.filename}" if error.filename else ""
    return Fault(f"{error.strerror}{named}. Nothing more was done.", ExitCode.ERROR)


def _upper(sentence: str) -> str:
    """With a capital, unless it begins with the name of a file."""
    first = sentence.split(" ", 1)[0]
    return sentence[:1].upper() + sentence[1:] if first.isalpha() else sentence
