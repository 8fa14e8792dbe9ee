"""Rich text -> its characters, whatever way they are written."""

import struct
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import Document, Status
from extraction.format import StoppedError
from extraction.readers.rtf.text import RtfText

Examine = Callable[..., list[Document]]
FONTS = rb"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 Mincho;}}"


def places(data: bytes) -> dict[str, str]:
    text = RtfText(data)
    text.read()
    return {segment.where: segment.text for segment in text.segments()}


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (rb"plain words", "plain words"),
        (rb"one\par two\line three\tab four", "one\ntwo\nthree\tfour"),
        (rb"caf\'e9 \emdash  na\u239?ve", "café — naïve"),
        (rb"\uc2\u1040??\uc0\u1053\uc1\u1085?\u1072\'3f.", "АНна."),
        (rb"\u-10179?\u-8704?", "😀"),
        (rb"{\f1 \'c0\'ed\'ed\'e0} \'e9", "Анна é"),
        (rb"{\f2 \'8e\'52\'93\'63}", "山田"),
        (
            rb"\{braces\} and \\ and hard\~space and hyph\-en and non\_breaking",
            "{braces} and \\ and hard\xa0space and hyphen and non-breaking",
        ),
        (b"line\r\nbreaks mean\nnothing", "linebreaks meannothing"),
        (rb"{\*\unknown hidden}shown", "shown"),
        (rb"{\pict\wmetafile8 0102{\*\blipuid ff}03}after", "after"),
        (b"{\\pict\\bin4 }}{{}after", "after"),
        (rb"{\v secret} {\deleted removed}", "secret removed"),
        (rb"{\field{\*\fldinst PAGE}{\fldrslt 7}} pages", "7 pages"),
        (rb"{\upr{Anna}{\*\ud{\u1040?\u1085?\u1085?\u1072?}}}", "AnnaАнна"),
        (rb"cell one\cell cell two\cell\row next", "cell one\tcell two\t\nnext"),
        (rb"{\shp{\*\shpinst{\sp{\sn fill}{\sv 0}}}}done", "done"),
    ],
)
def test_characters(written: bytes, read: str) -> None:
    assert places(rb"{\rtf1\ansi\ansicpg1252\deff0" + FONTS + b" " + written + b"}").get("body", "").strip() == read


def test_the_code_page_of_the_document_holds_where_no_font_says_otherwise() -> None:
    assert places(rb"{\rtf1\ansi\ansicpg1253 \'c1\'ed\'ed\'e1}") == {"body": "Αννα"}
    assert places(rb"{\rtf1\mac \'8e}") == {"body": "é"}


def test_each_text_has_its_place(examined: Examine) -> None:
    data = (
        rb"{\rtf1\ansi{\info{\title A title}{\author Olga Author}{\operator Edith}{\*\company Clinic}{\creatim\yr2024}}"
        rb"{\*\userprops{\propname Ward}\proptype30{\staticval Seven}}"
        rb"{\header Head words\par}{\footerf Foot words\par}Body{\footnote Note words}"
        rb"{\*\atnauthor Carol}{\*\annotation Remark}"
        rb"{\shp{\*\shpinst{\shptxt Box words\par}}}{\shprslt again}"
        rb'{\field{\*\fldinst HYPERLINK "mailto:ann@example.org"}{\fldrslt Ann}}}'
    )
    (document,) = examined(data)
    assert document.status is Status.COMPLETE
    assert {segment.where: segment.text for segment in document.segments} == {
        "body": "BodyAnn",
        "headers": "Head words",
        "footers": "Foot words",
        "footnotes": "Note words",
        "comments": "Carol\nRemark",
        "text boxes": "Box words",
        "links": "ann@example.org",
        "properties": "A title\nOlga Author\nEdith\nClinic\nSeven",
    }


def test_an_embedded_file_is_a_member(examined: Examine) -> None:
    package = (
        b"\x02\0note.txt\0C:\\note.txt\0"
        + struct.pack("<HHI", 0, 3, 4)
        + b"C:\\\0"
        + struct.pack("<I", 12)
        + b"packed words"
    )
    wrapped = struct.pack("<III", 0x501, 2, 8) + b"Package\0" + struct.pack("<III", 0, 0, len(package)) + package
    data = (
        rb"{\rtf1 Text{\object\objemb{\*\objclass Package}{\*\objdata "
        + wrapped.hex().encode()
        + rb"}{\result shown}}}"
    )
    member, document = examined(data)
    assert (member.uri, member.text) == (f"{document.uri}!note.txt", "packed words")
    assert document.text == "Textshown"


def test_cut_and_nested_files(examined: Examine) -> None:
    (cut,) = examined(rb"{\rtf1 {\b words before the cut")
    assert (cut.status, cut.text) == (Status.PARTIAL, "words before the cut")
    (deep,) = examined(rb"{\rtf1 first" + b"{" * 200_000)
    assert (deep.status, deep.text, deep.reason) == (Status.PARTIAL, "first", "nesting limit (10,000)")


def test_megabytes_are_read(examined: Examine) -> None:
    data = (
        rb"{\rtf1\ansi "
        + rb"{\b Ann} lives in Orl\'e9ans\par " * 60_000
        + rb"{\pict "
        + b"0123456789abcdef" * 100_000
        + b"}last}"
    )
    picture, document = examined(data)
    assert picture.uri.endswith("!picture 1")
    assert document.status is Status.COMPLETE
    assert document.text.count("Orléans") == 60_000
    assert document.text.endswith("last")


@given(
    st.lists(
        st.sampled_from(
            [
                rb"{",
                rb"}",
                rb"\u1040 ",
                rb"\'e9",
                rb"\*",
                rb"\pict ",
                rb"\bin3 ",
                rb"\uc9 ",
                rb"\fonttbl",
                rb"\f1",
                b"words",
                b"\\",
            ]
        )
    )
)
def test_any_tokens_do_no_harm(tokens: list[bytes]) -> None:
    text = RtfText(rb"{\rtf1 " + b"".join(tokens))
    try:
        text.read()
    except StoppedError as stopped:
        assert stopped.status is Status.PARTIAL
    assert all(segment.text.encode() for segment in text.segments())
