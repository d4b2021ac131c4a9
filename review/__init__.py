"""The rules: pure functions over values, and the desk that applies them.

Only the desk and what it is built from read and append. No module here imports a screen, a
database, a clock or a source of randomness.
"""
