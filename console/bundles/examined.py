"""What the doctor says of exported rules on the disk: missing, half written, or changed."""

from __future__ import annotations

from console.bundles.exporting import Folders


def trouble(folders: Folders) -> str:
    """What is not as it was recorded, and what mends it; blank when all is."""
    missing = [one.export[:8] for one in folders.missing()]
    told = []
    if missing:
        told.append(
            f"recorded, and without a folder: {', '.join(missing)}; memory-console rules write ID"
        )
    half = folders.unfinished()
    if half:
        told.append(f"half written: {', '.join(half)}; writing it again clears it away")
    changed = [one.export[:8] for one in folders.differing()]
    if changed:
        told.append(f"changed since: {', '.join(changed)}; memory-console bundle-check DIR")
    return "; ".join(told)
