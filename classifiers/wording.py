"""Words of a passage in another language -> the English words that say the same, so that one wording serves all.

English texts taught the wording of records and of what merely looks like them. What they taught holds for the others.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

_FOLDER = resources.files("classifiers") / "data"
_WORDS_FILE = _FOLDER / "wording.tsv"
_TERMS_FILE = _FOLDER / "terms_in_english.tsv"
_ALSO_ENGLISH = "?"
_ENDING = "-"  # begins the last part of compound words
_SHORTEST_REST = 3  # letters before an ending
_LEAST_SIGNS = 2  # words that English does not have
_UNLIKE = str.maketrans({"œ": "oe", "ß": "ss", "æ": "ae"})
_REMEMBERED = 50_000  # words
_WORD = re.compile(r"[^\W\d_]+")
_READ_CHARACTERS = 1_500  # by which the language of a passage is known


class _Lexicon(NamedTuple):
    """What the words of one language say in English."""

    words: dict[str, tuple[str, ...]]
    terms: dict[str, str]  # medical ones
    endings: dict[str, str]
    compound: re.Pattern[str] | None  # a word with one of these endings


@cache
def _lexica() -> list[_Lexicon]:
    words: list[dict[str, tuple[str, ...]]] = []
    for english, number, marked in _cells(_WORDS_FILE):
        words += [{} for _ in range(number + 1 - len(words))]
        word = marked.removesuffix(_ALSO_ENGLISH)
        words[number][word] = (*words[number].get(word, ()), english)
    terms: list[dict[str, str]] = [{} for _ in words]
    endings: list[dict[str, str]] = [{} for _ in words]
    for english, number, word in _cells(_TERMS_FILE):
        if word.startswith(_ENDING):
            endings[number][word.removeprefix(_ENDING)] = english
        else:
            terms[number][word] = english
    return [_Lexicon(*of_one, _compound(of_one[2])) for of_one in zip(words, terms, endings, strict=True)]


def _compound(endings: dict[str, str]) -> re.Pattern[str] | None:
    longest_first = sorted(endings, key=len, reverse=True)
    return re.compile(rf"\w{{{_SHORTEST_REST},}}?({'|'.join(longest_first)})") if endings else None


@cache
def _signs() -> dict[str, tuple[int, ...]]:
    """The languages that a word is a sign of."""
    signs: dict[str, tuple[int, ...]] = {}
    for _, number, word in _cells(_WORDS_FILE):
        if not word.endswith(_ALSO_ENGLISH) and number not in signs.get(word, ()):
            signs[word] = (*signs.get(word, ()), number)
    return signs


def _cells(file: Traversable) -> Iterator[tuple[str, int, str]]:
    """Each word of a file with the English one and the number of its language."""
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    for line in lines[1:]:
        english, *cells = line.split("\t")
        for number, cell in enumerate(cells):
            for word in cell.split():
                yield english, number, word


@lru_cache(maxsize=_REMEMBERED)
def _plain(word: str) -> str:
    if word.isascii():
        return word
    letters = unicodedata.normalize("NFKD", word.translate(_UNLIKE))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def in_english(words: Sequence[str]) -> list[str]:
    """What the known words of a passage, in small letters, mean; nothing in English and in unknown languages."""
    plain = list(map(_plain, words))
    lexicon = _lexicon_of(plain)
    if lexicon is None:
        return []
    return [
        english
        for word in plain
        for english in dict.fromkeys((*lexicon.words.get(word, ()), *lexicon.terms.get(word, "").split()))
    ]


def with_english_terms(text: str) -> str:
    """A passage with the English terms in place of its medical words, as most was learned about what these weigh."""
    lexicon = _lexicon_of([_plain(word) for word in _WORD.findall(text[:_READ_CHARACTERS].lower())])
    return text if lexicon is None else _WORD.sub(lambda match: _term(match[0], lexicon), text)


def _term(word: str, lexicon: _Lexicon) -> str:
    plain = _plain(word.lower())
    if plain in lexicon.terms:
        return lexicon.terms[plain]
    compound = lexicon.compound.fullmatch(plain) if lexicon.compound else None
    return lexicon.endings[compound[1]] if compound else word


def _lexicon_of(words: Sequence[str]) -> _Lexicon | None:
    """Of the language that most of the words are a sign of."""
    lexica, signs = _lexica(), _signs()
    counts = [0] * len(lexica)
    for languages in map(signs.get, words):
        for number in languages or ():
            counts[number] += 1
    most = max(counts, default=0)
    return lexica[counts.index(most)] if most >= _LEAST_SIGNS else None
