import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from classifiers import codes
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
    assert word in with_code_words([text])[0].split()


@pytest.mark.parametrize("text", ["call 555-1 or 8480-6", "invoice 44054006", "room E11.9", "99213 items", ""])
def test_other_numbers_stay_as_they_are(text: str) -> None:
    assert with_code_words([text]) == [text]


def test_each_code_is_found_at_its_place_among_others() -> None:
    text = "Dx E11.9 and S72.001A, LOINC 8480-6, SNOMED 44054006, CPT 99213 or J1100"
    found = ["E11.9", "S72.001A", "8480-6", "44054006", "99213", "J1100"]
    (places,) = code_places([text])
    assert sorted(text[start:end] for start, end, _ in places) == sorted(found)
    assert not any(code in with_code_words([text])[0] for code in found)


CODES = ["E11.9", "A0B.1Z", "8480-6", "1-2", "123456", "99213", "0001F", "J1100"]
PIECES = [*CODES, "Dx", "LOINC", "SNOMED", "CPT", "é", ".", "-", "x", "7", " "]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), max_size=5))
def test_a_batch_has_the_codes_of_its_texts_and_none_is_overlooked(texts: list[str]) -> None:
    def searched(text: str) -> list[tuple[int, int, str]]:
        return [(start, end, system.word) for system in codes._SYSTEMS for start, end in codes._found(text, system)]

    assert [sorted(places) for places in code_places(texts)] == [sorted(searched(text)) for text in texts]
    assert with_code_words(texts) == [with_code_words([text])[0] for text in texts]


def test_a_code_is_found_wherever_a_long_text_is_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Dx and LOINC: " + "E11.9 8480-6 " * 5
    whole = code_places([text])
    assert len(whole[0]) == 10
    for size in range(1, 8):
        monkeypatch.setattr(codes, "_LOOK", size)
        assert code_places([text]) == whole
