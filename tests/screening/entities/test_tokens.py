"""Pieces of a text."""

from hypothesis import given
from hypothesis import strategies as st

from screening.entities.tokens import ASCII_PIECE, PIECE, pieces


@given(st.text(st.characters(max_codepoint=127) | st.sampled_from(" '.-=_*#\n\tsS")))
def test_texts_of_ascii_alone_are_cut_as_all_others(text: str) -> None:
    assert ASCII_PIECE.findall(text) == PIECE.findall(text)


@given(st.text())
def test_nothing_is_lost_between_pieces(text: str) -> None:
    assert "".join(pieces(text)) == text
