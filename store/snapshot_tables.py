"""What is in a published snapshot: the tables a reader asks, and what it verifies them by.

Names are those of the store, so that the same queries run on both. Of cells that are not durable
there is nothing but ids and digests that somebody has signed.
"""

from __future__ import annotations

from typing import Final

VERSION: Final = 2
"""Of these tables. A snapshot of another version is refused, and published again."""

_MOST_ITEMS: Final = 1 << 20
"""More than one batch event has."""

TABLES: Final = {
    "log_identity": "store varchar, tenant varchar, version bigint",
    "log_event": "seq bigint primary key, canon blob, h blob, type varchar, recorded_at varchar",
    "log_leaf": "place bigint primary key, seq bigint, ordinal bigint, canon blob",
    "log_signature": "statement_sha256 varchar primary key, statement blob, sshsig varchar",
    "vault_payload": "commitment varchar primary key, salt blob, role varchar, body blob",
    "proj_item": """
        item varchar, rev bigint, seq bigint, n bigint, import varchar, importer varchar,
        kind varchar, source_type varchar, digest varchar, text_c varchar, provenance_c varchar,
        scope_c varchar, facts_c varchar, conclusion_c varchar, valid_from varchar,
        valid_to varchar, expires_at varchar, latest boolean, stage varchar,
        primary key (item, rev)""",
    "pub_leaf_hash": "seq bigint, hash blob",
    "pub_artifact": "item varchar, rev bigint, digest varchar",
    "pub_text": "name varchar, body blob",
}
"""Tables and their columns. ``pub_leaf_hash`` holds the hash of every event of the log, from which
the Merkle root at each size follows; ``pub_artifact`` which artifact each decided item had."""

LEAVES: Final = "select place, canon from log_leaf where place in"
"""By one number, because only a key of one column is looked up by its index."""


def place(seq: int, ordinal: int) -> int:
    """The key of the item ``ordinal`` of the batch event ``seq``."""
    return seq * _MOST_ITEMS + ordinal


def place_of(leaf: str) -> str:
    """The same, as a query says it of the rows of ``log_leaf`` that it calls ``leaf``."""
    return f"{leaf}.seq * {_MOST_ITEMS} + {leaf}.ordinal"


DURABLE_ITEMS: Final = (
    "select p.item, p.rev, p.seq, p.n, p.import, p.importer, p.kind, p.source_type, p.digest,"
    " p.text_c, p.provenance_c, p.scope_c, p.facts_c, p.conclusion_c, p.valid_from, p.valid_to,"
    " p.expires_at, p.latest, 'durable' as stage from wanted w"
    " join proj_item p on p.item = w.item and p.rev = w.rev and p.digest = w.digest"
)
"""The durable cells. ``wanted(item, rev, digest)`` says which."""

DURABLE_LEAVES: Final = (
    f"select {place_of('l')} as place, l.seq, l.ordinal, l.canon from wanted w"
    " join proj_item p on p.item = w.item and p.rev = w.rev and p.digest = w.digest"
    " join log_leaf l on l.seq = p.seq and l.ordinal = p.n"
)

_COMMITTED: Final = (
    "select distinct unnest([p.text_c, p.provenance_c, p.scope_c, p.facts_c, p.conclusion_c,"
    " json_extract_string(decode(l.canon), '$.artifact.pointer')]) as commitment from wanted w"
    " join proj_item p on p.item = w.item and p.rev = w.rev and p.digest = w.digest"
    " join log_leaf l on l.seq = p.seq and l.ordinal = p.n"
)

DURABLE_PAYLOADS: Final = (
    f"with committed as ({_COMMITTED})"
    " select v.commitment, v.salt, v.role, v.body from committed c"
    " join vault_payload v on v.commitment = c.commitment"
)
"""What durable cells commit to, and nothing of a record's own bytes."""

EVENTS: Final = (
    "select seq, canon, h, type, recorded_at from log_event where type in (select type from kinds)"
    " or seq in (select max(seq) from log_event where type in (select type from newest)"
    " group by type)"
)
"""Events that have an effect with a signature, and the newest of some other types."""

BATCH_EVENTS: Final = (
    "select e.seq, e.canon, e.h, e.type, e.recorded_at from wanted w"
    " join log_event e on e.seq = w.seq"
)

SIGNATURES: Final = "select statement_sha256, statement, sshsig from log_signature"

SIGNED_ARTIFACTS: Final = (
    "select p.item, p.rev, p.digest from proj_item p where p.stage <> 'staged'"
    " or exists (select 1 from proj_decision d where d.item = p.item and d.rev = p.rev)"
    " or exists (select 1 from proj_link k where (k.item = p.item and k.rev = p.rev)"
    " or (k.target = p.item and k.target_rev = p.rev))"
)
"""Which artifact each cell had that somebody signed anything about."""

EVENT_BYTES: Final = (
    "select seq, canon from log_event where seq >= :start and seq < :stop order by seq"
)

PARAMETERS: Final = "parameters"
"""The text in ``pub_text`` that extends the table facts are read with."""
