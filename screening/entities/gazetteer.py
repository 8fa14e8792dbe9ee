"""A word in small letters -> what lists know of it: first and last names, places, and how common a word it is."""

from collections.abc import Mapping

FIRST = 1  # first name in the census
FIRST_SURE = 2  # and mostly nothing else
LAST = 4
LAST_SURE = 8
FIRST_ABROAD = 16
LAST_ABROAD = 32
CITY = 64
CITY_PART = 128  # a word of a city's name of several words
COUNTRY = 256  # a word of the name of a country or state
COMMON_SHIFT = 9  # from here on: how common, 0 (unknown) to 7
COMMON_MOST = 7
MEDICAL = 1 << 12  # a drug or a disease
FOREIGN = 1 << 13  # a common word of another language, and of English none
GERMAN = 1 << 14  # in which nouns have capitals
TITLE_THERE = 1 << 15  # a title in the language of these lists

ANY_FIRST = FIRST | FIRST_ABROAD
ANY_LAST = LAST | LAST_ABROAD
ANY_NAME = ANY_FIRST | ANY_LAST
ANY_PLACE = CITY | CITY_PART | COUNTRY

Gazetteer = Mapping[str, int]


def commonness(code: int) -> int:
    return code >> COMMON_SHIFT & COMMON_MOST


def lists_of(code: int) -> int:
    """The code without how common the word is."""
    return code & ~(COMMON_MOST << COMMON_SHIFT)
