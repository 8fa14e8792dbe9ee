import random
import re
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from screening.people import software
from screening.people.software import are_about_software, is_about_software


@pytest.mark.parametrize(
    "text",
    [
        "commit 349015e1fc5d912ba4253133b90e751d0b6ca7f2\nAuthor: Ann Miller <ann@example.org>\n\n    Fix a leak",
        "foo (1.2-1) unstable; urgency=high\n\n  * New upstream release.\n\n -- Tom Baker <t@example.org>  Fri, 18 Sep",
        "* mpn/generic/gcd.c (mpn_gcd): Handle the acute case for Ann Miller, call mpn_tdiv_qr() instead.",
        "- Fix panel applets [Tom Baker]\n* Bug fixes [Ann Miller]\n- Update the API for Linux",
    ],
)
def test_changelogs_and_commits_are_about_software(text: str) -> None:
    assert is_about_software(text)


@pytest.mark.parametrize(
    "text",
    [
        "Pt Ann Miller seen today, asthma worse, started prednisone 40 mg. Patches applied to left arm. F/u 2 wks.",
        "Ann Miller: fentanyl patch #5, Rx #48213, patches changed by the nurse; see issue with typo in the chart",
        '{"patient_name": "Ann Miller", "date_of_birth": "1961-02-03", "diagnosis_code": "J45.909"}',
        "patient_name,birth_date,diag_cd,proc_cd\nAnn Miller,1961-02-03,J45.909,94010",
        "2026-02-03 INFO member_id=8841 patient_name=Ann Miller dx=asthma",
    ],
)
def test_notes_and_records_are_not(text: str) -> None:
    assert not is_about_software(text)


# The same marks by plain expressions, which take several times as long.
_PLAIN: dict[Callable[[str], Iterator[str]], str] = {
    software._identifiers: r"(?<![\"'`\w.])_*[A-Za-z][A-Za-z0-9]*(?!(?:_\d+)+\b)(?:_[A-Za-z0-9]+)+\b"
    r"(?![\"'`]|[ \t]*[=:,|;\t])",
    software._calls: r"\w\(\)|->\w|\w::\w",
    software._signs: r"^#(?:include|define|if)|(?<!\w)\$[a-z_]\w*\b|\(#\d{2,}\)",
    software._phrases: (
        r"\b(?:[Ss]igned-off|[Rr]eviewed|[Tt]ested|[Aa]cked|[Rr]eported|[Ss]uggested|[Cc]o-\w+|[Pp]ointed-out)-by:"
        r"|\bcommit [0-9a-f]{7,40}\b|\bRFC ?\d{3,}|\b\d+ bytes\b|\b[Bb](?:ug ?|uild )fix\w*"
        r"|\b[Cc]loses: ?#|\bCVE-\d{4}|\b(?:[Bb]ugs?|[Ii]ssues?) #?\d{3,}|\b[Pp]atch (?:by|from) "
        r"|\bmemory leaks?\b|\b(?:merge|pull) request\b"
    ),
}
_PIECES = (
    *(
        "Co-a",
        "-by:",
        "Signed-off",
        "Reviewed",
        " ",
        "\n",
        "RFC ",
        "1234",
        " bytes",
        "bug",
        "fix",
        "Bug ",
        "#123",
        "build ",
    ),
    *(
        "commit ",
        "abcdef1",
        "patch by ",
        "_",
        "a",
        "()",
        "->",
        "::",
        "b",
        "$x",
        "(#12)",
        "#if",
        "é",
        "œ",
        "Closes: #",
        '"',
    ),
    *("CVE-2014", "memory leaks", "pull request", "x86", "2x86", "GNU", "3GNU", "issues ", ".", "=", " = "),
)
texts = st.lists(st.sampled_from(_PIECES), max_size=14).map("".join)


@pytest.mark.parametrize("find", _PLAIN)
@given(text=texts)
def test_marks_are_those_of_a_plain_expression(find: Callable[[str], Iterator[str]], text: str) -> None:
    plain = [match[0] for match in re.finditer(_PLAIN[find], text, re.MULTILINE)]
    assert sorted(find(text)) == sorted(plain)


@given(texts)
def test_words_of_software_are_whole_words(text: str) -> None:
    assert software._listed(text) == software._WORDS.intersection(re.findall(r"[A-Za-z][A-Za-z0-9]+", text))


_CELLS = (
    *("Ann Miller", "asthma", "1961-02-03", "(555) 010-9999", "main.c", "fix_leak", "foo()", "a->b", "std::x", "$path"),
    *("--force", "#12", "(#123)", "segfault", "RFC 2616", "commit 1234567", "Reviewed-by: Tom", "9 bytes", "386GNU"),
)


@pytest.mark.parametrize("marked", [0.02, 0.1, 0.6])
@pytest.mark.parametrize("seed", range(4))
def test_rows_are_about_software_by_themselves_or_with_their_neighbours(marked: float, seed: int) -> None:
    chance = random.Random(seed)
    rows = [
        ",".join(chance.choice(_CELLS[4:] if chance.random() < marked else _CELLS[:4]) for _ in range(6))
        for _ in range(400)
    ]
    for before, parted, behind in (("", "\n", ""), ("(", "),\n(", ")"), ("", "; ", "")):
        text = before + parted.join(rows) + behind
        ends = [0, *(match.end() for match in re.finditer(re.escape(parted), text)), len(text) + len(parted)]
        found = set()
        for number in range(0, len(ends) - 4, 2):
            low, high = ends[number], ends[number + 4] - len(parted)
            low, high = (low - 1, high + 1) if before and low else (low, high)
            about = are_about_software(text, low, min(high, len(text)))
            assert about == is_about_software(text[low:high]), text[low:high]
            found.add(about)
        assert (marked > 0.5) in found


def test_neighbours_without_marks_are_looked_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(software, "is_about_software", lambda text: pytest.fail(text))
    text = "Ann Miller,asthma,555-0100\n" * 2_000
    assert not any(are_about_software(text, low, low + 161) for low in range(0, 27 * 1_900, 162))
