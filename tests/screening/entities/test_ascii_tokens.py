"""Words of ASCII texts, found by arrays, are those that the expression finds; each has the number of its letters."""

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from screening.entities.tokens import is_gap, pieces, word_of
from screening.entities.vocabulary import APART, EDGE, GAP, LONG, Vocabulary, _by_expression, split
from screening.entities.word_table import WordTable

_PIECES = (
    *(
        " ",
        "  ",
        "   ",
        "\n",
        "\t",
        "\r\n",
        "\x1c",
        "\0",
        "'",
        "'s",
        "'S",
        "'t",
        "'re",
        "LL",
        "_",
        "--",
        "..",
        "=",
        "*",
        "#",
    ),
    *("O", "Brien", "s", "don", "abcdefgh", "abcdefghi", "abcdefghijklmnop", "abcdefghijklmnopq", "x" * 40, "y" * 41),
    *("0", "1234567890123456789", "\x7f", ".", "("),
)
ascii_texts = st.lists(st.sampled_from(_PIECES), max_size=12).map("".join) | st.text(
    st.characters(max_codepoint=127), max_size=30
)


def _words(text: str) -> list[tuple[str, int, int]]:
    found, at = [], 0
    for piece in pieces(text):
        at += len(piece)
        if not is_gap(piece):
            found.append((word_of(piece), at - len(word_of(piece)), at))
    return found


@given(ascii_texts)
def test_words_and_places_are_those_of_the_expression(text: str) -> None:
    found = split([text], Vocabulary({}))
    places = list(zip(found.starts.tolist(), found.ends.tolist(), strict=True))
    assert [(text[start:end], start, end) for start, end in places] == _words(text)


@given(st.lists(ascii_texts | st.text(max_size=20), min_size=1, max_size=5))
def test_texts_together_are_split_as_by_the_expression(texts: list[str]) -> None:
    by_arrays, by_expression = Vocabulary({}), Vocabulary({})
    for _ in range(2):  # with words that are new, and with words met before
        found, plain = split(texts, by_arrays), _by_expression(texts, by_expression)
        assert np.array_equal(found.bounds, plain.bounds)
        assert np.array_equal(found.starts, plain.starts)
        assert np.array_equal(found.ends, plain.ends)
        same = dict(zip(plain.words.tolist(), found.words.tolist(), strict=True))
        assert [same[number] for number in plain.words.tolist()] == found.words.tolist()
        assert len(set(same.values())) == len(same)
        assert all(same.get(number, number) == number for number in (GAP, EDGE, LONG))
        for own, other in same.items():
            assert by_arrays.attributes(other) == by_expression.attributes(own)


def test_a_word_has_one_number_however_it_is_found() -> None:
    vocabulary = Vocabulary({})
    found = split(["Ana ANA ana", "é Ana ANA ana"], vocabulary).words.tolist()
    assert found[:3] == found[-3:] and len(set(found[:3])) == 3
    assert found[3 : 3 + APART] == [EDGE] * APART


def test_a_table_of_many_words_finds_each() -> None:
    chance = random.Random(3)
    words = list({"".join(chance.choices("abcXYZ01", k=chance.randint(1, 20))) for _ in range(30_000)})
    numbers = {word: number for number, word in enumerate(words)}
    table = WordTable()
    text = " ".join(words).encode()
    ends = np.cumsum([len(word) + 1 for word in words]) - 1
    starts = ends - np.array([len(word) for word in words])
    asked: list[str] = []

    def number_of(word: str) -> int:
        asked.append(word)
        return numbers[word]

    for _ in range(2):
        assert table.numbers(text, starts, ends, number_of).tolist() == list(range(len(words)))
    assert len(asked) == len(words)
