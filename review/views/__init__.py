"""Requests -> pages; each view says which roles may ask for it."""
