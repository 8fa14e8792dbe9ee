import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from screening.entities.reading import REACH, Reading, read
from screening.entities.tokens import is_gap, pieces, word_of
from screening.entities.vocabulary import APART, Vocabulary

any_text = st.one_of(st.text(max_size=200), st.text(alphabet=st.sampled_from("aA1 .,-'\n\t\ud800éßO’_²"), max_size=200))


@given(any_text)
def test_pieces_are_the_text(text: str) -> None:
    assert "".join(pieces(text)) == text


@given(any_text)
def test_places_match_the_text(text: str) -> None:
    reading = read([text], Vocabulary({}))
    words = [text[start:end] for start, end in zip(reading.starts.tolist(), reading.ends.tolist(), strict=True)]
    assert words == [word_of(piece) for piece in pieces(text) if not is_gap(piece)]
    assert int(reading.sentence_lengths.sum()) == len(reading)
    assert len(reading.words) == len(reading) + 2 * REACH
    for field in (reading.triples, reading.moods, reading.trusts, reading.cues):
        assert len(field) == len(reading)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One here. Two there.", 2),
        ("Dr. Poe came.", 1),
        ("J. Poe came", 1),
        ("one\ntwo\nthree", 3),
        ("e.g. this", 1),
        ("word " * 200, 4),
    ],
)
def test_sentences(text: str, sentences: int) -> None:
    assert len(read([text], Vocabulary({})).sentence_starts) == sentences


def test_a_word_keeps_its_number() -> None:
    vocabulary = Vocabulary({})
    first = read(["Ana saw Ana."], vocabulary).words
    again = read(["Ana saw Ana."], vocabulary).words
    np.testing.assert_array_equal(first, again)
    assert first[REACH] == first[REACH + 2]


@pytest.mark.parametrize(
    ("text", "legal"),
    [
        (
            "The applicant lodged an appeal with the court. The tribunal heard the defendant and the prosecutor. " * 3,
            True,
        ),
        ("The patient was seen today and feels well. " * 10, False),
        ("court", False),
    ],
)
def test_tells_legal_texts(text: str, legal: bool) -> None:
    assert read([text], Vocabulary({})).legal.tolist() == [legal]


LINES = st.sampled_from(
    [
        "Dr. Poe",
        "Ana Poe came. Poe left",
        "ANA POE",
        "the court",
        "the applicant lodged an appeal with the court ",
        "seen by",
        "\n",
        "word " * 70,
    ]
)
FIELDS = ("triples", "moods", "trusts", "cues", "wordy", "informative", "starts", "ends")


def of_text(reading: Reading, number: int) -> list[object]:
    """All that a reading tells of one of its texts, its places counted from the start of the text."""
    first, last = reading.bounds[number].tolist()
    own = (reading.sentence_starts >= first) & (reading.sentence_starts < last)
    fields = [getattr(reading, name)[first:last].tolist() for name in FIELDS]
    sentences = [
        (reading.sentence_starts[own] - first).tolist(),
        reading.sentence_lengths[own].tolist(),
        reading.needy[own].tolist(),
    ]
    return [reading.words[first : last + 2 * REACH].tolist(), bool(reading.legal[number]), *sentences, *fields]


@given(st.lists(st.one_of(any_text, st.lists(LINES, max_size=12).map("".join)), min_size=1, max_size=6))
def test_texts_say_nothing_of_each_other(texts: list[str]) -> None:
    vocabulary = Vocabulary({"ana": 0b11, "poe": 0b1100})
    together = read(texts, vocabulary)
    assert len(together) == int(np.diff(together.bounds).sum()) + APART * (len(texts) - 1)
    assert int(together.sentence_lengths.sum()) == int(np.diff(together.bounds).sum())
    for number, text in enumerate(texts):
        assert of_text(together, number) == of_text(read([text], vocabulary), 0)


def test_sentences_in_capitals_are_read_as_if_in_small_letters() -> None:
    vocabulary = Vocabulary({"ana": 0b11, "the": 7 << 9})
    small, capital = (read([text], vocabulary) for text in ("ana poe saw the lake\nbob", "ANA POE SAW THE LAKE\nBOB"))
    np.testing.assert_array_equal(small.words, capital.words)
    np.testing.assert_array_equal(small.triples, capital.triples)
    np.testing.assert_array_equal(small.trusts, capital.trusts)


def test_a_word_in_capitals_among_others_keeps_them() -> None:
    vocabulary = Vocabulary({})
    assert (
        read(["we saw ANA there"], vocabulary).words[REACH + 2]
        != read(["we saw ana there"], vocabulary).words[REACH + 2]
    )
    assert read(["BOB"], vocabulary).words[REACH] != read(["bob"], vocabulary).words[REACH]
