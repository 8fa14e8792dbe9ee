from hypothesis import given
from hypothesis import strategies as st

from screening.names import nouns
from screening.names.encoded_texts import encoded_together
from screening.names.german_words import have_german_words

_PIECES = ("der", "die", "und", "mit", "bei", "un", "d", " ", ".", "\n", "_", "3", "ö", "œ", "?", "x")


@given(st.lists(st.lists(st.sampled_from(_PIECES), max_size=8).map("".join), max_size=4))
def test_all_texts_with_a_small_german_word_are_found(texts: list[str]) -> None:
    for text, german in zip(texts, have_german_words(encoded_together(texts)), strict=True):
        assert german or nouns._SMALL_WORDS.search(text) is None
        if text.isascii():
            assert german == (nouns._SMALL_WORDS.search(text) is not None)
