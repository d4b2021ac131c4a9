"""The files behind a forget request: the rewrite, the copies beside the store, the search."""
