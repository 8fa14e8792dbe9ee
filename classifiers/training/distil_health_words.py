"""The vocabulary and a short list by hand -> the words by which screening sees that a passage may be medical.

Usage: python -m classifiers.training.distil_health_words; run after distil_terms, with the group `train`.
"""

import gzip
import tomllib
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from classifiers.vocabulary import MEDICAL, VOCABULARY_FILE, Term, read_vocabulary

WORDS_FILE = Path(__file__).parents[2] / "screening" / "data" / "health_words.txt.gz"
BY_HAND = Path(__file__).parent / "data" / "health_hints.toml"
LANGUAGES = ("en", "fr", "es", "de")
RARE = 3.9  # words less frequent than this (log10 per 10^9 words) hint at health wherever they are
RARE_PART = 3.0  # the same for parts of phrases in other languages than English, whose lists are written by hand
COMMON = 5.15  # and those more frequent say nothing of it
SHORTEST = 4  # letters; shorter ones are abbreviations of many things
_ENGLISH = 3.0  # words more frequent than this are English too
_UNLIKE = str.maketrans({"œ": "oe", "ß": "ss"})
_TWO_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "œ": "oe"})
_SPEAKING = frozenset({"disease", "drug", "symptom", "procedure", "abbreviation", "laboratory"})


def health_words(terms: Iterable[Term], by_hand: dict[str, list[str]]) -> list[str]:
    """One word a line, sorted; a plus before those that alone hint at somebody's health, and phrases at the end.

    A frequent word hints only where it is a term by itself, such as `pain`.
    """
    speaking: set[str] = set()
    alone: set[str] = set()
    parts: set[str] = set()
    for term in terms:
        if term.category in MEDICAL:
            words = [word for word in term.tokens.split(" ") if word.isalpha() and len(word) > 1]
            parts.update(words)
            if words == [term.tokens]:
                alone.update(words)
                if term.category in _SPEAKING:
                    speaking.update(words)
    hints = {form for word in by_hand["hints"] for form in _forms(word)}
    medical = set(hints)
    for word in parts:
        frequency, language = _frequency(word)
        if frequency < COMMON:
            medical.add(word)
            rare = RARE if word in alone or language == "en" else RARE_PART
            if word in speaking or (frequency < rare and len(word) >= SHORTEST):
                hints.add(word)
    never = set(by_hand["never"])
    words = [f"{'+' * (word in hints)}{word}" for word in sorted(medical - never)]
    phrases = {form for phrase in by_hand["phrases"] for form in _forms(phrase)}
    return words + [f"+{phrase}" for phrase in sorted(phrases)]


def _forms(written: str) -> list[str]:
    """With and without accents, if nobody writes the latter in English, as in `fuss`."""
    from wordfreq import zipf_frequency

    letters = unicodedata.normalize("NFKD", written.translate(_UNLIKE))
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    forms = {plain, written.translate(_TWO_LETTERS)} - {written}
    return [written, *(form for form in sorted(forms) if zipf_frequency(form, "en") < _ENGLISH)]


def _frequency(word: str) -> tuple[float, str]:
    """How frequent a word is in the language that has it most often.

    Terms are folded as English plurals are, so `despué` may stand for `después`.
    """
    from wordfreq import zipf_frequency

    return max(
        (zipf_frequency(form, language), language)
        for language in LANGUAGES
        for form in (word, *([f"{word}s"] if language != "en" else []))
    )


def packed(lines: Iterable[str]) -> bytes:
    """The same bytes for the same words."""
    return gzip.compress("\n".join(lines).encode(), mtime=0)


def main() -> None:
    terms = read_vocabulary(VOCABULARY_FILE.read_bytes())
    WORDS_FILE.write_bytes(packed(health_words(terms, tomllib.loads(BY_HAND.read_text(encoding="utf-8")))))


if __name__ == "__main__":
    main()
