import pytest

from classifiers.codes import code_places, with_code_words


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("LOINC 8480-6 systolic", "loinccode"),
        ("OBX|1|NM|718-7^Hemoglobin^LN", "loinccode"),
        ("SNOMED CT 44054006", "snomedcode"),
        ("Procedure code 99213", "cptcode"),
        ("HCPCS J1100", "cptcode"),
        ("Diagnosis: E11.9", "icdcode"),
        ("Dx S72.001A", "icdcode"),
    ],
)
def test_codes_become_a_word_where_their_system_is_named(text: str, word: str) -> None:
    assert word in with_code_words(text).split()


@pytest.mark.parametrize("text", ["call 555-1 or 8480-6", "invoice 44054006", "room E11.9", "99213 items", ""])
def test_other_numbers_stay_as_they_are(text: str) -> None:
    assert with_code_words(text) == text


def test_each_code_is_found_at_its_place_among_others() -> None:
    text = "Dx E11.9 and S72.001A, LOINC 8480-6, SNOMED 44054006, CPT 99213 or J1100"
    found = ["E11.9", "S72.001A", "8480-6", "44054006", "99213", "J1100"]
    assert sorted(text[start:end] for start, end, _ in code_places(text)) == sorted(found)
    assert not any(code in with_code_words(text) for code in found)
