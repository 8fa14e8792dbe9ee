"""Parts, cells, headers, layers and groups that nobody sees are read, or the file is said to be read in part."""

from collections.abc import Callable

import pytest

from benchmarks.honesty_cases.behind_pictures import behind_pictures
from benchmarks.honesty_cases.case import Case
from benchmarks.honesty_cases.encoded import encoded
from benchmarks.honesty_cases.in_cells import in_cells
from benchmarks.honesty_cases.in_mail import in_mail
from benchmarks.honesty_cases.in_parts import in_parts
from core.records import Document, Status

Examine = Callable[..., list[Document]]
CASES = [*in_parts(), *in_mail(), *in_cells(), *behind_pictures(), *encoded()]
READ = (Status.COMPLETE, Status.CONTAINER)
UNREAD = {
    "outlines.svg": "picture not read (outlines that may be letters)",
    "unicode.npy": "strings of an unknown binary type",
    "record.cbor": "strings of an unknown binary type",
}


@pytest.mark.parametrize("case", [case for case in CASES if case.leaks], ids=lambda case: case.name)
def test_what_nobody_sees_is_read_or_said_to_be_unread(examined: Examine, case: Case) -> None:
    documents = examined(case.data, case.name)
    reasons = [document.reason for document in documents if document.status not in READ]
    if case.name in UNREAD:
        assert reasons == [UNREAD[case.name]]
    else:
        assert any("Margaret Thompson" in document.text for document in documents)


@pytest.mark.parametrize("case", [case for case in CASES if not case.leaks], ids=lambda case: case.name)
def test_what_hides_nothing_is_complete(examined: Examine, case: Case) -> None:
    documents = examined(case.data, case.name)
    assert {document.status for document in documents} <= set(READ)
    assert not any("Thompson" in document.text for document in documents)
