"""Carries out the forget requests that stand: erases, and then looks whether it is so.

What was asked for is not served from the moment its request stands; this takes it out of the file.
It can be called again after it was cut off anywhere. What it returns says what was found in the
bytes; the delete call itself is no evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pandas as pd

from store import erase_queries, forget_listing, needles, scanning
from store.erase_points import Erasure, Reached, unwatched
from store.forget_standing import Request, unfinished
from store.log import opened
from store.log_store import LogStore
from store.needles import Needle
from store.scans import Scan
from store.vault import Payload

CONTROLS: Final = 16
"""Rows that stay, of which text and salt have to be found in the store's file."""

_SLICE: Final = 20_000


@dataclass(frozen=True, slots=True)
class Erased:
    """What was taken out of the store for some requests, and what has to be gone now."""

    requests: tuple[Request, ...]
    erasure: Erasure
    payloads: tuple[Payload, ...] = field(repr=False)
    """The contents whose bytes are still known, for the search. Foreign text: never shown."""

    unsought: frozenset[str]
    """Contents whose bytes nobody knows any more."""


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """What was done for some requests, and what was found afterwards."""

    requests: tuple[Request, ...]
    erasure: Erasure
    scan: Scan


def pending(store: LogStore) -> tuple[Request, ...]:
    """Requests that stand and are not recorded as carried out in full, oldest first."""
    forgets = store.standing().forgets
    ended = [row["forget"] for row in store.rows(erase_queries.ENDED)]
    return tuple(forgets[forget] for forget in unfinished(forgets, ended))


def carry_out(
    store: LogStore,
    requests: Sequence[Request],
    folder: Path,
    *,
    controls: Mapping[str, Sequence[bytes]] | None = None,
    reached: Reached = unwatched,
) -> CarriedOut:
    """``erase``, and then ``look`` through every file under ``folder``."""
    erased = erase(store, requests, reached=reached)
    return CarriedOut(erased.requests, erased.erasure, look(store, erased, folder, controls))


def erase(store: LogStore, requests: Sequence[Request], *, reached: Reached = unwatched) -> Erased:
    """Erase what ``requests`` name from the store's bytes.

    Whoever keeps copies elsewhere, such as drafts and snapshots, takes them away after this and
    before ``look``.

    Args:
        store: Not in memory, and not held open.
        requests: As ``pending`` tells them.
        reached: Is told each point of the erasure.

    Raises:
        ValueError: If the store is in memory: there are no bytes to look at.
        store.forget_list.ForgetListError: If the list beside the store knows more than its log.
        store.connections.StoreBusyError, store.copies.CopyDiffersError, OSError: As ``erasing``.
    """
    contents = frozenset[str]().union(*(request.contents for request in requests))
    payloads = waiting(store, contents)
    forget_listing.keep(store)
    return Erased(
        requests=tuple(requests),
        erasure=store.erase(contents, reached=reached),
        payloads=tuple(payloads),
        unsought=contents - {payload.commitment for payload in payloads},
    )


def look(
    store: LogStore,
    erased: Erased,
    folder: Path,
    controls: Mapping[str, Sequence[bytes]] | None = None,
) -> Scan:
    """Search every file under ``folder`` for what was erased.

    Args:
        store: In a file under ``folder``, and not held open.
        erased: What ``erase`` told.
        folder: The workspace, or the store's own folder.
        controls: Texts that are known to be in other files: see ``scanning.scan``.

    Raises:
        ValueError: If the store is not under ``folder``.
    """
    if store.path is None:
        msg = "a store in memory has no file to look into."
        raise ValueError(msg)
    place = store.path.resolve().relative_to(folder.resolve()).as_posix()
    return scanning.scan(
        folder,
        sought(erased.payloads),
        controls={**(controls or {}), place: staying(store)},
        kept=kept(store),
        too_short=[one.commitment for one in erased.payloads if needles.too_short(one)],
        unsought=erased.unsought,
    )


def waiting(store: LogStore, contents: frozenset[str]) -> list[Payload]:
    """What of ``contents`` waits for the rewrite, with its bytes. Foreign text: never shown."""
    if not store.rows(erase_queries.IS_WAITING)[0]["n"]:
        return []
    wanted = pd.DataFrame({"commitment": sorted(contents)}).astype("str")
    return list(opened(store.rows(erase_queries.WAITING, {"wanted": wanted})).values())


def sought(payloads: Sequence[Payload]) -> list[Needle]:
    """Every spelling of every content."""
    return [needle for payload in payloads for needle in needles.needles_of(payload)]


def staying(store: LogStore) -> list[bytes]:
    """Texts and salts of rows that stay, spread over the table. Empty if none stays."""
    rows = int(store.rows(erase_queries.ROWS)[0]["n"])
    step = max(1, rows // (CONTROLS * 4))
    found = store.rows(erase_queries.CONTROLS, step=step, most=CONTROLS)
    return [bytes(one[part]) for one in found for part in ("body", "salt")]


def kept(store: LogStore) -> Iterator[bytes]:
    """Every content that stays, read in slices."""
    stop = int(store.rows(erase_queries.ROWS)[0]["stop"])
    for start in range(0, stop, _SLICE):
        frame = store.frame(erase_queries.KEPT, start=start, stop=start + _SLICE)
        yield from (bytes(body) for body in frame["body"])
