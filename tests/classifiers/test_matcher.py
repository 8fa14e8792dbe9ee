import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifiers.matcher import TermMatcher

TERMS = [
    "pain",
    "chest pain",
    "chest pain on exertion",
    "chest x ray",
    "ray",
    "kidney stone",
    "# mg",
    "#mg",
    "blood pressure # #",
    "anemia",
    "x",
]
MATCHER = TermMatcher(TERMS, {"anaemia": "anemia", "unheard": "of"})
WORDS = st.lists(
    st.sampled_from(["pain", "chest", "on", "exertion", "x", "ray", "kidney", "stone", "5", "mg", "5mg", "word"]),
    max_size=12,
)


def found(text: str) -> list[tuple[str, int]]:
    matches = MATCHER.match([text])
    return [(TERMS[term], int(position)) for term, position in zip(matches.term, matches.position, strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("nothing here", []),
        ("Chest PAIN", [("chest pain", 0)]),
        ("chest pain on exertion", [("chest pain on exertion", 0)]),
        ("chest pain on arrival", [("chest pain", 0)]),
        ("chest, pain", [("chest pain", 0)]),
        ("chest", []),
        ("Chest X-rays", [("chest x ray", 0)]),
        ("kidney-stones", [("kidney stone", 0)]),
        ("5 mg or 10mg", [("# mg", 0), ("#mg", 3)]),
        ("5000 mg", []),
        ("blood pressure 120/80", [("blood pressure # #", 0)]),
        ("anaemia", [("anemia", 0)]),
        ("of", []),
        ("the x ray", [("x", 1), ("ray", 2)]),
        ("pain pain", [("pain", 0), ("pain", 1)]),
    ],
)
def test_longest_terms_are_found(text: str, expected: list[tuple[str, int]]) -> None:
    assert found(text) == expected


def test_no_term_reaches_over_the_end_of_a_document() -> None:
    matches = MATCHER.match(["chest", "pain", "", "kidney", "stone x"])
    assert [(int(document), TERMS[term]) for document, term in zip(matches.document, matches.term, strict=True)] == [
        (1, "pain"),
        (4, "x"),
    ]
    assert matches.lengths.tolist() == [1, 1, 0, 1, 2]


def test_an_empty_batch_and_an_empty_vocabulary_have_no_matches() -> None:
    assert len(MATCHER.match([]).term) == 0
    assert len(TermMatcher([], {}).match(["chest pain"]).term) == 0


def plainly_found(words: list[str]) -> list[tuple[str, int]]:
    """The same by trying every term at every place."""
    forms = {"5": "#", "5mg": "#mg"}
    folded = [forms.get(word, word) for word in words]
    hits, furthest = [], 0
    for start in range(len(folded)):
        fitting = [term for term in TERMS if folded[start : start + len(term.split())] == term.split()]
        if fitting:
            longest = max(fitting, key=lambda term: len(term.split()))
            end = start + len(longest.split())
            if end > furthest:
                hits.append((longest, start))
            furthest = max(furthest, end)
    return hits


@given(st.lists(WORDS, max_size=4))
def test_a_batch_gives_what_a_plain_search_gives(documents: list[list[str]]) -> None:
    matches = MATCHER.match([" ".join(words) for words in documents])
    for number, words in enumerate(documents):
        mine = matches.document == number
        assert [
            (TERMS[term], int(place)) for term, place in zip(matches.term[mine], matches.position[mine], strict=True)
        ] == plainly_found(words)
