"""What no page shows of an encrypted PDF that opens is read as in any other; where that cannot be done, it is said.

The samples were encrypted by qpdf, with the password `sesame` or none.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.records import Document, Status
from core.settings import LimitSettings
from extraction.sandbox import Sandbox

Examine = Callable[..., list[Document]]
SAMPLES = Path(__file__).parents[1] / "samples" / "encrypted"


@pytest.fixture(scope="module")
def with_passwords(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    file = tmp_path_factory.mktemp("keys") / "passwords"
    file.write_text("wrong\nsesame\n")
    file.chmod(0o600)
    with Sandbox(LimitSettings(file_seconds=20), passwords_file=str(file)) as made:
        yield made


@pytest.mark.parametrize(
    "name",
    [
        "earlier-version-aes128.pdf",
        "file-rc4-128.pdf",
        "removed-page-aes256-r5.pdf",
        "script-rc4-40.pdf",
        "unused-string-aes256.pdf",
    ],
)
def test_what_no_page_shows_is_read(examined: Examine, with_passwords: Sandbox, name: str) -> None:
    documents = examined((SAMPLES / name).read_bytes(), name, with_passwords)
    assert documents[-1].status is Status.COMPLETE
    assert any("Margaret Thompson" in document.text for document in documents)


def test_objects_encrypted_in_an_unknown_way_are_said_to_be_unread(examined: Examine, with_passwords: Sandbox) -> None:
    data = (SAMPLES / "earlier-version-aes128.pdf").read_bytes()
    (document,) = examined(data.replace(b"/CF <<", b"/CF << /X << /CFM /None >>"), within=with_passwords)
    assert (document.status, document.reason) == (Status.PARTIAL, "an encrypted part in it, in what no page shows")


def test_a_blank_page_under_a_password_is_read_by_others(examined: Examine, with_passwords: Sandbox) -> None:
    """Other readers need the password too."""
    documents = examined((SAMPLES / "earlier-version-aes128.pdf").read_bytes(), within=with_passwords)
    assert [document.status for document in documents] == [Status.COMPLETE]
