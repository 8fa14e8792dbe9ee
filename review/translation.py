"""Words of the pages -> the same in the reader's language; Django's own functions with types."""

from typing import cast

from django.utils import translation


def gettext(words: str) -> str:
    return str(translation.gettext(words))


def ngettext(one: str, many: str, number: float) -> str:
    return str(translation.ngettext(one, many, number))


def gettext_noop(words: str) -> str:
    """Marks words that are translated later, by a variable."""
    return words


def gettext_lazy(words: str) -> str:
    """For what is written before a reader is known: it becomes words when a page is made."""
    return cast(str, translation.gettext_lazy(words))
