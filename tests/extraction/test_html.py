import base64
import io
from collections.abc import Callable

import pytest
from PIL import Image

from core.records import Document, Status
from extraction.readers.html import MOST_TAGS, html_parts

Examine = Callable[..., list[Document]]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ('<p style="display:none">hidden words</p><p hidden>more</p>', "hidden words\nmore"),
        (
            "<noscript>Without scripts</noscript><template><p>In a template</p></template>",
            "Without scripts\nIn a template",
        ),
        (
            '<head><meta name="author" content="Olga Author"><meta name="viewport" content="width=1"></head>x',
            "Olga Author\nx",
        ),
        ('<meta http-equiv="refresh" content="5"><p>x', "x"),
        ('<abbr title="said in full">sif</abbr>', "said in full sif"),
        ('<div data-email="ann@example.org" data-toggle="modal">x</div>', "ann@example.org x"),
        ('<iframe srcdoc="&lt;p&gt;inner page&lt;/p&gt;"></iframe>', "inner page"),
        ("<svg><text>drawn words</text></svg>", "drawn words"),
        ("<textarea>typed words</textarea>", "typed words"),
        ("<p>a&nbsp;b &lt;c&gt; &amp; &#128512;", "a b <c> & 😀"),
    ],
)
def test_what_a_page_says(examined: Examine, markup: str, text: str) -> None:
    (document,) = examined(f"<!DOCTYPE html><html>{markup}</html>".encode())
    assert (document.status, document.text) == (Status.COMPLETE, text)


def test_comments_and_data_of_scripts_have_places_of_their_own(examined: Examine) -> None:
    markup = b"""<html><!-- was: <b>Ann Example</b> -->
        <script type="application/ld+json">{"name": "Olga Author"}</script>
      <script>var x = {"patient": "Bob Example", 'phone': '416-555-0123', colour: "steelblue"}; f("a b"); // "</script>
        <p>seen</html>"""
    (document,) = examined(markup)
    by_place = {segment.where: segment.text for segment in document.segments}
    assert by_place == {
        "": "seen",
        "comments": "was: Ann Example",
        "script data": '{"name": "Olga Author"}\nBob Example\n416-555-0123',
    }


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252", "iso-8859-2", "shift_jis"])
def test_charsets(examined: Examine, encoding: str) -> None:
    words = (
        "患者の名前"
        if encoding == "shift_jis"
        else "Zoé"
        if encoding == "cp1252"
        else "Müller"
        if encoding != "iso-8859-2"
        else "Šťastný"
    )
    (document,) = examined(f'<html><head><meta charset="{encoding}"></head><p>{words}</p></html>'.encode(encoding))
    assert (document.media_type, document.text) == ("text/html", words)


def test_pictures_within_a_page_are_members(examined: Examine) -> None:
    out = io.BytesIO()
    Image.effect_noise((60, 60), 50).save(out, "GIF", comment=b"Comment of a picture")
    packed = base64.b64encode(out.getvalue()).decode()
    member, document = examined(
        f'<html><p>words<img src="data:image/gif;base64,{packed}"></html>'.encode(), "page.html"
    )
    assert (member.uri, member.media_type) == (f"{document.uri}!embedded 1", "image/gif")
    assert "Comment of a picture" in member.text
    assert (document.status, document.text) == (Status.COMPLETE, "words")


def test_deep_nesting_keeps_the_text(examined: Examine) -> None:
    (document,) = examined(b"<html>" + b"<div>" * 100_000 + b"at the bottom" + b"</div>" * 100_000)
    assert (document.status, document.text) == (Status.COMPLETE, "at the bottom")


def test_a_page_of_more_tags_than_words_keeps_its_text() -> None:
    parts = html_parts("<!doctype html>" + "<div>" * (MOST_TAGS + 1) + "caf&eacute; <b>words</b>")
    assert parts.text.split() == ["café", "words"]
