"""Disguised numbers and names are found, at their places in the text as it is."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import Segment, Span
from leakscreen.commands import explain
from screening.folding import folded
from screening.privacy.mask import Masker
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen
from screening.window import Window

SSN = "219-09-9998"
SPELLINGS = {
    "non-breaking hyphen": SSN.replace("-", "\u2011"),
    "hyphen": SSN.replace("-", "\u2010"),
    "figure dash": SSN.replace("-", "\u2012"),
    "en dash": SSN.replace("-", "\u2013"),
    "em dash": SSN.replace("-", "\u2014"),
    "minus": SSN.replace("-", "\u2212"),
    "full-width hyphen": SSN.replace("-", "\uff0d"),
    "no-break space": SSN.replace("-", "\u00a0"),
    "narrow no-break space": SSN.replace("-", "\u202f"),
    "soft hyphens for hyphens": SSN.replace("-", "\u00ad"),
    "soft hyphens beside hyphens": SSN.replace("-", "-\u00ad"),
    "zero width": "\u200b".join(SSN),
    "word joiner": SSN.replace("-", "\u2060-"),
    "full-width digits": "".join(chr(ord(each) + 0xFEE0) if each.isdigit() else each for each in SSN),
    "all full-width": "".join(chr(ord(each) + 0xFEE0) for each in SSN),
    "mathematical digits": "".join(chr(ord(each) - 48 + 0x1D7CE) if each.isdigit() else each for each in SSN),
    "Arabic digits": "".join(chr(ord(each) - 48 + 0x660) if each.isdigit() else each for each in SSN),
    "zero width and en dash": SSN.replace("-", "\u200b\u2013\u200b"),
}
HIDDEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u202e\ufe0f"


@pytest.fixture(scope="module")
def screen() -> Screen:
    return Screen(load_rules(), b"k" * 32)


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_every_spelling_of_a_number_is_found_where_it_stands(screen: Screen, spelling: str) -> None:
    text = f"Patient: Ann Miller, SSN: {spelling}, seen today"
    (span,) = [span for span in screen.spans(text) if span.characteristic == "ssn"]
    assert text[span.start : span.end] == spelling
    plain, disguised = (
        next(one for one in screen.screen([Segment("", text)]).evidence if one.characteristic == "ssn")
        for text in (text.replace(spelling, SSN), text)
    )
    assert disguised.hmac == plain.hmac
    assert disguised.masked.endswith("9998") and "219" not in disguised.masked


@pytest.mark.parametrize("hidden", HIDDEN)
def test_invisible_characters_hide_no_name(screen: Screen, hidden: str) -> None:
    text = f"Patient: An{hidden}n Mil{hidden}ler was diagnosed with dia{hidden}betes, SSN {hidden}{SSN}"
    found = {span.characteristic: text[span.start : span.end] for span in screen.spans(text)}
    assert (found["first_name"], found["last_name"]) == (f"An{hidden}n", f"Mil{hidden}ler")
    plain = screen.screen([Segment("", text.replace(hidden, ""))])
    disguised = screen.screen([Segment("", text)])
    assert (disguised.bits, disguised.tied, disguised.rules) == (plain.bits, plain.tied, plain.rules)
    assert [one.hmac for one in disguised.evidence] == [one.hmac for one in plain.evidence]
    assert screen.passages_of_each([text]) == screen.passages_of_each([text.replace(hidden, "")])


def test_a_name_before_a_no_break_space_is_one_person(screen: Screen) -> None:
    text = "Ann Miller, SSN 219-09-9998, ann.miller@example.org"
    plain, disguised = (screen.screen([Segment("", each)]) for each in (text, text.replace(" ", "\u00a0")))
    assert (disguised.bits, disguised.tied, disguised.persons) == (plain.bits, plain.tied, plain.persons)


def test_windows_own_what_begins_in_them_of_the_text_as_it_is(screen: Screen) -> None:
    text = "\u200b" * 10 + f"SSN: {SSN}"
    for window, owned in ((Window(0, 15), 0), (Window(15, None, 100), 1)):
        found = screen.find([Segment("", text)], window)
        assert found.counts["ssn"] == owned
        assert [one.start for one in found.evidence] == [115] * owned


def test_words_are_not_joined_by_dashes() -> None:
    assert (
        folded("Smith\u2014who left\u2013on 3 \u2013 4 and 3\u20134").text
        == "Smith\u2014who left\u2013on 3 \u2013 4 and 3-4"
    )


@given(st.text(alphabet="aA1 -\u00e9\u2013\u00a0\uff11\U0001d7cf" + HIDDEN))
def test_places_lead_back_to_the_same_characters(text: str) -> None:
    reading = folded(text)
    assert len(reading.levelled) == len(text)
    spans = [Span(at, at + 1, "x", 1.0) for at in range(len(reading.text))]
    original = reading.in_original(spans)
    assert [reading.levelled[span.start] not in HIDDEN for span in original] == [True] * len(spans)
    assert list(reading.here(original)) == spans
    assert reading.places([span.start for span in original]) == [span.start for span in spans]


def test_ascii_is_not_even_copied() -> None:
    text = "plain text " * 100
    assert folded(text).text is text


def test_a_masked_name_shows_nothing_of_what_was_hidden() -> None:
    masker = Masker(b"k" * 32, load_rules().characteristics)
    assert masker.masked_and_hashed("last_name", "Mil\u200bler") == masker.masked_and_hashed("last_name", "Miller")


def test_rules_test_explains_a_disguised_number(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(f"SSN: \u200b{SSN.replace('-', chr(0x2013))}", encoding="utf-8")
    out = io.StringIO()
    explain.run(str(tmp_path / "note.txt"), {}, None, False, False, True, out)
    found = [each for each in json.loads(out.getvalue())["findings"] if each["characteristic"] == "ssn"]
    assert {(each["start"], each["end"]) for each in found} == {(6, 17)}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (r'{"note": "asthma\nHenrik Dahl\tbipolar\r\nUlrike Baumann"}', ["Henrik", "Dahl", "Ulrike", "Baumann"]),
        (r'{"log": "{\"note\": \"seen:\\nHenrik Dahl\"}"}', ["Henrik", "Dahl"]),
        (r'{"note": "called \"Henrik Dahl\" yesterday"}', ["Henrik", "Dahl"]),
        (r"S:\nHenrik Dahl has a cough", ["Henrik", "Dahl"]),
    ],
)
def test_a_name_behind_a_line_break_that_is_an_escape_is_found(text: str, names: list[str]) -> None:
    spans = Screen(load_rules(), b"k" * 32).spans(text)
    found = [text[span.start : span.end] for span in spans if span.characteristic in ("first_name", "last_name")]
    assert found == names


@pytest.mark.parametrize("path", [r"C:\new\temp\report.txt", r"C:\\new\\temp", r"\\server\nurse\rota", r"\d+\s*\w"])
def test_paths_of_windows_and_expressions_stay(path: str) -> None:
    assert folded(f"see {path} again").text == f"see {path} again"
