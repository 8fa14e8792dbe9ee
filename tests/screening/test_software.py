import pytest

from screening.people.software import is_about_software


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
