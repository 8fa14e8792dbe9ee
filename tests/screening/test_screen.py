from dataclasses import asdict, replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.records import Risk, Segment, Span
from screening.findings import most_informative
from screening.ruleset.ruleset import RuleSet
from screening.screen import Screen

KEY = b"k" * 32
LETTER = """Patient: Ngozi Okafor     DOB: 03/07/1962
221 Maple Grove Road, Red Deer, Alberta  T4N 1A1
SIN 130 692 544
Seen by Dr. Whitfield at Lakeview Medical Center; call 160-6305, x 2644 or write to n.okafor@example.org.
"""

STRETCHES = (
    LETTER,
    "Mr. Sloan came. ",
    "Sloan was seen by Whitfield\n",
    "the applicant, Mr Kowalski, lodged an appeal with the court against the judgment of the tribunal. ",
    "Name,Unit\nZyxi Wvuter,ICU\nQrsti Ponder,ER\n",
    "i saw my wife jennifer kowalski\n",
    "nothing is told here. ",
    "\n\n\n",
    "word " * 80,
    "Wvuter",
)
any_text = st.one_of(
    st.text(alphabet=st.characters(), max_size=200),
    st.text(alphabet=st.sampled_from("aA1 .,-@/:#()+\n\0\ud800\udfff😀éÉßﬁDrStNo"), max_size=200),
)


def small(ruleset: RuleSet, key: bytes, evidence: int = 50) -> Screen:
    """Only what a test needs, as making all detectors ready takes its time."""
    wanted = tuple(each for each in ruleset.detectors if each.characteristic in ("sin", "email"))
    return Screen(replace(ruleset, detectors=wanted), key, evidence=evidence)


def characteristics(screen: Screen, text: str) -> dict[str, str]:
    return {span.characteristic: text[span.start : span.end] for span in screen.spans(text)}


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(any_text, max_size=4))
@example(["\ud800 John Smith 613-555-0142 \udfff\0😀 a@b.co"])
@example(["İ" * 50 + "ŉ John Smith, 1 Main St"])
def test_no_text_is_too_strange(screen: Screen, texts: list[str]) -> None:
    segments = [Segment(f"page {number}", text) for number, text in enumerate(texts)]
    joined = "\n".join(texts)
    result = screen.screen(segments)
    spans = screen.spans(joined)
    assert all(0 <= span.start < span.end <= len(joined) for span in spans)
    assert all(left.end <= right.start for left, right in pairwise(spans))
    assert [(piece.start, piece.end) for piece in result.evidence] == [(span.start, span.end) for span in spans][
        :50
    ] or len(spans) > 50
    for piece in result.evidence:
        value = joined[piece.start : piece.end]
        assert len(value) < 4 or value not in piece.masked


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.one_of(any_text, st.lists(st.sampled_from(STRETCHES), max_size=30).map("".join)), max_size=8))
def test_documents_together_are_screened_as_alone(screen: Screen, texts: list[str]) -> None:
    documents = [([Segment("page 1", text)], f"/{number}.txt") for number, text in enumerate(texts)]
    assert screen.screen_each(documents) == [screen.screen(*document) for document in documents]
    together, alone = screen.spans_of_each(texts), [screen.spans(text) for text in texts]
    assert [[_place(span) for span in spans] for spans in together] == [
        [_place(span) for span in spans] for spans in alone
    ]
    scores = [[span.score for spans in side for span in spans] for side in (together, alone)]
    assert scores[0] == pytest.approx(scores[1], abs=1e-4)


def _place(span: Span) -> tuple[int, int, str]:
    return span.start, span.end, span.characteristic


def test_a_letter_is_screened_positive(screen: Screen) -> None:
    result = screen.screen([Segment("page 1", LETTER)])
    counts = dict(result.counts)
    assert result.positive
    assert result.risk is Risk.HIGH
    assert set(counts) >= {
        "first_name",
        "last_name",
        "birth_date",
        "date",
        "street_address",
        "city",
        "sin",
        "hospital",
        "organization_name",
    }
    assert set(counts) >= {"health_professional_name", "phone_number", "email", "postal_code"}
    fired = {hit.rule: hit for hit in result.rules}
    assert fired["identifying-information"].distance == 0
    assert set(fired) >= {"sin", "street-address", "organization-name", "email", "phone-number"}


def test_no_raw_value_leaves_the_screen(screen: Screen) -> None:
    printed = str(asdict(screen.screen([Segment("page 1", LETTER)])))
    for value in (
        "Ngozi",
        "Okafor",
        "03/07/1962",
        "Maple",
        "130 692 544",
        "Whitfield",
        "Lakeview",
        "160-6305",
        "n.okafor",
        "T4N",
    ):
        assert value not in printed


def test_offsets_count_in_the_joined_text_and_tell_the_segment(screen: Screen) -> None:
    segments = [
        Segment("page 1", "日本 nothing"),
        Segment("empty", ""),
        Segment("page 2", "é a@example.org"),
        Segment("page 3", "130 692 544"),
    ]
    joined = "\n".join(segment.text for segment in segments)
    found = [(joined[piece.start : piece.end], piece.where) for piece in screen.screen(segments).evidence]
    assert found == [("a@example.org", "page 2"), ("130 692 544", "page 3")]


def test_equal_values_share_a_hash_and_a_key_changes_it(screen: Screen, ruleset: RuleSet) -> None:
    pieces = screen.screen([Segment("", "SIN 130 692 544 and SIN 130-692-544, not SIN 193 456 787")]).evidence
    assert [piece.characteristic for piece in pieces] == ["sin"] * 3
    assert pieces[0].hmac == pieces[1].hmac != pieces[2].hmac
    assert small(ruleset, KEY).screen([Segment("", "SIN 130 692 544")]).evidence[0].hmac != pieces[0].hmac


def test_evidence_is_capped_but_everything_is_counted(ruleset: RuleSet) -> None:
    text = "\n".join(f"person{number}@example.org" for number in range(30)) + "\nSIN 130 692 544"
    result = small(ruleset, KEY, 5).screen([Segment("", text)])
    assert dict(result.counts) == {"email": 30, "sin": 1}
    assert [piece.characteristic for piece in result.evidence] == ["email"] * 4 + ["sin"]
    assert small(ruleset, KEY, 0).screen([Segment("", text)]).evidence == ()
    assert most_informative([], 3) == []


@pytest.mark.parametrize("segments", [[], [Segment("a", "")], [Segment("a", ""), Segment("b", "")]])
def test_nothing_readable_is_no_finding(screen: Screen, segments: list[Segment]) -> None:
    result = screen.screen(segments)
    assert (result.bits, result.counts, result.rules, result.positive, result.risk) == (0, (), (), False, Risk.NONE)


@pytest.mark.parametrize(
    "text",
    [
        "pain 9/10, strength 5/5, BP 120/80, pulse 72, temp 98.6",
        "upgrade to version 1.2.3.4 of the firmware",
        "ISBN 978-0-306-40615-7 and ISBN 0-306-40615-2",
        "order 613-555-0142 shipped, invoice 130-692-544",
        "from 10:30 to 12:45:30, lasting 3:15",
        "hemoglobin 13.5 g/dL, sodium 138-145, glucose 4.5-6.0 mmol/L",
        "pages 123-4567, lines 12-34",
        "in 1998 and in 2003-2004",
        "T2N0M0 staging; C4-C5 fusion; L5-S1",
        "take 2 tablets of 500 mg 3 times daily for 10 days",
        "ratio 1:2:3, chapter 4.5.6",
        "the hospital, the clinic, the university and the bank",
        "SUBJECT: RE: RE: BOARD DINNER",
    ],
)
def test_decoys_do_not_fire(screen: Screen, text: str) -> None:
    assert characteristics(screen, text) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Visa 4532 0151 1283 0366", {"credit_card": "4532 0151 1283 0366"}),
        ("SIN: 130 692 544", {"sin": "130 692 544"}),
        ("NHS number 943 476 5919", {"nhs_number": "943 476 5919"}),
        ("Fax: 613-555-0143", {"fax_number": "613-555-0143"}),
        ("mail john.smith@example.org", {"email": "john.smith@example.org"}),
        ("at https://example.org/2019-03-07/John", {"url": "https://example.org/2019-03-07/John"}),
        ("Dr. John Smith", {"health_professional_name": "John Smith"}),
        ("DR. WHITFIELD IS AWAY", {"health_professional_name": "WHITFIELD"}),
        ("i'm dr. whitfield's assistant", {"health_professional_name": "whitfield"}),
        ("ELECTRONICALLY SIGNED BY ANA RAMIREZ, MD", {"health_professional_name": "ANA RAMIREZ"}),
        ("P.S. John Smith called", {"first_name": "John", "last_name": "Smith"}),
        ("Mary Whitfield University", {"organization_name": "Mary Whitfield University"}),
        ("12 Martin Kowalski Drive", {"street_address": "12 Martin Kowalski Drive"}),
        ("DOB: 1962-03-07", {"birth_date": "1962-03-07"}),
        ("health card 5584-486-673-YM", {"health_card_number": "5584-486-673-YM"}),
        ("RAMQ TREM 5208 1512", {"health_card_number": "TREM 5208 1512"}),
        ("passport GA302922", {"passport_number": "GA302922"}),
    ],
)
def test_one_stretch_is_one_thing(screen: Screen, text: str, expected: dict[str, str]) -> None:
    assert characteristics(screen, text) == expected


@pytest.mark.parametrize(
    ("text", "risk"),
    [
        ("nothing here", Risk.NONE),
        ("I met Jennifer.", Risk.LOW),
        ("write to a@example.org", Risk.LOW),
        ("I met Jennifer, a@example.org", Risk.MEDIUM),
        ("I met Jennifer, a@example.org, 12 King Street", Risk.HIGH),
    ],
)
def test_risk_counts_the_groups_present(screen: Screen, text: str, risk: Risk) -> None:
    assert screen.screen([Segment("", text)]).risk is risk


def test_names_without_a_venue_are_not_screened_positive(screen: Screen) -> None:
    result = screen.screen([Segment("", "The film has Jennifer Kowalski and Robert Sloan in it.")])
    assert {"first-name", "last-name"} <= {hit.rule for hit in result.rules}
    assert not result.positive
