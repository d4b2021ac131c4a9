"""Holds the script that Streamlit runs, and may hold nothing else.

It stands apart because Streamlit takes a folder called ``pages`` beside its script for pages of
its own older kind, and would run our modules one by one.
"""
