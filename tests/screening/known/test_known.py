"""People of a list are found by a number and another value of theirs, and by nothing less; a list is checked."""

import csv
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SettingsError
from core.records import Screening, Segment
from screening.known.build import Built, build_index
from screening.known.index import KnownIndex, pattern_of, read_header, shape_of
from screening.known.values import name_of, plain_code
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

KEY = b"k" * 32
HEADINGS = ["mrn", "name", "birth_date", "phone", "email"]
PATIENTS = [
    ["4471223", "Charles Sloan", "1970-03-12", "(416) 555-0143", "c.sloan@example.com"],
    ["K839305", "Tremblay, Marie-Ève", "30/09/1988", "514 555 0110", ""],
    ["943 476 5919", "Ifeoma Nwachukwu", "1999-01-02", "", "ifeoma@example.org"],
    ["1461-088-591-BF", "van der Berg, Anna", "1956-12-24", "", ""],
]


def write(
    folder: Path,
    rows: list[list[str]],
    headings: list[str] = HEADINGS,
    *,
    encoding: str = "utf-8",
    delimiter: str = ",",
) -> Path:
    path = folder / "list.csv"
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows([headings, *rows])
    return path


def build(folder: Path, rows: list[list[str]] | None = None, encoding: str = "utf-8", delimiter: str = ",") -> Built:
    path = write(folder, rows or PATIENTS, encoding=encoding, delimiter=delimiter)
    return build_index(path, "mrn", ["name", "birth_date", "phone"], folder / "index", KEY)


@pytest.fixture
def screen(tmp_path: Path) -> Screen:
    build(tmp_path)
    return Screen(load_rules(), KEY, known=KnownIndex(tmp_path / "index", KEY))


def screened(screen: Screen, text: str) -> Screening:
    return screen.screen([Segment("", text)])


@pytest.mark.parametrize(
    "text",
    [
        "Patient 4471223, born 12 March 1970, came in with asthma.",
        "MRN: 4471223\nName: SLOAN, Charles\n",
        "id;who;tel\n4471223;x;+1 416 555 0143\n",
        "K 839305 Marie-Eve Tremblay",
        "k839305 30.09.1988",
        "NHS 9434765919 Nwachukwu Ifeoma",  # a name that the model of names need not know
        "943-476-5919, Ifeoma K. Nwachukwu",
        "1461088591 Anna van der Berg",
    ],
)
def test_a_number_and_another_value_are_a_known_person(screen: Screen, text: str) -> None:
    found = screened(screen, text)
    assert found.known == 1
    assert "known-person" in {hit.rule for hit in found.rules} and found.positive
    assert sum(person.known for person in found.people) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Invoice 4471223 of 2 May 2024",
        "4471223 Maria Tremblay 1988-09-30",  # values of another person
        "Charles Sloan, born 1970-03-12, 416-555-0143",  # no number
        "44712234 Charles Sloan",  # part of a longer number
        "4471223\n" + "Nothing here.\n\n\n" * 300 + "Charles Sloan",  # another passage
        "Sloan 4471223 street",
    ],
)
def test_less_is_nobody(screen: Screen, text: str) -> None:
    found = screened(screen, text)
    assert found.known == 0
    assert "known-person" not in {hit.rule for hit in found.rules}


def test_every_row_of_a_table_is_known_and_others_are_not(screen: Screen) -> None:
    rows = "".join(f"{number},{name},{born}\n" for number, name, born, *_ in [*PATIENTS[:1], *PATIENTS[2:3]])
    others = "".join(f"55{n:05},Ann Lee,1980-01-0{n % 9 + 1}\n" for n in range(50))
    found = screened(screen, "mrn,name,dob\n" + others + rows)
    assert found.known == 2
    assert sum(person.known for person in found.people) == 2


def test_the_index_holds_no_value_and_few_bytes(tmp_path: Path) -> None:
    many = [[f"{10**7 + n * 7919}", f"First{n} Last{n}", "1970-03-12", f"416 555 {n:04}", ""] for n in range(2_000)]
    built = build(tmp_path, [*PATIENTS, *many])
    content = (tmp_path / "index").read_bytes().lower()
    for row in PATIENTS:
        for value in row:
            assert not value or value.lower().encode() not in content
    assert (built.rows, built.indexed) == (2_004, 2_004)
    assert built.bytes_a_value <= 16
    assert (tmp_path / "index").stat().st_mode & 0o777 == 0o600


def test_another_key_a_changed_file_and_no_index_are_refused_by_name(tmp_path: Path) -> None:
    build(tmp_path)
    index = tmp_path / "index"
    with pytest.raises(SettingsError, match=r"index: was built with another HMAC key"):
        KnownIndex(index, b"j" * 32)
    content = bytearray(index.read_bytes())
    content[-40] ^= 1
    index.write_bytes(content)
    with pytest.raises(SettingsError, match="damaged or was changed"):
        read_header(index, KEY)
    index.write_bytes(b"something else")
    with pytest.raises(SettingsError, match="is no index of known people"):
        read_header(index, KEY)
    with pytest.raises(SettingsError, match="cannot be read: No such file"):
        read_header(tmp_path / "none", KEY)


@pytest.mark.parametrize(
    "how", [{"encoding": "cp1252"}, {"encoding": "utf-16"}, {"delimiter": ";"}, {"delimiter": "\t"}]
)
def test_lists_come_in_other_encodings_and_with_other_separators(tmp_path: Path, how: dict[str, str]) -> None:
    assert build(tmp_path, None, how.get("encoding", "utf-8"), how.get("delimiter", ",")).indexed == 4
    index = KnownIndex(tmp_path / "index", KEY)
    assert Screen(load_rules(), KEY, known=index).screen([Segment("", "K839305 Marie-Ève Tremblay")]).known == 1


ACCENTS = ["François Côté", "Zoë Müller", "Andrée Lefèvre", "José Núñez", "Ann Lee", "ÉLISE HÉBERT", "Søren Nørgård"]


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "utf-16", "utf-8-sig"])
def test_names_with_accents_are_read_as_they_were_written(tmp_path: Path, encoding: str) -> None:
    rows = [[f"44712{n}", name, "1970-03-12", "", ""] for n, name in enumerate(ACCENTS, 10)]
    assert build(tmp_path, rows, encoding).indexed == len(rows)
    screen = Screen(load_rules(), KEY, known=KnownIndex(tmp_path / "index", KEY))
    assert all(screened(screen, f"{row[0]} {row[1]}").known for row in rows)


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        ("mac_roman", ACCENTS),
        ("cp850", ACCENTS),
        ("cp1251", ["Иванов Пётр", "Смирнова Анна"]),
        ("cp1253", ["Γιώργος Παπάς"]),
        ("cp1250", ["Łukasz Żółć"]),
        ("shift_jis", ["山田 太郎"]),
        ("utf-16-le", ACCENTS),
        ("utf-32", ACCENTS),
    ],
)
def test_a_list_in_another_encoding_is_refused_rather_than_misread(
    tmp_path: Path, encoding: str, names: list[str]
) -> None:
    rows = [[f"44712{n}", name, "1970-03-12", "", ""] for n, name in enumerate(names, 10)]
    with pytest.raises(SettingsError, match=r"list\.csv: is not text in UTF-8, UTF-16 or Windows-1252"):
        build(tmp_path, rows, encoding)
    assert not (tmp_path / "index").exists()


EMPTY = [["", "Ann Lee", "1980-01-01", "", ""]] * 3
WORDS = [[word, "Ann Lee", "1980-01-01", "", ""] for word in ("patient", "unknown", "123", "0000000")]


@pytest.mark.parametrize(
    ("rows", "headings", "said"),
    [
        (PATIENTS, ["mrn", "name", "name", "phone", "email"], "two columns are called 'name'"),
        (PATIENTS, ["id", "name", "birth_date", "phone", "email"], "has no column 'mrn'; its columns are id, name"),
        ([*PATIENTS, *EMPTY], HEADINGS, "3 of 7 rows have nothing in column 'mrn'"),
        (WORDS, HEADINGS, "would match by chance (2 words without a digit"),
        ([["4471223", "Ann Lee", "25639", "", ""]] * 3, HEADINGS, "list.csv: holds Excel's numbers of days"),
        (
            [["4471223", "Ann Lee", "soon", "", ""]] * 3,
            HEADINGS,
            "3 of 3 values are no birth date; name the right column as HEADING=birth_date",
        ),
        ([], HEADINGS, "has no row with a usable value"),
        ([], ["mrn"], "its first line holds one column only"),
        ([], [""], "list.csv: is empty"),
        ([], ["PK\x03\x04\x14\x8f"], "list.csv: is a spreadsheet; save it as CSV"),
        ([["1980-01-02", "Ann Lee", "1980-01-01", "", ""]] * 3, HEADINGS, "by chance (3 dates (1 of some 36,500"),
        (
            [["4471223", f"Ann {last}", f"198{at}-01-01", "", ""] for at, last in enumerate(("Lee", "Roe", "Poe"))],
            HEADINGS,
            "2 of 3 values in column 'mrn' are of several people",
        ),
    ],
)
def test_a_list_that_cannot_be_right_is_refused_and_the_old_index_stays(
    tmp_path: Path, rows: list[list[str]], headings: list[str], said: str
) -> None:
    (tmp_path / "index").write_bytes(b"the old one")
    with pytest.raises(SettingsError) as refused:
        build_index(write(tmp_path, rows, headings), "mrn", ["name", "birth_date"], tmp_path / "index", KEY)
    assert said in str(refused.value)
    assert "Ann" not in str(refused.value) and "25639" not in str(refused.value)
    assert (tmp_path / "index").read_bytes() == b"the old one"
    assert os.listdir(tmp_path) in (["list.csv", "index"], ["index", "list.csv"])


def test_few_short_numbers_are_left_out_with_their_counts(tmp_path: Path) -> None:
    built = build(tmp_path, [*PATIENTS, *PATIENTS, ["123", "Ann Lee", "1980-01-01", "", ""]])
    ((reason, count),) = built.refused.items()
    assert (built.indexed, count) == (8, 1) and "1 of 1,000" in reason


def test_a_first_name_alone_supports_nothing_and_unknown_columns_need_a_kind(tmp_path: Path) -> None:
    path = write(tmp_path, [["4471223", "Charles", "Sloan", "x"]], ["mrn", "first", "last", "colour"])
    refused = {
        "is the key": ["mrn", "last"],
        "supports nothing": ["first"],
        "colour=KIND": ["colour"],
        "at least one": [],
    }
    for said, columns in refused.items():
        with pytest.raises(SettingsError, match=said):
            build_index(path, "mrn", columns, tmp_path / "index", KEY)
    build_index(path, "mrn", ["first", "last"], tmp_path / "index", KEY)
    screen = Screen(load_rules(), KEY, known=KnownIndex(tmp_path / "index", KEY))
    assert screened(screen, "4471223 Sloan, Charles").known == 1


@given(st.from_regex(r"[A-Z]{0,3}[0-9]{4,12}[A-Z]{0,2}", fullmatch=True))
def test_a_value_is_found_by_its_shape(value: str) -> None:
    plain = plain_code(value)
    match = pattern_of([shape_of(plain)]).search(f"a: {plain}, b")
    assert match is not None and plain_code(match.group()) == plain


def test_names_are_the_same_in_both_orders() -> None:
    for written in ("Charles Sloan", "SLOAN, Charles", "Charles E. Sloan", "Sloan, Charles Edward"):
        assert name_of(written) == "charles sloan"
    assert name_of("Sloan") == ""
