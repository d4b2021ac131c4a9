"""Why a published snapshot is not served. One reason at a time, the first that was found."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Refused(StrEnum):
    """What does not hold. A closed list."""

    NOTHING_PUBLISHED = "nothing_published"
    UNREADABLE = "unreadable"
    OTHER_ROOT = "other_root"
    NOT_SIGNED = "not_signed"
    OTHER_TENANT = "other_tenant"
    FILE_DIFFERS = "file_differs"
    LOG_DIFFERS = "log_differs"
    STATE_DIFFERS = "state_differs"
    ITEM_DIFFERS = "item_differs"
    OLDER = "older"
    FORKED = "forked"
    EXPIRED = "expired"
    DENY_LIST = "deny_list"
    DENY_LIST_MISSING = "deny_list_missing"
    LAST_SEEN = "last_seen"


_SENTENCES: Final = {
    Refused.NOTHING_PUBLISHED: "nothing was published for this tenant yet",
    Refused.UNREADABLE: "what was published cannot be read",
    Refused.OTHER_ROOT: "it was published under another trust root than the one that is pinned",
    Refused.NOT_SIGNED: "no present reviewer's signature covers it",
    Refused.OTHER_TENANT: "it was published for another tenant or store",
    Refused.FILE_DIFFERS: "the snapshot's bytes are not those that were signed",
    Refused.LOG_DIFFERS: "its events are not those of the log that was signed for",
    Refused.STATE_DIFFERS: "what is durable by its signatures is not the state that was signed",
    Refused.ITEM_DIFFERS: "a memory in it is not the one that somebody approved",
    Refused.OLDER: "it is older than one that was served before",
    Refused.FORKED: "its log does not continue the one that was served before",
    Refused.EXPIRED: "it was signed to be served until a moment that is past",
    Refused.DENY_LIST: "the list of what must not be served is not signed for this snapshot",
    Refused.DENY_LIST_MISSING: "a list of what must not be served was here before and is gone",
    Refused.LAST_SEEN: "what was served here before cannot be told",
}


class NotServedError(RuntimeError):
    """A snapshot that is not served, and nothing instead of it."""

    def __init__(self, reason: Refused, detail: str = "") -> None:
        """Keep the reason; ``detail`` holds ids, numbers and words of ours only."""
        self.reason = reason
        more = f" ({detail.rstrip('.')})" if detail else ""
        super().__init__(f"{_SENTENCES[reason]}{more}. Nothing was served.")
