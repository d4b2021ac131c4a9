"""A connection that breaks at any point of an append: all of it is saved, or nothing is."""

from __future__ import annotations

import contextlib
import random
import socket
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from store.connections import StoreAwayError
from store.events import EventType
from store.log import AlreadyDecidedError, LogMovedError
from store.postgres_store import PostgresStore
from store.postgres_verify import verify_place
from store.standing import NotAcceptedError
from tests.contract.staged import decide, stage, verdict
from tests.store.forgotten import forget
from tests.store.test_postgres_store import made


class Wire:
    """Stands between a console and its server, and breaks where it is told to."""

    def __init__(self, folder: Path, server: Path) -> None:
        self.server, self.breaks_at, self.answered, self.sent = server, -1, False, 0
        self.broken = threading.Event()
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(str(folder / ".s.PGSQL.5432"))
        self.listening.listen()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listening.accept()
                threading.Thread(target=self._between, args=(client,), daemon=True).start()

    def _between(self, client: socket.socket) -> None:
        back = socket.socket(socket.AF_UNIX)
        back.connect(str(self.server / ".s.PGSQL.5432"))
        answered = threading.Event()

        def backwards() -> None:
            with contextlib.suppress(OSError):
                while data := back.recv(1 << 16):
                    answered.set()
                    client.sendall(data)
                client.shutdown(socket.SHUT_RDWR)

        threading.Thread(target=backwards, daemon=True).start()
        with contextlib.suppress(OSError):
            while data := client.recv(1 << 16):
                self.sent += 1
                if self.sent == self.breaks_at:
                    if self.answered:  # the server hears it, and its answer is lost
                        client.shutdown(socket.SHUT_RDWR)
                        answered.clear()
                        back.sendall(data)
                        answered.wait(5)
                    break
                back.sendall(data)
        for end in (client, back):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self.broken.set()

    def breaks(self, at: int, *, answered: bool) -> None:
        self.broken.clear()
        self.sent, self.breaks_at, self.answered = 0, at, answered

    def close(self) -> None:
        self.listening.close()


@pytest.fixture
def wire(tmp_path, postgres):
    found = Wire(tmp_path, postgres.folder)
    yield found
    found.close()


def through(place, folder):
    return replace(place, conninfo=f"host={folder} user=owner dbname=postgres")


@pytest.mark.parametrize("answered", [False, True])
@pytest.mark.parametrize("kind", ["import", "decision", "forget"])
def test_wherever_a_connection_breaks_an_append_is_saved_whole_or_not_at_all(
    postgres_place, tmp_path, wire, irina, kind, answered
):
    other = made(postgres_place, irina.root)
    draw = random.Random(5).randbytes
    here = PostgresStore(through(postgres_place, tmp_path), trust=irina.root)
    items = iter(f"item-{n}" for n in range(100))
    other.append(stage(other, draw, *(str(n) for n in range(100))))
    saved = unsaved = whole = 0
    for at in range(1, 100):
        size = here.head().size
        if kind == "import":
            entry = stage(here, draw, f"later {at}")
        elif kind == "decision":
            entry = decide(here, irina, verdict(here, next(items)))
        else:
            entry = forget(here, irina, next(items), forget=f"f-{at}")
        wire.breaks(at, answered=answered)
        try:
            here.append(entry)
            whole += wire.sent < at
        except StoreAwayError as error:
            assert "look again" in str(error)  # noqa: PT017 - it may or may not break here
            assert wire.broken.wait(10)
            saved += other.head().size > size
            unsaved += other.head().size == size
        wire.breaks(-1, answered=answered)
        assert here.head() == other.head()
        assert here.head().size in (size, size + 1)
        for query in ("select * from proj_item", "select commitment from vault_payload"):
            assert sorted(map(repr, here.rows(query))) == sorted(map(repr, other.rows(query)))
        assert here.standing().items == other.standing().items
        if other.head().size > size and kind != "import":
            with pytest.raises((AlreadyDecidedError, NotAcceptedError, LogMovedError)):
                here.append(entry, after=None)  # what was saved is not saved again
        if whole > 1:
            break
    assert whole > 1, "an append has more messages than were tried"
    assert unsaved > 3
    assert bool(saved) == answered  # an answer that is lost does not undo what was saved
    report = verify_place(postgres_place, root=irina.root)
    assert report.exit_code == 0, report.lines


def test_a_console_that_lost_the_answer_does_not_say_that_nothing_was_saved(
    postgres_place, tmp_path, wire, irina
):
    made(postgres_place, irina.root)
    here = PostgresStore(through(postgres_place, tmp_path), trust=irina.root)
    entry = stage(here, random.Random(5).randbytes, "a")
    wire.breaks(0, answered=True)
    here.append(entry)
    last = wire.sent  # the last but one message commits, the last one gives the lock back
    entry = stage(here, random.Random(6).randbytes, "b")
    wire.breaks(last - 1, answered=True)
    with pytest.raises(StoreAwayError, match="look again before repeating"):
        here.append(entry)
    assert wire.broken.wait(10)
    assert here.events()[-1].type == EventType.IMPORT_STAGED
    assert here.head().size == 3
