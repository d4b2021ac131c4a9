"""What a process that reads foreign files gives up, before it sees the first byte of one.

Three layers: limits of the kernel on memory, time, files and processes; no network, by a name
space of its own where the kernel allows that; and a hook in Python that refuses sockets, other
programs, native code and every file but those that were handed over.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import sysconfig
from collections.abc import Iterable
from typing import Final

import msgspec

import store
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

_CODE: Final = (
    *(os.path.join(sysconfig.get_path(name), "") for name in ("stdlib", "platstdlib")),
    *(os.path.join(os.path.abspath(path), "") for path in (*store.__path__, *msgspec.__path__)),
    os.path.join(os.path.dirname(os.path.abspath(__file__)), ""),
)
"""Where modules are that a reader may still have to load."""

_LIBC: Final = ctypes.CDLL(None) if sys.platform == "linux" else None


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

    def hook(event: str, args: tuple[object, ...]) -> None:
        if event == "open":
            _check_open(args, allowed)
        elif event == "sqlite3.connect":
            if args[0] != ":memory:":
                raise PermissionError(event)
        elif event.startswith(_REFUSED) and event not in _ALLOWED:
            raise PermissionError(event)

    sys.addaudithook(hook)


def _check_open(args: tuple[object, ...], allowed: frozenset[str]) -> None:
    path, _mode, flags = args
    if isinstance(path, int):
        return
    if isinstance(flags, int) and flags & _WRITES:
        msg = "open for writing"
        raise PermissionError(msg)
    name = os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else ""
    if name not in allowed and not name.startswith(_CODE):
        msg = "open"
        raise PermissionError(msg)
