"""Files -> copies without the people in them, each read again before it is handed over."""
