"""The breach report in the browser: what its page needs of the front door."""
