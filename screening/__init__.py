"""Text -> PII vector -> Hamming distance to prototypes -> rules fired."""
