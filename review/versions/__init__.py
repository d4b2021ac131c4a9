"""New versions of durable records, and in what one differs from the one before."""
