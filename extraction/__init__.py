"""Bytes -> media type -> text, inside a sandbox."""
