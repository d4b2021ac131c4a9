"""Does one errand in the reading process and answers in frames."""

from __future__ import annotations

import io
import signal
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Final, NoReturn

from importers import confinement, encodings, errands, frames, walk
from importers.catalogue import Importer, UnknownFormatError, detect
from importers.errands import Errand, PartTold, Told
from importers.frame_writing import ENDINGS, FrameWriter
from importers.mapped import importer as mapped
from importers.mapped.choice import Mapping
from importers.source import Source, SourceRefusedError
from store.records import Read, Remark, RemarkCode

READ: Final = "read"
DETECT: Final = "detect"
WALK: Final = "walk"
COLUMNS: Final = "columns"
CONFINED: Final = "confined"


class _Stop(BaseException):
    """A limit was reached, or the parent asks for an end."""


def paths(told: Told) -> Iterator[bytes]:
    """Paths that the errand needs to open."""
    if told.path:
        yield told.path
    for one in told.members:
        yield from paths(one)


def run(errand: Errand, answer: int, files: Sequence[int]) -> None:
    """Do ``errand``; what was found before an end of any sort is sent.

    Args:
        errand: What to do.
        answer: The descriptor to write frames into.
        files: Descriptors of the files that were handed over.
    """
    for number in ENDINGS:
        signal.signal(number, _stop)
    writer = FrameWriter(answer)
    opened = [io.FileIO(one, "r", closefd=False) for one in files]
    source = errands.arrived(errand.source, opened)
    if errand.encoding:
        source = encodings.reencoded(source, errand.encoding)
    try:
        _do(errand, source, files, writer)
    except SourceRefusedError as error:
        refusal = frames.Refusal(error.name, error.why, error.advice)
        writer.say(frames.REFUSED, refusal)
    except UnknownFormatError as error:
        writer.say(frames.UNKNOWN, frames.Unrecognised(error.source, error.looked_at))
    except BrokenPipeError:
        return
    except BaseException:
        for number in ENDINGS:
            signal.signal(number, signal.SIG_IGN)
        writer.flush()
        raise
    else:
        writer.say(frames.END, None)


def _do(errand: Errand, source: Source, files: Sequence[int], writer: FrameWriter) -> None:
    if errand.task == READ:
        for one in _records(errand, source):
            writer.put(one)
    elif errand.task == DETECT:
        writer.say(frames.ANSWER, detect(source).name)
    elif errand.task == WALK:
        writer.say(frames.ANSWER, _walked(errand, source, files))
    elif errand.task == CONFINED:
        writer.say(frames.ANSWER, sorted(confinement.HOLDING))
    else:
        writer.say(frames.ANSWER, mapped.columns(source.head()))


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise _Stop


def _records(errand: Errand, source: Source) -> Iterator[Read | Remark]:
    if errand.encoding:
        yield Remark(RemarkCode.ENCODING_GUESSED, 1)
    yield from _importer(errand).read(source)


def _importer(errand: Errand) -> Importer:
    if errand.mapping:
        return mapped.importer_for(frames.decode(errand.mapping, Mapping))
    return walk.named(errand.importer)


def _walked(errand: Errand, source: Source, files: Sequence[int]) -> list[PartTold]:
    numbers = {handle: number for number, handle in enumerate(files)}
    room = None if errand.room < 0 else files[errand.room]
    bounds = walk.bounds(totals=errand.limits.totals)
    return [
        PartTold(errands.returned(part.source, numbers), part.importer.name, part.remarks)
        for part in walk.parts(source, room=room, bounds=bounds)
    ]
