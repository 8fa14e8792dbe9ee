import time

import pytest

from screening.names.mail_comments import commented_names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("From: a.b@c.d.edu (Ana B. Roe)\nSubject: x", ["first_name Ana", "initials B", "last_name Roe"]),
        ("in article <1@x> u@mach.com (ana roe) writes:", ["first_name ana", "last_name roe"]),
        ("write to info@example.org (see below for more)", []),
        ("u@example.org (room 12)\n", []),
        ("Ana (Roe)\n", []),
    ],
)
def test_names_behind_addresses(text: str, expected: list[str]) -> None:
    spans = commented_names(text, bool)
    assert [f"{span.characteristic} {text[span.start : span.end]}" for span in spans] == expected


def test_common_words_name_nobody() -> None:
    assert commented_names("From: u@example.org (the team)\n", lambda word: False) == []


@pytest.mark.parametrize("text", ["@" * 200_000 + "(", "@a." * 100_000 + " (", ("@abc (" + "ab " * 5) * 20_000])
def test_hostile_headers_take_no_time(text: str) -> None:
    start = time.process_time()
    commented_names(text, bool)
    assert time.process_time() - start < 2
