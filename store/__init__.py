"""The log, the vault, the proofs, and at the bottom the words everybody uses.

Nothing here decides anything about memory, draws anything, reads a clock or an environment
variable. Nothing here can change or remove an event.
"""
