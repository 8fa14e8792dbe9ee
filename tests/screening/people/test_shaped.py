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
    "label of a patient": "TAX INVOICE\nClient Marama Ruatapu  AB12345\nInjury 2 Aug netball, ankle sprain",
    "no listed name in a short note": "PGx card\nHyun-woo Sim\nclopidogrel, allopurinol, warfarin, statin: avoid",
    "piece of a claim": "NM1*QC*1*SEPULVEDA*ARACELI****MI*W20119938~HI*ABK:F3181~SVC*HC:90837*200*142.18~",
    "parts of a name in fields": '{"name":[{"family":"Ramaswamy","given":["Karthik"]}],"code":"Parkinson disease"}',
    "not greeted by the line above": "LEVOTHYROXINE 50MCG TABS\nTake ONE each morning\nMRS J ENTWISTLE  04 Mar 23",
    "medical word in the heading alone": "nm,ag,g,hb,mp\nAmina Yakubu,22,F,6.9,++\nSule Garba,40,M,12.1,neg",
    "title in Spanish": "este mensaje es para la señora Altagracia Polanco, de la clínica de mamografía, del seno",
    "what somebody said in a group": "support circle: Hana Sato said intrusive thoughts, OCD, on fluvoxamine",
    "named as a disease is": "Frau Basedow wurde wegen einer Fraktur operiert. Postoperativ Pneumonie. Dr. Lenz",
    "named as a drug is": "Herr Gebauer klagt über Fieber und Husten. Diagnose: Pneumonie. Dr. Lenz",
    "name alone behind the label": "Betrifft Ihren Patienten Schwarz. MRT: Mediainfarkt, keine Blutung. Dr. Koch",
    "with an occupation": "Frau Tilda Kamp, Krankenschwester, klagt seit Mai über Schmerzen im Knie. Dr. Vogelsang",
    "with an age and a title": "Dr. Fritz Uhlig, 71 Jahre, wurde wegen akuter Bauchschmerzen aufgenommen. Dr. Sander",
    "born behind an asterisk": "Pat. ruft an: Müller-Lüdenscheidt, Erwin, *3.2.44, braucht Rezept Metformin 1000",
    "term behind the name": "Pat. Wendt, 45 J., Bandscheibenvorfall L4/5 mit Fußheberparese. OP indiziert. Dr. Rauch",
    "writer without a pronoun": "hi kathi, kann heut nicht kommen, hab scheidenpilz und fieber. lg selina hutter",
    "nobody but by shape": "Partograma. Yurani Mosquera G1P0 39.4 s., cesárea, preeclampsia, diabetes gestacional",
}


@pytest.mark.parametrize("text", JUDGED.values(), ids=JUDGED)
def test_the_person_is_taken_for_the_subject(screen: Screen, text: str) -> None:
    assert screen.passages_of_each([text])[0]


NOT_JUDGED = {
    "article": "My daughter has a ring around her iris. Is it a Kayser-Fleischer ring? This could be wilson disease.",
    "authors of a paper": "Asthma and COPD in Ostrobothnia\nKaisu Hyvölä*, Outi Räihälä†\nSpirometry, steroids",
    "surgeon of a claim": "NM1*82*1*OKONJO*SAMUEL****XX*1902111111~SVC*HC:90837*200*142.18~",
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
