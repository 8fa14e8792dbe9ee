"""Files of every supported format go in; what comes out is read by other libraries, and nobody is in it."""

import csv
import io
import json
import re
from typing import Any

import pytest
from lxml import etree

from deidentification.deidentify import REFUSED, WRITTEN, Deidentifier
from tests.deidentification.conftest import Make

LETTER = (
    "Patient: Mary Thompson\nDOB: 1947-03-05, aged 92 years. MRN 4839201. OHIP 1234-567-897 KW\n"
    "Lives at 12 Maple Street, Ottawa, Ontario K1A 0B1. Phone 613-555-0142, mary.thompson@example.net\n"
    "Seen by Dr. Alan Becker on 12 March 2021 at Ottawa General Hospital.\n"
    "Mrs Thompson has had chest pain since 3 May 2020. thompson takes metformin 500 mg for diabetes.\n"
)
NEEDLES = (
    "thompson", "becker", "1947-03-05", "19470305", "4839201", "1234-567-897", "maple", "k1a 0b1", "613-555-0142",
    "mary", "12 march 2021", "3 may 2020",
)  # fmt: skip


def copy_of(deidentifier: Deidentifier, data: bytes, name: str = "file") -> bytes:
    outcome, output = deidentifier.copy(data, name)
    assert (outcome.status, outcome.reason) == (WRITTEN, "")
    return output


def assert_nobody_in(text: str) -> None:
    assert [needle for needle in NEEDLES if re.search(rf"\b{re.escape(needle)}\b", text.casefold())] == []


@pytest.mark.parametrize("way", ["tag", "mask", "generalise", "surrogate"])
def test_text_without_its_people(make: Make, way: str) -> None:
    text = copy_of(make(way), LETTER.encode()).decode()
    assert_nobody_in(text)
    assert "metformin 500 mg for diabetes" in text
    assert "chest pain since" in text


def test_a_table_keeps_rows_and_columns(make: Make) -> None:
    rows = [
        ["Last name", "First name", "DOB", "MRN", "Diagnosis"],
        ["Thompson", "Mary", "1947-03-05", "4839201", "diabetes, type 2"],
        ["Becker", "Alan", "1962-11-30", "7741920", 'said "chest pain"'],
    ]
    file = io.StringIO()
    csv.writer(file).writerows(rows)
    text = copy_of(make("surrogate"), file.getvalue().encode()).decode()
    assert_nobody_in(text)
    made = list(csv.reader(io.StringIO(text)))
    assert [len(row) for row in made] == [5, 5, 5]
    assert made[0] == rows[0]
    assert [row[4] for row in made] == [row[4] for row in rows]


def test_json_with_escapes_stays_json(make: Make) -> None:
    record: dict[str, Any] = {
        "patient": {"firstName": "Zoë", "lastName": "Thompson", "mrn": 4839201, "dob": "1947-03-05"},
        "note": 'Mary Thompson said: "chest pain"\nsince 3 May 2020',
        "glucose": 7.25,
        "codes": ["E11.9", None, True],
    }
    made = json.loads(copy_of(make("tag"), json.dumps(record).encode()))
    assert_nobody_in(json.dumps(made, ensure_ascii=False))
    assert "Zoë" not in json.dumps(made, ensure_ascii=False)
    assert (made["glucose"], made["codes"]) == (7.25, ["E11.9", None, True])
    assert made["note"].endswith("]") and '"chest pain"\n' in made["note"]


def test_fhir_loses_people_and_files_within(make: Make) -> None:
    import base64

    resource = {
        "resourceType": "Patient",
        "id": "p1",
        "name": [{"family": "Thompson", "given": ["Mary"]}],
        "birthDate": "1947-03-05",
        "identifier": [{"system": "urn:mrn", "value": "4839201"}],
        "telecom": [{"system": "phone", "value": "613-555-0142"}],
        "photo": [{"contentType": "text/plain", "data": base64.b64encode(LETTER.encode()).decode()}],
    }
    made = json.loads(copy_of(make("surrogate"), json.dumps(resource).encode()))
    assert_nobody_in(json.dumps(made))
    assert made["resourceType"] == "Patient"
    assert made["photo"][0]["data"] == ""


def test_clinical_xml(make: Make) -> None:
    document = (
        '<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"><recordTarget><patientRole>'
        '<id extension="4839201"/><telecom value="tel:613-555-0142"/><patient><name><given>Mary</given>'
        "<family>Thompson</family></name>"
        '<birthTime value="19470305"/></patient></patientRole></recordTarget><component><section><text>'
        "Mary Thompson has chest pain and diabetes.</text></section></component><!-- Mary Thompson -->"
        "</ClinicalDocument>"
    )
    made = copy_of(make("surrogate"), document.encode())
    assert_nobody_in(made.decode())
    root = etree.fromstring(made)
    assert "chest pain and diabetes" in "".join(root.itertext())


def test_clinical_xml_with_moments_initials_and_an_address_in_parts(make: Make) -> None:
    """Readers show the day of a moment, and join what are several elements: the check knows both."""
    document = b"""<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"><effectiveTime value="20140416120000"/>
<recordTarget><patientRole><addr><streetAddressLine>3873 Elm Tree</streetAddressLine><city>Ottawa</city>
<postalCode>98598</postalCode><country>US</country></addr>
<patient><name><given>Mary</given><given>Q</given><family>Thompson</family><suffix>M.D.</suffix></name>
<birthTime value="19520521120000"/></patient></patientRole></recordTarget>
<component><section><text>Asthma since 2014-01-17.</text></section></component></ClinicalDocument>"""
    made = copy_of(make("surrogate"), document).decode()
    gone = ("20140416", "19520521", "2014-01-17", "3873", "98598", ">Q<", "Thompson")
    assert [value for value in gone if value in made] == []
    assert re.search(r'birthTime value="(19[4-9]\d)\d{4}120000"', made) and "M.D." in made


def test_mail_whose_date_is_written_in_another_form(make: Make) -> None:
    mail = b"From: Mary Thompson <mary@thompson.ca>\nTo: office@clinic.ca\nDate: Tue, 4 Mar 2025 21:14:03 -0400\n"
    made = copy_of(make("surrogate"), mail + b"Subject: asthma\n\nDr Becker, my asthma is worse.\n").decode()
    assert "Mar 2025" not in made and re.search(r"Date: \w{3}, \d\d \w{3} \d{4}", made)


def test_an_address_across_the_components_of_a_message(make: Make) -> None:
    message = (
        "MSH|^~\\&|LAB|STV|EHR|CLN|20251014||ORU^R01|M288|P|2.5.1\r"
        "PID|1||77122^^^STV^MR||TREMBLAY^LUCILLE||19430909|F|||331 rue des \u00c9rables^Laval QC G8Z 2M3\r"
    )
    made = copy_of(make("surrogate"), message.encode()).decode()
    assert "331" not in made and "rables" not in made and made.count("^") == message.count("^")


def test_a_calendar(make: Make) -> None:
    calendar = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nDTSTART:20250304T090000\r\nSUMMARY:Mary Thompson\\,"
    calendar += b" asthma review\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    made = copy_of(make("tag"), calendar).decode()
    assert "Thompson" not in made and "asthma" in made and made.count("\n") == 7


def test_broken_xml_is_read_tag_by_tag(make: Make) -> None:
    made = copy_of(make("surrogate"), b"<?xml version='1.0'?><a><b>Patient: Mary Thompson</b><c>has chest pain</a>")
    assert_nobody_in(made.decode())
    assert made.decode().endswith("</b><c>has chest pain</a>")


def test_hl7_keeps_its_segments(make: Make) -> None:
    message = (
        "MSH|^~\\&|LAB|HOSP|||20210312||ORU^R01|1|P|2.5\r"
        "PID|1||4839201^^^HOSP^MR||THOMPSON^MARY^A||19470305|F|||12 MAPLE STREET^^OTTAWA^ON^K1A 0B1||613-555-0142\r"
        "OBX|1|NM|2345-7^Glucose^LN||7.9|mmol/L|3.9-6.1|H|||F\r"
    )
    made = copy_of(make("mask"), message.encode()).decode()
    assert_nobody_in(made)
    before, after = message.split("\r"), made.split("\r")
    assert [line.count("|") for line in after] == [line.count("|") for line in before]
    assert after[2] == before[2]


def test_x12_keeps_its_elements(make: Make) -> None:
    header = (
        "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *210312*1253*^*00501*000000905*0*P*:~"
    )
    claim = (
        header + "GS*HC*SENDER*RECEIVER*20210312*1253*1*X*005010X222A1~ST*837*0021*005010X222A1~"
        "NM1*IL*1*THOMPSON*MARY****MI*4839201~N3*12 MAPLE STREET~N4*OTTAWA*ON*K1A0B1~DMG*D8*19470305*F~"
        "HI*ABK:E119~SE*7*0021~GE*1*1~IEA*1*000000905~"
    )
    made = copy_of(make("mask"), claim.encode()).decode()
    assert_nobody_in(made)
    assert [part.count("*") for part in made.split("~")] == [part.count("*") for part in claim.split("~")]
    assert "HI*ABK:E119" in made


def test_web_page(make: Make) -> None:
    page = (
        "<html><head><title>Mary Thompson</title><meta name='author' content='Alan Becker'></head><body>"
        "<!-- Mary Thompson --><p>Patient: <b>Mary</b> Thom&#112;son, born 3 May 2020 &amp; well</p>"
        "<img alt='Mary Thompson' src=x.png><script>var who = 'Thompson';</script></body></html>"
    )
    made = copy_of(make("surrogate"), page.encode()).decode()
    assert_nobody_in(made)
    assert "&amp; well" in made


def test_a_format_that_is_not_supported_is_refused_by_name(make: Make) -> None:
    import zipfile

    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("letter.txt", LETTER)
    outcome, output = make("tag").copy(file.getvalue(), "a.zip")
    assert (outcome.status, output) == (REFUSED, b"")
    assert "application/zip" in outcome.reason
