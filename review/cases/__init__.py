"""Cases: what is done about a file after people decided that it holds health information."""
