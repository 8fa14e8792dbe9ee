import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.readers.text.decode import clean, decode, is_marked, with_letters

LETTER = "Zoë Müller, née Côté — 12 Straße,\r\nMontréal\tQC\r\n"
MARKED = [
    ("utf-8", codecs.BOM_UTF8),
    ("utf-16-le", codecs.BOM_UTF16_LE),
    ("utf-16-be", codecs.BOM_UTF16_BE),
    ("utf-32-le", codecs.BOM_UTF32_LE),
    ("utf-32-be", codecs.BOM_UTF32_BE),
]


@given(st.text().filter(lambda text: not text.startswith("\ufeff")))
def test_utf8_comes_back_character_for_character(text: str) -> None:
    # A text whose zero bytes stand as they do in UTF-16 can be read either way.
    if "\0" not in text:
        assert decode(text.encode()) == text


@pytest.mark.parametrize(("encoding", "mark"), MARKED)
@given(text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff")))
def test_a_byte_order_mark_decides_and_is_no_character(encoding: str, mark: bytes, text: str) -> None:
    assert decode(mark + text.encode(encoding)) == text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "cp1252", "utf-8"])
def test_western_text_is_read_without_a_mark(encoding: str) -> None:
    text = LETTER.replace("—", "-") * 20
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1251", "Пациент Иванов Пётр Сергеевич, дата рождения 12 марта, поступил с жалобами на боль. " * 10),
        ("shift_jis", "患者の氏名は山田太郎です。生年月日は昭和四十五年三月十二日です。" * 10),
        ("gb18030", "患者姓名张伟，出生日期为一九七〇年三月十二日，住院号码不详。" * 10),
    ],
)
def test_legacy_encodings_are_guessed(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize("declared", ["no-such-codec", "rot13", "hex", "utf-7", "\0", "x" * 500, "unicode_escape"])
def test_what_a_file_declares_is_not_trusted(declared: str) -> None:
    assert decode(b"caf\xe9 " * 30, declared).startswith("caf")


def test_a_declared_encoding_decides_between_legacy_ones() -> None:
    assert decode("Ľubomír Šťastný".encode("cp1250"), "windows-1250") == "Ľubomír Šťastný"


def test_a_character_cut_at_the_limit_is_left_out_but_nothing_else() -> None:
    assert decode("abcé".encode()[:-1], cut=True) == "abc"


def test_zero_padded_text_keeps_its_characters() -> None:
    assert decode(b"name: Ann\n" + bytes(3000)) == "name: Ann\n" + "\0" * 3000


@given(st.text(st.characters()))
def test_cleaning_keeps_the_length_and_leaves_no_surrogate(text: str) -> None:
    cleaned = clean(text)
    assert len(cleaned) == len(text)
    cleaned.encode()


@given(st.binary(max_size=2000))
def test_any_bytes_decode_to_text_that_can_be_encoded(data: bytes) -> None:
    decode(data).encode()


@pytest.mark.parametrize(
    ("head", "marked"),
    [(b"\xff\xfea\0", True), (b"\xff\xfe\0\xd8\0\xd8", False), (b"\xef\xbb\xbfa", True), (b"a", False)],
)
def test_a_mark_counts_only_before_text_of_its_encoding(head: bytes, marked: bool) -> None:
    assert is_marked(head) is marked


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (r'{"last": "Negr\u00f3n Mu\u00F1oz"}', '{"last": "Negrón Muñoz"}'),
        (r'{"note": "a\u0022b\u000ac \ud83d\ude00 \u12"}', r'{"note": "a\u0022b\u000ac \ud83d\ude00 \u12"}'),
        (r"C:\users\ann", r"C:\users\ann"),
    ],
)
def test_letters_that_are_written_as_escapes_are_letters(text: str, read: str) -> None:
    assert with_letters(text) == read
