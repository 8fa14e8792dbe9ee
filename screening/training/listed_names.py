"""Text -> first names, last names and initials: census names on capitalised words, weighed by their context."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from core.records import Span
from screening.ruleset.definitions import NameCues
from screening.training.census import FIRST, LAST, SURE_FIRST, SURE_LAST, TITLE, lexicon, name_words, written_forms

TITLED_SCORE = 0.75
FULL_SCORE = 0.7
REPEATED_SCORE = 0.6
ALONE_SCORE = 0.55

_UPPER = "".join(chr(code) for code in range(0x530) if chr(code).isupper())
_LETTER = "".join(chr(code) for code in range(0x530) if chr(code).isalpha())
_CAPITALISED = re.compile(rf"\b[{_UPPER}][{_LETTER}]*(?:['’-](?!s\b)[{_LETTER}]+)*")
_ANY_WORD = re.compile(rf"[{_LETTER}]+(?:['’-](?!s\b)[{_LETTER}]+)*")
_JOINTS = re.compile(r"['’]")
_SMALL_LETTERS_ONLY = 2000  # fewer than one capitalised word in so many characters
_LONGEST_NAME = 5
_WIDEST_GAP = 10
_CAN_BEGIN = FIRST | TITLE
_INLINE_GAPS = frozenset({" ", "  "})
_AFTER_INITIAL = frozenset({" ", ". ", ".", ".  "})
_AFTER_TITLE = frozenset({" ", ". ", "  ", ".  "})
_COMMAS = frozenset({", ", " , ", ",", " ,"})
_FIELD_STARTS = frozenset('\n\r\t:;|">')
_STRONG_TITLES = frozenset({"mr", "mrs", "ms", "miss", "mister", "mx", "mme", "mlle"})


class _Word(NamedTuple):  # made by the hundred thousand: a tuple takes a third of the time
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


class _Words:
    """The capitalised words of a text, looked up only when asked for."""

    def __init__(self, text: str, matches: list[re.Match[str]], finder: "NameFinder") -> None:
        self.text = text
        self._matches = matches
        self._finder = finder
        self._known: dict[int, _Word] = {}

    def __len__(self) -> int:
        return len(self._matches)

    def __getitem__(self, at: int) -> _Word:
        word = self._known.get(at)
        if word is None:
            word = self._known[at] = self._finder.word(self._matches[at])
        return word

    def gap(self, left: _Word, right: _Word) -> str:
        """The text between two words, or empty if they are far apart."""
        return self.text[left.end : right.start] if right.start - left.end <= _WIDEST_GAP else ""

    def written(self) -> Iterator[tuple[int, str]]:
        return ((match.start(), match.group()) for match in self._matches)


class NameFinder:
    """Finds names in any number of texts; holds nothing of them."""

    def __init__(self, cues: NameCues) -> None:
        self._flags = lexicon(cues)
        self._forms = written_forms(cues)
        self._sure_first = frozenset(name for name, flags in self._flags.items() if flags & SURE_FIRST)
        self._sure_last = frozenset(name for name, flags in self._flags.items() if flags & SURE_LAST)
        self._never = frozenset(cues.never)
        self._place_starts = frozenset(name_words().place_starts)
        self._thing = (
            re.compile(rf"[ -](?:{'|'.join(map(re.escape, cues.things))})\b", re.IGNORECASE) if cues.things else None
        )
        self._particle_gaps = frozenset(f" {particle} " for particle in cues.particles)

    def find(self, text: str) -> list[Span]:
        matches = list(_CAPITALISED.finditer(text))
        if len(matches) * _SMALL_LETTERS_ONLY < len(text):
            return self._in_small_letters(text)
        words = _Words(text, matches, self)
        found: list[Span] = []
        free = 0
        for at in self._promising(text, matches):
            if at >= free:
                spans, used = self._name_at(words, at)
                found.extend(spans)
                free = at + used
        return found + self._repeated(words, found)

    def _promising(self, text: str, matches: list[re.Match[str]]) -> list[int]:
        """The words at which a name can begin; most words are not, so the test is as cheap as can be."""
        look_up = self._forms.get
        promising = []
        for at, match in enumerate(matches):
            word = match.group()
            flags = look_up(word)
            if flags is None:
                end = match.end()
                if (len(word) == 1 and text[end : end + 1] == ".") or not (word.isascii() and word.isalpha()):
                    promising.append(at)
            elif flags & _CAN_BEGIN or (flags & SURE_LAST and "," in text[match.end() : match.end() + 2]):
                promising.append(at)
        return promising

    def word(self, match: re.Match[str]) -> _Word:
        text = match.group()
        plain = text.lower()
        flags = self._forms.get(text, 0)
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

    def _name_at(self, words: _Words, at: int) -> tuple[list[Span], int]:
        word = words[at]
        if word.flags & TITLE:
            spans, used = self._titled(words, at)
            if spans:
                return spans, used
        if word.flags & SURE_LAST and "," in words.text[word.end : word.end + 2]:
            spans, used = self._last_comma_first(words, at)
            if spans:
                return spans, used
        if word.flags & FIRST and not self._place_before(words, at):
            return self._first_then_last(words, at)
        if word.initial:
            return self._initials_then_last(words, at)
        return [], 1

    def _chain(self, words: _Words, at: int) -> list[_Word]:
        """The words from `at` on that could make up one name."""
        chain = [words[at]]
        for following in range(at + 1, min(at + _LONGEST_NAME, len(words))):
            last, word = chain[-1], words[following]
            gap = words.gap(last, word)
            joined = gap in _INLINE_GAPS or (last.initial and gap in _AFTER_INITIAL) or gap in self._particle_gaps
            if not joined or word.plain in self._never or (word.shouted != chain[0].shouted and not word.initial):
                break
            chain.append(word)
        return chain

    def _titled(self, words: _Words, at: int) -> tuple[list[Span], int]:
        if words[at].shouted and at + 1 < len(words) and not words[at + 1].shouted:
            return [], 1  # MR. and MS. are also diagnoses
        if (
            at + 1 >= len(words)
            or words.gap(words[at], words[at + 1]) not in _AFTER_TITLE
            or words[at + 1].plain in self._never
        ):
            return [], 1
        chain = self._chain(words, at + 1)[:3]
        strong = words[at].plain in _STRONG_TITLES
        if len(chain) == 1 and not chain[0].initial and (strong or chain[0].flags & SURE_LAST):
            return [_span(chain[0], "last_name", TITLED_SCORE)], 2
        if len(chain) > 1 and (strong or chain[0].flags & FIRST) and not chain[-1].initial:
            spans = [_span(word, "initials" if word.initial else "first_name", TITLED_SCORE) for word in chain[:-1]]
            return [*spans, _span(chain[-1], "last_name", TITLED_SCORE)], len(chain) + 1
        return [], 1

    def _last_comma_first(self, words: _Words, at: int) -> tuple[list[Span], int]:
        last = words[at]
        first = words[at + 1] if at + 1 < len(words) else None
        if first is None or words.gap(last, first) not in _COMMAS or not first.flags & SURE_FIRST:
            return [], 1
        following = words[at + 2] if at + 2 < len(words) else None
        initial = following if following and following.initial and words.gap(first, following) in _INLINE_GAPS else None
        at_field_start = last.start == 0 or words.text[last.start - 1] in _FIELD_STARTS
        if not (at_field_start or initial or (last.shouted and first.shouted)):
            return [], 1
        spans = [_span(last, "last_name", FULL_SCORE), _span(first, "first_name", FULL_SCORE)]
        return ([*spans, _span(initial, "initials", FULL_SCORE)], 3) if initial else (spans, 2)

    def _first_then_last(self, words: _Words, at: int) -> tuple[list[Span], int]:
        chain = self._chain(words, at)
        first, rest = chain[0], chain[1:]
        between: list[_Word] = []
        while rest and (rest[0].initial or (rest[0].flags & FIRST and len(rest) > 1 and rest[1].flags & LAST)):
            between.append(rest.pop(0))
        if rest and _fit_together(first, rest[0]):
            middles = [_span(word, "initials" if word.initial else "first_name", FULL_SCORE) for word in between]
            spans = [_span(first, "first_name", FULL_SCORE), *middles, _span(rest[0], "last_name", FULL_SCORE)]
            return ([] if self._names_a_thing(words.text, chain[-1].end) else spans), len(between) + 2
        if (
            first.flags & SURE_FIRST
            and len(first.text) > 2
            and not first.shouted
            and not self._names_a_thing(words.text, first.end)
        ):
            return [_span(first, "first_name", ALONE_SCORE)], 1
        return [], 1

    def _place_before(self, words: _Words, at: int) -> bool:
        return (
            at > 0 and words[at - 1].plain in self._place_starts and words.gap(words[at - 1], words[at]) in _AFTER_TITLE
        )

    def _names_a_thing(self, text: str, end: int) -> bool:
        return self._thing is not None and self._thing.match(text, end) is not None

    def _initials_then_last(self, words: _Words, at: int) -> tuple[list[Span], int]:
        """`J. R. Sloan`: only with points, as a single capital is too common."""
        if words.text[words[at].end : words[at].end + 1] != ".":
            return [], 1
        chain = self._chain(words, at)
        count = next((index for index, word in enumerate(chain) if not word.initial), len(chain))
        if count >= len(chain) or not chain[count].flags & SURE_LAST or chain[count].shouted:
            return [], 1
        spans = [_span(word, "initials", REPEATED_SCORE) for word in chain[:count]]
        return [*spans, _span(chain[count], "last_name", REPEATED_SCORE)], count + 1

    def _repeated(self, words: _Words, found: list[Span]) -> list[Span]:
        """Words that were part of a full name, where they occur alone."""
        sure = (
            span
            for span in found
            if span.score >= REPEATED_SCORE and span.characteristic != "initials" and span.end - span.start > 2
        )
        seen = {words.text[span.start : span.end]: span.characteristic for span in sure}
        if not seen:
            return []
        taken = {span.start for span in found}
        return [
            Span(start, start + len(word), seen[word], REPEATED_SCORE)
            for start, word in words.written()
            if word in seen and start not in taken
        ]

    def _in_small_letters(self, text: str) -> list[Span]:
        """Without capitals only a sure first name right before a sure last name counts."""
        words = _ANY_WORD.findall(text)
        pairs = [
            at
            for at, (left, right) in enumerate(pairwise(words))
            if left in self._sure_first and right in self._sure_last
        ]
        if not pairs:
            return []
        matches = list(_ANY_WORD.finditer(text))
        found: list[Span] = []
        free = 0
        for at in pairs:
            first, last = matches[at], matches[at + 1]
            if at >= free and text[first.end() : last.start()] in _INLINE_GAPS:
                found.append(Span(first.start(), first.end(), "first_name", ALONE_SCORE))
                found.append(Span(last.start(), last.end(), "last_name", ALONE_SCORE))
                free = at + 2
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
