"""The version of what extraction yields; raising it makes earlier results stale, so files are read again."""

# After a change, `python -m tests.extraction.extraction_code raise` raises it, or `same` records that no text changed.
EXTRACTOR_VERSION: int = 40
