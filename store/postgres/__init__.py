"""A store whose log and vault are kept in a PostgreSQL database."""
