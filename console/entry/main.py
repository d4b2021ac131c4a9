"""The script that Streamlit runs, once for every turn of every session."""

from __future__ import annotations

from console.app import main

main()
