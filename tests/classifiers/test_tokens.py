import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifiers.tokens import NUMBER, folded_tokens, singular, surface_forms, term_tokens, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        ("Chest X-ray", [b"chest", b"x", b"ray"]),
        ("BP 120/80, b.i.d.", [b"bp", b"120", b"80", b"b", b"i", b"d"]),
        ("snake_case", [b"snake", b"case"]),
        ("a\x00b", [b"a", b"b"]),
        ("a\ud800b", [b"a", b"b"]),
        ("patient’s “pain”—acute", [b"patient", b"s", b"pain", b"acute"]),
        ("ﬁstula", [b"fistula"]),
        ("ｆｅｖｅｒ", [b"fever"]),
        ("Méniere", ["méniere".encode("latin-1")]),
        ("боль в груди", []),
        ("x²", [b"x2"]),
    ],
)
def test_tokenize(text: str, tokens: list[bytes]) -> None:
    assert tokenize(text) == tokens


@pytest.mark.parametrize(
    ("plural", "folded"),
    [
        ("fractures", "fracture"),
        ("allergies", "allergy"),
        ("masses", "mass"),
        ("reflexes", "reflex"),
        ("lens", "lens"),
        ("pus", "pus"),
        ("diagnosis", "diagnosis"),
        ("abscess", "abscess"),
        ("virus", "virus"),
        ("eyes", "eye"),
    ],
)
def test_singular(plural: str, folded: str) -> None:
    assert singular(plural) == folded


@pytest.mark.parametrize(
    ("term", "written", "folded"),
    [
        ("Kidney Stones", ("kidney", "stones"), ("kidney", "stone")),
        ("# mg", (NUMBER, "mg"), (NUMBER, "mg")),
        ("#mg", ("#mg",), ("#mg",)),
        ("COVID-19", ("covid", NUMBER), ("covid", NUMBER)),
    ],
)
def test_terms_are_written_and_folded(term: str, written: tuple[str, ...], folded: tuple[str, ...]) -> None:
    assert term_tokens(term) == written
    assert folded_tokens(term) == folded


def test_a_number_sign_stands_for_numbers_with_and_without_a_unit() -> None:
    assert {"0", "05", "120", "999"} <= set(surface_forms(NUMBER))
    assert "1000" not in surface_forms(NUMBER)
    assert "50mg" in surface_forms("#mg")


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12))
def test_every_surface_form_folds_back(word: str) -> None:
    token = singular(word)
    assert all(singular(form) in (token, singular(token)) for form in surface_forms(token))


@given(st.text(st.characters(codec=None), max_size=200))
def test_any_text_is_split_into_lower_case_words(text: str) -> None:
    for token in tokenize(text):
        word = token.decode("latin-1")
        assert word.isalnum()
        assert word == word.lower()
