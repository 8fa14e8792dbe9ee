"""What was found -> contained: actions on files that one person proposes, another approves, and a journal survives."""
