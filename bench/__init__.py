"""Every figure we quote, computed here: ``python -m bench NAME [--json FILE]``."""
