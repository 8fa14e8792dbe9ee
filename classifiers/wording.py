"""Words of a passage in another language -> the English words that say the same, so that one wording serves all.

English texts taught the wording of records and of what merely looks like them. What they taught holds for the others.
"""

import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources

_FILE = resources.files("classifiers") / "data" / "wording.tsv"
_ALSO_ENGLISH = "?"
_LEAST_SIGNS = 2  # words that English does not have
_UNLIKE = str.maketrans({"œ": "oe", "ß": "ss", "æ": "ae"})
_REMEMBERED = 50_000  # words

Lexicon = dict[str, tuple[str, ...]]


@cache
def _lexica() -> tuple[list[Lexicon], dict[str, tuple[int, ...]]]:
    """The English words of each word, a table a language; and the languages that a word is a sign of."""
    lines = [line for line in _FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    lexica: list[Lexicon] = [{} for _ in lines[0].split("\t")[1:]]
    signs: dict[str, tuple[int, ...]] = {}
    for line in lines[1:]:
        english, *cells = line.split("\t")
        for number, cell in enumerate(cells):
            for marked in cell.split():
                word = marked.removesuffix(_ALSO_ENGLISH)
                lexica[number][word] = (*lexica[number].get(word, ()), english)
                if word == marked and number not in signs.get(word, ()):
                    signs[word] = (*signs.get(word, ()), number)
    return lexica, signs


@lru_cache(maxsize=_REMEMBERED)
def _plain(word: str) -> str:
    if word.isascii():
        return word
    letters = unicodedata.normalize("NFKD", word.translate(_UNLIKE))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def in_english(words: Sequence[str]) -> list[str]:
    """What the known words of a passage, in small letters, mean; nothing in English and in unknown languages."""
    lexica, signs = _lexica()
    plain = [word if word.isascii() else _plain(word) for word in words]
    counts = [0] * len(lexica)
    for languages in map(signs.get, plain):
        for number in languages or ():
            counts[number] += 1
    most = max(counts, default=0)
    if most < _LEAST_SIGNS:
        return []
    lexicon = lexica[counts.index(most)]
    return [english for word in plain for english in lexicon.get(word, ())]
