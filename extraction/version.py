"""The version of what extraction yields; a raise makes earlier results stale, so that files are read again."""

EXTRACTOR_VERSION: int = 5
