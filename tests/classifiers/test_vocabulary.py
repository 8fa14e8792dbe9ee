import pytest

from classifiers.tokens import folded_tokens
from classifiers.training.own_terms import own_terms, spelling_aliases, without_accents
from classifiers.training.translated_terms import translated_terms
from classifiers.vocabulary import CATEGORIES, VOCABULARY_FILE, Term, read_vocabulary, unique_terms, write_vocabulary

SOME = [
    Term("kidney stone", "kidney stones", "disease"),
    Term("tylenol", "acetaminophen", "drug"),
    Term("acetaminophen", "acetaminophen", "drug"),
]


def test_terms_survive_writing_and_reading() -> None:
    assert read_vocabulary(write_vocabulary(SOME)) == sorted(SOME)


def test_the_order_of_terms_does_not_change_the_bytes() -> None:
    assert write_vocabulary(SOME) == write_vocabulary(reversed(SOME))


def test_the_earlier_group_decides() -> None:
    first, second = Term("cold", "cold", "symptom"), Term("cold", "common cold", "disease")
    assert unique_terms([[first], [second]]) == [first]
    assert unique_terms([[second], [first]]) == [second]


def test_the_shipped_vocabulary_is_sound() -> None:
    terms = read_vocabulary(VOCABULARY_FILE.read_bytes())
    assert len({term.tokens for term in terms}) == len(terms) > 10_000
    assert {term.category for term in terms} == set(CATEGORIES)
    assert all(term.tokens and term.concept for term in terms)


def test_the_shipped_vocabulary_holds_every_own_term() -> None:
    shipped = {term.tokens: term for term in read_vocabulary(VOCABULARY_FILE.read_bytes())}
    missing = [term.tokens for term in own_terms() if term.tokens not in shipped]
    assert missing == []


def test_brand_names_count_as_the_drug() -> None:
    shipped = {term.tokens: term for term in read_vocabulary(VOCABULARY_FILE.read_bytes())}
    assert shipped["avandia"] == Term("avandia", "rosiglitazone", "drug")


def test_aliases_are_single_folded_words() -> None:
    aliases = spelling_aliases()
    assert aliases["anaemia"] == "anemia"
    assert all(folded_tokens(word) == (word,) for pair in aliases.items() for word in pair)


@pytest.mark.parametrize(
    ("tokens", "language", "plain"),
    [
        ("fièvre", "fr", "fievre"),
        ("mal à la tête", "fr", "mal a la tete"),
        ("adressé", "fr", None),
        ("neumonía", "es", "neumonia"),
        ("übelkeit", "de", "uebelkeit"),
        ("husten", "de", None),
    ],
)
def test_forms_without_accents_count_as_the_term_unless_they_are_another_word(
    tokens: str, language: str, plain: str | None
) -> None:
    expected = Term(plain, "concept", "symptom") if plain else None
    assert without_accents(Term(tokens, "concept", "symptom"), language) == expected


def test_diseases_and_drugs_of_other_languages_count_as_the_english() -> None:
    shipped = {term.tokens: term for term in read_vocabulary(VOCABULARY_FILE.read_bytes())}
    assert all(term.tokens in shipped for term in translated_terms())
    assert shipped["digaol"] == Term("digaol", "timolol", "drug")
    assert shipped["regurgitación tricuspídea"].concept == shipped["tricuspid regurgitation"].concept
