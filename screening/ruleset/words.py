"""Lists of words in rule files -> the expressions that `{{name}}` means in the patterns beside them."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from core.checks import did_you_mean
from core.errors import RuleError

_USE = re.compile(r"\{\{(\w+)\}\}")
_SPELLED_OUT = {"ß": "ss", "œ": "oe", "æ": "ae", "ø": "o"}
_OPEN_END = "*"

SIGNS = "signs"  # the list of words by which a text is seen to be in the language of the folder, at least in part

Lists = Mapping[str, Sequence[str]]


def words_by_folder(documents: Sequence[tuple[str, dict[str, Any]]]) -> dict[str, dict[str, tuple[str, ...]]]:
    """The `[words]` of all files of a folder together: the files of a language share them."""
    folders: dict[str, dict[str, tuple[str, ...]]] = {}
    for file, document in documents:
        own = folders.setdefault(folder_of(file), {})
        for name, words in document["words"].items():
            if not isinstance(words, list) or not words or not all(isinstance(word, str) and word for word in words):
                raise RuleError(f"{file}: [words] {name} must be a list of words")
            if name in own:
                raise RuleError(f"{file}: [words] {name} is already taken in this folder; choose another name")
            own[name] = tuple(words)
    return folders


def folder_of(file: str) -> str:
    return str(PurePath(file).parent)


def filled_in(expression: str, lists: Lists, *, ignore_case: bool, place: str) -> str:
    """The expression with its lists: whole words, with or without their accents.

    Where case matters, a word in small letters may also begin with a capital, and each may be all in capitals.
    """

    def alternatives(use: re.Match[str]) -> str:
        if use[1] not in lists:
            raise RuleError(f"{place}: there is no [words] {use[1]!r} in its folder{did_you_mean(use[1], lists)}")
        words = lists[use[1]] if ignore_case else {form for word in lists[use[1]] for form in _writings(word)}
        longest_first = sorted(words, key=lambda word: (-len(word), word))
        return f"(?:{'|'.join(_expression(word, ignore_case=ignore_case) for word in longest_first)})"

    return _USE.sub(alternatives, expression)


def _writings(word: str) -> tuple[str, ...]:
    return (word, word.upper().replace("ß", "SS")) if word != word.lower() else (word, word.capitalize(), word.upper())


def _expression(word: str, *, ignore_case: bool) -> str:
    """A word of its own; one that ends in `*` may go on.

    Boundaries of words are those of ASCII, so a letter with an accent has none beside it.
    """
    is_open = word.endswith(_OPEN_END)
    letters = word.rstrip(_OPEN_END)
    parts = [_letter(letter, ignore_case=ignore_case) for letter in letters]
    plain = [_plain(letter) for letter in letters]
    if len(letters) == 1:
        return _bounded(letters, parts[0], plain[0], r"\b{}" if is_open else r"\b{}\b")
    parts[0] = _bounded(letters[0], parts[0], plain[0], r"\b{}")
    if not is_open:
        parts[-1] = _bounded(letters[-1], parts[-1], plain[-1], r"{}\b")
    return "".join(parts)


def _bounded(letter: str, part: str, plain: str, form: str) -> str:
    if letter.isascii():
        return form.format(part) if letter.isalnum() else part
    return f"(?:{form.format(plain)}|{part})" if plain != letter and plain.isascii() else part


def _letter(letter: str, *, ignore_case: bool) -> str:
    if letter == " ":
        return " {1,2}"
    if letter.isascii():
        return re.escape(letter)
    if letter in _SPELLED_OUT:
        return f"(?:{letter}|{_SPELLED_OUT[letter]})"
    forms = {letter, _plain(letter)}
    if ignore_case:  # without accents, capitals are those of ASCII
        forms |= {letter.lower(), letter.upper()}
    return f"[{''.join(sorted(forms))}]" if len(forms) > 1 else letter


def _plain(letter: str) -> str:
    if letter in _SPELLED_OUT:
        return _SPELLED_OUT[letter]
    return "".join(each for each in unicodedata.normalize("NFD", letter) if not unicodedata.combining(each))
