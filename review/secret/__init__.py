"""What secrets look like, for ``review.secrets``."""
