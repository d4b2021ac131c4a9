"""Opens what a job asks for: a source by its path, and its parts as readings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from console.jobs import Asked
from importers import catalogue, sandbox, walk
from importers.mapped.importer import importer_for
from importers.source import Source, SourceRefusedError, from_path
from store.records import Read, Reading, Remark

MOST_RECORDS: Final = 100_000
"""Records of all parts of one upload."""


def source_of(asked: Asked, *, uploaded: bool) -> Source:
    """The source that is asked for, under the name that it came with.

    Raises:
        SourceRefusedError: If it is gone, or no file and no folder.
    """
    entries = walk.bounds(totals=uploaded).entries
    source = from_path(Path(asked.path), entries=entries)
    return replace(source, name=asked.name, modified_at=None) if uploaded else source


def limits(source: Source, *, uploaded: bool, taken: int = 0) -> sandbox.Limits:
    """What the process that reads ``source`` may use.

    ``taken`` records came from other parts of the same upload: a small archive can hold thousands
    of parts, each with as many records as one may have.
    """
    if not uploaded:
        return sandbox.limits_for(source)
    left = max(MOST_RECORDS - taken, 0)
    return msgspec.structs.replace(
        sandbox.UPLOAD, records=min(sandbox.UPLOAD.records or left, left)
    )


def apart(asked: Asked, *, uploaded: bool) -> tuple[sandbox.Part, ...]:
    """The parts of a source; one if the person says what it is.

    Raises:
        UnknownFormatError: If it is one file in no known format.
        SourceRefusedError: If it cannot be opened or breaks a bound.
    """
    source = source_of(asked, uploaded=uploaded)
    if asked.mapping is not None:
        try:
            return (sandbox.Part(source, importer_for(asked.mapping)),)
        except ValueError as error:
            raise SourceRefusedError(source.name, str(error), "Choose again.") from error
    if asked.importer:
        return (sandbox.Part(source, catalogue.named(asked.importer)),)
    bounds = limits(source, uploaded=uploaded)
    return sandbox.parts(source, bounds, encoding=asked.encoding)


def opened(piece: sandbox.Part, asked: Asked, bounds: sandbox.Limits) -> Reading:
    """A part as a reading; what is to be said of the whole comes first.

    Raises:
        SourceRefusedError: If its bytes cannot be read.
    """
    reading = sandbox.open_reading(
        piece.source,
        piece.importer,
        bounds,
        mapping=asked.mapping,
        encoding=asked.encoding,
    )

    def records() -> Iterator[Read | Remark]:
        yield from piece.remarks
        yield from reading.records

    return replace(reading, records=records())
