"""Rules as bundles of files: what is in them, how they are signed, and how they are checked."""
