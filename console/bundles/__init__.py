"""Bundles on the disk: checkouts that are looked at, folders that are written and read."""
