"""A preview token: for fifteen minutes, for one plan, at one head of the log.

It is not believed: the plan is made again when it is used, and its digest has to be the token's.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from review.forget.plan import Plan
from review.identities import stamp
from store.vault import digester

LASTS: Final = timedelta(minutes=15)
_PURPOSE: Final = "forget preview"


class PreviewError(ValueError):
    """The preview cannot be run any more. Nothing was erased."""


class PreviewExpiredError(PreviewError):
    """It is older than 15 minutes."""

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__(
            "the preview is older than 15 minutes. Nothing was erased. Preview again."
        )


class PreviewMovedError(PreviewError):
    """Something was appended to the log since, or the plan would be another one."""

    def __init__(self, plan: Plan, *, events: int, same: bool) -> None:
        """Keep the plan as it would be now: ``Plan.news`` says what in it is new."""
        self.plan, self.events, self.same = plan, events, same
        what = "the same rows are in scope" if same else "other rows are in scope now"
        super().__init__(
            f"the store has moved on since the preview: {events} events, and {what}. "
            "Nothing was erased. Preview again."
        )


class BadTokenError(PreviewError):
    """It is no token of this store."""

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__("this is no preview token of this store. Nothing was erased.")


@dataclass(frozen=True, slots=True)
class PreviewToken:
    """What a run has to show: as text ``forget.expires.size.root.digest.mac``."""

    forget: str
    expires: str
    """RFC 3339, UTC."""

    size: int
    root: str
    digest: str
    """``Plan.digest``."""

    mac: str
    """Keyed digest of the rest, by which the store knows its own tokens again."""

    @property
    def text(self) -> str:
        """The token as it is handed to a person. It holds ids and digests only."""
        parts = (self.forget, self.expires, str(self.size), self.root, self.digest, self.mac)
        return "~".join(parts)


def issue(
    key: bytes, *, forget: str, digest: str, size: int, root: str, now: datetime
) -> PreviewToken:
    """A token for the plan of this digest, made at this head, valid from ``now`` on."""
    expires = stamp(now + LASTS)
    mac = _mac(key, forget, expires, size, root, digest)
    return PreviewToken(forget, expires, size, root, digest, mac)


def read(text: str) -> PreviewToken:
    """The token that ``PreviewToken.text`` told.

    Raises:
        BadTokenError: If it is none.
    """
    try:
        forget, expires, size, root, digest, mac = text.strip().split("~")
        return PreviewToken(forget, expires, int(size), root, digest, mac)
    except ValueError:
        raise BadTokenError from None


def check(key: bytes, token: PreviewToken, *, now: datetime) -> None:
    """Whether ``token`` is this store's and still valid.

    Raises:
        BadTokenError: If it is not of this store.
        PreviewExpiredError: If its fifteen minutes are over.
    """
    wanted = _mac(key, token.forget, token.expires, token.size, token.root, token.digest)
    if not hmac.compare_digest(wanted, token.mac):
        raise BadTokenError
    if now.astimezone(UTC) > datetime.fromisoformat(token.expires):
        raise PreviewExpiredError


def _mac(key: bytes, forget: str, expires: str, size: int, root: str, digest: str) -> str:
    told = "\0".join((forget, expires, str(size), root, digest))
    return digester(key, _PURPOSE)(told.encode("utf-8", "surrogatepass"))
