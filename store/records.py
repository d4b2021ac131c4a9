"""What an importer hands over: one ``Read`` for every record in a foreign file, told in codes.

A ``Read`` always says which bytes of the source it stands for. Reasons are codes from closed
lists, never prose, because they are kept in the log, and the log holds no foreign text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from store.cells import Proposal
from store.trajectories import Trajectory


class Outcome(StrEnum):
    """The five words for what became of a record. Their counts add up to the records read."""

    WRITTEN = "written"
    NOTHING_EXTRACTED = "nothing_extracted"
    ALREADY_KNOWN = "already_known"
    REFUSED = "refused"
    PARSE_FAILED = "parse_failed"


class NothingReason(StrEnum):
    """Why a well-formed record holds no claim. A normal result, and an easy way to lose one."""

    EMPTY_TEXT = "empty_text"
    TOMBSTONE = "tombstone"
    NO_OBSERVATIONS = "no_observations"
    BLANK_LINE = "blank_line"
    NOT_A_MEMORY = "not_a_memory"
    INDEX_ONLY = "index_only"
    COPIED_LINE = "copied_line"
    """A line that stood in this source before: resumed sessions copy old lines."""

    BOOKKEEPING = "bookkeeping"
    """A line that the program wrote for itself: snapshots, queues, titles."""

    EMPTY_RUN = "empty_run"
    """A conversation or trace without a single step."""

    UNKNOWN_TYPE = "unknown_type"
    """A record of a type that this importer does not know; kept and counted."""

    DISTILLED_ELSEWHERE = "distilled_elsewhere"
    """A copy of what another record of the same source tells better."""


class FailReason(StrEnum):
    """Why a record could not be read."""

    NOT_JSON = "not_json"
    CUT_SHORT = "cut_short"
    NOT_UTF8 = "not_utf8"
    DUPLICATE_KEYS = "duplicate_keys"
    NOT_A_NUMBER = "not_a_number"
    NUMBER_TOO_LONG = "number_too_long"
    LONE_SURROGATE = "lone_surrogate"
    TOO_DEEP = "too_deep"
    TOO_LONG = "too_long"
    TOO_MANY_KEYS = "too_many_keys"
    WRONG_SHAPE = "wrong_shape"
    FIELD_MISSING = "field_missing"
    FIELD_INVALID = "field_invalid"
    TIME_INVALID = "time_invalid"
    UNKNOWN_FORMAT = "unknown_format"
    """A member of a folder or archive that is in no known format."""

    OVER_LIMIT = "over_limit"
    """The process that reads foreign files reached a limit of memory or of time here."""


class BarRule(StrEnum):
    """Why a record or a member is not opened at all, whatever the policy says."""

    PICKLE = "pickle"
    """A Python pickle runs code when it is read."""

    ARCHIVE_INSIDE = "archive_inside"
    NOT_A_FILE = "not_a_file"
    """A link or a device."""

    FORGOTTEN = "forgotten"
    """Its content was forgotten here; it does not come back by import."""


class RemarkCode(StrEnum):
    """What a reader of this source should know. Of the whole source, or of one record."""

    TRUNCATED_AT_20 = "truncated_at_20"
    """Exactly 20 rows: the exporting call's default limit, so the dump may be incomplete."""

    NO_TIMES = "no_times"
    NO_WRITER = "no_writer"
    NO_OWNER = "no_owner"
    """The file names no user, agent or writer for this record."""

    NO_BYTE_RANGES = "no_byte_ranges"
    """A binary source: the record's place is a table and a row; the range is the whole file."""

    WRITTEN_AT_ASSUMED = "written_at_assumed"
    """``written_at`` is the file's own modification time."""

    TIME_ZONE_ASSUMED = "time_zone_assumed"
    MODEL_MADE = "model_made"
    """The text was produced by a model under the exporting system."""

    REFERENCE_ONLY = "reference_only"
    """A rule that people govern elsewhere: shown as a reference, never as a cell to promote."""

    DANGLING_LINK = "dangling_link"
    LATER_VERSION_EXISTS = "later_version_exists"
    TAIL_CUT = "tail_cut"
    SOURCE_CHANGED = "source_changed"
    """It was written to while it was read: its digest is of what it was before."""

    EDGE_TARGET_UNKNOWN = "edge_target_unknown"
    FOREIGN_TENANT = "foreign_tenant"
    MARKED_STALE = "marked_stale"
    MARKED_SUPERSEDED = "marked_superseded"
    MARKED_STABLE = "marked_stable"
    NO_IDS = "no_ids"
    NEXT_PAGE_EXISTS = "next_page_exists"
    """The file is one page of a list and names another page after it."""

    ENTITY_REPEATED = "entity_repeated"
    EVIDENCE_ONLY = "evidence_only"
    """The format tells what happened, not what to remember: it gives runs and no memories."""

    INSIGHT_ONLY = "insight_only"
    """A model's conclusions without their sources: they come as insights."""

    NO_DECISIONS = "no_decisions"
    """The format records no decisions of people; every run is undecided."""

    MACHINE_VERDICTS = "machine_verdicts"
    """Verdicts of models, hooks and rules are kept as notes; they are nobody's decision."""

    UNKNOWN_TYPES = "unknown_types"
    """Lines of types that this importer does not know; kept as they are and counted."""

    ARCHIVAL_ABSENT = "archival_absent"
    """Archival memory is not in such a file."""

    ONLY_RECENT = "only_recent"
    """The file holds only the latest messages."""

    SEARCH_RESULT = "search_result"
    """The file is the result of a search, not a full export."""

    CONTENT_ABSENT = "content_absent"
    """The format leaves content out by default; empty steps are normal."""

    TIMES_MADE_UP = "times_made_up"
    """Times of single messages were computed by the exporting system."""

    REWRITTEN_TEXT = "rewritten_text"
    """A model merged or rewrote the text in place; earlier wordings are gone."""

    SOURCE_LINK_ABSENT = "source_link_absent"
    """The record names no message or episode that it was taken from."""

    COPIED_LINES = "copied_lines"
    """Lines that stand in the source more than once, counted once."""

    OTHER_BRANCHES = "other_branches"
    """Branches beside the one that was followed: rewinds, retries, edits."""

    OTHER_SESSION = "other_session"
    """A summary that is of a session in another file."""

    BULK_REPLACED = "bulk_replaced"
    """Base64 content stands as a pointer with its size and digest."""

    VECTORS_DROPPED = "vectors_dropped"
    """Embeddings are not kept; only their number of dimensions."""

    ENCODED_TWICE = "encoded_twice"
    """JSON inside a JSON string, opened."""

    CONTENT_REDACTED = "content_redacted"
    """The exporting system removed content before the export."""

    DIGEST_DIFFERS = "digest_differs"
    """The file's own digest of a content is not the content's."""

    COUNTS_DIFFER = "counts_differ"
    """The file's own counts or parallel lists do not agree with what it holds."""

    IDS_REPEATED = "ids_repeated"
    """Different records under one id."""

    REFERENCES_MALFORMED = "references_malformed"
    """References to evidence that name nothing."""

    VALID_TIME_ASSUMED = "valid_time_assumed"
    """World time was taken from a date that the file gives for something else."""

    SECRETS_MASKED = "secrets_masked"
    """Secrets in a run's text were masked."""

    STEPS_CUT = "steps_cut"
    """Steps over 64 KiB, of which the beginning is kept, with a digest of the whole."""

    RENDERED_NUMBERS = "rendered_numbers"
    """Line numbers that a tool printed beside the text were taken off."""

    MAPPED_BY_PERSON = "mapped_by_person"
    """Which column is what was chosen by the person who imported it."""

    MEMBERS_PASSED_OVER = "members_passed_over"
    """Members of a folder or archive that hold no memory."""

    ENCODING_GUESSED = "encoding_guessed"
    """The text is in an older encoding, which the person chose or which was detected."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands in its source.

    ``start`` and ``end`` are a half-open byte range; ``line`` is 1-based, 0 when the source has
    no lines. ``member`` names the file inside a folder or archive, or a table and row.
    """

    line: int
    start: int
    end: int
    member: str = ""


@dataclass(frozen=True, slots=True)
class Nothing:
    """A record that was read and holds no claim."""

    reason: NothingReason


@dataclass(frozen=True, slots=True)
class Barred:
    """A record or member that is not opened, whatever the policy allows. Its outcome: refused."""

    rule: BarRule


@dataclass(frozen=True, slots=True)
class Failed:
    """A record that could not be read. ``column`` counts bytes from the record's start."""

    reason: FailReason
    column: int = 0
    name: str = ""
    """The field at fault, from our own list of field names, never from the file."""


@dataclass(frozen=True, slots=True)
class Read:
    """One record of the source: its place, its own bytes, and what was read from them."""

    place: Place
    raw: bytes
    found: Proposal | Trajectory | Nothing | Barred | Failed


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to say about the whole source."""

    code: RemarkCode
    count: int = 0


@dataclass(frozen=True, slots=True)
class Origin:
    """The imported artifact, and what read it."""

    name: str
    sha256: str
    """Of the original bytes, hex; for a folder, of its sorted member digests."""

    size: int
    media_type: str
    importer: str
    importer_version: str
    modified_at: str | None = None
    """RFC 3339; the file system's word, not the author's."""

    details: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """A source opened by an importer: who it is, and its records as a stream, read once."""

    origin: Origin
    records: Iterator[Read | Remark]
