"""The link to what a page shows."""
