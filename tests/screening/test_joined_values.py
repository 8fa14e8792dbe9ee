"""Values that are joined to a word, as in text that lost its blanks, are found; versions and file names are not."""

import pytest

from screening.screen import Screen

FOUND = [
    ("La patiente est née le12/03/1956 à Lyon", "12/03/1956", "birth_date"),
    ("DOB: 03/12/1956Sex: F", "03/12/1956", "birth_date"),
    ('{"birthDate": "1962-03-07T00:00:00Z"}', "1962-03-07", "birth_date"),
    ("geboren am12.03.1956 in Kiel, der Patient", "12.03.1956", "birth_date"),
    ("Nacida el12/03/1956Sexo: mujer, la paciente", "12/03/1956", "birth_date"),
    ("Dossier vu 12/12/2012RAPPORT HOLTER", "12/12/2012", "date"),
    ("The report was typed on12/11/2012 by the ward", "12/11/2012", "date"),
    ("Aufnahme vom12. März 2015 bis heute", "12. März 2015", "date"),
    ("Ingresa el12 de marzo de 2015 con fiebre", "12 de marzo de 2015", "date"),
    ("Vu du 12 mars 1956par le service", "12 mars 1956", "date"),
    ("Son mobile est le06.98.43.40.20. Merci", "06.98.43.40.20", "phone_number"),
    ("Tél:0145678901Fax:0145678902 du service", "0145678901", "phone_number"),
    ("Teléfono: 91 336 80 00Fax de la clínica", "91 336 80 00", "phone_number"),
    ("Die Klinik: Tel.: 0461 708223Fax folgt", "0461 708223", "phone_number"),
    ("02 - François Dedoncker76 rue Haute, le patient", "Dedoncker", "last_name"),
    ("Adressé par le DrMartin pour un bilan", "Martin", "health_professional_name"),
]
NOTHING = [
    "pip install tool==v12.03.2015abc",
    "build12.03.2015rc1 of the server",
    "see log_12-03-2015final.txt",
    "/var/12/03/2015archive/file",
    "http://example.org/a12/03/2015b",
    "550e8400-e29b-41d4-a716-446655440000",
    "part SKU_06-12-34-56-78XL",
]


@pytest.mark.parametrize(("text", "value", "kind"), FOUND)
def test_a_value_joined_to_a_word_is_found(screen: Screen, text: str, value: str, kind: str) -> None:
    assert (value, kind) in {(text[span.start : span.end], span.characteristic) for span in screen.spans(text)}


@pytest.mark.parametrize("text", NOTHING)
def test_versions_ids_and_names_of_files_have_no_dates_and_telephones(screen: Screen, text: str) -> None:
    assert not {span.characteristic for span in screen.spans(text)} & {"date", "birth_date", "phone_number"}


def test_a_page_of_figures_under_a_french_letterhead_is_searched_as_french(screen: Screen) -> None:
    figures = "(1)09:32 95 8149 48 95 019 0 3 041 0 1 061 17 0 7 0\n" * 8
    text = f"93000 THIELLES CEDEX\nStandard : 01 29 38 47 10 ou 23 34\n{figures}"
    found = {text[span.start : span.end] for span in screen.spans(text)}
    assert {"93000", "01 29 38 47 10"} <= found
