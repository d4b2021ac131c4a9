"""A bound in the kernel on the files of a process (Landlock): some may be read, none written.

It cannot be taken back, and holds for native code too. Files that are open already stay as they
are. What it cannot hide is that a file exists, how large it is and what its folder is called.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from typing import Final

_CREATE: Final = 444
_ADD: Final = 445
_RESTRICT: Final = 446
_ASK_VERSION: Final = 1
_UNDER_A_PATH: Final = 1

_READ_FILE: Final = 1 << 2
_READ_FOLDER: Final = 1 << 3
_RIGHTS: Final = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
"""Rights over files, by the version that brought them: execute, write, read, make, remove, …"""

_NETWORK: Final = 0b11
_SIGNALS_AND_SOCKETS: Final = 0b11
_NO_SUCH_CALL: Final = -1


def restrict(libc: ctypes.CDLL, paths: Iterable[str | bytes]) -> bool:
    """Bind this process to reading ``paths`` and what is under them, if the kernel allows it.

    The process must have given up new rights before. A path that is not there is left out.
    """
    call = libc.syscall
    version = int(call(_CREATE, None, ctypes.c_size_t(0), _ASK_VERSION))
    if version < 1:
        return False
    handled = sum(rights for since, rights in _RIGHTS.items() if version >= since)
    told = struct.pack("=Q", handled)
    if version >= 4:
        told += struct.pack("=Q", _NETWORK)
    if version >= 6:
        told += struct.pack("=Q", _SIGNALS_AND_SOCKETS)
    rules = int(call(_CREATE, ctypes.c_char_p(told), ctypes.c_size_t(len(told)), 0))
    if rules == _NO_SUCH_CALL:
        return False
    try:
        for path in paths:
            with contextlib.suppress(OSError):
                _allow(libc, rules, path)
        return int(call(_RESTRICT, rules, 0)) == 0
    finally:
        os.close(rules)


def libraries() -> tuple[str, ...]:
    """Folders of the native libraries that this process has loaded: the next is there as well."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as file:
            mapped = {line.rstrip("\n").partition("/")[2] for line in file}
    except OSError:
        return ()
    found = {os.path.dirname(f"/{one}") for one in mapped if ".so" in os.path.basename(one)}
    return (*sorted(found), "/etc/ld.so.cache")


def _allow(libc: ctypes.CDLL, rules: int, path: str | bytes) -> None:
    handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        rights = _READ_FILE | _READ_FOLDER if folder else _READ_FILE
        told = struct.pack("=Qi", rights, handle)
        libc.syscall(_ADD, rules, _UNDER_A_PATH, ctypes.c_char_p(told), 0)
    finally:
        os.close(handle)
