from collections.abc import Callable

import pytest

from core.records import Document, Status

Examine = Callable[..., list[Document]]

CLINICAL = """<?xml version="1.0"?>
<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <templateId root="2.16.840.1.113883.10.20.22.1.1" extension="2015-08-01"/>
  <recordTarget><patientRole>
    <id extension="078-05-1120" root="2.16.840.1.113883.4.1"/><id extension="MRN-4711" root="2.16.840.1.113883.19.5"/>
    <addr use="HP"><streetAddressLine>12 Invented Road</streetAddressLine><city>Springfield</city><state>OR</state>
      <postalCode>97477</postalCode></addr>
    <telecom value="tel:+1(555)555-0123" use="HP"/><telecom value="mailto:ann@example.org"/>
    <patient><name use="L"><family>Example</family><given>Ann</given><given>B.</given></name>
      <administrativeGenderCode code="F" codeSystem="2.16.840.1.113883.5.1" displayName="Female"/>
      <birthTime value="19500801"/></patient>
  </patientRole></recordTarget>
  <component><section><title>Problems</title><text><table border="1"><tr><th>Problem</th><th>Date</th></tr>
    <tr><td>Asthma <content styleCode="Bold">(severe)</content></td><td>2012</td></tr></table></text>
  </section></component>
  <nonXMLBody><text mediaType="text/plain" representation="B64">SGlkZGVuIG5vdGU=</text></nonXMLBody>
</ClinicalDocument>"""


def test_a_clinical_document_reads_like_a_form(examined: Examine) -> None:
    attached, document = examined(CLINICAL.encode(), "ccda.xml")
    assert document.status is Status.COMPLETE
    for line in (
        "SSN: 078-05-1120",
        "patient id: MRN-4711",
        "address: 12 Invented Road, Springfield, OR 97477",
        "telecom: +1(555)555-0123",
        "telecom: ann@example.org",
        "patient name: Ann B. Example",
        "sex: Female",
        "date of birth: 1950-08-01",
        "Problem\tDate",
        "Asthma (severe)\t2012",
    ):
        assert line in document.text.splitlines()
    assert "2.16.840" not in document.text
    assert attached.text == "Hidden note"


PARTIES = """<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"><title>Summary</title>
  <recordTarget><patientRole><id extension="4711"/><telecom value="tel:555-0123"/>
    <patient><name><given>Ann</given><family>Example</family></name>
      <guardian><telecom value="tel:555-0177"/><guardianPerson><name>Bob Example</name></guardianPerson></guardian>
      <birthTime value="19500801"/></patient></patientRole></recordTarget>
  <participant><associatedEntity><telecom value="tel:555-0188"/><associatedPerson><name><given>Cy</given>
    <family>Poe</family></name></associatedPerson></associatedEntity></participant>
  <component><section><title>Problems</title><text>Asthma</text></section></component></ClinicalDocument>"""


def test_everybody_in_a_clinical_document_is_a_block_that_begins_with_the_name(examined: Examine) -> None:
    (document,) = examined(PARTIES.encode(), "ccda.xml")
    assert document.text.split("\n\n") == [
        "Summary",
        "patient name: Ann Example\npatient id: 4711\ntelecom: 555-0123\ndate of birth: 1950-08-01",
        "name: Bob Example\ntelecom: 555-0177",
        "contact: Cy Poe\ntelecom: 555-0188",
        "Problems\nAsthma",
    ]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<?xml version='1.0'?><a><ssn>1</ssn><first_name>Ann</first_name></a>", "ssn: 1\nfirst name: Ann"),
        ("<?xml version='1.0'?><a>\n <p>Hel<b>lo</b> <i>big</i> world</p>\n <p>two</p>\n</a>", "Hello big world\ntwo"),
        (
            '<?xml version="1.0"?><a><person lastName="Example" phone="555 0123"/></a>',
            "last name: Example\nphone: 555 0123",
        ),
        ("<?xml version='1.0'?><a><![CDATA[x < y]]><!-- Ann was here --></a>", "a: x < y\nAnn was here"),
        ("<?xml version='1.0'?><x:a xmlns:x='urn:x'><x:ward>c</x:ward></x:a>", "ward: c"),
        ("<?xml version='1.0'?><a><ward xsi:type='x'>undeclared</ward></a>", "type: x\nward: undeclared"),
    ],
)
def test_elements_and_attributes_are_lines(examined: Examine, markup: str, text: str) -> None:
    (document,) = examined(markup.encode())
    assert (document.status, document.media_type) == (Status.COMPLETE, "text/xml")
    assert document.text == text


@pytest.mark.parametrize(
    "markup",
    [
        "<?xml version='1.0'?><a><b>never closed</a>",
        "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x 'Ann Example'>]><a>&x;</a>",
        "<?xml version='1.0'?><a>&unknown;</a>",
        "<?xml version='1.0'?><a/> trailing words",
    ],
)
def test_what_cannot_be_parsed_is_shown_as_it_is(examined: Examine, markup: str) -> None:
    (document,) = examined(markup.encode())
    assert (document.status, document.text) == (Status.COMPLETE, markup)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "windows-1250"])
def test_xml_is_read_in_the_encoding_it_declares(examined: Examine, encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?><a>Šťastný</a>'
    (document,) = examined(text.encode(encoding))
    assert document.text == "a: Šťastný"


def test_no_entity_is_fetched(examined: Examine) -> None:
    (document,) = examined(b'<?xml version="1.0"?><!DOCTYPE a SYSTEM "file:///etc/passwd"><a>x</a>')
    assert "root:" not in document.text


def test_xml_of_great_depth_keeps_its_text(examined: Examine) -> None:
    (document,) = examined(b"<?xml version='1.0'?>" + b"<d>" * 20_000 + b"deep" + b"</d>" * 20_000)
    assert document.status is Status.COMPLETE
    assert "deep" in document.text
