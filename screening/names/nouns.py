"""Names that the model found in a German text -> the same without nouns, which have capitals there as names have."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from core.detect_language import language_of
from core.records import Span
from screening.entities.gazetteer import ANY_FIRST, ANY_NAME, FIRST_ABROAD, FIRST_SURE, GERMAN, commonness
from screening.entities.words import plain_form

NAME_PARTS = frozenset({"first_name", "last_name", "initials"})
_GERMAN = "de"
_SMALL_WORDS = re.compile(  # a letter first, because it is searched fast; `des` is French too
    r"(?:der(?<!\w...)|die(?<!\w...)|und(?<!\w...)|mit(?<!\w...)|bei(?<!\w...))\b"
)
_WORD = re.compile(r"[^\W\d_]+")
_BETWEEN = re.compile(r"[ ,.'’-]{0,3}(?:(?:von|van|der|de|zu|den) ){0,2}")
_ANNOUNCED = re.compile(
    r"(?:\b(?:Herrn?|Frau|Hrn?\.|Fr\.|Drs?\.(?: ?med\.)?|Prof\.|OA|Pat\.|Name|Patient(?:in|en)?|Schwester|Pfleger"
    r"|Familie|Kollegen?|Kollegin|genannt|heißt|[Gg]eb\.|HERRN?|FRAU|Betr\.|Betrifft|Betreff|Vorname|Nachname|Familienname"
    r"|Sohn|Tochter|Mädchen|Junge|Säugling)[: ]{1,3}|\b[A-LN-ZÄÖÜ]\. ?)$"
)
_ANNOUNCED_BEHIND = re.compile(
    r"\.?,? {1,2}(?:[A-ZÄÖÜ]\.,? )?(?:Dr\.|MBA\b|MSc\b|\(?(?:[Gg]eb(?:\.|oren)|\* ?\d))|,? (?:[A-ZÄÖÜ]\.)(?=[\s,]|$)"
)
_SEEN_BEFORE = 24
_COMMON = 3
_ABBREVIATION = 4  # letters
_SHORT = 2
_SHORT_TEXT = 600  # characters


def without_nouns(
    text: str, spans: Sequence[Span], lists: Mapping[str, int], is_term: Callable[[str], bool]
) -> list[Span]:
    """A word alone stays if a title is before it, if lists have it as a name and nothing else, or if a full name of the
    text has it too; of several words one must be a known name and none a noun.
    """
    names = [span for span in spans if span.characteristic in NAME_PARTS]
    if not names or _SMALL_WORDS.search(text) is None:
        return list(spans)
    language = language_of([text])
    if language is None and len(text) <= _SHORT_TEXT:
        return [span for span in spans if not _is_term_alone(text, span, lists, is_term)]
    if language != _GERMAN:
        return list(spans)
    kept: set[Span] = set()
    groups = list(_groups(text, names))
    full: set[str] = set()
    for group in groups:
        words = [word for span in group for word in _WORD.findall(text[span.start : span.end])]
        if (len(words) > 1 and _is_full_name(words, lists, is_term)) or _is_announced(text, group):
            kept.update(_without_abbreviations(text, group, lists))
            full.update(map(plain_form, words))
    for group in groups:
        words = [word for span in group for word in _WORD.findall(text[span.start : span.end])]
        shortened = (
            text[group[-1].end : group[-1].end + 1] == "." and len(words) == 1 and len(words[0]) <= _ABBREVIATION
        )
        if not shortened and all(_is_name_alone(word, full, lists, is_term) for word in words):
            kept.update(group)
    return [span for span in spans if span.characteristic not in NAME_PARTS or span in kept]


def _is_term_alone(text: str, span: Span, lists: Mapping[str, int], is_term: Callable[[str], bool]) -> bool:
    """In a short note, of which the language cannot be said for sure: `Bandscheibenvorfall` behind a name."""
    word = text[span.start : span.end]
    return (
        span.characteristic in NAME_PARTS
        and len(word) > _ABBREVIATION
        and not lists.get(plain_form(word), 0) & ANY_NAME
        and is_term(word.lower())
    )


def _groups(text: str, names: Sequence[Span]) -> Iterator[list[Span]]:
    """Neighbouring parts of one name."""
    group: list[Span] = []
    for span in names:
        if group and _BETWEEN.fullmatch(text, group[-1].end, span.start) is None:
            yield group
            group = []
        group.append(span)
    yield group


def _is_announced(text: str, group: Sequence[Span]) -> bool:
    start = group[0].start
    return (
        _ANNOUNCED.search(text[max(0, start - _SEEN_BEFORE) : start]) is not None
        or _ANNOUNCED_BEHIND.match(text, group[-1].end) is not None
    )


def _without_abbreviations(text: str, group: Sequence[Span], lists: Mapping[str, int]) -> Iterator[Span]:
    """`DGKS Katharina Blum` without the occupation, `Weiß kam` without the verb; a name all in capitals stays."""
    words = [text[span.start : span.end] for span in group]
    for span, word in zip(group, words, strict=True):
        short = word.isupper() and 1 < len(word) <= _ABBREVIATION and not lists.get(plain_form(word), 0) & ANY_NAME
        verb = word.islower() and not all(map(str.islower, words))
        if not verb and (not short or all(map(str.isupper, words))):
            yield span


def _is_full_name(words: Sequence[str], lists: Mapping[str, int], is_term: Callable[[str], bool]) -> bool:
    """`Ida Fuß` is one: a first name outweighs the nouns."""
    long = [word for word in words if len(word) > 1]
    if any(_is_first_name(word, lists) for word in long):
        return True
    known = any(lists.get(plain_form(word), 0) & ANY_NAME for word in long)
    unknown = len(long) > 1 and all(word.istitle() and len(word) > _SHORT for word in long)
    return (known or unknown) and not any(_is_noun(word, lists, is_term) for word in long)


def _is_name_alone(word: str, full: set[str], lists: Mapping[str, int], is_term: Callable[[str], bool]) -> bool:
    plain = plain_form(word)
    if plain in full or plain.removesuffix("s") in full:
        return True
    code = lists.get(plain, 0)
    known = bool(code & ANY_NAME) and not _is_noun(word, lists, is_term) and commonness(code) < _COMMON
    return known or _is_first_name(word, lists)


def _is_first_name(word: str, lists: Mapping[str, int]) -> bool:
    code = lists.get(plain_form(word), 0)
    return bool(code & (FIRST_SURE | FIRST_ABROAD)) and not code & GERMAN and word[1:].islower() and len(word) > _SHORT


def _is_noun(word: str, lists: Mapping[str, int], is_term: Callable[[str], bool]) -> bool:
    """A common word or a medical one, and no first name."""
    code = lists.get(plain_form(word), 0)
    return not code & ANY_FIRST and (bool(code & GERMAN) or is_term(word.lower()))
