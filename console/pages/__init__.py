"""One module a page, each a function of the desk. Pages do not know each other."""
