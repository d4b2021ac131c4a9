"""Questions that the proof of an exported rule asks of the log."""

from __future__ import annotations

from typing import Final

LEAVES_BEFORE: Final = (
    "select sha256('\\x00'::blob || canon) as leaf from log_event where seq < :size order by seq"
)
"""Leaf hashes, hex, of the first ``size`` events. Source: RFC 9162, 2.1.1."""

CANON: Final = "select canon from log_event where seq = :seq"
"""The bytes of one event."""

SIGNED: Final = "select statement, sshsig from log_signature where statement_sha256 = :statement"
"""What was signed, and the signature."""

CHECKPOINT: Final = "select note from log_checkpoint where size = :size"
"""The head after a signed event, as a note."""

REVIEWERS: Final = (
    "select s.statement, s.sshsig from log_event e join log_signature s"
    " on s.statement_sha256 = json_extract_string(decode(e.canon), '$.body.statement')"
    " where e.type = 'reviewer.added' and e.seq < :seq order by e.seq"
)
"""Who was let in before an event, by signed statements."""

MADE_FROM: Final = (
    "select p.text_c as content from proj_item p join wanted w on w.item = p.item"
    " union select r.run_c from proj_run r join wanted w on w.item = r.item"
)
"""Commitments of the words of cells and runs; what is made from them goes with them."""

EXPORTED_FROM: Final = (
    "select distinct l.parent, l.child from wanted w join vault_lineage l"
    " on l.parent = w.commitment where l.relation = 'exported_from' order by l.parent, l.child"
)
"""What left as rules and quotes the contents in ``wanted(commitment)``."""
