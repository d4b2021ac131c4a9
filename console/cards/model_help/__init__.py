"""What pages draw of asking a model: what would be sent, the backlog, and settings."""
