"""A name found in a text -> whether the characters around it show that it is a word of code, markup or a term."""

import re
from functools import lru_cache

_LINE_SEEN = 120  # characters of the line that count, to either side
# What lines of code and markup have and lines of prose have not.
_CODE = re.compile(
    r"[\w)\]]\(|\(\)|[{}]|;[ \t\r]*$|[=!<>]=|=>|->|&&|\|\||\w=[\w\"']|\w = |::|</?[a-zA-Z][\w:-]*+(?:\s[^<>@]*+)?/?>|/>"
    r"|^\s*(?:import \w|from \S+ import|def \w|(?:const|var|let) \S+ ?[=;,]|typedef |struct |#include|#define)"
    r"|^\s+(?:return|raise|yield)\b|^\s*(?:if|for|while|elif|else|try|except|with|class)\b[^\n]*:[ \t\r]*$"
)
_FONTS = re.compile(r"\bfont(?:[- ]?(?:family|face|name|size))?\b|sans-serif")
# A key that announces a name, whose value may be in small letters: `"fname": "irma"`, `pt_nm=irma castle`.
_NAME_KEY = re.compile(
    r"(?:(?:first|last|given|family|sur|fore|full|patient|client|member|employee|student|pt|pat|f|l)[ _-]?(?:name|nm)"
    r"|surname|patient|nom|prenom|client|mother|father|spouse|contact)[\"']?\s{0,2}[:=>]{1,2}\s{0,2}[\"']?$",
    re.IGNORECASE,
)
_OWNER = re.compile(r"\w{4}(?<!\bProf)\.$")
_KEY = re.compile(r"[\"'] ?:")
_MIXED = re.compile(r"[a-zà-ÿ][A-ZÀ-Þ]|[A-Z]{2}[a-z]")
_BEFORE_A_CAPITAL = re.compile(r"\b(?:Mc|Mac|De|Di|La|Le|Du|Da|Van|Von|Fitz|Del|Jo|Ma|Ro|Ta|Ke|Al|El|St)(?=[A-Z][a-z])")
_LETTER_PAIR = re.compile(r"[^\W\d_]{2}")
_BINOMIAL = re.compile(r"[A-Z]\. ?[a-z]{4,}(?: [a-z]{4,})?")
_SMALL_WORD = re.compile(r"\b[a-z]{2,}")
_PART_OF_A_CODE = re.compile(r"-(?:[A-Z]?\d|[A-Z]\b)")


def is_code_word(text: str, start: int, end: int) -> bool:
    name = text[start:end]
    small = name.islower()
    if not small and _LETTER_PAIR.search(name) is not None:  # `Ana Roe`, `Roe`, `ROE`
        if name.istitle():
            return text.startswith("()", end) or _is_attribute(text, start, end) or is_font(text, start, end)
        return (
            _has_inner_capital(name)
            or text.startswith("()", end)
            or (name.isupper() and _PART_OF_A_CODE.search(text, start, end + 3) is not None)
            or _BINOMIAL.fullmatch(name) is not None
            or is_font(text, start, end)
        )
    if " " not in name and _is_identifier(text[max(0, start - 2) : start], text[end : end + 3], small=small):
        return True
    if " " in name and text[start - 1 : start] == ">" and text[end : end + 1] == "<":
        return False  # the whole of a cell or element
    line, at = _line(text, start, end)
    return is_font(text, start, end) or (_has_code(line) and _NAME_KEY.search(line, 0, at) is None)


@lru_cache(maxsize=256)  # a line may have several names, and each is asked about more than once
def _has_code(line: str) -> bool:
    return _CODE.search(line) is not None


def _is_identifier(before: str, behind: str, *, small: bool) -> bool:
    """`S.grep`, `len(x)`, `max_retry`: small letters or a single one, with marks at its sides that names have not."""
    if small and ("_" in (before[-1:], behind[:1]) or _KEY.match(behind) is not None):
        return True
    if before[-1:] == "." and (before[:1].isalnum() or before[:1] in (")", "]")):
        return small or before[:1].islower()
    return behind[:1] in ("(", "[", "=") or (behind[:1] == "." and behind[1:2].islower())


def _is_attribute(text: str, start: int, end: int) -> bool:
    """`Name.Builtin` in a line of code; what is before the point is no title or initial, as in `Dr.Roe`."""
    if text[start - 1 : start] != "." or _OWNER.search(text[max(0, start - 12) : start]) is None:
        return False
    return _has_code(_line(text, start, end)[0])


def is_font(text: str, start: int, end: int) -> bool:
    low, high = max(0, start - _LINE_SEEN), end + _LINE_SEEN
    if text.find("font", low, high) < 0 and text.find("sans-", low, high) < 0:
        return False
    return _FONTS.search(_line(text, start, end)[0]) is not None


def _has_inner_capital(name: str) -> bool:
    """As identifiers have; those of `McDonald` and `LaToya` do not count."""
    return _MIXED.search(name) is not None and _MIXED.search(_BEFORE_A_CAPITAL.sub("", name)) is not None


def is_among_small_letters(text: str, start: int, end: int) -> bool:
    """Whether the line has words of small letters beside it."""
    line, at = _line(text, start, end)
    return _SMALL_WORD.search(line, 0, at) is not None or _SMALL_WORD.search(line, at + end - start) is not None


def _line(text: str, start: int, end: int) -> tuple[str, int]:
    """The line around a name as far as it counts, and where the name begins in it."""
    low = max(text.rfind("\n", max(0, start - _LINE_SEEN), start) + 1, start - _LINE_SEEN)
    high = text.find("\n", end, end + _LINE_SEEN)
    return text[low : high if high >= 0 else end + _LINE_SEEN], start - low
