"""What a process that reads foreign files gives up, before it sees the first byte of one.

Limits of the kernel on memory, time, files and processes hold everywhere. The layers of ``Layer``
hold where the kernel allows them; ``importers.sandbox.confined`` says which do here.

What is not stopped, even where all hold: it may read code, native libraries and the files it was
handed; see which other files exist, and their sizes; write into the file that an archive is
expanded into; use up its limits; and say what it likes of the file it reads, which is why all it
says is checked. Where only ``Layer.HOOK`` holds, native code and Python that changes the
interpreter can do what the user can: the hook is a fence for mistakes, not for such an attack.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import sysconfig
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

import msgspec

import store
from importers import file_bounds, syscall_filter
from importers.errands import Limits

FEW_FILES: Final = 64
_GRACE: Final = 2
"""Seconds of computing between being asked to end and being ended."""

_NO_NEW_PRIVS: Final = 38
_PARENT_DEATH: Final = 1
_NEW_USER: Final = 0x10000000
_NEW_NET: Final = 0x40000000
_CAPABILITIES: Final = 0x20080522
_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_REFUSED: Final = (
    "socket.",
    "ssl.",
    "subprocess.",
    "ctypes.",
    "pty.",
    "fcntl.",
    "shutil.",
    "tempfile.",
    "urllib.",
    "http.",
    "ftplib.",
    "smtplib.",
    "webbrowser.",
    "winreg.",
    "sqlite3.enable_load_extension",
    "sqlite3.load_extension",
    "pickle.",
    "code.__new__",
    "sys.setprofile",
    "sys.settrace",
    "os.",
)
_ALLOWED: Final = frozenset({"os.listdir", "os.scandir"})
"""What ``import`` needs of the above."""

_UNWANTED: Final = ("_posixsubprocess", "_ctypes", "ctypes", "subprocess")
"""Modules that are taken away and not loaded again: no reader needs them."""

_CODE: Final = tuple(
    os.path.join(os.path.realpath(path), "")
    for path in (
        *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib")),
        *store.__path__,
        *msgspec.__path__,
        os.path.dirname(os.path.abspath(__file__)),
    )
)
"""Where modules are that a reader may still have to load."""

_LIBC: Final = ctypes.CDLL(None) if sys.platform == "linux" else None


class Layer(StrEnum):
    """What holds a reading process, beside the limits."""

    CALLS = "calls"
    """A filter in the kernel: no program, no process, no signal, no socket, no file written."""

    FILES = "files"
    """A bound in the kernel: no file is read but code and those that were handed over."""

    HOOK = "hook"
    """A hook in Python that refuses what no reader needs."""


HOLDING: Final[set[Layer]] = set()
"""The layers that hold this process."""


def for_good() -> None:
    """Give up new rights and the network, for this process and all that come from it.

    As far as the kernel allows; what it does not is left to the layers above it.
    """
    if (libc := _LIBC) is None:
        return
    libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc.unshare(_NEW_USER | _NEW_NET)
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES, 0)
    libc.capset(ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)()))


def end_with_parent() -> None:
    """Have the kernel kill this process when the one that started it ends."""
    if (libc := _LIBC) is not None:
        libc.prctl(_PARENT_DEATH, signal.SIGKILL, 0, 0, 0)


def limit(limits: Limits) -> None:
    """Set the limits of the kernel."""
    for what, most in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_CPU, limits.cpu),
        (resource.RLIMIT_FSIZE, limits.file),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, FEW_FILES),
        (resource.RLIMIT_NPROC, 0),
    ):
        try:
            hard = resource.getrlimit(what)[1]
            bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
            later = bound + _GRACE if what == resource.RLIMIT_CPU else bound
            resource.setrlimit(what, (bound, later))
        except (OSError, ValueError):  # macOS knows some of them by name only
            continue


def refuse_all_but(paths: Iterable[bytes]) -> None:
    """From here on refuse what no reader needs. Cannot be taken back."""
    allowed = frozenset(os.fsdecode(path) for path in paths)
    _ask_the_kernel(allowed)
    for name in _UNWANTED:
        sys.modules.pop(name, None)

    def hook(event: str, args: tuple[object, ...]) -> None:
        if event == "open":
            _check_open(args, allowed)
        elif _is_refused(event, args):
            raise PermissionError(event)

    sys.addaudithook(hook)
    HOLDING.add(Layer.HOOK)


def _ask_the_kernel(allowed: Iterable[str]) -> None:
    if (libc := _LIBC) is None:
        return
    if file_bounds.restrict(libc, (*_CODE, *file_bounds.libraries(), *allowed)):
        HOLDING.add(Layer.FILES)
    if syscall_filter.install(libc):
        HOLDING.add(Layer.CALLS)


def _is_refused(event: str, args: tuple[object, ...]) -> bool:
    if event == "import":
        return args[0] in _UNWANTED
    if event == "sqlite3.connect":
        return args[0] != ":memory:"
    return event.startswith(_REFUSED) and event not in _ALLOWED


def _check_open(args: tuple[object, ...], allowed: frozenset[str]) -> None:
    path, _mode, flags = args
    if isinstance(path, int):
        return
    if isinstance(flags, int) and flags & _WRITES:
        msg = "open for writing"
        raise PermissionError(msg)
    name = os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else ""
    if name not in allowed and not _is_code(name):
        msg = "open"
        raise PermissionError(msg)


def _is_code(name: str) -> bool:
    """Whether it leads to code: by its real name, so that no ``..`` and no link leads out."""
    return os.path.isabs(name) and os.path.realpath(name).startswith(_CODE)
