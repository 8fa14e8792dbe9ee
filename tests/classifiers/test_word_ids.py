import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifiers.word_ids import WordIds

LONG = b"pseudopseudohypoparathyroidism"
KNOWN = {b"pain": 1, b"painful": 2, b"a": 3, b"eightbyt": 4, b"eightbyte": 5, LONG: 6, "épilepsie".encode("latin-1"): 7}
WORDS = WordIds(KNOWN)
PIECES = [
    *KNOWN,
    b"pai",
    b"painfully",
    b"eightbytes",
    LONG[:16],
    LONG[:24],
    LONG + b"s",
    LONG * 2,
    b" ",
    b"  ",
    b"\xff" * 8,
    b"#",
]


@given(
    st.lists(st.sampled_from(PIECES) | st.binary(max_size=12).map(lambda raw: raw.replace(b"\0", b" ")), max_size=12)
)
def test_words_have_the_numbers_and_places_of_a_plain_search(pieces: list[bytes]) -> None:
    raw = b" ".join(pieces)
    words = WORDS.find(raw)
    found = [raw[start:end] for start, end in zip(words.start, words.end, strict=True)]
    assert found == [word for word in raw.split(b" ") if word]
    assert words.number.tolist() == [KNOWN.get(word, 0) for word in found]


def test_thousands_of_words_share_slots_and_are_all_found() -> None:
    numbers = {f"word{number}".encode(): number for number in range(1, 5001)}
    raw = b" ".join(numbers)
    assert WordIds(numbers).find(raw).number.tolist() == list(numbers.values())
    assert not WordIds(numbers).find(raw.replace(b"word", b"ward")).number.any()


def test_a_word_of_megabytes_is_one_unknown_word() -> None:
    words = WORDS.find(b"pain " + b"a" * 3_000_000 + b" pain")
    assert words.number.tolist() == [1, 0, 1]
    assert np.array_equal(words.end - words.start, [4, 3_000_000, 4])


def test_an_empty_table_knows_nothing() -> None:
    assert WordIds({}).find(b"pain a").number.tolist() == [0, 0]


def test_a_word_with_a_gap_is_refused() -> None:
    with pytest.raises(ValueError, match="gap"):
        WordIds({b"chest pain": 1})
