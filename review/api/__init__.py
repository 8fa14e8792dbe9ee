"""The service for programs: REST with tokens, by the functions that the pages use."""
