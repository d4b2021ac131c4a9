"""What overrides, contradicts and carries what: pictures, edges by hand, effects of an act."""
