"""The commands and their options, one module per family; nothing heavy is imported until a command runs."""
