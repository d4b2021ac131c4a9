"""The settings under which every database file of ours is opened, and their lock."""

from __future__ import annotations

from typing import Final

import duckdb

_SETTINGS: Final = (
    "SET force_compression='uncompressed'",  # an erased text must be findable if it is still there
    "SET temp_directory=''",  # no content spills into files that nobody scans
    "SET enable_external_access=false",
    "SET autoinstall_known_extensions=false",
    "SET autoload_known_extensions=false",
    "SET allow_community_extensions=false",
    "SET python_enable_replacements=false",
    "SET lock_configuration=true",
)


def configured(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """The connection with our settings; they are locked once they are made.

    A second connection to a file that this process holds shares them and can set nothing.
    """
    if connection.execute("select current_setting('lock_configuration')").fetchall() == [(False,)]:
        for setting in _SETTINGS:
            connection.execute(setting)
    return connection
