"""Text -> the same with digits that OCR put into words turned back into letters, at the same places."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from screening.names.figure_places import FigurePlaces

_SUSPECT = re.compile(r"[01358](?=[A-Za-z])(?:(?<=[A-Za-z].)[A-Za-z]|(?<=\b0)[a-wyz][a-z]{3})")
# Lengths are bounded: programs have runs of a hundred thousand capitals, which would take the square of that in steps.
# A capital, then letters with one or two digits among them: `Barthol0mew`, `F1nch`, `TYR0NE`, `0livia`.
_INSIDE = (
    r"[A-Z0][a-z]{0,30}(?:[01358][a-z]{1,30}){1,2}[01358]?|0(?!x)[a-z]{4,30}"
    r"|[A-Z]{0,30}(?:[01358][A-Z]{3,30}|[A-Z]{3,30}[01358][A-Z]{1,30})"
)
_AT_THE_END = (
    r"[A-Z][a-z]{3,30}[01358]|[A-Z]{4,30}[01358]"  # `Page1` is none; behind another such word it is: `J0hn Petrenk0`
)
_WORD = re.compile(rf"(?<![\w.:/@#=&%\"'-])(?:(?:{_INSIDE})(?: (?:{_AT_THE_END}))?)(?![\w:/@#=&%(\[-])(?!\.\w)")
# A small l among capitals is an I: `MARGUERlTE`, `BHEKl`.
_SMALL_L = re.compile(r"l(?<=[A-Z]{2}l)(?:[A-Z]|\b)")
_CAPITALS_WITH_L = re.compile(
    r"(?<![\w.:/@#=&%\"'-])(?=[A-Z]{1,30}l)(?=[A-Zl]*?[A-Z]{3})[A-Zl]{5,30}(?![\w:/@#=&%(\[-])"
)
_LONGEST_START = 64  # characters of such a word before its last digit but that at its end
_FEWEST_LETTERS = 4
_FEWEST_CAPITALS = 7  # where a digit is more often meant than misread: genes and other codes have fewer
_RARE = re.compile("[358]")
_SMALL = str.maketrans("0358", "oesb")
_CAPITAL = str.maketrans("0358", "OESB")
_VOWELS = frozenset("aeiouyAEIOUY")


def mended(text: str, places: FigurePlaces) -> str:
    """Only words of mostly letters change, on lines with such a digit; codes such as `B12` and `utf8` do not."""
    if any(_SMALL_L.match(text, place) is not None for place in places.small_ls):
        text = _CAPITALS_WITH_L.sub(lambda match: match.group().replace("l", "I"), text)
    pieces: list[str] = []
    at = 0
    for match in _misread_words(text, places.misread):
        pieces += (text[at : match.start()], _mended_word(match))
        at = match.end()
    return "".join((*pieces, text[at:])) if pieces else text


def _misread_words(text: str, places: Sequence[int]) -> Iterator[re.Match[str]]:
    """Those of lines in which a digit is surely misread; each has one of these places in it."""
    first = at = 0
    while first < len(places):
        end = text.find("\n", places[first])
        end = len(text) if end < 0 else end
        last = bisect_left(places, end, first)
        if any(_SUSPECT.match(text, place) is not None for place in places[first:last]):
            for start in _word_starts(text, places[first:last]):
                if start >= at and (match := _WORD.match(text, start, end)) is not None:
                    yield match
                    at = match.end()
        first = last


def _word_starts(text: str, places: Iterable[int]) -> Iterator[int]:
    """Where the letters and figures begin in which these places are, each once; not those that are too far away."""
    before = -1
    for place in places:
        at, least = place, max(before + 1, place - _LONGEST_START, 0)
        while at > least and text[at - 1].isalnum():
            at -= 1
        is_another = at > before + 1 or before < 0  # than that of the last place
        if is_another and not text[max(0, at - 1) : at].isalnum():
            yield at
        before = place


def _mended_word(match: re.Match[str]) -> str:
    return " ".join(map(_with_letters, match.group().split(" ")))


def _with_letters(word: str) -> str:
    letters = sum(map(str.isalpha, word))
    if letters < (_FEWEST_CAPITALS if word.isupper() and _RARE.search(word) is not None else _FEWEST_LETTERS):
        return word
    first = "O" if word[0] == "0" else word[0]
    rest = word[1:].translate(_CAPITAL if word[1:].upper() == word[1:] else _SMALL)
    return "".join(_one(word, at) if letter == "1" else letter for at, letter in enumerate(first + rest))


def _one(word: str, at: int) -> str:
    """A misread 1 is an l beside vowels, else an i."""
    letter = "l" if {word[at - 1 : at], word[at + 1 : at + 2]} & _VOWELS else "i"
    return letter.upper() if word.isupper() else letter
