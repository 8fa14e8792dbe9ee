"""Words of Western texts, found by arrays, are those that the expression finds; each has the number of its letters."""

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from screening.entities.tokens import LONGEST_WORD, is_gap, pieces, word_of
from screening.entities.vocabulary import APART, EDGE, GAP, LONG, Vocabulary, split
from screening.entities.western_tokens import ENCODING, western_and_others
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
_ACCENTED = (
    "é",
    "É",
    "œu",
    "ÿ",
    "’",
    "’s",
    "‘",
    "«",
    "×",
    "…",
    "€",
    "ª",
    "²",
    "½",
    "µ",
    "ˆ",
    "˜",
    "\xad",
    "\xa0",
    "\x85",
)
_SIGNS = (bytes([code]).decode(ENCODING, "ignore") for code in range(256))
_WESTERN = [sign for sign in _SIGNS if sign and isinstance(western_and_others(sign)[0][1], bytes)]
ascii_texts = st.lists(st.sampled_from(_PIECES), max_size=12).map("".join) | st.text(
    st.characters(max_codepoint=127), max_size=30
)
western_texts = st.lists(st.sampled_from((*_PIECES, *_ACCENTED)), max_size=12).map("".join) | st.text(
    st.sampled_from(_WESTERN), max_size=30
)


def _words(text: str) -> list[tuple[str, int, int]]:
    found, at = [], 0
    for piece in pieces(text):
        at += len(piece)
        if not is_gap(piece):
            word = word_of(piece)
            word = piece if len(word) > LONGEST_WORD else word  # of a long one the blank is a part
            found.append((word, at - len(word), at))
    return found


@given(western_texts)
def test_words_and_places_are_those_of_the_expression(text: str) -> None:
    _compare(text)


def _compare(text: str) -> None:
    found = split([text], Vocabulary({}))
    places = list(zip(found.starts.tolist(), found.ends.tolist(), strict=True))
    assert [(text[start:end], start, end) for start, end in places] == _words(text)


def test_every_two_signs_are_parted_or_joined_as_by_the_expression() -> None:
    assert len(_WESTERN) > 230
    for sign in _WESTERN:
        for apart in ("", " "):
            _compare(apart.join(f"{sign}{other}" for other in _WESTERN))


_FEW_FOREIGN = st.tuples(
    western_texts,
    st.sampled_from(("é", "Müller", "漢字", "\u2003", "’s", "m²", "ª")),
    western_texts,
    st.just(" " * 200),
)


@given(st.lists(ascii_texts | western_texts | st.text(max_size=20) | _FEW_FOREIGN.map("".join), min_size=1, max_size=5))
def test_texts_together_are_split_as_each_by_the_expression(texts: list[str]) -> None:
    vocabulary = Vocabulary({})
    for _ in range(2):  # with words that are new, and with words met before
        found = split(texts, vocabulary)
        numbers: dict[str, int] = {}
        for text, (first, last) in zip(texts, found.bounds.tolist(), strict=True):
            places = zip(found.starts[first:last].tolist(), found.ends[first:last].tolist(), strict=True)
            words = [(text[start:end], start, end) for start, end in places]
            assert words == _words(text)
            for (word, _, _), number in zip(words, found.words[first:last].tolist(), strict=True):
                assert numbers.setdefault(word if len(word) <= LONGEST_WORD else "", number) == number
            assert found.words[last : last + APART].tolist() == [EDGE] * APART * (last < len(found.words))
        assert len(set(numbers.values())) == len(numbers)
        assert GAP not in numbers.values() and numbers.get("", LONG) == LONG


@given(_FEW_FOREIGN.map("".join) | st.text(max_size=300))
def test_stretches_make_the_text(text: str) -> None:
    found = western_and_others(text)
    stretches = [(at, part if isinstance(part, str) else part.decode(ENCODING)) for at, part in found]
    assert "".join(stretch for _, stretch in stretches) == text
    assert all(text.startswith(stretch, start) for start, stretch in stretches)


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


def test_what_is_too_long_for_a_word_is_not_remembered() -> None:
    vocabulary = Vocabulary({})
    letters = str.maketrans("0123456789", "abcdefghij")
    split([" ".join(f"{number:x>60}".translate(letters) for number in range(1_000)) + " Ana"], vocabulary)
    assert len(vocabulary) < 10
    assert not vocabulary._by_letters._long
