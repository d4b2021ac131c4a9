"""How accepted knowledge leaves memory: as a rule export that a person signs, never otherwise."""
