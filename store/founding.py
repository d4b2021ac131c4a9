"""The first transaction of a store: its tables, who it is, its digest key and its first event."""

from __future__ import annotations

from sqlmodel import Session

from store import appending, judging, migrations
from store.connections import Opener
from store.log import Entry
from store.standing import Standing
from store.tables import IdentityRow, KeyRow


def found(opener: Opener, store_id: str, tenant_id: str, key: bytes, first: Entry) -> None:
    """Fill an empty database so that it is a store whose log holds ``first``."""
    with opener.work() as connection:
        migrations.bring_up_to_date(connection)
        with Session(connection) as session:
            session.add(IdentityRow(store=store_id, tenant=tenant_id, version=migrations.KNOWN))
            session.add(KeyRow(name="digest", body=key))
            session.flush()
        judge = judging.Judge(connection)
        standing = Standing(store_id, tenant_id, None)
        appending.append(connection, first, after=0, standing=standing, judge=judge)
