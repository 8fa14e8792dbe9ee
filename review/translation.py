"""Words of the pages -> the same in the reader's language; Django's own functions with types."""

import re
from functools import lru_cache
from typing import cast

from django.utils import translation
from django.utils.formats import number_format

from core.in_words import spoken_size

_REMEMBERED = 4_096


def gettext(words: str) -> str:
    return _said(translation.get_language() or "", words)


@lru_cache(maxsize=_REMEMBERED)
def _said(_language: str, words: str) -> str:
    """A page says the same few words for each of its rows; the language is that of the thread."""
    return str(translation.gettext(words))


def ngettext(one: str, many: str, number: float) -> str:
    return str(translation.ngettext(one, many, number))


def gettext_noop(words: str) -> str:
    """Marks words that are translated later, by a variable."""
    return words


def gettext_lazy(words: str) -> str:
    """For what is written before a reader is known: it becomes words when a page is made."""
    return cast(str, translation.gettext_lazy(words))


def number(value: float, places: int = 0) -> str:
    """With the marks for thousands and decimals of the reader's locale."""
    return str(number_format(round(value, places), places, use_l10n=True, force_grouping=True))


_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")


def regrouped(text: str) -> str:
    """Numbers that programs wrote as 12,345 -> with the reader's own mark between thousands."""
    return _GROUPED.sub(lambda found: number(int(found[0].replace(",", ""))), text)


def localised_size(size: float) -> str:
    """As the reports write sizes, which browsers and Django count in other units."""
    amount, _, unit = spoken_size(size).partition(" ")
    _, _, decimals = amount.partition(".")
    return f"{number(float(amount), len(decimals))} {gettext(unit)}"
