"""One module per command: what it does, apart from its options, which are in cli/."""
