"""Claude Code transcripts and notes, read."""
