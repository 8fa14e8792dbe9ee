"""Annotated corpora and prediction files, one module a format -> documents with their spans."""
