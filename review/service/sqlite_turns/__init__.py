"""A database backend: Django's SQLite, in which writers wait for their turn instead of polling."""
