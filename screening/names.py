"""Text -> first names, last names and initials: census names on capitalised words, weighed by what stands beside them."""

import re
import unicodedata
from dataclasses import dataclass

from core.records import Span
from screening.census import FIRST, LAST, SURE_FIRST, SURE_LAST, lexicon
from screening.ruleset import NameCues

TITLED_SCORE = 0.75
FULL_SCORE = 0.7
REPEATED_SCORE = 0.6
ALONE_SCORE = 0.55

_UPPER = "".join(chr(code) for code in range(0x530) if chr(code).isupper())
_LETTER = "".join(chr(code) for code in range(0x530) if chr(code).isalpha())
_CAPITALISED = re.compile(rf"[{_UPPER}][{_LETTER}]*(?:['’-](?!s\b)[{_LETTER}]+)*")
_ANY_WORD = re.compile(rf"[{_LETTER}]+(?:['’-](?!s\b)[{_LETTER}]+)*")
_JOINTS = re.compile(r"['’]")
_SMALL_LETTERS_ONLY = 2000  # fewer than one capitalised word in so many characters
_LONGEST_NAME = 5
_INLINE_GAPS = frozenset({" ", "  "})
_AFTER_INITIAL = frozenset({" ", ". ", ".", ".  "})
_AFTER_TITLE = frozenset({" ", ". ", "  ", ".  "})
_COMMAS = frozenset({", ", " , ", ",", " ,"})
_FIELD_STARTS = frozenset('\n\r\t:;|">')
_STRONG_TITLES = frozenset({"mr", "mrs", "ms", "miss", "mister", "mx", "mme", "mlle"})


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    end: int
    text: str
    plain: str
    flags: int

    @property
    def initial(self) -> bool:
        return len(self.text) == 1

    @property
    def shouted(self) -> bool:
        return len(self.text) > 1 and self.text.isupper()


class NameFinder:
    """Finds names in any number of texts; holds nothing of them."""

    def __init__(self, cues: NameCues) -> None:
        self._flags = lexicon(cues)
        self._titles = frozenset(cues.titles)
        self._never = frozenset(cues.never)
        self._particle_gaps = frozenset(f" {particle} " for particle in cues.particles)

    def find(self, text: str) -> list[Span]:
        words = [self._word(match) for match in _CAPITALISED.finditer(text)]
        if len(words) * _SMALL_LETTERS_ONLY < len(text):
            return self._in_small_letters(text)
        found: list[Span] = []
        at = 0
        while at < len(words):
            spans, used = self._name_at(text, words, at)
            found.extend(spans)
            at += max(used, 1)
        return found + self._repeated(words, found)

    def _word(self, match: re.Match[str]) -> _Word:
        text = match.group()
        plain = text.lower()
        flags = self._flags.get(plain, 0)
        if not flags and len(plain) > 3 and not (plain.isascii() and plain.isalpha()):
            flags, plain = self._spelled_flags(plain)
        return _Word(match.start(), match.end(), text, plain, flags)

    def _spelled_flags(self, plain: str) -> tuple[int, str]:
        """Names with accents, apostrophes and hyphens, which the census writes without."""
        bare = "".join(c for c in unicodedata.normalize("NFKD", _JOINTS.sub("", plain)) if not unicodedata.combining(c))
        if "-" not in bare:
            return self._flags.get(bare, 0), plain
        parts = [self._flags.get(part, 0) for part in bare.split("-")]
        return (parts[0] & (FIRST | SURE_FIRST)) | (parts[-1] & (LAST | SURE_LAST)), plain

    def _name_at(self, text: str, words: list[_Word], at: int) -> tuple[list[Span], int]:
        word = words[at]
        if word.plain in self._titles:
            spans, used = self._titled(text, words, at)
            if spans:
                return spans, used
        if word.flags & LAST:
            spans, used = self._last_comma_first(text, words, at)
            if spans:
                return spans, used
        if word.flags & FIRST:
            return self._first_then_last(text, words, at)
        if word.initial:
            return self._initials_then_last(text, words, at)
        return [], 1

    def _chain(self, text: str, words: list[_Word], at: int) -> list[_Word]:
        """The words from `at` on that could make up one name."""
        chain = [words[at]]
        for word in words[at + 1 : at + _LONGEST_NAME]:
            last = chain[-1]
            gap = text[last.end : word.start] if word.start - last.end <= 8 else ""
            joined = gap in _INLINE_GAPS or (last.initial and gap in _AFTER_INITIAL) or gap in self._particle_gaps
            if not joined or word.plain in self._never or word.shouted != chain[0].shouted and not word.initial:
                break
            chain.append(word)
        return chain

    def _titled(self, text: str, words: list[_Word], at: int) -> tuple[list[Span], int]:
        if at + 1 >= len(words) or text[words[at].end : words[at + 1].start] not in _AFTER_TITLE or words[at + 1].plain in self._never:
            return [], 1
        chain = self._chain(text, words, at + 1)[:3]
        strong = words[at].plain in _STRONG_TITLES
        if len(chain) == 1 and not chain[0].initial and (strong or chain[0].flags & SURE_LAST):
            return [_span(chain[0], "last_name", TITLED_SCORE)], 2
        if len(chain) > 1 and (strong or chain[0].flags & FIRST) and not chain[-1].initial:
            spans = [_span(word, "initials" if word.initial else "first_name", TITLED_SCORE) for word in chain[:-1]]
            return [*spans, _span(chain[-1], "last_name", TITLED_SCORE)], len(chain) + 1
        return [], 1

    def _last_comma_first(self, text: str, words: list[_Word], at: int) -> tuple[list[Span], int]:
        last = words[at]
        first = words[at + 1] if at + 1 < len(words) else None
        if first is None or text[last.end : first.start] not in _COMMAS or not last.flags & SURE_LAST or not first.flags & SURE_FIRST:
            return [], 1
        following = words[at + 2] if at + 2 < len(words) else None
        initial = following if following and following.initial and text[first.end : following.start] in _INLINE_GAPS else None
        at_field_start = last.start == 0 or text[last.start - 1] in _FIELD_STARTS
        if not (at_field_start or initial or (last.shouted and first.shouted)):
            return [], 1
        spans = [_span(last, "last_name", FULL_SCORE), _span(first, "first_name", FULL_SCORE)]
        return (spans + [_span(initial, "initials", FULL_SCORE)], 3) if initial else (spans, 2)

    def _first_then_last(self, text: str, words: list[_Word], at: int) -> tuple[list[Span], int]:
        chain = self._chain(text, words, at)
        first, rest = chain[0], chain[1:]
        between: list[_Word] = []
        while rest and (rest[0].initial or (rest[0].flags & FIRST and len(rest) > 1 and rest[1].flags & LAST)):
            between.append(rest.pop(0))
        if rest and _fit_together(first, rest[0]):
            middles = [_span(word, "initials" if word.initial else "first_name", FULL_SCORE) for word in between]
            spans = [_span(first, "first_name", FULL_SCORE), *middles, _span(rest[0], "last_name", FULL_SCORE)]
            return spans, len(between) + 2
        if first.flags & SURE_FIRST and len(first.text) > 2 and not first.shouted:
            return [_span(first, "first_name", ALONE_SCORE)], 1
        return [], 1

    def _initials_then_last(self, text: str, words: list[_Word], at: int) -> tuple[list[Span], int]:
        """`J. R. Sloan`: only with points, as a single capital is too common."""
        if text[words[at].end : words[at].end + 1] != ".":
            return [], 1
        chain = self._chain(text, words, at)
        count = next((index for index, word in enumerate(chain) if not word.initial), len(chain))
        if count >= len(chain) or not chain[count].flags & SURE_LAST or chain[count].shouted:
            return [], 1
        spans = [_span(word, "initials", REPEATED_SCORE) for word in chain[:count]]
        return [*spans, _span(chain[count], "last_name", REPEATED_SCORE)], count + 1

    def _repeated(self, words: list[_Word], found: list[Span]) -> list[Span]:
        """Words that were seen as part of a full name, where they stand alone."""
        role = {span.start: span.characteristic for span in found if span.score >= REPEATED_SCORE and span.characteristic != "initials"}
        seen = {word.plain: role[word.start] for word in words if word.start in role and len(word.text) > 2}
        taken = {span.start for span in found}
        return [_span(word, seen[word.plain], REPEATED_SCORE) for word in words if word.plain in seen and word.start not in taken]

    def _in_small_letters(self, text: str) -> list[Span]:
        """Without capitals only a sure first name right before a sure last name counts."""
        found: list[Span] = []
        before: re.Match[str] | None = None
        flags_before = 0
        for match in _ANY_WORD.finditer(text):
            flags = self._flags.get(match.group().lower(), 0)
            if flags & SURE_LAST and flags_before & SURE_FIRST and before is not None and text[before.end() : match.start()] in _INLINE_GAPS:
                found.append(Span(before.start(), before.end(), "first_name", ALONE_SCORE))
                found.append(Span(match.start(), match.end(), "last_name", ALONE_SCORE))
                before, flags_before = None, 0
            else:
                before, flags_before = match, flags
        return found


def _span(word: _Word, characteristic: str, score: float) -> Span:
    return Span(word.start, word.end, characteristic, score)


def _fit_together(first: _Word, last: _Word) -> bool:
    """Whether two neighbours make a full name: an unsure half needs a sure other half."""
    if last.initial or len(last.text) < 2:
        return False
    if first.shouted:
        return bool(first.flags & SURE_FIRST and last.flags & SURE_LAST)
    if first.flags & SURE_FIRST:
        return bool(last.flags & LAST) or (not last.flags and len(last.text) > 3)
    return bool(last.flags & SURE_LAST)
