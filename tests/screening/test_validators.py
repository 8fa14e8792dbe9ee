import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum.us import ssn

from screening.patterns.validators import validator_of


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("payment-card", ["4532 0151 1283 0366", "378282246310005"], ["4532 0151 1283 0367", "0000 0000 0000 0000"]),
        ("sin", ["130692544"], ["130692545", "046454286", "000000000"]),
        ("ontario-driver-licence", ["A1234-56789-40215", "A1234-56789-46215"], ["A1234-56789-41315"]),
        ("quebec-health-card", ["TREM52081512", "DESJ86531014"], ["TREM52131512", "TREM52003112"]),
        ("vin", ["1M8GDM9AXKP042788"], ["1M8GDM9A1KP042788", "1M8GDM9AXKP04278"]),
        ("npi", ["1234567893"], ["1234567894", "3234567893"]),
        ("dea", ["AB1234563"], ["AB1234564"]),
        (
            "ip-address",
            ["203.0.113.7", "2001:db8::1", "::ffff:1.2.3.4"],
            ["256.1.1.1", "127.0.0.1", "::1", "0.0.0.0", "::", "01.2.3.4", "1:2:3"],
        ),
        (
            "calendar-date",
            ["2019-02-28", "28/02/2019", "02/28/19", "7 March", "19620307", "03071962", "3/14"],
            ["2019-02-30", "32/01/2019", "45 March", "13/45", "12345678"],
        ),
        ("mixed-code", ["A-4482", "18403/91"], ["2019", "2019-20", "1111", "A-1"]),
        ("phone-digits", ["06-10446904"], ["1998-2003", "1111111", "12345"]),
        ("canadian-postal-code", ["K1N 6N5"], ["T2N0M0"]),
        ("luhn", ["79927398713"], ["79927398710", "7992739871x"]),
        ("iban", ["GB82 WEST 1234 5698 7654 32"], ["GB82 WEST 1234 5698 7654 33"]),
        ("mac-address", ["00:1B:44:11:3A:B7"], ["00:00:00:00:00:00"]),
        ("au-medicare", ["2123 45670 1"], ["2123 45680 1", "9123 45670 1"]),
        ("au-ihi", ["8003608166690503"], ["8003608166690504", "4111111111111111"]),
        ("de-kvnr", ["A123456780"], ["A123456781", "1123456780"]),
        ("de-rvnr", ["15 070649 C 103"], ["15 070649 C 104", "15 451349 C 103"]),
        ("gb-chi", ["0101621000"], ["9401621000", "010162100X"]),
        ("gb-driver", ["MORGA657054SM9IJ"], ["MORGA699054SM9IJ", "MORGA657054SM9I"]),
        ("gb-nino", ["AB123456C"], ["GB123456C"]),
        ("hu-taj", ["111111110"], ["111111111", "123456789"]),
        ("nz-nhi", ["ZZZ0016", "CGC2720"], ["ZZZ0017", "IOO0016"]),
        ("stdnum.pl.pesel", ["44051401359"], ["44051401358"]),
    ],
)
def test_good_and_bad_values(name: str, good: list[str], bad: list[str]) -> None:
    validator = validator_of(name)
    assert validator is not None
    assert [value for value in good if not validator(value)] == []
    assert [value for value in bad if validator(value)] == []


@pytest.mark.parametrize("name", ["lune", "stdnum.xx.nothing", "stdnum.util", "os.path"])
def test_unknown_validators_are_none(name: str) -> None:
    assert validator_of(name) is None


def test_a_number_that_a_foreign_table_lacks_is_not_valid() -> None:
    check = validator_of("stdnum.cn.ric")
    assert check is not None
    assert not check("659945199003070015")


@given(st.from_regex(r"(?:000|666|9\d\d|\d{3})[ -]?(?:00|\d\d)[ -]?(?:0000|\d{4}|\d{3})", fullmatch=True))
def test_social_security_numbers_are_those_of_the_library(value: str) -> None:
    accept = validator_of("ssn")
    assert accept is not None
    assert accept(value) == ssn.is_valid("".join(filter(str.isdecimal, value)))


@pytest.mark.parametrize("value", ["078-05-1120", "457 55 5462", "219099999"])
def test_numbers_that_were_printed_for_everybody_are_nobodys(value: str) -> None:
    accept = validator_of("ssn")
    assert accept is not None and not accept(value) and accept("078-05-1121")
