"""The name of a file is screened as its text is, and moves no offset of the text."""

import pytest

from core.records import Document, FileRef, Segment, Status
from pipelines.stages.file_name import NAME, with_name
from pipelines.stages.screen import screen_documents
from pipelines.stages.stream import Stream
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen


def document(uri: str, text: str = "nothing here") -> Document:
    return Document(
        FileRef(uri, uri.encode(), 0, 0),
        uri,
        None,
        0,
        None,
        "text/plain",
        Status.COMPLETE,
        segments=(Segment("", text),),
    )


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("/share/Mary_Sloan__results.docx", "Mary Sloan results"),
        ("/share/a.zip!inner/Mary Sloan.txt", "Mary Sloan"),
        ("/share/.hidden", ".hidden"),
        ("/share/README", "README"),
    ],
)
def test_the_last_name_of_the_path_is_taken(uri: str, name: str) -> None:
    assert [(segment.where, segment.text) for segment in with_name(document(uri))] == [
        ("", "nothing here"),
        (NAME, name),
    ]


def test_a_person_in_the_name_of_a_file_is_found() -> None:
    text = "call 613-555-0142"
    stream = Stream(0, iter(()), [])
    ((_, screening),) = screen_documents(
        stream, iter([document("/share/Mary_Sloan.txt", text)]), Screen(load_rules(), b"k" * 32)
    )
    assert screening is not None
    found = {(piece.characteristic, piece.where) for piece in screening.evidence}
    assert found >= {("phone_number", ""), ("first_name", NAME), ("last_name", NAME)}
    (phone,) = [piece for piece in screening.evidence if piece.characteristic == "phone_number"]
    assert text[phone.start : phone.end] == "613-555-0142"
