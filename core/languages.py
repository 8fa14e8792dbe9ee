"""The languages whose names, labels and medical terms the models know."""

JUDGED = frozenset({"en", "fr", "es", "de"})
_NOT_JUDGED = "language not judged"
UNKNOWN = "und"  # running text in a language that the detector does not know either


def is_judged(language: str | None) -> bool:
    """A text without a language, such as a table of numbers, needs no knowledge of one."""
    return language is None or language in JUDGED


def reason_not_judged(language: str) -> str:
    return f"{_NOT_JUDGED} ({language})"


def says_not_judged(reason: str) -> bool:
    return reason.startswith(_NOT_JUDGED)
