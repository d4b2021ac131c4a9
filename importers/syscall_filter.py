"""A filter in the kernel on what a process may ask of it: no program, no process, no file made.

A program in the kernel's own small language (seccomp with BPF), made for x86_64 and aarch64. It
names what is denied, and answers that a call does not exist when it is newer than the list; a
call of another machine's numbering ends the process. It cannot be taken back, and holds for
native code too. Reading is not its matter: see ``importers.file_bounds``.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from typing import Final

_SET_SECCOMP: Final = 22
_MODE_FILTER: Final = 2

_LOAD: Final = 0x20
_EQUAL: Final = 0x15
_ABOVE: Final = 0x25
_ANY_BIT: Final = 0x45
_RETURN: Final = 0x06

_ALLOW: Final = 0x7FFF0000
_END_PROCESS: Final = 0x80000000
_DENY: Final = 0x00050000 | errno.EPERM
_NO_SUCH_CALL: Final = 0x00050000 | errno.ENOSYS

_NUMBER: Final = 0
_MACHINE: Final = 4
_ARGUMENTS: Final = 16
_MACHINES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_NEWEST: Final = 451
"""The last call that was looked at. What is above it does not exist in here."""

_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_SET_OWNER: Final = (8, 10, 15)
"""``fcntl`` requests that make the kernel send a signal to another process."""

_TERMINAL: Final = (0x5401, 0x5450, 0x5451)
"""The ``ioctl`` requests that opening a file makes: is it a terminal, is it inherited."""

_DENIED: Final = {
    "x86_64": {
        # other programs and processes
        "execve": 59, "execveat": 322, "fork": 57, "vfork": 58, "clone": 56, "ptrace": 101,
        "process_vm_readv": 310, "process_vm_writev": 311, "process_madvise": 440,
        "process_mrelease": 448, "kcmp": 312, "kill": 62, "tkill": 200, "rt_sigqueueinfo": 129,
        "rt_tgsigqueueinfo": 297, "pidfd_open": 434, "pidfd_send_signal": 424,
        "pidfd_getfd": 438, "setpriority": 141, "sched_setscheduler": 144,
        "sched_setparam": 142, "sched_setattr": 314, "sched_setaffinity": 203,
        "ioprio_set": 251, "migrate_pages": 256, "move_pages": 279, "setrlimit": 160,
        # names and marks of files
        "mknod": 133, "mknodat": 259, "mkdir": 83, "mkdirat": 258, "rmdir": 84, "unlink": 87,
        "unlinkat": 263, "rename": 82, "renameat": 264, "renameat2": 316, "link": 86,
        "linkat": 265, "symlink": 88, "symlinkat": 266, "truncate": 76, "creat": 85,
        "chmod": 90, "fchmod": 91, "fchmodat": 268, "chown": 92, "fchown": 93, "lchown": 94,
        "fchownat": 260, "utime": 132, "utimes": 235, "futimesat": 261, "utimensat": 280,
        "setxattr": 188, "lsetxattr": 189, "fsetxattr": 190, "removexattr": 197,
        "lremovexattr": 198, "fremovexattr": 199, "open_by_handle_at": 304,
        "memfd_create": 319, "memfd_secret": 447, "fanotify_init": 300, "inotify_init": 253,
        "inotify_init1": 294, "inotify_add_watch": 254, "quotactl": 179, "acct": 163,
        # the network and other ways to talk
        "socket": 41, "socketpair": 53, "connect": 42, "bind": 49, "listen": 50, "accept": 43,
        "accept4": 288, "sendto": 44, "sendmsg": 46, "sendmmsg": 307, "shmget": 29,
        "shmat": 30, "shmctl": 31, "msgget": 68, "msgsnd": 69, "semget": 64, "semop": 65,
        "semctl": 66, "mq_open": 240, "mq_unlink": 241,
        # the system, and wide doors into the kernel
        "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "move_mount": 429,
        "open_tree": 428, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433,
        "mount_setattr": 442, "unshare": 272, "setns": 308, "bpf": 321,
        "perf_event_open": 298, "userfaultfd": 323, "keyctl": 250, "add_key": 248,
        "request_key": 249, "io_uring_setup": 425, "io_uring_enter": 426,
        "io_uring_register": 427, "io_setup": 206, "personality": 135, "prctl": 157,
        "seccomp": 317, "init_module": 175, "finit_module": 313, "delete_module": 176,
        "kexec_load": 246, "kexec_file_load": 320, "reboot": 169, "swapon": 167,
        "swapoff": 168, "syslog": 103,
    },
    "aarch64": {
        # other programs and processes
        "execve": 221, "execveat": 281, "clone": 220, "ptrace": 117, "process_vm_readv": 270,
        "process_vm_writev": 271, "process_madvise": 440, "process_mrelease": 448,
        "kcmp": 272, "kill": 129, "tkill": 130, "rt_sigqueueinfo": 138,
        "rt_tgsigqueueinfo": 240, "pidfd_open": 434, "pidfd_send_signal": 424,
        "pidfd_getfd": 438, "setpriority": 140, "sched_setscheduler": 119,
        "sched_setparam": 118, "sched_setattr": 274, "sched_setaffinity": 122,
        "ioprio_set": 30, "migrate_pages": 238, "move_pages": 239, "setrlimit": 164,
        # names and marks of files
        "mknodat": 33, "mkdirat": 34, "unlinkat": 35, "renameat": 38, "renameat2": 276,
        "linkat": 37, "symlinkat": 36, "truncate": 45, "fchmod": 52, "fchmodat": 53,
        "fchown": 55, "fchownat": 54, "utimensat": 88, "setxattr": 5, "lsetxattr": 6,
        "fsetxattr": 7, "removexattr": 14, "lremovexattr": 15, "fremovexattr": 16,
        "open_by_handle_at": 265, "memfd_create": 279, "memfd_secret": 447,
        "fanotify_init": 262, "inotify_init1": 26, "inotify_add_watch": 27, "quotactl": 60,
        "acct": 89,
        # the network and other ways to talk
        "socket": 198, "socketpair": 199, "connect": 203, "bind": 200, "listen": 201,
        "accept": 202, "accept4": 242, "sendto": 206, "sendmsg": 211, "sendmmsg": 269,
        "shmget": 194, "shmat": 196, "shmctl": 195, "msgget": 186, "msgsnd": 189,
        "semget": 190, "semop": 193, "semctl": 191, "mq_open": 180, "mq_unlink": 181,
        # the system, and wide doors into the kernel
        "mount": 40, "umount2": 39, "pivot_root": 41, "chroot": 51, "move_mount": 429,
        "open_tree": 428, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433,
        "mount_setattr": 442, "unshare": 97, "setns": 268, "bpf": 280,
        "perf_event_open": 241, "userfaultfd": 282, "keyctl": 219, "add_key": 217,
        "request_key": 218, "io_uring_setup": 425, "io_uring_enter": 426,
        "io_uring_register": 427, "io_setup": 0, "personality": 92, "prctl": 167,
        "seccomp": 277, "init_module": 105, "finit_module": 273, "delete_module": 106,
        "kexec_load": 104, "kexec_file_load": 294, "reboot": 142, "swapon": 224,
        "swapoff": 225, "syslog": 116,
    },
}  # fmt: skip
_CLONE3: Final = 435
_OPENAT2: Final = 437
_OPENS: Final = {"x86_64": {2: 1, 257: 2}, "aarch64": {56: 2}}
"""Calls that open a file, and which argument says how."""

_SIGNALS_A_THREAD: Final = {"x86_64": 234, "aarch64": 131}
_LIMITS: Final = {"x86_64": 302, "aarch64": 261}
_FILE_CONTROL: Final = {"x86_64": 72, "aarch64": 25}
_DEVICE_CONTROL: Final = {"x86_64": 16, "aarch64": 29}


def install(libc: ctypes.CDLL) -> bool:
    """Filter the calls of this process from here on, if the kernel and the machine allow it.

    The process must have given up new rights before. It must have one thread.
    """
    machine = os.uname().machine
    if machine not in _MACHINES or struct.calcsize("P") != 8 or sys.byteorder != "little":
        return False
    made = program(machine, os.getpid())
    held = ctypes.create_string_buffer(made, len(made))
    told = struct.pack("=H6xQ", len(made) // 8, ctypes.addressof(held))
    return int(libc.prctl(_SET_SECCOMP, _MODE_FILTER, ctypes.c_char_p(told), 0, 0)) == 0


def program(machine: str, process: int) -> bytes:
    """The filter for ``machine``, under which ``process`` may signal itself and nobody else."""
    lines = [
        _line(_LOAD, _MACHINE),
        _line(_EQUAL, _MACHINES[machine], 1, 0),
        _line(_RETURN, _END_PROCESS),
        _line(_LOAD, _NUMBER),
        *_when(_ABOVE, _NEWEST, [_line(_RETURN, _NO_SUCH_CALL)]),
    ]
    for call in (_CLONE3, _OPENAT2):
        lines += _when(_EQUAL, call, [_line(_RETURN, _NO_SUCH_CALL)])
    for call, argument in _OPENS[machine].items():
        lines += _when(_EQUAL, call, _denied_if_any(argument, _WRITES))
    owner = _one_of(1, _SET_OWNER, then=_DENY, otherwise=_ALLOW)
    terminal = _one_of(1, _TERMINAL, then=_ALLOW, otherwise=_DENY)
    itself = _one_of(0, (process,), then=_ALLOW, otherwise=_DENY)
    lines += _when(_EQUAL, _FILE_CONTROL[machine], owner)
    lines += _when(_EQUAL, _DEVICE_CONTROL[machine], terminal)
    lines += _when(_EQUAL, _SIGNALS_A_THREAD[machine], itself)
    lines += _when(_EQUAL, _LIMITS[machine], _denied_unless_empty(2))
    for call in _DENIED[machine].values():
        lines += _when(_EQUAL, call, [_line(_RETURN, _DENY)])
    lines.append(_line(_RETURN, _ALLOW))
    return b"".join(lines)


def _line(what: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", what, if_so, if_not, value)


def _when(test: int, value: int, lines: list[bytes]) -> list[bytes]:
    return [_line(test, value, 0, len(lines)), *lines]


def _half(argument: int, upper: int = 0) -> bytes:
    return _line(_LOAD, _ARGUMENTS + 8 * argument + 4 * upper)


def _denied_if_any(argument: int, bits: int) -> list[bytes]:
    deny = [_line(_RETURN, _DENY)]
    return [_half(argument), *_when(_ANY_BIT, bits, deny), _line(_RETURN, _ALLOW)]


def _denied_unless_empty(argument: int) -> list[bytes]:
    return [
        _half(argument),
        _line(_EQUAL, 0, 0, 3),
        _half(argument, 1),
        _line(_EQUAL, 0, 0, 1),
        _line(_RETURN, _ALLOW),
        _line(_RETURN, _DENY),
    ]


def _one_of(argument: int, values: tuple[int, ...], *, then: int, otherwise: int) -> list[bytes]:
    lines = [_half(argument)]
    for value in values:
        lines += _when(_EQUAL, value, [_line(_RETURN, then)])
    return [*lines, _line(_RETURN, otherwise)]
