"""What happens in the demo, and when: imports and signed decisions over two made-up firms.

The texts are in ``demo_data``. Only the token that the policy must refuse is put together here, so
that no scanner finds one in the repository; it has never opened anything.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

PASSPHRASE: Final = "demo-demo-demo"
"""Of Irina's key. It is public: the signing dialog of a demo says it."""

TENANTS: Final = ("acme", "coffee")
ENDS: Final = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
"""The moment at which a person sits down in front of it."""

SECRET_FILE: Final = "acme_mail.jsonl"
"""The file to which the record with a token is added."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A file was imported."""

    at: datetime
    tenant: str
    file: str


@dataclass(frozen=True, slots=True)
class Learned:
    """Insights were built from the runs that were kept by then; they are named like a file."""

    at: datetime
    tenant: str
    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision, on records of a file by their place among those that were staged."""

    file: str
    places: tuple[int, ...]
    decision: str
    reason: str | None = None
    note: str | None = None
    as_list: bool = False


@dataclass(frozen=True, slots=True)
class Decided:
    """Irina decided on imported records, and signed once."""

    at: datetime
    tenant: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """The agent asked what memory there is, and answered; the recall was recorded."""

    at: datetime
    tenant: str
    question: str
    said: str


@dataclass(frozen=True, slots=True)
class Heard:
    """Another system tells what its agent answered, and what it had read for it."""

    at: datetime
    tenant: str
    question: str
    said: str
    read: tuple[str, ...]


Step = Imported | Learned | Decided | Answered | Heard

_LESSONS: Final = "insights"
_ONE_OFF: Final = "A one-off for the opening of their second shop."


def story() -> tuple[Step, ...]:
    """Every step, oldest first."""
    november, crm, coffee = "acme_november.jsonl", "acme_crm.jsonl", "coffee_chat.jsonl"
    contacts = "acme_contacts.jsonl"
    first_look = (
        Choice(november, (0,), "approve"),
        Choice(november, (1,), "approve"),
        Choice(crm, (0, 1, 2), "approve", as_list=True),
        Choice(crm, (3,), "approve"),
        Choice(crm, (4,), "reject", reason="true_only_here", note=_ONE_OFF),
        Choice(crm, (5,), "reject", reason="no_owner"),
        Choice(crm, (6,), "approve"),
        Choice(crm, (7,), "approve"),
    )
    known = tuple(Choice(contacts, (place,), "approve") for place in range(3))
    taken_back = (Choice(crm, (3,), "withdraw", note="Ask logistics first."),)
    return (
        Imported(_at(2025, 11, 13, 9), "acme", november),
        Imported(_at(2025, 11, 20, 10), "coffee", coffee),
        Imported(_at(2025, 12, 1, 10), "acme", crm),
        Decided(_at(2025, 12, 1, 11), "acme", first_look),
        Decided(_at(2025, 12, 1, 12), "coffee", (Choice(coffee, (0,), "approve"),)),
        Imported(_at(2026, 1, 12, 9), "acme", contacts),
        Decided(_at(2026, 1, 12, 10), "acme", known),
        Imported(_at(2026, 1, 19, 9), "acme", "acme_dispatch.jsonl"),
        Learned(_at(2026, 1, 19, 10), "acme", _LESSONS),
        Decided(_at(2026, 1, 20, 9), "acme", (*taken_back, Choice(_LESSONS, (0,), "approve"))),
        Imported(_at(2026, 2, 16, 14, 30), "acme", "acme_session.jsonl"),
        Imported(_at(2026, 2, 16, 15), "acme", "acme_orders.jsonl"),
        Imported(_at(2026, 2, 20, 9), "acme", "acme_dispatch_february.jsonl"),
        Answered(
            _at(2026, 2, 25, 14, 3),
            "acme",
            "Where and by which carrier do we send the down jackets next week?",
            "Ship the down jackets to Koledino with Delovye Linii, on Tuesday.",
        ),
        Answered(
            _at(2026, 2, 26, 10),
            "coffee",
            "The coffee shop is in Kazan, with a budget of 100 000 RUB/month, an audience of"
            " 25–35, season winter, format delivery. Choose Yandex Direct channels.",
            "For delivery in winter, add network ads to the search campaigns.",
        ),
        Heard(
            _at(2026, 2, 27, 16, 20),
            "acme",
            "Which carrier goes to Koledino?",
            "Delovye Linii goes to Koledino, on Tuesdays.",
            (
                "The carrier for shipping to Koledino is Delovye Linii, on Tuesdays.",
                "The spare key hangs in the guard room.",
            ),
        ),
        Imported(_at(2026, 3, 9, 9), "acme", "acme_chat.jsonl"),
        Imported(_at(2026, 3, 9, 10), "acme", SECRET_FILE),
        Imported(_at(2026, 3, 10, 10), "acme", "acme_wiki.jsonl"),
    )


def secret_line() -> bytes:
    """A record that holds a token in the form of a code host's, put together from pieces."""
    token = "".join(("gh", "p", "_", "R7v2Kq9LwX4", "bN8sTz3Yc6", "MdH1pFgJ5aEu0W"))
    record = {
        "claim": f"The label printer signs in with {token}",
        "kind": "fact",
        "source_type": "document",
        "source_id": "acme-mail:it-2026-03-07",
        "written_at": "2026-03-07T09:00:00+03:00",
    }
    return json.dumps(record).encode("ascii") + b"\n"


def _at(year: int, month: int, day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(year, month, day, hour, minute, tzinfo=UTC)
