"""The version of what extraction yields; raising it makes earlier results stale, so files are read again."""

EXTRACTOR_VERSION: int = 5
