"""A small drawing made by hand -> its shapes, page names and properties."""

import io
import zipfile
from collections.abc import Callable

from core.records import Document, Status

Examine = Callable[..., list[Document]]
SPACE = 'xmlns="http://schemas.microsoft.com/office/visio/2012/main"'
PARTS = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    "visio/pages/pages.xml": f'<Pages {SPACE}><Page ID="0" Name="Ward plan"/></Pages>',
    "visio/pages/page1.xml": f"""<PageContents {SPACE}><Shapes><Shape>
        <Text><cp IX="0"/>Ann Example, <pp IX="0"/>ward 7</Text>
       <Section N="Property"><Row><Cell N="Value" V="Bob Sample" U="STR"/><Cell N="Width" V="2" U="MM"/></Row></Section>
        </Shape></Shapes>
        </PageContents>""",
    "docProps/core.xml": '<p xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>Carol Third</dc:creator></p>',
}


def test_words_of_a_drawing(examined: Examine) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in PARTS.items():
            archive.writestr(name, text)
    (document,) = examined(out.getvalue())
    assert (document.status, document.media_type) == (Status.COMPLETE, "application/vnd.ms-visio.drawing")
    by_place = {segment.where: segment.text for segment in document.segments}
    assert by_place == {"names": "Ward plan", "page 1": "Ann Example, ward 7\nBob Sample", "properties": "Carol Third"}
