"""Files about forget requests, taken along in a backup and put back: ids, digests and codes alone.

Nothing in them is believed because it was in a backup. A report is shown if the log names it, and
a request is gone on with if its file is the one that was signed.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

from store import whole_files

_NAME: Final = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}\.(request|report)\.json")
_MOST: Final = 64 * 1024 * 1024
"""Bytes of one file; of a request over a million contents it is 100 MB, which stays behind."""


def kept(folder: Path) -> dict[str, Any]:
    """What a folder of such files holds, by name; what is none of ours is left out."""
    told: dict[str, Any] = {}
    for path in sorted(folder.glob("*.json")):
        if not _NAME.fullmatch(path.name) or path.is_symlink() or path.stat().st_size > _MOST:
            continue
        try:
            told[path.name] = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
    return told


def put_back(source: Path, folder: Path) -> int:
    """Put the files that ``source`` tells into ``folder``, where none of the name is; how many.

    A source that is missing or none of ours gives nothing back: the log is what counts.

    Raises:
        OSError: If they cannot be written.
    """
    try:
        told = json.loads(source.read_bytes())
        files = {name: text for name, text in told.items() if _NAME.fullmatch(name)}
        data = {name: text.encode("utf-8") for name, text in files.items()}
    except (OSError, ValueError, AttributeError):
        return 0
    count = 0
    for name, body in data.items():
        if len(body) <= _MOST and not (folder / name).exists():
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            whole_files.put(folder / name, body)
            count += 1
    return count
