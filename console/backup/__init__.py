"""Backups of a workspace: written, told, deleted on their day, and put back in place."""
