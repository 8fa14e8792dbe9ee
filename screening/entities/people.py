"""The words of a person's name -> first names, last name and initials, or the name of a health professional."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from screening.entities.gazetteer import ANY_FIRST, ANY_LAST, FIRST_SURE, LAST_SURE, Gazetteer
from screening.entities.word_groups import words_of
from screening.entities.words import plain_form

FIRST_NAME = "first_name"
LAST_NAME = "last_name"
INITIALS = "initials"
PROFESSIONAL = "health_professional_name"

_DOCTORS = words_of("doctors")
_DEGREES = words_of("degrees")
_LAST_NAME_TITLES = words_of("titles_of_last_names")
_SUFFIXES = words_of("suffixes")
_PARTICLES = words_of("joined_to_last_names")
_JOINS = frozenset({"-", "'", "’", "‐"})


class Piece(NamedTuple):  # made by the thousand: a tuple takes a third of the time
    text: str
    start: int
    end: int


class NamePart(NamedTuple):
    start: int
    end: int
    characteristic: str


def parts(
    name: Sequence[Piece], before: Sequence[str], after: Sequence[str], gazetteer: Gazetteer, known: Mapping[str, str]
) -> list[NamePart]:
    """`before` and `after` are the words around the name, nearest first; `known`: the parts of names seen in full."""
    if is_professional(before, after):
        return [NamePart(name[0].start, name[-1].end, PROFESSIONAL)]
    return parts_of_anybody(name, before, gazetteer, known)


def parts_of_anybody(
    name: Sequence[Piece], before: Sequence[str], gazetteer: Gazetteer, known: Mapping[str, str]
) -> list[NamePart]:
    """Of a name that is known to be no health professional's."""
    name_parts: list[NamePart] = []
    for line in _lines(name):
        comma = next((at for at, piece in enumerate(line) if piece.text == ","), None)
        if (
            comma is not None
            and any(_is_word(piece) for piece in line[:comma])
            and any(_is_word(piece) for piece in line[comma + 1 :])
        ):
            name_parts += _family(_words(line[:comma]))
            name_parts += [
                NamePart(word.start, word.end, _given(word)) for word in _words(line[comma + 1 :]) if _unsuffixed(word)
            ]
        else:
            name_parts += _in_order(_words(line), before, gazetteer, known)
    return name_parts


def is_title_of_last_names(word: str) -> bool:
    return plain_form(word) in _LAST_NAME_TITLES


def is_professional(before: Sequence[str], after: Sequence[str]) -> bool:
    near = next((word for word in before if word != "."), "")
    if near and plain_form(near) in _DOCTORS:
        return True
    if not after or after[0] not in (",", "("):
        return False
    behind = next((word for word in after if word not in (",", "(", ".")), "")
    return bool(behind) and behind[0].isupper() and is_degree(behind)


def _lines(name: Sequence[Piece]) -> list[list[Piece]]:
    lines: list[list[Piece]] = [[]]
    for piece in name:
        if piece.text.isspace() or piece.text in ("|", ";", "/", "&", "and", "^", "<", ">"):
            lines.append([])
        else:
            lines[-1].append(piece)
    return [line for line in lines if any(_is_word(piece) for piece in line)]


def _is_word(piece: Piece) -> bool:
    return piece.text[0].isalpha()


def _words(pieces: Sequence[Piece]) -> list[Piece]:
    """Hyphenated names in one piece."""
    words: list[Piece] = []
    joined = False
    for piece in pieces:
        if piece.text in _JOINS and words and piece.start == words[-1].end:
            joined = True
        elif _is_word(piece):
            if joined and words and piece.start - words[-1].end == 1:
                words[-1] = Piece(words[-1].text + piece.text, words[-1].start, piece.end)
            else:
                words.append(piece)
            joined = False
    return words


def is_degree(word: str) -> bool:
    return word.lower() in _DEGREES


def is_suffix(word: str) -> bool:
    return word.lower() in _SUFFIXES


def _unsuffixed(piece: Piece) -> bool:
    return not is_suffix(piece.text)


def _given(piece: Piece) -> str:
    return INITIALS if len(piece.text) == 1 else FIRST_NAME


def _family(words: Sequence[Piece]) -> list[NamePart]:
    return [NamePart(words[0].start, words[-1].end, LAST_NAME)] if words else []


def _in_order(
    words: Sequence[Piece], before: Sequence[str], gazetteer: Gazetteer, known: Mapping[str, str]
) -> list[NamePart]:
    words = [word for word in words if _unsuffixed(word)]
    if not words:
        return []
    if len(words) == 1:
        return [NamePart(words[0].start, words[0].end, _alone(words[0], before, gazetteer, known))]
    at = len(words) - 1
    while at > 1 and plain_form(words[at - 1].text) in _PARTICLES:
        at -= 1
    if at == 1 and plain_form(words[0].text) in _PARTICLES and words[0].text[0].islower():
        at = 0
    if len(words[-1].text) == 1 and len(words) == 2:  # `Sloan J`, but `Rashad T.`
        code = gazetteer.get(plain_form(words[0].text), 0)
        kind = FIRST_NAME if code & FIRST_SURE and not code & LAST_SURE else LAST_NAME
        return [NamePart(words[0].start, words[0].end, kind), NamePart(words[1].start, words[1].end, INITIALS)]
    return [*(NamePart(word.start, word.end, _given(word)) for word in words[:at]), *_family(words[at:])]


def _alone(word: Piece, before: Sequence[str], gazetteer: Gazetteer, known: Mapping[str, str]) -> str:
    if len(word.text) == 1 or (len(word.text) == 2 and word.text.isupper()):
        return INITIALS
    plain = plain_form(word.text)
    near = next((each for each in before if each != "."), "")
    if near and plain_form(near) in _LAST_NAME_TITLES:
        return LAST_NAME
    if plain in known:
        return known[plain]
    code = gazetteer.get(plain.rpartition("-")[2], 0)
    if code & FIRST_SURE or (code & ANY_FIRST and not code & LAST_SURE):
        return FIRST_NAME
    return LAST_NAME if code & ANY_LAST or not code & ANY_FIRST else FIRST_NAME
