"""Spans of names -> mentions: neighbouring parts of a name together, and how likely they name somebody."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from core.records import Span
from screening.entities.gazetteer import ANY_FIRST, ANY_LAST, FIRST_SURE, MEDICAL, commonness
from screening.entities.words import plain_form
from screening.people.cues import is_greeted
from screening.people.health_words import is_medical
from screening.people.streets import is_street

NAME_PARTS = frozenset({"first_name", "last_name", "initials"})
_WITHIN = re.compile(r"[ ,.'’\t\"“”-]{0,4}(?:(?:van|der|den|de|la|von|da|del|di|dos|y|e|bin|al|el|ter|ten) ){0,3}")
# Between the parts of a name in neighbouring fields: `","lastName":"`, a line `FIRST NAME: `, `</Given><Family>`, `^`.
_FIELDS = re.compile(
    r"[\"'_]{0,9}[ \t]*\.?[,;&\n \t][ \t\r\n]*[\"'{]{0,2}[\w ]{0,24}"
    r"(?:name|nm|first|last|given|family|nombre|nom|apellidos?)"
    r"[\"']?[ \t]*[:=][ \t]*[\"'\[_]{0,9}"
    r"|</?[\w:.]{1,40}/?>\s{0,40}<[\w:. =\"]{1,60}>",
    re.IGNORECASE,
)
# `Place: Connolly`, and on the next line `2 Name: `: the whole name of somebody begins there.
_WHOLE_NAME = re.compile(
    r"[ \t]*\.?[ \t\r]*\n[ \t]*(?:\d{1,2}[.)]?[ \t]+)?(?:full )?name[ \t]*[:=][ \t]*", re.IGNORECASE
)
_CELLS = re.compile(r"[\"']?[ ]?[;|,^*\t][ ]?[\"']?")
_WITHIN_CHARS = 16
_FIELDS_CHARS = 90
_INITIAL_BEHIND = re.compile(r",? [A-ZÀ-ÖØ-Þ](?:\.|(?=[,:;)\s]|$))")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_DAY = re.compile(
    rf"(?:Mon|Tues?|Weds?|Thurs?|Fri) (?!{_MONTH})|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? {{1,2}}{_MONTH} {{1,2}}\d"
)
_JOURNAL = re.compile(r"J [A-Z][a-z]")
_ARTICLE = re.compile(r"(?<!\w)[Aa]n? $")
_RARE = 2  # how common a word may be and still mostly be a name
_COMMON = 3
_LEAST_CUT = 1.2  # likelihood of what is left of a name without the words around it
_UNKNOWN = 0.8
_UNKNOWN_CAPITALS = 0.4  # most words in capitals that no list knows are abbreviations


class Mention(NamedTuple):
    """A place where somebody is named; the key is plain text, the same for the same name, and never stored."""

    start: int
    end: int
    key: str
    is_full: bool  # more than one part of the name
    likelihood: float


_mention = partial(tuple.__new__, Mention)  # half the time of Mention(...)


def mentions_in(text: str, spans: Sequence[Span], lists: Mapping[str, int]) -> Iterator[Mention]:
    """In the order of the text; `lists` say what is known of a word in small letters."""
    for parts in _joined(text, [span for span in spans if span[2] in NAME_PARTS]):
        mention = (
            _in_full(text, parts, lists)
            if len(parts) == 2 and parts[0][2] != parts[1][2]
            else _of_parts(text, parts, lists)
        )
        if mention is not None:
            yield mention


def _of_parts(text: str, joined: Sequence[Span], lists: Mapping[str, int]) -> Mention | None:
    """Somebody by any number of parts; nobody where they are no name."""
    if len(joined) == 1 and joined[0].end - joined[0].start == 1:
        return None  # an initial alone, as of the columns of a table
    scores = [_of_part(text[part.start : part.end], lists) for part in joined]
    if None in scores and all(score is None for score in scores):
        return None
    low, high, likelihood = _likeliest([score or 0.0 for score in scores])
    surest = max(score or 0.0 for score in scores[low:high])
    if 0 < surest <= _UNKNOWN:  # a row of words that no list knows is no likelier a name than two of them
        likelihood = min(likelihood, 2 * surest)
    parts = joined[low:high]
    start, end = parts[0].start, parts[-1].end
    if _is_behind_article(text, start):
        return None
    is_full = (
        len({part.characteristic for part in parts}) > 1
        or _in_fields(text, parts)
        or (
            len(parts) > 1
            and min(score or 0.0 for score in scores[low:high]) >= _UNKNOWN
            and (
                "," not in text[parts[0].end : parts[1].start] or _is_given(text[parts[1].start : parts[1].end], lists)
            )
        )
    )
    if not is_full:
        end, is_full = _with_initial(text, start, end)
    if _is_no_person(text, start, end, surest):
        return None
    return _mention((start, end, _key(text, parts), is_full, likelihood))


def _in_full(text: str, parts: Sequence[Span], lists: Mapping[str, int]) -> Mention | None:
    """Two parts of different kinds, as most names have: the same as of any number of parts, in less time."""
    one, two = parts
    first, second = text[one[0] : one[1]], text[two[0] : two[1]]
    scores = _of_part(first, lists), _of_part(second, lists)
    if (scores[0] is None and scores[1] is None) or _is_behind_article(text, one[0]):
        return None
    left, right = scores[0] or 0.0, scores[1] or 0.0
    surest = max(left, right)
    likelihood = min(left + right, 2 * surest) if 0 < surest <= _UNKNOWN else left + right
    if _is_no_person(text, one[0], two[1], surest):
        return None
    named = {one[2]: first, two[2]: second}
    key = f"{named.get('last_name', '')}\0{named.get('first_name', '')}".casefold()
    return _mention((one[0], two[1], key, True, likelihood))


def _is_behind_article(text: str, start: int) -> bool:
    """`a Kayser-Fleischer ring`."""
    return text[start - 1 : start] == " " and _ARTICLE.search(text, max(0, start - 4), start) is not None


def _is_no_person(text: str, start: int, end: int, surest: float) -> bool:
    return is_street(text, start, end) or is_day(text, start) or _is_journal(text, start, surest)


def is_day(text: str, start: int) -> bool:
    """`Mon Jun 24 17:48`, and `Mon Pilates`; `Mon June` may be somebody, as May and April are."""
    return _DAY.match(text, start) is not None


def _is_journal(text: str, start: int, surest: float) -> bool:
    """`J Virol`, where no list knows the words behind the initial."""
    return surest <= _UNKNOWN and _JOURNAL.match(text, start) is not None


def _in_fields(text: str, parts: Sequence[Span]) -> bool:
    """Whether two fields for names hold the parts, whatever these look like."""
    return len(parts) > 1 and _FIELDS.fullmatch(text, parts[0].end, parts[1].start) is not None


def _of_part(part: str, lists: Mapping[str, int]) -> float | None:
    """What a part of a name adds; an initial nothing at all."""
    if part.isalpha():  # a single word, as most parts are
        return _of_word(part, lists) if len(part) > 1 else None
    words = [word for word in _WORD.findall(part) if len(word) > 1]
    return sum(_likelihood(word, lists) for word in words) if words else None


def _likeliest(scores: Sequence[float]) -> tuple[int, int, float]:
    """The neighbouring parts that are likeliest together: a word that is no name may stand before or behind one."""
    whole = 0, len(scores), sum(scores)
    if min(scores) >= 0 or len(scores) < 3:
        return whole
    stretches = [
        (low, high, sum(scores[low:high])) for low in range(len(scores) - 1) for high in range(low + 2, len(scores) + 1)
    ]
    best = max(stretches, key=lambda stretch: (stretch[2], stretch[1] - stretch[0]))
    return best if best[2] >= _LEAST_CUT else whole


def _is_given(part: str, lists: Mapping[str, int]) -> bool:
    """`THIBODEAU, Marie-Ève`: a first name with a hyphen is in no list, but its parts are."""
    return "-" in part and any(lists.get(plain_form(word), 0) & ANY_FIRST for word in part.split("-"))


def _with_initial(text: str, start: int, end: int) -> tuple[int, bool]:
    """`Dillard, T.` and `Jess T` are names in full; the place where they end, and whether there is an initial."""
    initial = _INITIAL_BEHIND.match(text, end)
    return (initial.end(), True) if initial is not None and text[initial.end() - 1] != "I" else (end, False)


def _joined(text: str, parts: Sequence[Span]) -> list[list[Span]]:
    """`Sloan, Charles` is one name, `Charles Sloan, Tom` are two."""
    groups: list[list[Span]] = []
    for span in parts:
        if groups and _continues(text, groups[-1], span):
            groups[-1].append(span)
        else:
            groups.append([span])
    return groups


def _continues(text: str, group: Sequence[Span], span: Span) -> bool:
    end, start = group[-1][1], span[0]
    if start - end > (_FIELDS_CHARS if len(group) == 1 else _WITHIN_CHARS):
        return False
    between = text[end:start]
    if between == " ":
        return True
    kinds = {part.characteristic for part in group}
    is_full = {"first_name", "last_name"} <= kinds
    if kinds == {"first_name"} == {span.characteristic} and between.strip() == ",":
        return False  # `Hi Dana, Marcus Oyelowo fell`
    if len(group) == 1 and between.strip() == "," and is_greeted(text, group[0].start):
        return False  # `Hi Tayo, Marcus Oyelowo fell`, where `Tayo` is rather a last name
    if len(group) > 1 and between == " - ":
        return False  # `Ruth Perry - Alan Stubbs`
    if len(between) <= _WITHIN_CHARS and _WITHIN.fullmatch(between) is not None:
        return not (is_full and ("," in between or "\t" in between))
    if _CELLS.fullmatch(between) is not None:
        return not is_full and span.characteristic not in kinds
    return (
        len(group) == 1
        and _has_field_mark(between)
        and _FIELDS.fullmatch(between) is not None
        and _WHOLE_NAME.fullmatch(between) is None
    )


def _has_field_mark(between: str) -> bool:
    return ":" in between or "=" in between or "<" in between


def words_likelihood(words: str, lists: Mapping[str, int]) -> tuple[float | None, bool]:
    """What all words add together, or nothing where one takes away; and whether one of them is listed as a name."""
    scores = [_likelihood(word, lists) for word in _WORD.findall(words) if len(word) > 1 and word[0].isupper()]
    return (sum(scores), max(scores) > _UNKNOWN) if scores and min(scores) >= 0 else (None, False)


def _likelihood(word: str, lists: Mapping[str, int]) -> float:
    """Of a word with hyphens its best part, unless one of them is no name at all."""
    if "-" not in word:
        return _of_word(word, lists)
    parts = [_of_word(part, lists) for part in word.split("-") if part]
    return min(parts) if min(parts) < 0 else max(parts)


def _of_word(word: str, lists: Mapping[str, int]) -> float:
    """What one word adds: first names most, unknown words little, common and medical words take away."""
    code = lists.get(plain_form(word), 0)
    if code & FIRST_SURE & ANY_FIRST:
        return 2.0
    how_common = commonness(code)
    if code & ANY_FIRST:
        return 2.0 if code & FIRST_SURE or how_common <= _RARE else 0.5
    if code & ANY_LAST:
        return 1.2 if how_common <= _RARE else 0.2
    if code & MEDICAL or is_medical(word.lower()):
        return -2.5
    if how_common >= _COMMON:
        return -1.5
    if not word[:1].isupper():
        return 0.0
    return _UNKNOWN_CAPITALS if word.isupper() else _UNKNOWN


def _key(text: str, parts: Sequence[Span]) -> str:
    given = surname = ""
    for start, end, characteristic, _ in reversed(parts):  # the first of each stays
        if characteristic == "first_name":
            given = text[start:end]
        elif characteristic == "last_name":
            surname = text[start:end]
    return f"{surname}\0{given}".casefold()
