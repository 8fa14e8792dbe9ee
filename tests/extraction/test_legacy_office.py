"""Files of 1993 to 2003 built by hand -> what an office suite of today no longer writes."""

import io
import struct
from collections.abc import Callable

import docx
import msoffcrypto
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msoffcrypto.format.ooxml import OOXMLFile

from core.records import Document, Segment, Status
from core.settings import LimitSettings
from extraction.limits.budget import Budget
from extraction.readers.excel.biff import Workbook, unpacked_number
from extraction.readers.excel.biff_strings import shared_strings
from extraction.readers.ole.compound import compound_of
from extraction.readers.ole.compound_writer import write_compound
from extraction.readers.word.characters import readable

Examine = Callable[..., list[Document]]


def word_6(text: bytes, *, language: int = 0x409, flags: int = 0, version: int = 101) -> bytes:
    header = bytearray(768)
    struct.pack_into("<HH", header, 0, 0xA5DC, version)
    struct.pack_into("<HxxH", header, 6, language, flags)
    struct.pack_into("<II", header, 0x18, 768, 768 + len(text))
    struct.pack_into("<i", header, 0x34, len(text))
    return bytes(header) + text


def word_97(pieces: list[tuple[str, bool]], parts: list[int]) -> dict[tuple[str, ...], bytes]:
    """Pieces lie in the file in reverse order, as after many quick saves."""
    header = bytearray(0x600)
    struct.pack_into("<HH", header, 0, 0xA5EC, 193)
    struct.pack_into("<H", header, 0x0A, 0x1204)
    struct.pack_into(f"<{len(parts)}i", header, 0x4C, *parts)
    main = bytes(header)
    places: list[int] = []
    for text, narrow in reversed(pieces):
        places.insert(0, len(main) * 2 | 0x40000000 if narrow else len(main))
        main += text.encode("cp1252") if narrow else text.encode("utf-16-le")
    limits = [0]
    for text, _ in pieces:
        limits.append(limits[-1] + len(text))
    table = struct.pack(f"<{len(limits)}I", *limits) + b"".join(struct.pack("<HIH", 0, place, 0) for place in places)
    clx = b"\x01\x02\0ab" + b"\x02" + struct.pack("<I", len(table)) + table
    main = main[:0x1A2] + struct.pack("<II", 7, len(clx)) + main[0x1AA:]
    return {("WordDocument",): main, ("1Table",): bytes(7) + clx}


def test_a_quick_saved_document_is_put_together_from_its_pieces(examined: Examine) -> None:
    streams = word_97([("First ", True), ("вторая ", False), ("third", True), ("note", False)], [18, 4])
    (document,) = examined(write_compound(streams))
    assert [(segment.where, segment.text) for segment in document.segments] == [
        ("body", "First вторая third"),
        ("footnotes", "note"),
    ]
    assert document.status is Status.COMPLETE


@pytest.mark.parametrize(
    ("language", "encoding", "text"),
    [
        (0x409, "cp1252", "Zoë in Orléans"),
        (0x419, "cp1251", "Анна Иванова"),
        (0x411, "cp932", "山田太郎"),
        (0x409, "cp1251", "Пациентка Анна Иванова живёт в Москве и принимает лекарство каждый день"),
    ],
)
def test_word_6_is_read_in_its_code_page(examined: Examine, language: int, encoding: str, text: str) -> None:
    data = write_compound({("WordDocument",): word_6(text.encode(encoding) + b"\r", language=language)})
    (document,) = examined(data)
    assert document.text.strip() == text


def test_an_encrypted_document_says_so(examined: Examine) -> None:
    data = write_compound({("WordDocument",): word_6(b"never seen", flags=0x0100)})
    (document,) = examined(data)
    assert (document.status, document.reason, document.text) == (
        Status.ENCRYPTED,
        "password-protected Word document",
        "",
    )


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("a\x13 PAGE \x14" + "7\x15b", "a7b"),
        ('see \x13 HYPERLINK "mailto:ann@example.org" \x14Ann\x15.', "see  ann@example.org Ann."),
        ("\x13 IF \x13 REF x \x14inner\x15 \x14outer\x15", "outer"),
        ("\x13 XE only a code \x15rest", "rest"),
        ("kept \x13 although never closed", "kept  although never closed"),
        ("one\x07two\x07\x07three\x07four\x07\x07", "one\ttwo\t\nthree\tfour\t"),
        ("hard\x1ehyphen soft\x1fhyphen\x0bline", "hard-hyphen softhyphen\nline"),
        ("\ud83d\ude00", "😀"),
    ],
)
def test_marks_of_word(stored: str, shown: str) -> None:
    assert readable(stored) == shown


def embedded_word() -> dict[tuple[str, ...], bytes]:
    inner = {("ObjectPool", "_1", *path): data for path, data in word_97([("Inner words", True)], [11]).items()}
    label = (
        b"\x02\0note.txt\0C:\\note.txt\0"
        + struct.pack("<HHI", 0, 3, 4)
        + b"C:\\\0"
        + struct.pack("<I", 12)
        + b"packed words"
    )
    native: dict[tuple[str, ...], bytes] = {
        ("ObjectPool", "_2", "\x01Ole10Native"): struct.pack("<I", len(label)) + label
    }
    return {**word_97([("Outer words", True)], [11]), **inner, **native}


def test_embedded_objects_are_members(examined: Examine) -> None:
    inner, note, outer = examined(write_compound(embedded_word()))
    assert (inner.text, inner.media_type, inner.uri.rpartition("!")[2]) == (
        "Inner words",
        "application/msword",
        "object 1",
    )
    assert (note.text, note.uri.rpartition("!")[2]) == ("packed words", "note.txt")
    assert (outer.text, outer.status) == ("Outer words", Status.COMPLETE)


@given(
    st.dictionaries(st.text("abcXYZ 1é", min_size=1, max_size=20), st.binary(max_size=3000), min_size=1, max_size=12)
)
def test_a_written_compound_file_reads_back(streams: dict[str, bytes]) -> None:
    folded = {name.lower(): (name, data) for name, data in streams.items()}
    data = write_compound({("folder", name): content for name, content in folded.values()})
    compound = compound_of(data, Budget(LimitSettings()))
    assert {path[1]: compound.read(*path) for path in compound.paths("folder")} == dict(folded.values())
    assert not compound.fault


def test_a_large_compound_file_reads_back() -> None:
    content = bytes(range(256)) * 40_000
    compound = compound_of(write_compound({("big",): content, ("small",): b"x"}), Budget(LimitSettings()))
    assert (compound.read("BIG"), compound.read("small"), compound.read("none")) == (content, b"x", b"")


def record(kind: int, data: bytes) -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def excel_95(*records: bytes) -> bytes:
    book = (
        record(0x0809, struct.pack("<HHHH", 0x0500, 5, 0, 0))
        + record(0x42, struct.pack("<H", 1251))
        + record(0x0A, b"")
    )
    return book + record(0x0809, struct.pack("<HHHH", 0x0500, 0x10, 0, 0)) + b"".join(records) + record(0x0A, b"")


def test_excel_95_is_read_in_its_code_page(examined: Examine) -> None:
    name = "Анна".encode("cp1251")
    label = record(0x204, struct.pack("<HHHH", 0, 0, 0, len(name)) + name)
    number = record(0x203, struct.pack("<HHHd", 0, 1, 0, 4165550123.0))
    packed = record(
        0xBD,
        struct.pack("<HH", 1, 0) + struct.pack("<HI", 0, 42 << 2 | 2) + struct.pack("<HI", 0, 1250 << 2 | 3) + b"\1\0",
    )
    note = record(0x1C, struct.pack("<HHH", 0, 0, 5) + b"aside")
    (document,) = examined(write_compound({("Book",): excel_95(label, number, packed, note)}))
    assert [(segment.where, segment.text) for segment in document.segments] == [
        ("sheet 1", "Анна\t4165550123\n42\t12.5"),
        ("comments 1", "aside"),
    ]


def test_excel_2_and_the_data_sheets_of_charts(examined: Examine) -> None:
    label = record(0x04, struct.pack("<HH3xB", 0, 0, 3) + b"Ann")
    cells = label + record(0x03, struct.pack("<HH3xd", 0, 1, 2.5)) + record(0x02, struct.pack("<HH3xH", 0, 2, 7))
    (document,) = examined(record(0x0009, struct.pack("<HH", 2, 0x10)) + cells + record(0x0A, b""))
    assert (document.status, document.text) == (Status.COMPLETE, "Ann\t2.5\t7")


def test_a_workbook_outside_a_compound_file(examined: Examine) -> None:
    data = (
        record(0x0409, struct.pack("<HHH", 0, 0x10, 0))
        + record(0x204, struct.pack("<HHHH", 0, 0, 0, 3) + b"Ann")
        + record(0x0A, b"")
    )
    (document,) = examined(data)
    assert (document.status, document.text, document.media_type) == (Status.COMPLETE, "Ann", "application/vnd.ms-excel")


@pytest.mark.parametrize(
    ("packed", "value"),
    [(42 << 2 | 2, 42.0), (1250 << 2 | 3, 12.5), (0xFFFFFFFE, -1.0), (0x3FF00000, 1.0), (0x3FF00001, 0.01)],
)
def test_packed_numbers(packed: int, value: float) -> None:
    assert unpacked_number(packed) == value


def test_shared_strings_run_on_into_the_next_record() -> None:
    head = struct.pack("<II", 2, 2)
    first = head + struct.pack("<HB", 6, 0) + b"abc"
    second = b"\1" + "дef".encode("utf-16-le") + struct.pack("<HBH", 2, 8, 1) + b"xy" + b"\0\0"
    assert list(shared_strings([first, second, b"\0\0"])) == ["abcдef", "xy"]


@given(
    st.lists(
        st.tuples(
            st.sampled_from([0x809, 0xFC, 0xFD, 0x204, 0x6, 0x207, 0xBD, 0x1C, 0x1B6, 0x3C, 0x0A, 0x85]),
            st.binary(max_size=40),
        )
    )
)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_any_records_do_no_harm(entries: list[tuple[int, bytes]]) -> None:
    for segment in Workbook(b"".join(record(kind, data) for kind, data in entries)).segments():
        assert isinstance(segment, Segment)


def test_a_workbook_under_a_password_says_so(examined: Examine) -> None:
    data = excel_95(record(0x2F, b"\0\0\1\2\3\4"))
    locked = data.replace(record(0x42, struct.pack("<H", 1251)), record(0x2F, b"\x12\x34\x56\x78"))
    (document,) = examined(write_compound({("Book",): locked}))
    assert (document.status, document.reason) == (Status.ENCRYPTED, "password-protected workbook")


def ppt_record(kind: int, data: bytes, instance: int = 0, *, container: bool = False) -> bytes:
    return struct.pack("<HHI", instance << 4 | (0xF if container else 0), kind, len(data)) + data


def slide(text: str) -> bytes:
    return ppt_record(0x03EE, ppt_record(0x0FA0, text.encode("utf-16-le")), container=True)


def test_what_a_quick_save_left_behind_is_read(examined: Examine) -> None:
    outline = ppt_record(0x03F3, struct.pack("<5I", 2, 0, 0, 256, 0)) + ppt_record(0x0FA8, b"Outline words")
    document = ppt_record(0x03E8, ppt_record(0x0FF0, outline, container=True), container=True)
    old, new = slide("Same line\rOld name of a patient"), slide("Same line\r* starred\rNew name")
    stream = document + old + new
    directory = len(stream)
    stream += ppt_record(0x1772, struct.pack("<III", 2 << 20 | 1, 0, len(document) + len(old)))
    edit = len(stream)
    stream += ppt_record(0x0FF5, struct.pack("<IIIIIHH", 0, 0, 0, directory, 1, 0, 0) + bytes(4))
    user = ppt_record(0x0FF6, struct.pack("<III", 20, 0xE391C05F, edit))
    (result,) = examined(write_compound({("PowerPoint Document",): stream, ("Current User",): user}))
    assert [(segment.where, segment.text) for segment in result.segments] == [
        ("slide 1", "Outline words\nSame line\n* starred\nNew name"),
        ("earlier versions", "Old name of a patient"),
    ]


def test_a_presentation_under_a_password_says_so(examined: Examine) -> None:
    stream = ppt_record(0x03E8, b"", container=True) + ppt_record(0x2F14, bytes(8), container=True)
    (document,) = examined(write_compound({("PowerPoint Document",): stream}))
    assert document.status is Status.ENCRYPTED


def test_a_presentation_whose_records_start_broken_still_shows_its_letters(examined: Examine) -> None:
    stream = struct.pack("<HHI", 0, 0, 100) + bytes(200) + ppt_record(0x0FA0, "Needle of a patient".encode("utf-16-le"))
    (document,) = examined(write_compound({("PowerPoint Document",): stream}))
    assert document.status is Status.PARTIAL
    assert "Needle of a patient" in document.text


def test_deep_nesting_of_records_does_no_harm(examined: Examine) -> None:
    data = b""
    for _ in range(3000):
        data = ppt_record(0x03E8, data, container=True)
    (document,) = examined(write_compound({("PowerPoint Document",): data}))
    assert document.status is Status.COMPLETE


def locked(password: str) -> bytes:
    document = docx.Document()
    document.add_paragraph("Locked words")
    plain, out = io.BytesIO(), io.BytesIO()
    document.save(plain)
    OOXMLFile(plain).encrypt(password, out)
    assert msoffcrypto.OfficeFile(out).is_encrypted()
    return out.getvalue()


def test_what_office_opens_unasked_is_opened(examined: Examine) -> None:
    member, outer = examined(locked("VelvetSweatshop"))
    assert outer.status is Status.CONTAINER
    assert (member.status, "Locked words" in member.text) == (Status.COMPLETE, True)
    (unknown,) = examined(locked("another password"))
    assert (unknown.status, unknown.text) == (Status.ENCRYPTED, "")


@pytest.mark.parametrize("shift", [0, 1, 3, 16, 0xFFFF])
def test_sectors_of_an_impossible_size_do_no_harm(examined: Examine, shift: int) -> None:
    data = bytearray(write_compound({("WordDocument",): word_6(b"words")}))
    data[30:32] = shift.to_bytes(2, "little")
    (document,) = examined(bytes(data))
    assert document.status in (Status.FAILED, Status.PARTIAL, Status.UNSUPPORTED)


def test_a_broken_directory_leaves_the_strings(examined: Examine) -> None:
    data = bytearray(write_compound({("WordDocument",): word_6(b"Dear Zoe, the results are in. " * 200)}))
    data[76:80] = b"\xff\xff\xff\x7f"
    (document,) = examined(bytes(data))
    assert (document.media_type, document.status) == ("application/msword", Status.PARTIAL)
    assert "the results are in" in document.text


def test_a_compound_file_of_no_known_kind(examined: Examine) -> None:
    (document,) = examined(write_compound({("Something",): b"letter of Ann Example" + bytes(600)}))
    assert (document.status, "letter of Ann Example" in document.text) == (Status.PARTIAL, True)
    member, _ = examined(
        write_compound({("\x01Ole10Native",): struct.pack("<I", 5) + b"words", ("\x01CompObj",): b"y"})
    )
    assert member.text == "words"
