import pytest

from screening.validators import VALIDATORS


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
        ("ip-address", ["203.0.113.7", "2001:db8::1"], ["256.1.1.1", "127.0.0.1", "::1"]),
        (
            "calendar-date",
            ["2019-02-28", "28/02/2019", "02/28/19", "7 March", "19620307", "3/14"],
            ["2019-02-30", "32/01/2019", "45 March", "13/45", "12345678"],
        ),
        ("mixed-code", ["A-4482", "18403/91"], ["2019", "2019-20", "1111", "A-1"]),
        ("phone-digits", ["06-10446904"], ["1998-2003", "1111111", "12345"]),
        ("canadian-postal-code", ["K1N 6N5"], ["T2N0M0"]),
    ],
)
def test_good_and_bad_values(name: str, good: list[str], bad: list[str]) -> None:
    assert [value for value in good if not VALIDATORS[name](value)] == []
    assert [value for value in bad if VALIDATORS[name](value)] == []
