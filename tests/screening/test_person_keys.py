"""Names, dates and numbers are compared without what is written or left out at will."""

import pytest

from screening.privacy.person_keys import Keyed, birth_of, plain_name, plain_number, sound_of


@pytest.mark.parametrize(
    ("written", "born"),
    [
        ("1970-03-12", (1970, 3, 12)),
        ("12/03/1970", (1970, 3, 12)),
        ("03/12/1970", (1970, 3, 12)),
        ("12.3.70", (1970, 3, 12)),
        ("19700312", (1970, 3, 12)),
        ("03121970", (1970, 3, 12)),
        ("12 March 1970", (1970, 3, 12)),
        ("March 12th, 1970", (1970, 3, 12)),
        ("12 mars 1970", (1970, 3, 12)),
        ("12. März 1970", (1970, 3, 12)),
        ("25/12/05", (2005, 12, 25)),
        ("March 1970", None),
        ("1970", None),
        ("99/99/1970", None),
    ],
)
def test_a_date_of_birth_is_one_however_it_is_written(written: str, born: tuple[int, int, int] | None) -> None:
    assert birth_of(written) == born


@pytest.mark.parametrize(
    ("kind", "written", "plain"),
    [
        ("phones", "(416) 555-0143", "165550143"),
        ("phones", "+1 416 555 0143", "165550143"),
        ("phones", "416.555.0143 ext. 22", "165550143"),
        ("phones", "020 7946 0617", plain_number("phones", "+44 20 7946 0617")),
        ("emails", "Ann.Lee+x@Example.com", "ann.lee@example.com"),
        ("health_numbers", "1461-088-591-BF", "1461088591"),
        ("record_numbers", "MRN 44 71-223", "mrn4471223"),
        ("addresses", "86899 Marshall Crossing, Suite 112", "86899 marshall"),
    ],
)
def test_a_number_is_compared_by_what_matters(kind: str, written: str, plain: str) -> None:
    assert plain_number(kind, written) == plain


def test_names_are_compared_without_accents_and_by_sound() -> None:
    assert plain_name("Müller-Élise O'Neil") == "mullereliseoneil"
    for one, other in (("smith", "smyth"), ("meyer", "maier"), ("catherine", "catharine"), ("obrien", "obrian")):
        assert sound_of(one) == sound_of(other)
    assert sound_of("smith") != sound_of("jones")
    assert sound_of("") == sound_of("петров") == ""


def test_hashes_differ_by_kind_and_key_and_nothing_has_none() -> None:
    one, other = Keyed(b"a" * 32), Keyed(b"b" * 32)
    assert one.of("given", "ann") == Keyed(b"a" * 32).of("given", "ann")
    assert len({one.of("given", "ann"), one.of("surname", "ann"), other.of("given", "ann")}) == 3
    assert one.of("given", "") == 0
