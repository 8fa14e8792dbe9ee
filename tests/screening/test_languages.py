"""Texts in other languages: what the rules of their folders find, and that other texts do not pay for them."""

import unicodedata
from pathlib import Path

import pytest

from core.errors import RuleError
from screening.patterns.patterns import Patterns
from screening.ruleset.files import shipped_languages
from screening.ruleset.ruleset import load_rules, parse_rules
from screening.screen import Screen

LETTERS = {
    "fr": (
        "Patiente : OUELLET Éloïse\nNuméro de dossier : 448213\nNAM : OUEE 6262 1512\n"
        "Née le 15 décembre 1962\nAdresse : 12, rue Principale, Gatineau (Québec) J8X 2B3\nTél. : 819 555-0142\n"
        "Femme de 62 ans vue le 3 février avec sa fille. Dre Maude Pelchat, permis no 12-345",
        {
            ("last_name", "OUELLET"),
            ("first_name", "Éloïse"),
            ("medical_record_number", "448213"),
            ("health_card_number", "OUEE 6262 1512"),
            ("birth_date", "15 décembre 1962"),
            ("street_address", "12, rue Principale"),
            ("city", "Gatineau"),
            ("postal_code", "J8X 2B3"),
            ("phone_number", "819 555-0142"),
            ("demographic", "62 ans"),
            ("demographic", "fille"),
            ("date", "3 février"),
            ("health_professional_name", "Maude Pelchat"),
            ("certificate_licence_number", "12-345"),
        },
    ),
    "es": (
        "Nombre: Lucía.\nApellidos: Ibarra Sanz.\nNHC: 368503.\nNASS: 26 63514095 03.\n"
        "Domicilio: Calle Miguel Benítez 90.\nCP: 28016.\nFecha de nacimiento: 03/03/1946.\nEdad: 70 años Sexo: M.\n"
        "Médico: Ignacio Peral Cuéllar NºCol: 28 28 70973.\nMujer de 70 años, su madre era diabética. "
        "Ingresó el 3 de marzo de 2016.",
        {
            ("first_name", "Lucía"),
            ("last_name", "Ibarra Sanz"),
            ("medical_record_number", "368503"),
            ("health_plan_number", "26 63514095 03"),
            ("postal_code", "28016"),
            ("birth_date", "03/03/1946"),
            ("demographic", "70 años"),
            ("demographic", "M"),
            ("demographic", "Mujer"),
            ("demographic", "madre"),
            ("health_professional_name", "Ignacio Peral Cuéllar"),
            ("certificate_licence_number", "28 28 70973"),
            ("date", "3 de marzo de 2016"),
        },
    ),
    "da": (
        "Navn: Søren Østergaard\nCPR: 120361-4417\nAdresse: Nørregade 12, 3. tv, 8000 Aarhus C\nTlf. 86 12 34 56\n"
        "Journalnr. 448213\nEn 62-årig mand, indlagt den 3. marts 2019 på Vejle Sygehus, ledsaget af sin datter.\n"
        "Overlæge Kirsten Bruun",
        {
            ("first_name", "Søren"),
            ("last_name", "Østergaard"),
            ("national_id_number", "120361-4417"),
            ("street_address", "Nørregade 12, 3. tv"),
            ("postal_code", "8000"),
            ("city", "Aarhus C"),
            ("phone_number", "86 12 34 56"),
            ("medical_record_number", "448213"),
            ("demographic", "62-årig"),
            ("date", "3. marts 2019"),
            ("hospital", "Vejle Sygehus"),
            ("demographic", "datter"),
            ("health_professional_name", "Kirsten Bruun"),
        },
    ),
    "de": (
        "Sehr geehrte Frau Kollegin,\nwir berichten über Herrn Ottokar Wiesinger, geb. am 21.06.1967, wohnhaft "
        "Lindengasse 11, 8010 Graz, Fallnummer: 23346011, Versichertennr. 1237 210667, Telefon (0316) 708 - 223.\n"
        "Der 57-jährige Patient war vom 19.3. bis 7. Mai 2025 auf Station A31. OA Dr. Huber Karina",
        {
            ("first_name", "Ottokar"),
            ("last_name", "Wiesinger"),
            ("birth_date", "21.06.1967"),
            ("street_address", "Lindengasse 11"),
            ("postal_code", "8010"),
            ("city", "Graz"),
            ("medical_record_number", "23346011"),
            ("phone_number", "(0316) 708 - 223"),
            ("demographic", "57-jährige"),
            ("date", "19.3."),
            ("date", "7. Mai 2025"),
            ("other_detail", "A31"),
            ("health_professional_name", "Huber Karina"),
        },
    ),
    "it": (
        "Gentile Dott.ssa Giulia De Luca,\nle invio la Sig.ra Carla Esposito, nata a Forlì il 3 marzo 1950, residente "
        "in Via Garibaldi 3, 40121 Bologna. Donna di 75 anni. Cartella clinica n. 2019/44821. Tel. 051 123456.",
        {
            ("health_professional_name", "Giulia De Luca"),
            ("first_name", "Carla"),
            ("last_name", "Esposito"),
            ("birth_date", "3 marzo 1950"),
            ("street_address", "Via Garibaldi 3"),
            ("postal_code", "40121"),
            ("city", "Bologna"),
            ("demographic", "75 anni"),
            ("medical_record_number", "2019/44821"),
            ("phone_number", "051 123456"),
        },
    ),
    "pt": (
        "Exma. Dra. Inês Tavares,\nenvio a Sra. Conceição Figueiredo, nascida em 3 de março de 1950, moradora na rua "
        "das Flores, 12, CEP 01310-100. Mulher de 75 anos, vive com o marido. Prontuário nº 2019/44821. "
        "Cel. (11) 91234-5678.",
        {
            ("health_professional_name", "Inês Tavares"),
            ("first_name", "Conceição"),
            ("last_name", "Figueiredo"),
            ("birth_date", "3 de março de 1950"),
            ("street_address", "rua das Flores, 12"),
            ("postal_code", "01310-100"),
            ("demographic", "75 anos"),
            ("demographic", "marido"),
            ("medical_record_number", "2019/44821"),
            ("phone_number", "(11) 91234-5678"),
        },
    ),
}


@pytest.fixture(scope="module")
def screen() -> Screen:
    return Screen(load_rules(), b"k" * 32)


def found(screen: Screen, text: str) -> set[tuple[str, str]]:
    return {(span.characteristic, text[span.start : span.end]) for span in screen.spans(text)}


def test_each_language_has_a_letter() -> None:
    assert shipped_languages() == set(LETTERS)


@pytest.mark.parametrize("language", sorted(LETTERS))
def test_a_letter(screen: Screen, language: str) -> None:
    text, expected = LETTERS[language]
    assert expected - found(screen, text) == set()


@pytest.mark.parametrize("language", sorted(LETTERS))
def test_a_letter_whose_accents_are_apart(screen: Screen, language: str) -> None:
    text, _ = LETTERS[language]
    apart = unicodedata.normalize("NFD", text)
    kinds = [span.characteristic for span in screen.spans(apart)]
    assert kinds == [span.characteristic for span in screen.spans(text)]


def test_capitals_without_accents(screen: Screen) -> None:
    text = "FRANCOIS BEAUCHAMP, NE LE 3 FEVRIER 1950, DOSSIER NO 778120, 45 RUE DE L'EGLISE, QUEBEC"
    assert {
        ("first_name", "FRANCOIS"),
        ("last_name", "BEAUCHAMP"),
        ("birth_date", "3 FEVRIER 1950"),
        ("medical_record_number", "778120"),
        ("street_address", "45 RUE DE L'EGLISE"),
    } <= found(screen, text)


@pytest.mark.parametrize(
    "text",
    [
        "Numéro :\nAdresse :\nPatiente :\nMédecin traitant :\nDate de naissance :",
        "Nombre:\nApellidos:\nDomicilio:\nMédico:\nFecha de nacimiento:",
        "Die Katheter-Entfernung war unauffällig, die Leber unter dem Rippenbogen. Nach Magensonde keine Beschwerden. "
        "Der Oberarm und das Kniegelenk sind frei.",
    ],
)
def test_labels_and_nouns_are_no_names(screen: Screen, text: str) -> None:
    names = {"first_name", "last_name", "initials", "health_professional_name"}
    assert not [value for kind, value in found(screen, text) if kind in names]


@pytest.mark.parametrize(
    ("table", "record", "plan"),
    [
        (
            "NHC;Nombre;Apellidos;Fecha nac;NASS\n448213;Lucía;Ibarra Sanz;03/03/1946;266351409503\n"
            "448214;Pedro;Ruiz Peral;13/05/1950;266351409504\n",
            "448213",
            "266351409504",
        ),
        (
            "Fallnr;Patientenname;Geb.-Dat.;VersNr\n44821301;Wiesinger, Ottokar;21.06.1967;A123456789\n"
            "44821302;Gruber, Heidrun;01.02.1950;B123456789\n",
            "44821302",
            "A123456789",
        ),
        (
            "No dossier,Nom,Prénom,Date de naissance,NAM\n77812,Ouellet,Éloïse,1962-12-15,OUEE62621512\n"
            "77813,Gagné,Luc,1950-01-02,GAGL50010212\n",
            "77812",
            "GAGL50010212",
        ),
    ],
    ids=["es", "de", "fr"],
)
def test_headings_of_tables(screen: Screen, table: str, record: str, plan: str) -> None:
    values = found(screen, table)
    assert {("medical_record_number", record), ("health_plan_number", plan)} <= values
    assert sum(kind == "birth_date" for kind, _ in values) == 2
    heading = table.partition("\n")[0]
    assert not [value for _, value in values if value in heading]


def test_patterns_of_a_language_wait_for_its_signs() -> None:
    patterns = Patterns(load_rules())
    patterns.candidates("Seen on 3 March for chest pain; lives at 12 Oak Street with her mother. " * 20)
    assert not patterns._by_language
    patterns.candidates(LETTERS["es"][0])
    met = {patterns._languages[at - 1] for at in patterns._by_language}
    assert "es" in met
    assert "de" not in met


OWN = """
[words]
signs = ["zorgverzekering"]
labels = ["dossiernummer", "één"]
[[detector]]
id = "nl-record"
characteristic = "medical_record_number"
description = "A Dutch record number"
pattern = '{{labels}}:? (?P<value>\\d{6})\\b'
ignore_case = true
score = 0.8
"""


def own_language(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "nl" / "rules.toml"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    return path


def test_a_language_of_ones_own(tmp_path: Path) -> None:
    patterns = Patterns(load_rules([own_language(tmp_path, OWN)]))
    assert [span.characteristic for span in patterns.candidates("Zorgverzekering, DOSSIERNUMMER: 448120")] == [
        "medical_record_number"
    ]
    assert [span.start for span in patterns.candidates("zorgverzekering EEN 448120")] == [20]
    assert patterns.candidates("dossiernummer 448120") == []


def test_a_word_of_one_letter_is_a_word_too(tmp_path: Path) -> None:
    own = OWN.replace('"één"', '"n"').replace("{{labels}}:? ", "{{labels}}:?[a-z ]{1,9}")
    patterns = Patterns(load_rules([own_language(tmp_path, own)]))
    assert [span.start for span in patterns.candidates("zorgverzekering n 448120")] == [18]
    assert patterns.candidates("zorgverzekering niet 448120") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (OWN.replace("{{labels}}", "{{lables}}"), "did you mean 'labels'"),
        (OWN.replace('["dossiernummer", "één"]', '"dossiernummer"'), "must be a list of words"),
        (OWN.replace("(?P<value>", "(?P<value"), "not a regular expression"),
    ],
)
def test_a_fault_in_it_shows_at_once(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        Patterns(load_rules([own_language(tmp_path, text)]))


def test_a_list_has_one_place_in_its_folder() -> None:
    file = b'[words]\nsigns = ["x"]\n'
    with pytest.raises(RuleError, match="already taken in this folder"):
        parse_rules((*[(name, raw) for name, raw in load_rules().sources], ("nl/a.toml", file), ("nl/b.toml", file)))
