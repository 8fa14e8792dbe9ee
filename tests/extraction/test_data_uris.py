"""Files in data URIs are members; their base64 is no text."""

import base64
import io
import time
from collections.abc import Callable

import pytest
from PIL import Image

from core.records import Document, Status
from extraction.readers.text.data_uris import without_data_uris

Examine = Callable[..., list[Document]]


def picture() -> str:
    out = io.BytesIO()
    Image.effect_noise((60, 60), 50).save(out, "GIF", comment=b"Comment of a picture")
    return base64.b64encode(out.getvalue()).decode()


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("# Note\n\n![scan](", ")\nafter it\n", "# Note\n\n![scan]([picture])\nafter it\n"),
        ('{"photo": "', '", "name": "Ann"}', '{"photo": "[picture]", "name": "Ann"}'),
        ("photo,name\n", ",Ann\n", "photo,name\n[picture],Ann\n"),
    ],
)
def test_a_picture_in_text_is_a_member(examined: Examine, before: str, after: str, shown: str) -> None:
    member, document = examined(f"{before}data:image/gif;base64,{picture()}{after}".encode())
    assert (document.status, document.text) == (Status.COMPLETE, shown)
    assert (member.media_type, member.uri) == ("image/gif", f"{document.uri}!embedded 1")
    assert "Comment of a picture" in member.text


@pytest.mark.parametrize(
    "markup",
    [
        '<html><p data-photo="URI">words</p></html>',
        "<html><p>words</p><!-- URI --></html>",
        '<html><p>words</p><script>var a = "URI", b = "x y z"</script></html>',
        '<?xml version="1.0"?><a><image href="URI"/><p>words</p></a>',
        '<?xml version="1.0"?><a><image>URI</image><p>words</p></a>',
    ],
)
def test_base64_in_markup_is_no_text(examined: Examine, markup: str) -> None:
    document = examined(markup.replace("URI", f"data:image/gif;base64,{picture()}").encode())[-1]
    assert "words" in document.text
    assert picture()[40:80] not in document.text


@pytest.mark.parametrize(
    ("text", "shown", "files"),
    [
        ("data:image/png;base64,short", "data:image/png;base64,short", 0),
        ("see data:image/png;base64," + "A" * 100 + " x", "see [picture] x", 0),
        ("data:application/pdf;name=a.pdf;base64," + "A" * 300 + '"', '[file]"', 1),
        ("data:image/png;base64," + ("A" * 76 + "\r\n") * 5 + "after", "[picture]\r\nafter", 1),
        ("data:text/plain,plain words", "data:text/plain,plain words", 0),
    ],
)
def test_what_a_data_uri_is(text: str, shown: str, files: int) -> None:
    without, packed = without_data_uris(text)
    assert (without, len(packed)) == (shown, files)


def test_odd_uris_take_little_time() -> None:
    started = time.process_time()
    for text in (
        "data:image/png;base64," * 100_000,
        "data:" + "a/b;" * 500_000 + ";base64,",
        "data:a/b;base64," + ("A" * 50 + "\n") * 50_000,
        "data:a/b" + ";x" * 500_000 + ";base64,",
    ):
        without_data_uris(text)
    assert time.process_time() - started < 5
