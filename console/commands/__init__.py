"""The commands of ``memory-console``, one module each. They import heavy things when they run.

There is no command here that makes a record durable or turns one into a rule: those are acts of a
person in the console.
"""
