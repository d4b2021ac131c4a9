"""Who signed, as people say it: the name beside the id, which two people never share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from console.cards import untrusted
from review import reviewers
from review.desk import Desk
from review.identities import short

_LONGEST = 40


def _nobody() -> Mapping[str, str]:
    return {}


@dataclass
class People:
    """The names that are known here. They are looked up when the first one is asked for."""

    read: Callable[[], Mapping[str, str]] = _nobody
    _known: Mapping[str, str] | None = field(default=None, init=False)

    def named(self, who: str) -> str:
        """``Irina K. (r-01-JMBA)``, or the id alone where no name is known; inert, on one line."""
        if self._known is None:
            self._known = self.read()
        name = untrusted.cell(self._known.get(who, "").strip(), _LONGEST)
        return f"{name} ({short(who)})" if name else short(who)


def of(desk: Desk) -> People:
    """The people of a desk's store, with the person at the desk by the name in the settings."""

    def read() -> Mapping[str, str]:
        me = {} if desk.person is None else {desk.person.reviewer: desk.person.name}
        return {**reviewers.names(desk.store), **me}

    return People(read)
