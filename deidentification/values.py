"""Values of an original -> where they still are in a text, however they are spaced, accented or capitalised."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from screening.entities.gazetteer import commonness

_WORD = re.compile(r"[^\W_]+")
_GAP = re.compile(r"[\W_]{0,3}")  # between two words of one value
_MOMENT = re.compile(r"(?:19|20)\d{10}(?:\d\d)?")  # a day and the time behind it, as messages write it
_DAY = 8  # digits
_MOST_WORDS = 16
_LEAST_LETTERS = 2
_LEAST_DIGITS = 4
_SHORT = 3  # letters, up to which a word in small letters is no name
_ORDINARY = 2  # how common a word may be and still be replaced in small letters too
_FILLER = 6  # and from which it tells nothing in capitals either
_MOST_REMEMBERED = 65_536
TITLES = frozenset(
    {"dr", "prof", "professor", "doctor", "mr", "mrs", "ms", "miss", "md", "phd", "rn", "np", "do", "pa", "dds", "dre"}
    | {"herr", "frau", "m", "mme", "sr", "sra", "dipl"}
)


class Value(NamedTuple):
    """What was found in the original: it holds content, and never leaves the process."""

    characteristic: str
    text: str


class Place(NamedTuple):
    start: int
    end: int
    value: Value


def is_filler(word: str, lists: Mapping[str, int]) -> bool:
    """`of` and `The` between two replacements tell nothing; in small letters, no common word does."""
    common = commonness(lists.get(word.casefold(), 0))
    return common >= _FILLER or (word.islower() and common > _ORDINARY)


@lru_cache(maxsize=_MOST_REMEMBERED)
def plain(word: str) -> str:
    """Small letters without accents, in their usual form."""
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(one for one in decomposed if not unicodedata.combining(one))


class Values:
    """All values of one file that may be nowhere in its copy."""

    def __init__(self, lists: Mapping[str, int]) -> None:
        self.lists = lists
        self._by_joined: dict[str, list[Value]] = {}
        self._heads: set[str] = set()
        self._most_words = 1

    def __len__(self) -> int:
        return len(self._by_joined)

    def add(self, value: Value) -> bool:
        """Whether it is new, and long enough to be looked for."""
        words = [plain(word) for word in _WORD.findall(value.text)][:_MOST_WORDS]
        joined = "".join(words)
        if not self._is_telling(joined):
            return False
        known = self._by_joined.setdefault(joined, [])
        if any(one.text == value.text for one in known):
            return False
        known.append(value)
        self._heads.add(joined[:_LEAST_LETTERS])
        self._most_words = max(self._most_words, min(2 * len(words), _MOST_WORDS), 4)
        return True

    def update(self, values: Iterable[Value]) -> bool:
        return sum(self.add(value) for value in values) > 0

    @staticmethod
    def _is_telling(joined: str) -> bool:
        digits = sum(one.isdigit() for one in joined)
        if digits == len(joined):
            return digits >= _LEAST_DIGITS
        return len(joined) >= _LEAST_LETTERS

    def places(self, text: str) -> Iterator[Place]:
        """In the order of the text; none overlaps another, and the longest at a place counts."""
        words = [(match.start(), match.end(), plain(match.group())) for match in _WORD.finditer(text)]
        at = 0
        while at < len(words):
            found = self._longest(text, words, at)
            if found is None:
                at += 1
            else:
                place, at = found
                yield place

    def _longest(self, text: str, words: list[tuple[int, int, str]], at: int) -> tuple[Place, int] | None:
        start, end, joined = words[at]
        best = None
        is_day = joined not in self._by_joined and _MOMENT.fullmatch(joined)
        if is_day and (known := self._by_joined.get(joined[:_DAY])):
            return Place(start, start + _DAY, known[0]), at + 1
        if joined[:_LEAST_LETTERS] not in self._heads and len(joined) >= _LEAST_LETTERS:
            return None
        for behind in range(at + 1, min(at + self._most_words, len(words)) + 1):
            end = words[behind - 1][1]
            if behind > at + 1:
                if _GAP.fullmatch(text, words[behind - 2][1], words[behind - 1][0]) is None:
                    break
                joined += words[behind - 1][2]
            for value in self._by_joined.get(joined, ()):
                if self._is_meant(value, text[start:end]):
                    best = Place(start, end, value), behind
                    break
        return best

    def _is_meant(self, value: Value, here: str) -> bool:
        """`Will` is not `will`, but `Thompson` is `thompson`."""
        if here == value.text or not value.text.isalpha() or not here.islower():
            return True
        return len(here) > _SHORT and commonness(self.lists.get(here, 0)) < _ORDINARY
