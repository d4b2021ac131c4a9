"""How one record says that it cannot be read, without stopping its neighbours."""

from __future__ import annotations

from store.records import Failed, FailReason


class RecordFaultError(Exception):
    """One record is unreadable. Caught where its ``Read`` is made; it never leaves a reader."""

    def __init__(self, reason: FailReason, column: int = 0, name: str = "") -> None:
        """Keep the code, the byte column and, where one is at fault, our name of the field."""
        self.failed = Failed(reason=reason, column=column, name=name)
        super().__init__(f"{reason.value} at byte {column} {name}".rstrip())
