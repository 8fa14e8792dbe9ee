"""What matches of an expression can begin with and hold."""

from screening.patterns.first_characters import never_holds, opens_with_digit, opens_with_no_small_letter


def test_what_opens_with_a_digit() -> None:
    assert [opens_with_digit(each) for each in (r"\b\d{1,6}a", r"[0-9]a", r"\d?a", "a1", r"(?:1|a)")] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_what_opens_with_no_small_letter() -> None:
    sure = (r"\b[A-Z]a", r"(?!The)(?:[A-ZÀ-Þ]|O')x", r"(?:\d|(?:Mc)?)A", r"\d?[A-Z]")
    unsure = (r"[A-Z]?a", "[A-z]", "[^a]", r"\w", ".", "(?:x|)A", "A?")
    assert [opens_with_no_small_letter(each) for each in (*sure, *unsure)] == [True] * len(sure) + [False] * len(unsure)


def test_what_stands_in_no_match() -> None:
    held = never_holds(r"\b(?!x:)[A-Z][a-z.-]{1,9}(?: (?:and |& )?\w+)?")
    assert {":", ",", "(", "'"} <= held
    assert not held & set(".- &_")
    assert never_holds("a.b") == never_holds("[^a]") == frozenset()
