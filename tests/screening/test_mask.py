import pytest
from hypothesis import given
from hypothesis import strategies as st

from screening.privacy.mask import mask, plain_form

STYLES = ("words", "number", "all", "email")


@pytest.mark.parametrize(
    ("value", "style", "expected"),
    [
        ("John Doe", "words", "J*** D**"),
        ("O'Brien-Smith", "words", "O'B****-S****"),
        ("221 Maple Road", "words", "*** M**** R***"),
        ("536-90-4399", "number", "***-**-4399"),
        ("4111 1111 1111 1234", "number", "**** **** **** 1234"),
        ("555-0142", "number", "***-****"),
        ("TREM 5208 1512", "number", "**** **** ****"),
        ("jane.doe@example.org", "email", "j***@e***.org"),
        ("2019-03-07", "all", "****-**-**"),
        ("J. R. K.", "words", "***"),
        ("----", "number", "***"),
        ("a@b", "email", "*@*"),
    ],
)
def test_masks(value: str, style: str, expected: str) -> None:
    assert mask(value, style) == expected


@pytest.mark.parametrize("style", STYLES)
@given(
    value=st.one_of(
        st.text(min_size=4),
        st.text(alphabet="aB1* -.@", min_size=4),
        st.from_regex(r"\A[a-z*]{1,3}@[a-z*]{1,4}\.[a-z]{2,3}\Z"),
    )
)
def test_a_mask_never_holds_the_value(style: str, value: str) -> None:
    assert value not in mask(value, style)


@given(st.text(alphabet="0123456789- .Xé", min_size=1, max_size=30))
def test_a_number_shows_four_digits_of_nine_or_more(value: str) -> None:
    digits = [c for c in value if c.isdigit()]
    shown = [c for c in mask(value, "number") if c.isdigit()]
    assert shown == (digits[-4:] if len(digits) >= 9 else [])


@pytest.mark.parametrize("style", STYLES)
@given(value=st.text(max_size=400))
def test_masks_are_short(style: str, value: str) -> None:
    assert len(mask(value, style)) <= 48 or style == "email"


@pytest.mark.parametrize(
    ("left", "right", "style"),
    [
        ("536-90-4399", "536 90 4399", "number"),
        ("K1N 6N5", "k1n6n5", "number"),
        ("JANE  DOE", "Jane Doe", "words"),
        ("Jane@Example.ORG", "jane@example.org", "email"),
        ("Ｊａｎｅ", "jane", "words"),
    ],
)
def test_equal_values_have_one_plain_form(left: str, right: str, style: str) -> None:
    assert plain_form(left, style) == plain_form(right, style)
