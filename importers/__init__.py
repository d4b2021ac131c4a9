"""Foreign formats in, records out. One format, one file; nothing here stores anything."""
