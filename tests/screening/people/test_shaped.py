"""Names that the model of names does not see, but whose shape gives them away."""

import pytest

from screening.people.shaped import mentions_by_shape
from screening.screen import Screen

LISTS = {"yurani": 16, "mosquera": 108, "hargreaves": 44, "grubb": 12}

NAMED = {
    "two surnames": ("Partograma. Yurani Mosquera G1P0", "Yurani Mosquera"),
    "initial behind": ("14:20  HARGREAVES, T  vasectomy consult", "HARGREAVES, T"),
    "title": ("seen: Mrs. Ottoline Gebremeskel, flat 31", "Ottoline Gebremeskel"),
    "word before": ("Obs Scan Yurani Mosquera", "Yurani Mosquera"),
}


@pytest.mark.parametrize(("text", "name"), NAMED.values(), ids=NAMED)
def test_shape_gives_a_name_away(text: str, name: str) -> None:
    assert name in {text[mention.start : mention.end] for mention in mentions_by_shape(text, 0, len(text), LISTS)}


@pytest.mark.parametrize("text", ["Kreissäge Zeigefinger links", "the Red Cross of Geneva", "METHOTREXATE TABLETS 2.5"])
def test_words_that_no_list_knows_are_no_names(text: str) -> None:
    assert not list(mentions_by_shape(text, 0, len(text), LISTS))


JUDGED = {
    "title and age outweigh a profession": "For referring MR. LEANDER KYRIAKOU (48), periodontitis, type 2 diabetes.",
    "label outweighs a profession": "I am Gwendolyn Tsegaye, nurse on 3N. Since my lupus was found I can't do nights.",
    "date of birth is no degree": "Claimant: Mrs Ifeyinwa Okpara d.o.b. 21/01/1980. Neck pain, physiotherapy.",
    "year of birth is no citation": "Hargitay;Petra;1972;multiple sclerosis\nBrandl;Otto;1949;prostate cancer",
    "first name with a hyphen": "Villacorta, Jan-Michael\nHumira pen x2, psoriasis",
    "illness that may be a name": "Kevin Rossbach hat Corona, nix Training heute",
    "who calls": "Message left 4:12pm: Mrs Indira Balasingham says the lump has got bigger and she is in pain.",
    "nobody but by shape": "Partograma. Yurani Mosquera G1P0 39.4 s., cesárea, preeclampsia, diabetes gestacional",
}


@pytest.mark.parametrize("text", JUDGED.values(), ids=JUDGED)
def test_the_person_is_taken_for_the_subject(screen: Screen, text: str) -> None:
    assert screen.passages_of_each([text])[0]


NOT_JUDGED = {
    "article": "My daughter has a ring around her iris. Is it a Kayser-Fleischer ring? This could be wilson disease.",
    "record of a doctor": '{"name": "Helen Novak", "specialty": "HIV testing, hepatitis C, diabetes", "phone": "555"}',
    "name of a profile": "US Core Medication Profile\tUS Core ADI DocumentReference Profile\tBlood Pressure Profile",
}


@pytest.mark.parametrize("text", NOT_JUDGED.values(), ids=NOT_JUDGED)
def test_nobody_is_taken_for_the_subject(screen: Screen, text: str) -> None:
    assert not screen.passages_of_each([text])[0]


def test_letters_that_a_scanner_misread_hide_nobody(screen: Screen) -> None:
    assert screen.passages_of_each(["Dear Dr Webb, re Barthol0mew F1nch. Bi0psy sh0ws adenocarcin0ma 0f the pr0state"])[
        0
    ]
