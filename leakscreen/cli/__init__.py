"""The commands and their options, one module a family; nothing heavy is imported before a command runs."""
