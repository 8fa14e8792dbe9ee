"""The words by which screening sees that a passage may be medical come from the vocabulary and a list by hand."""

import gzip
import tomllib

import pytest

from classifiers.training.distil_health_words import BY_HAND, WORDS_FILE, health_words, packed
from classifiers.vocabulary import VOCABULARY_FILE, Term, read_vocabulary

TERMS = [
    Term("pain", "pain", "symptom"),
    Term("splenic sequestration", "splenic sequestration", "disease"),
    Term("innocent murmur", "innocent murmur", "disease"),
    Term("take off", "take off", "record"),
    Term("tsh", "tsh", "laboratory"),
    Term("zzq fever", "zzq fever", "disease"),
    Term("kidney doctor # x", "kidney doctor", "people"),
    Term("he", "he", "third"),
    Term("despué de la comida", "después de la comida", "dose"),
    Term("pierre au rein", "pierre au rein", "disease"),
    Term("pansement", "pansement", "record"),
]


@pytest.mark.parametrize(
    "line", ["+pain", "+splenic", "+sequestration", "innocent", "+tsh", "zzq", "+fièvre", "+kidney", "+pansement"]
)
def test_rare_words_and_terms_of_one_word_hint_at_health(line: str) -> None:
    assert line in health_words(TERMS, {"hints": ["fièvre", "kidney"], "never": [], "phrases": []})


def test_words_by_hand_are_found_without_accents_too_unless_they_are_english_then() -> None:
    by_hand = {"hints": ["hôpital", "lungenentzündung", "fuß"], "never": [], "phrases": ["idées noires"]}
    words = health_words(TERMS, by_hand)
    assert {"+hopital", "+lungenentzundung", "+lungenentzuendung", "+fuß", "+idees noires"} <= set(words)
    assert "+fuss" not in words


@pytest.mark.parametrize("word", ["take", "off", "he", "x", "#", "doctor", "pain"])
def test_common_words_and_those_denied_by_hand_are_left_out(word: str) -> None:
    words = health_words(TERMS, {"hints": [], "never": ["doctor", "pain"], "phrases": []})
    assert word not in words and f"+{word}" not in words


@pytest.mark.parametrize("word", ["pierre", "despué", "comida"])
def test_words_of_phrases_that_another_language_has_often_hint_at_nothing(word: str) -> None:
    assert f"+{word}" not in health_words(TERMS, {"hints": [], "never": [], "phrases": []})


def test_phrases_stand_at_the_end() -> None:
    assert health_words(TERMS, {"hints": [], "never": [], "phrases": ["le zona"]})[-1] == "+le zona"


def test_the_shipped_list_is_made_of_the_shipped_vocabulary() -> None:
    by_hand = tomllib.loads(BY_HAND.read_text(encoding="utf-8"))
    lines = health_words(read_vocabulary(VOCABULARY_FILE.read_bytes()), by_hand)
    assert gzip.decompress(WORDS_FILE.read_bytes()).decode().split("\n") == lines, "run distil_health_words"
    assert packed(lines) == packed(list(lines))


def test_the_list_by_hand_holds_single_words_once() -> None:
    by_hand = tomllib.loads(BY_HAND.read_text(encoding="utf-8"))
    words = [*by_hand["hints"], *by_hand["never"]]
    assert all(word.isalpha() and word == word.lower() for word in words)
    assert not set(by_hand["hints"]) & set(by_hand["never"])
    assert all(" " in phrase and phrase == phrase.lower() for phrase in by_hand["phrases"])
