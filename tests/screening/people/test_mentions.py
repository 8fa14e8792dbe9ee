"""Parts of names next to each other are one mention, and what the words are says how likely it names somebody."""

from collections.abc import Sequence

import pytest

from core.records import Span
from screening.entities.model import shipped_model
from screening.people.mentions import mentions_in

LISTS = shipped_model().gazetteer
KINDS = {"f": "first_name", "l": "last_name", "i": "initials"}


def marked(text: str) -> tuple[str, list[Span]]:
    """`f:Mary l:Sloan` marks a first and a last name."""
    plain, spans = "", []
    for word in text.split(" "):
        kind, colon, name = word.partition(":")
        start = len(plain)
        plain += f"{name if colon and kind in KINDS else word} "
        if colon and kind in KINDS:
            spans.append(Span(start, start + len(name.rstrip(",;\t\n")), KINDS[kind], 1.0))
    return plain, spans


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("f:Mary l:Sloan came", ["Mary Sloan"]),
        ("l:Sloan, f:Mary came", ["Sloan, Mary"]),
        ("f:Mary i:E l:Sloan came", ["Mary E Sloan"]),
        ("f:Mary l:Sloan, f:Tom l:Hart", ["Mary Sloan", "Tom Hart"]),
        ("f:Mary l:Sloan and f:Tom l:Hart", ["Mary Sloan", "Tom Hart"]),
        ("f:Ludwig van l:Beethoven", ["Ludwig van Beethoven"]),
        ("f:Maria de la l:Cruz", ["Maria de la Cruz"]),
        ("f:Mary saw l:Sloan", ["Mary", "Sloan"]),
        ("l:medication f:Mary l:Sloan", ["Mary Sloan"]),
        ("f:Mary l:Sloan l:insulin", ["Mary Sloan"]),
        ("Surname: l:Hussain    First: f:Zahra", ["Hussain    First: Zahra"]),
        ("Hi l:Tayo, f:Marcus l:Hart fell", ["Tayo", "Marcus Hart"]),
        ("good morning l:Tayo, f:Marcus l:Hart fell", ["Tayo", "Marcus Hart"]),
        ("born l:Connolly \n2 Name: f:Mary l:Sloan", ["Connolly", "Mary Sloan"]),
        ("f:Mon l:Pilates for all", []),
        ("nobody here", []),
    ],
)
def test_parts_of_a_name_are_joined(text: str, mentions: Sequence[str]) -> None:
    plain, spans = marked(text)
    assert [plain[one.start : one.end] for one in mentions_in(plain, spans, LISTS)] == mentions


@pytest.mark.parametrize(
    ("text", "is_full"),
    [
        ("f:Mary l:Sloan", True),
        ("l:Sloan", False),
        ("f:Mary", False),
        ("l:Sloan, f:Mary", True),
        ("l:Luc l:Gauthier", True),
        ("l:Dillard, T.: 20M", True),
        ("f:Jess T tomorrow", True),
        ("l:Dillard, The", False),
    ],
)
def test_a_full_name_has_more_than_one_part(text: str, is_full: bool) -> None:
    plain, spans = marked(text)
    (mention,) = mentions_in(plain, spans, LISTS)
    assert mention.is_full is is_full


@pytest.mark.parametrize("name", ["f:Mary l:Sloan", "f:Tom l:Hart", "f:Priscilla l:Nakamura", "f:Jorge l:Echeverria"])
@pytest.mark.parametrize("words", ["f:Blood l:Pressure", "f:Insulin l:Glargine", "f:Chronic l:Asthma"])
def test_names_are_likelier_than_medical_words(name: str, words: str) -> None:
    (first,), (second,) = (list(mentions_in(*marked(text), LISTS)) for text in (name, words))
    assert first.likelihood >= 2.0 > 0 > second.likelihood


def test_the_same_name_has_the_same_key_in_either_order() -> None:
    keys = {
        mention.key for text in ("f:Mary l:Sloan", "l:SLOAN, f:MARY") for mention in mentions_in(*marked(text), LISTS)
    }
    assert len(keys) == 1


def test_a_row_of_unknown_words_is_no_likelier_than_two() -> None:
    likelihoods = []
    for text in ("f:BLOCKIN l:LINEIN", "f:BLOCKIN f:LINEIN f:ALIGNEDLEFT f:SAMEFONT l:SAMEFONTSIZE"):
        plain, spans = marked(text)
        (mention,) = mentions_in(plain, spans, LISTS)
        likelihoods.append(mention.likelihood)
    assert likelihoods[0] == pytest.approx(likelihoods[1])
