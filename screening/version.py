"""The version of what screening finds in a text: raised when code changes that, so that no older finding is kept."""

SCREENER_VERSION: int = 6
