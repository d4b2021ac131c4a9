"""What people touch: it draws and calls, and decides nothing."""
