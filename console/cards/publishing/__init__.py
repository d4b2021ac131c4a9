"""What people publish for agents from a page."""
