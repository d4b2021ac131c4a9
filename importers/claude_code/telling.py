"""One line on its way into a run: where it stands, when it was, and what of it was left out."""

from __future__ import annotations

from dataclasses import dataclass

from importers import call_arguments
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.media_blocks import named, omitted
from importers.reads import Tally
from importers.runs import RunBuilder
from store.records import RemarkCode
from store.trajectories import Omitted, StepKind


@dataclass(frozen=True, slots=True)
class Telling:
    """A line, and the run to which its steps go."""

    run: RunBuilder
    tally: Tally
    """Counts what holds for the whole source."""

    record: JsonObject
    cut: dict[str, Omitted]
    piece: Slice
    at: str | None

    def add(
        self,
        kind: StepKind,
        text: str,
        *,
        who: str = "",
        name: str = "",
        call: str = "",
        failed: bool = False,
        left_out: Omitted | None = None,
    ) -> int:
        """Add a step of this line; -1 when the run is full."""
        if left_out is not None:
            self.remark(RemarkCode.BULK_REPLACED)
        cut = self.cut.get(text)
        if cut is not None:
            self.run.remarks[RemarkCode.STEPS_CUT] = None
        return self.run.add(
            kind,
            text,
            self.piece,
            who=who,
            at=self.at,
            name=name,
            call=call,
            failed=failed,
            omitted=left_out or cut,
        )

    def remark(self, code: RemarkCode) -> None:
        """Say something of the run, and count it for the source."""
        self.run.remarks[code] = None
        self.tally.add(code)

    def media(self, kind: StepKind, block: JsonObject, *, who: str = "") -> None:
        """Add a picture or a document, without its bytes."""
        sort = block.get("type")
        name = sort if isinstance(sort, str) else ""
        self.add(kind, named(block), who=who, name=name, left_out=omitted(block))

    def unknown(self, block: JsonObject) -> None:
        """Add a block of a type that is not known, as it stands."""
        sort = block.get("type")
        text = call_arguments.written(block, self.piece.raw)
        self.add(StepKind.NOTE, text, name=sort[:100] if isinstance(sort, str) else "")
        self.remark(RemarkCode.UNKNOWN_TYPES)
