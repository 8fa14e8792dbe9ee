"""One module a command: what the front door does behind the words of cli.py."""
