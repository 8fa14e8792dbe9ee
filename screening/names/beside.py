"""Names found in a French or Spanish text -> the same, put right by the words beside them.

Offices are cut off (`Coronel Roque Presti`), streets, houses and firms that are named after somebody are told from
people (`avenue Simon Bolivar`, `SCP Gatineau et Rebeyrol`), names of diseases are dropped (`enfermedad de Kikuchi`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from core.records import Span
from screening.entities.gazetteer import ANY_FIRST, ANY_NAME, FIRST_SURE, LAST
from screening.entities.words import plain_form
from screening.names.words_beside import DISEASE, HOUSE, NEAR, STREET, TOWN, WordsBeside

_NAMES = frozenset({"first_name", "last_name", "initials"})
_PEOPLE = _NAMES | {"health_professional_name"}
_PLACE, _HOUSE = "place", "organization_name"
_WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_LISTED = re.compile(r", ?| et | y | & |-")
_FIRM_BEHIND = re.compile(
    r",? ?(?:S\.? ?A\.?(?:U\.?|S\.?|R\.?L\.?)?|S\.? ?L\.?(?:U\.?|P\.?)?|[Ss]\.?r\.?l\.?|SARL|SAS|Ltd|LLC|Inc"
    r"|GmbH|AG|(?:&|et) (?:Cie|Associ[ée]s|Fils|Fr[èe]res)|(?:&|[ye]) (?:Asociados|Hijos|Hermanos|C[íi]a))(?![^\W\d_])"
)
_COURT = re.compile(r"(?:[A-Z]\.){2,}[A-ZÀ-Þ]{4}")  # `T.S.J.ASTURIAS`
_ELISION = re.compile(r"(?:[dljnstc]|(?:lors|puis)?qu)['’]|(?:[LJNSTC]|Qu)['’](?=[a-zß-ÿ])")
_CAPITAL = re.compile(r"\b[A-ZÀ-Þ][a-zß-ÿ]")
_SEEN_BEFORE = 72
_LONGEST_TITLE = 16
_SEEN_AROUND = 300
_FEW_CAPITALS = 4

Lists = Mapping[str, int]


class Name(NamedTuple):
    """The neighbouring parts of one name, and its words."""

    spans: Sequence[Span]
    words: Sequence[re.Match[str]]

    @property
    def start(self) -> int:
        return self.spans[0].start

    @property
    def end(self) -> int:
        return self.spans[-1].end


def put_right(
    text: str, spans: Sequence[Span], words: WordsBeside, lists: Lists, headed: Set[tuple[int, int]]
) -> list[Span]:
    """Spans in the order of the text; `lists` are those of the language, `headed` the cells below headings of names."""
    found = [span for span in spans if span.characteristic in _PEOPLE and span[:2] not in headed]
    if not found:
        return list(spans)
    names = [cut for name in _names(text, found, words) if (cut := _cut(text, name, words)) is not None]
    known = {plain_form(word[0]) for name in names if len(name.spans) > 1 for word in name.words}
    kept: list[Span] = []
    kind, end = "", -2
    for name in names:
        start = name.start
        told = words.told(text[max(0, start - _SEEN_BEFORE) : start])
        if not kind or _LISTED.fullmatch(text, end, start) is None:
            kind = _other_kind(text, name, words, lists, told)
        if kind:
            kept.append(Span(start, name.end, kind, name.spans[0].score))
        elif start == end + 1 or _is_somebody(text, name, words, lists, known, DISEASE in told):
            kept += _joined(text, name.spans) if len(name.spans) > 1 else name.spans
        end = name.end
    others = (span for span in spans if span.characteristic not in _PEOPLE or span[:2] in headed)
    return sorted([*others, *kept], key=lambda span: span.start)


def _names(text: str, spans: Sequence[Span], words: WordsBeside) -> Iterator[Name]:
    group: list[Span] = []
    for span in spans:
        if group and not (
            span.characteristic in _NAMES
            and group[-1].characteristic in _NAMES
            and words.between.fullmatch(text, group[-1].end, span.start)
        ):
            yield _name(text, group)
            group = []
        group.append(span)
    yield _name(text, group)


def _name(text: str, group: Sequence[Span]) -> Name:
    return Name(group, [word for span in group for word in _WORD.finditer(text, span.start, span.end)])


def _cut(text: str, name: Name, words: WordsBeside) -> Name | None:
    """Without offices and small words at the edges; None if nothing is left."""
    elided = _ELISION.match(text, name.start)
    found = name.words
    if elided:
        found = [word for word in found if word.start() >= elided.end()]
    low, high = 0, len(found)
    if high > 1:
        while high - low > 1 and _opens_no_name(found[low], text, words):
            low += 1
        high = next((at for at in range(low + 1, high) if plain_form(found[at][0]) in words.beyond), high)
        while high - low > 1 and _closes_no_name(found[high - 1], found[high - 2], words):
            high -= 1
    if high - low == len(name.words):
        return name if name.words else None
    if low == high:
        return None
    start, end = found[low].start(), found[high - 1].end()
    inside = [span for span in name.spans if span.end > start and span.start < end]
    cut = [span._replace(start=max(span.start, start), end=min(span.end, end)) for span in inside]
    return Name(cut, found[low:high])


def _opens_no_name(word: re.Match[str], text: str, words: WordsBeside) -> bool:
    plain = plain_form(word[0])
    if plain in words.small:
        return text[word.end() : word.end() + 1] != "."  # or else it is an initial
    return plain in words.offices and not _is_titled(text, word.start(), words)


def _closes_no_name(word: re.Match[str], before: re.Match[str], words: WordsBeside) -> bool:
    """`Rey` and `Juge` are last names too, but not written otherwise than the rest of the name."""
    plain = plain_form(word[0])
    return plain in words.small or (plain in words.offices and word[0].istitle() != before[0].istitle())


def _is_titled(text: str, start: int, words: WordsBeside) -> bool:
    before = text[max(0, start - _LONGEST_TITLE) : start].removesuffix(" ").rstrip(".ªº")
    return plain_form(_word_at_end(before)) in words.titles


def _word_at_end(text: str) -> str:
    at = len(text)
    while at and text[at - 1].isalpha():
        at -= 1
    return text[at:]


def _other_kind(text: str, name: Name, words: WordsBeside, lists: Lists, told: Set[int]) -> str:
    """What a name is that is nobody's; empty if it is somebody's."""
    found = name.words
    if told:
        if STREET in told or (TOWN in told and len(name.spans) == 1):
            return _PLACE
        if NEAR in told and len(found) == 1 and not lists.get(plain_form(found[0][0]), 0) & ANY_NAME:
            return _PLACE
        if HOUSE in told:
            return _HOUSE
    if _COURT.match(text, name.start) or (len(found) > 1 and plain_form(found[0][0]) in words.houses):
        return _HOUSE
    the_s_of_sa = len(found) > 1 and len(found[-1][0]) == 1
    return _HOUSE if _FIRM_BEHIND.match(text, found[-2 if the_s_of_sa else -1].end()) else ""


def _is_somebody(text: str, name: Name, words: WordsBeside, lists: Lists, known: Set[str], diseased: bool) -> bool:
    if _is_titled(text, name.start, words):
        return True
    plain = [plain_form(word[0]) for word in name.words]
    alone = len(plain) == 1
    if alone and (plain[0] in words.offices or plain[0] in words.small):
        return False
    if not known.isdisjoint(plain):
        return True
    codes = [lists.get(word, 0) for word in plain]
    if text[name.start].islower() and text[name.start : name.end].islower():
        return any(code & FIRST_SURE for code in codes) or not _has_capitals(text, name)
    if alone and not codes[0] & ANY_NAME and text[name.start - 1 : name.start] in (" ", "'", "’"):
        article = _word_at_end(text[max(0, name.start - _LONGEST_TITLE) : name.start - 1])
        if article.islower() and plain_form(article) in words.articles:  # `Le` may be a part of the name
            return False
    here = any(code & (ANY_FIRST | LAST) for code in codes)
    return here or not diseased


def _has_capitals(text: str, name: Name) -> bool:
    """Whether the text around has capitals, so that a name would have one too."""
    around = text[max(0, name.start - _SEEN_AROUND) : name.end + _SEEN_AROUND]
    return len(_CAPITAL.findall(around)) >= _FEW_CAPITALS


def _joined(text: str, group: Sequence[Span]) -> Iterator[Span]:
    """With `de` and the like before the part that they belong to."""
    end = group[0].start
    for span in group:
        gap = text[end : span.start].lstrip(" ")
        yield span._replace(start=span.start - len(gap)) if len(gap) > 1 and gap[0].isalpha() else span
        end = span.end
