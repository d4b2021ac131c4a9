"""From admitted candidates to what is handed over: trimmed, cleaned, quoted."""
