"""Parts of the explanation of an answer that a person works with: filters, keys and numbers."""
