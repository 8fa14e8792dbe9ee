"""Spans that people mark in revealed texts, for a corpus of their own."""
