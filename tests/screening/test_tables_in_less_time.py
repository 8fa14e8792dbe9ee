"""Plain cells of tables take less time than other text; what is found is the same as by the long way."""

import re

import pytest

from benchmarks.awkward_tables import awkward_tables
from benchmarks.share_texts import kinds_of_tables
from benchmarks.table_texts import table_texts
from core.records import Screening, Segment, Span
from screening.entities import finder, plain_names, repeated, titled_patients
from screening.entities.titled_patients import is_titled_patient
from screening.names import merge, table_headings
from screening.names.whole_words import uncovered_words
from screening.patterns import matcher
from screening.people import candidates, hint_places, medical_text, mentions, person_names, roles, streets
from screening.people.cue_edges import may_close_cue, may_open_cue
from screening.people.cues import COLON, read_cues
from screening.people.health_words import health_hints
from screening.people.read_text import ReadText
from screening.people.software import is_about_software
from screening.privacy import person_keys
from screening.ruleset.ruleset import RuleSet
from screening.same_person import _Ties
from screening.screen import Screen

KEY = b"a key for tests, 32 bytes long.."
TEXTS = [*table_texts(70, seed=23), *awkward_tables(30, seed=3)]


@pytest.fixture
def the_long_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finder, "parts_in_cell", lambda *_: None)
    monkeypatch.setattr(repeated, "_openings", lambda _runs, _reading, numbers: numbers)
    monkeypatch.setattr(roles, "may_close_cue", lambda _: True)
    monkeypatch.setattr(roles, "may_open_cue", lambda _: True)
    monkeypatch.setattr(merge, "uncovered_words", lambda _text, words, _covered: words)
    monkeypatch.setattr(table_headings, "_plain_words", lambda _: ())
    monkeypatch.setattr(mentions, "_in_full", mentions._of_parts)
    monkeypatch.setattr(person_names, "_IN_ORDER", None)
    monkeypatch.setattr(person_keys, "_ISO_DATE", re.compile("(?!)"))
    person_keys.birth_of.cache_clear()
    monkeypatch.setattr(medical_text, "_is_one_of_many", lambda *_: False)
    monkeypatch.setattr(candidates, "are_about_software", lambda text, low, high: is_about_software(text[low:high]))
    monkeypatch.setattr(ReadText, "may_have_obituary", lambda _: True)
    monkeypatch.setattr(streets, "_may_be_flat", lambda _: True)
    monkeypatch.setattr(streets, "_is_plain", lambda _first, _last: False)
    monkeypatch.setattr(titled_patients, "_begin_of_titles", the_first_of_all_titles)
    monkeypatch.setattr(matcher, "_few_places", lambda *_: None)


def the_first_of_all_titles(before: str, beside: titled_patients._Beside) -> int:
    found = beside.titles.search(before)
    return len(before) if found is None else found.start()


def screened(ruleset: RuleSet) -> list[Screening]:
    screen = Screen(ruleset, KEY)
    return [screen.screen([Segment("", text)]) for text in TEXTS]


@pytest.fixture(scope="module")
def in_less_time(ruleset: RuleSet) -> list[Screening]:
    return screened(ruleset)


@pytest.mark.usefixtures("the_long_way")
def test_the_long_way_finds_the_same(ruleset: RuleSet, in_less_time: list[Screening]) -> None:
    by_the_long_way = screened(ruleset)
    for text, less, long in zip(TEXTS, in_less_time, by_the_long_way, strict=True):
        assert less == long, text[:200]


def test_the_tables_hold_people_roles_and_passages(in_less_time: list[Screening]) -> None:
    people = [person for each in in_less_time for person in each.people]
    assert len(people) > 1_000
    assert len({person.role for person in people}) > 2
    assert sum(len(each.candidates) for each in in_less_time) > 200
    assert sum(not each.positive for each in in_less_time) > 3


@pytest.mark.parametrize(("kind", "most"), [("tables of patients", 0.2), ("sheets of patients", 0.6)])
def test_rows_of_long_tables_are_not_searched_one_by_one(
    ruleset: RuleSet, monkeypatch: pytest.MonkeyPatch, kind: str, most: float
) -> None:
    asked: list[str] = []

    def counted(text: str) -> int:
        asked.append(text)
        return health_hints(text)

    monkeypatch.setattr(hint_places, "health_hints", counted)
    monkeypatch.setattr(medical_text, "health_hints", counted)
    text = kinds_of_tables(60_000)[kind][0]
    screening = Screen(ruleset, KEY).screen([Segment("", text)])
    assert len(screening.candidates) > 100
    assert len(asked) < most * text.count("\n")


@pytest.mark.parametrize(
    ("before", "name", "behind", "parts"),
    [
        ("\n", "Mary Sloan", ",1980-01-02", ["Mary", "Sloan"]),
        ("7\t", "Mary Sloan", "\tasthma", ["Mary", "Sloan"]),
        ('7,"', "Mary Sloan", '",x', ["Mary", "Sloan"]),
        ("", "Mary Sloan", "", ["Mary", "Sloan"]),
        ("\n", "Mary Sloan", ",Boston", ["Mary", "Sloan"]),
        ("\n", "Mary Sloan", ",MD", []),  # a doctor
        ("\n", "Mary Sloan", ", RN", []),
        ("\n", "Mary Sloan", " J,7", []),
        ("Dr. ", "Mary Sloan", ",7", []),
        ("\n", "Mary Jr", ",7", []),
        ("\n", "Mary S", ",7", []),
        ("\n", "MARY SLOAN", ",7", []),
        ("\n", "Mary  Sloan", ",7", []),
        ("\n", "Mary O'Hara", ",7", []),
    ],
)
def test_two_words_that_fill_a_cell(before: str, name: str, behind: str, parts: list[str]) -> None:
    text = before + name + behind
    words = [word.span() for word in re.finditer(r"[\w']+", name)]
    starts, ends = zip(*((len(before) + low, len(before) + high) for low, high in words), strict=True)
    found = plain_names.parts_in_cell(text, starts, ends)
    assert [text[low:high] for low, high, _ in found or ()] == parts


@pytest.mark.parametrize("cell", ["Mr Sloan", "Mrs Sloan", "Dr Sloan", "Ms. Sloan", "Sloan"])
def test_a_title_in_a_cell_is_no_part_of_the_name(cell: str) -> None:
    name = table_headings.cell_name(f"7,{cell},1", 2, 2 + len(cell))
    assert name is not None
    assert f"7,{cell},1"[slice(*name)] == "Sloan"


def test_every_cue_is_seen_at_its_edges() -> None:
    cues = read_cues()
    for phrase in (*cues.before, *cues.titles, *cues.speaking):
        plain = phrase.rstrip(COLON)
        assert may_close_cue(f"so, {plain}"), phrase
        assert may_close_cue(f"so,{plain.title()}"), phrase
    for phrase in (*cues.after, *cues.articles):
        assert may_open_cue(f"{phrase.title()} and so on"), phrase
    assert not may_close_cue("\nasthma,555-0100")
    assert not may_open_cue("1980-01-02,asthma")


@pytest.mark.parametrize("phrase", ["Ihren Patienten", "your patient", "berichten wir über", "o.g. Patientin"])
def test_a_patient_with_a_title_is_announced_by_the_words_before_it(phrase: str) -> None:
    text = f"Wir {phrase} Dr. Lindemann"
    start = text.index("Lindemann")
    assert is_titled_patient(text, start, len(text))
    assert not is_titled_patient(text.replace(phrase, "sahen"), start - len(phrase) + 5, len(text) - len(phrase) + 5)


@pytest.mark.parametrize(
    ("text", "covered", "left"),
    [
        ("Sloan,1\nHart,2", ["Sloan", "Hart"], []),
        ("Sloan,1\nSloan,2", ["Sloan"], ["Sloan"]),
        ("Sloan,1\nSloane,2\nMcSloan", ["Sloan"], []),
        ("O'Hara,1\nHara,2", ["Hara"], ["Hara", "O'Hara"]),  # one may be inside the other
        ("Émile,1", ["Émile"], ["Émile"]),  # not counted, so it is searched
    ],
)
def test_words_that_occur_outside_of_spans(text: str, covered: list[str], left: list[str]) -> None:
    spans = [Span((at := text.index(word)), at + len(word), "last_name", 0.9) for word in covered]
    words = sorted({*covered, *(word for word in ("O'Hara",) if word in text)})
    assert uncovered_words(text, words, spans) == left


@pytest.mark.parametrize(
    ("kind", "value", "plain"),
    [
        ("phones", "(514) 555-0199", "145550199"),
        ("phones", "+1-514-555-0199x123", "145550199"),
        ("phones", "514.555.0199 ext. 7", "145550199"),
        ("phones", "٥١٤-555-0199", "١٤5550199"),
        ("phones", "514/555/0199", "145550199"),
        ("national_numbers", "123-45-6789", "123456789"),
        ("national_numbers", "AB_12.34", "ab1234"),
        ("health_numbers", "1234 567 890 XY", "1234567890"),
        ("health_numbers", "1234567890XYZ", "1234567890xyz"),
    ],
)
def test_numbers_are_compared_without_their_marks(kind: str, value: str, plain: str) -> None:
    assert person_keys.plain_number(kind, value) == plain


@pytest.mark.parametrize("date", ["1980-02-11", "1980-11-02", "1980-13-13", "1980-00-10", "1980-02-31", "1980-12-32"])
def test_dates_of_digits_alone_are_read_as_others_are(date: str) -> None:
    assert person_keys.birth_of(date) == person_keys.birth_of(date.replace("-", "/"))


def test_what_is_on_the_line_of_a_name_is_tied_as_by_nearness(ruleset: RuleSet) -> None:
    screen = Screen(ruleset, KEY)
    for text in TEXTS[:25]:
        spans = screen.spans(text)
        named = list(mentions.mentions_in(text, spans, screen._lists))
        ties = _Ties(text, named, [0], ruleset.nearness)
        for span, tied in zip(spans, ties.of(spans), strict=True):
            before = next((one for one in reversed(named) if one.start <= span.start), None)
            following = next((one for one in named if one.start > span.start), None)
            inside = before is not None and span.start < before.end
            nearest = before if inside else ties._nearest(span.start, span.end, before, following)
            if span.characteristic == "phone_number" and nearest is not None:
                assert tied is nearest
