"""Text in an older encoding, read as UTF-8 on the fly, because a person said which one it is.

Places then count bytes of the text as UTF-8, and the remark ``ENCODING_GUESSED`` says so. A byte
that the encoding does not know becomes a byte that is no UTF-8, so only its own record fails.
"""

from __future__ import annotations

import codecs
import io
import re
from dataclasses import replace
from typing import BinaryIO, Final, cast

from importers.source import Source, SourceRefusedError

ENCODINGS: Final = ("cp1251", "utf-16", "latin-1")
"""What a person may choose from, the likeliest first."""

_CHUNK: Final = 1 << 16
_BUFFER: Final = 1 << 16
_UNKNOWN: Final = "\udcff"
_WORD: Final = re.compile(rb"[\xa8\xb8\xc0-\xff]{2,}")
"""Letters side by side, as Cyrillic has them; accented Latin letters stand alone."""


def reencoded(source: Source, encoding: str) -> Source:
    """The same source, whose bytes are read as UTF-8; members of a folder one by one.

    Reading it raises ``SourceRefusedError`` where the bytes cannot be text in that encoding.

    Raises:
        ValueError: If ``encoding`` is none of ``ENCODINGS``.
    """
    if encoding not in ENCODINGS:
        msg = f"no encoding {encoding!r}. Known encodings: {', '.join(ENCODINGS)}."
        raise ValueError(msg)
    if source.is_folder:
        return replace(source, members=tuple(reencoded(one, encoding) for one in source.members))
    return replace(source, reader=lambda stream: _opened(stream, encoding, source.name))


def guess(data: bytes) -> str | None:
    """The likeliest encoding of a beginning that is not UTF-8; ``None`` if it is, or is no text.

    A proposal for the person, never taken without being asked.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        pass
    else:
        return None
    if b"\0" in data:
        return None
    high = sum(byte >= 0x80 for byte in data)
    in_words = sum(len(word) for word in _WORD.findall(data))
    return "cp1251" if in_words * 2 > high else "latin-1"


def _opened(stream: BinaryIO, encoding: str, name: str) -> BinaryIO:
    return cast("BinaryIO", io.BufferedReader(_Recoder(stream, encoding, name), _BUFFER))


def _unknown(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return _UNKNOWN, error.end


codecs.register_error("importers-unknown", _unknown)


class _Recoder(io.RawIOBase):
    """Decodes what it reads and gives it out as UTF-8."""

    def __init__(self, stream: BinaryIO, encoding: str, name: str) -> None:
        super().__init__()
        self._stream, self._encoding, self._name = stream, encoding, name
        self._decoder = codecs.getincrementaldecoder(encoding)("importers-unknown")
        self._ready = b""
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, into: memoryview, /) -> int:  # type: ignore[override]
        while not self._ready and not self._ended:
            chunk = self._stream.read(_CHUNK)
            self._ended = not chunk
            try:
                text = self._decoder.decode(chunk, final=self._ended)
            except UnicodeError as error:  # the mark at the beginning of UTF-16 is missing
                why = f"It is not {self._encoding.upper()}: it does not begin with the mark of it."
                raise SourceRefusedError(self._name, why, "Choose another encoding.") from error
            self._ready = text.encode("utf-8", "surrogateescape")
        given = self._ready[: len(into)]
        self._ready = self._ready[len(given) :]
        into[: len(given)] = given
        return len(given)

    def close(self) -> None:
        self._stream.close()
        super().close()
