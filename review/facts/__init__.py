"""From text to facts: the parameter table, normal forms, and the parsers behind one protocol."""
