"""From an opened source to staged records: policy first, secrets masked, then one append."""
