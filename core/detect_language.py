"""A text -> the language that it is written in, by its small words and its letters; None for what is no prose."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from importlib import resources

from core.languages import JUDGED, UNKNOWN

_FILE = resources.files("core") / "data" / "languages.toml"
SAMPLE = 6_000  # characters
_PARTS = 3
_LEAST_WORDS = 12
_LEAST_HITS = 5
_LEAST_SHARE = 0.10
_LEAST_DIFFERENT = 5  # small words of a language that is not judged
_FEW_DIFFERENT, _CLEAR_SHARE, _CLEARLY_MORE = 4, 0.2, 2.0  # of those that are frequent and of no judged language
_LEAST_LETTERS = 20
_WORD = re.compile(r"[^\W\d_]+")


def _by_word() -> dict[str, tuple[str, ...]]:
    """Without single letters, which are everywhere: in tables, lists and programs."""
    languages: dict[str, tuple[str, ...]] = {}
    for table in tomllib.loads(_FILE.read_text(encoding="utf-8")).values():
        for language, words in table.items():
            for word in words.split():
                if len(word) > 1:
                    languages[word] = (*languages.get(word, ()), language)
    return languages


_LANGUAGES_OF = _by_word()
_SCRIPTS = (
    ("el", re.compile("[\u0370-\u03ff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("ka", re.compile("[\u10a0-\u10ff]")),
    ("hy", re.compile("[\u0530-\u058f]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ta", re.compile("[\u0980-\u0dff]")),
)
# Of Latin letters those that none of the judged languages is written with.
_FOREIGN_LETTER = re.compile("[ãåøðþ\u0100-\u0151\u0154-\u0177\u0179-\u017f\u01a0-\u021b\u1ea0-\u1ef9]")
_BEYOND_LATIN = re.compile("[\u0370-\u1cff\u2e80-\ud7af]")
_UKRAINIAN = re.compile("[іїєґ]")
_SENTENCE = re.compile(r"[a-z\u00df-\u024f,]{2}[.!?](?:\s|$)")
_LEAST_FOREIGN = 4  # words with such letters, and small words
_FOREIGN_SHARE = 0.05  # of words; in small letters, since names keep theirs in every language
_PROSE_WORDS, _PROSE_SENTENCES, _PROSE_SMALL, _PROSE_SHARE = 40, 3, 0.7, 0.03
_SHORT_WORDS, _SHORT_SENTENCES = 15, 2  # without any small word of a judged language


def language_of(texts: Iterable[str], room: int = SAMPLE) -> str | None:
    """By the beginning, the middle and the end of a text in several parts, so many characters together."""
    return _language(_sample(texts, room))


def _sample(texts: Iterable[str], room: int) -> str:
    parts: list[str] = []
    for text in texts:
        if room <= 0:
            break
        if len(text) <= room:
            parts.append(text)
        else:
            length = room // _PARTS
            places = (0, (len(text) - length) // 2, len(text) - length)
            parts += [text[place : place + length] for place in places]
        room -= len(text)
    return "\n".join(parts)


def _language(sample: str) -> str | None:
    beyond = not sample.isascii() and _BEYOND_LATIN.search(sample) is not None
    foreign = len(_BEYOND_LATIN.findall(sample)) if beyond else 0
    words = _WORD.findall(sample)
    if foreign >= _LEAST_LETTERS and foreign * 2 > sum(map(len, words)):
        return _by_script(sample)
    if len(words) < _LEAST_WORDS:
        return None
    hits: Counter[str] = Counter()
    different: Counter[str] = Counter()
    for word, times in Counter(map(str.lower, words)).items():
        for language in _LANGUAGES_OF.get(word, ()):
            hits[language] += times
            different[language] += 1
    known = max((hits[language] for language in JUDGED), default=0)
    best, most = hits.most_common(1)[0] if hits else ("", 0)
    if most >= max(_LEAST_HITS, _LEAST_SHARE * len(words)):
        if best in JUDGED or most < 1.2 * known:
            return max(sorted(JUDGED), key=lambda language: hits[language])
        is_clear = most >= _CLEAR_SHARE * len(words) and most >= _CLEARLY_MORE * known
        if different[best] >= (_FEW_DIFFERENT if is_clear else _LEAST_DIFFERENT):
            return best
    if best in JUDGED:
        best = ""
    if _has_foreign_letters(words, different[best]):
        return best if different[best] > 1 else UNKNOWN
    is_accented = sum(not word.isascii() for word in words) >= _LEAST_FOREIGN
    if not known and is_accented and _is_prose(sample, words, _SHORT_WORDS, _SHORT_SENTENCES):
        return best if different[best] > 1 else UNKNOWN
    is_strange = most < _PROSE_SHARE * len(words)
    return UNKNOWN if is_strange and _is_prose(sample, words, _PROSE_WORDS, _PROSE_SENTENCES) else None


def _by_script(sample: str) -> str:
    counts = {language: len(letters.findall(sample)) for language, letters in _SCRIPTS}
    if counts["ja"]:
        return "ja"
    best = max(counts, key=lambda language: counts[language])
    return "uk" if best == "ru" and len(_UKRAINIAN.findall(sample)) * 50 > counts["ru"] else best


def _has_foreign_letters(words: list[str], small_words: int) -> bool:
    """Notes in the style of a telegram have few small words, but the letters of their language."""
    foreign = [word for word in words if word.islower() and _FOREIGN_LETTER.search(word)]
    return len(foreign) >= _FOREIGN_SHARE * len(words) and len(set(foreign)) + small_words >= _LEAST_FOREIGN


def _is_prose(sample: str, words: list[str], least_words: int, least_sentences: int) -> bool:
    """Sentences of mostly small letters; a list of names, a table or a program is none."""
    small = sum(word.islower() for word in words)
    return (
        len(words) >= least_words
        and small >= _PROSE_SMALL * len(words)
        and len(_SENTENCE.findall(sample)) >= least_sentences
        and not any(mark in sample for mark in ("{", "};", "</", "=="))
    )
