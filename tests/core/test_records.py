"""Records that hold content cannot leave their process, and do not show it."""

import pickle

import pytest

from core.records import Document, FileRef, Segment, Status

SECRET = "Jane Roe, 046 454 286"


def document() -> Document:
    ref = FileRef("/a", b"/a", 3, 0)
    return Document(
        ref,
        "/a",
        None,
        3,
        None,
        "text/plain",
        Status.COMPLETE,
        segments=(Segment("page 1", SECRET), Segment("page 2", "x")),
    )


@pytest.mark.parametrize("content", [document(), document().segments[0]])
def test_content_cannot_be_pickled(content: object) -> None:
    with pytest.raises(TypeError, match="content"):
        pickle.dumps(content)


@pytest.mark.parametrize("content", [document(), document().segments[0]])
def test_content_is_not_shown(content: object) -> None:
    assert SECRET not in repr(content)


def test_offsets_count_in_the_joined_text() -> None:
    assert document().text == SECRET + "\nx"
    assert document().chars == len(SECRET) + 1
