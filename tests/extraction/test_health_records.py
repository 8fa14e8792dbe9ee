import base64
import json
from collections.abc import Callable

import pytest

from core.records import Document, Status

Examine = Callable[..., list[Document]]

MESSAGE = (
    r"MSH|^~\&|LAB|HOSP|EHR|CLINIC|20240102030405||ORU^R01|1|P|2.3"
    + (
        "\rPID|1||4711^^^HOSP^MR~99^^^X||EXAMPLE^ANN^B^JR^DR||19741225|F|||"
        "12 Invented Road^Apt 3^Springfield^OR^97477^USA||(555)555-0123"
    )
    + "||||||078-05-1120"
    + "\rPV1|1|I|||||1234^HEALER^HELEN"
    + r"|||||||||"
    + "\rOBX|1|TX|718-7^Hemoglobin^LN||low \\T\\ falling\\.br\\see \\F\\ note|g/dL\rOBX|2|ED|PDF||^TEXT^plain^Base64^"
    + base64.b64encode(b"Carried note").decode()
    + "\r"
)


@pytest.mark.parametrize("frame", [("", ""), ("\x0b", "\x1c\r"), ("\ufeff", "")])
def test_an_hl7_message_reads_like_a_form(examined: Examine, frame: tuple[str, str]) -> None:
    attached, document = examined((frame[0] + MESSAGE + frame[1]).encode(), "m.hl7")
    assert (document.status, document.media_type) == (Status.COMPLETE, "application/hl7-v2")
    for line in (
        "medical record number: 4711 HOSP MR",
        "medical record number: 99 X",
        "patient name: DR ANN B EXAMPLE JR",
        "date of birth: 1974-12-25",
        "address: 12 Invented Road, Apt 3, Springfield, OR 97477, USA",
        "home phone: (555)555-0123",
        "SSN: 078-05-1120",
        "attending doctor: HELEN HEALER 1234",
        "see | note g/dL",
        "sex: F",
    ):
        assert line in document.text.splitlines()
    assert "Hemoglobin: low & falling" in document.text
    assert attached.text == "Carried note"


def test_each_message_is_a_block(examined: Examine) -> None:
    header = "MSH|^~\\&|LAB|HOSP|||20240102||ORU^R01|1|P|2.3\r"
    text = (
        f"{header}PID|1||1||DOE^JANE\rDG1|1||E119^Type 2 diabetes^I10\rAL1|1||^Penicillin||hives\r"
        "OBX|1|NM|718-7^Hemoglobin^LN||9.1|g/dL|12-16|L|||F\r"
        f"{header}PID|1||2||ROE^RICHARD\rRXE|1|00093^letrozole 2.5 mg^NDC\rPID|2||3||POE^PAULA\rOBX|1|ST|X||1~2\r"
    )
    (document,) = examined(text.encode())
    envelope = "MSH\tLAB\tHOSP\t20240102\tORU R01\t1\tP\t2.3"
    assert document.text.split("\n\n") == [
        f"{envelope}\npatient name: JANE DOE\nmedical record number: 1\ndiagnosis: ICD E11.9 Type 2 diabetes\n"
        "allergy: Penicillin\nreaction: hives\nHemoglobin: 9.1 g/dL (12-16, L)\nOBX\t1\tNM\t718-7 Hemoglobin LN\tF",
        f"{envelope}\npatient name: RICHARD ROE\nmedical record number: 2\ndrug: letrozole 2.5 mg (NDC 00093)",
        "patient name: PAULA POE\nmedical record number: 3\nX: 1 2\nOBX\t1\tST\tX",
    ]


def test_what_is_the_patients_follows_the_name_and_other_names_come_last(examined: Examine) -> None:
    (document,) = examined(b"MSH|^~\\&|A|B\rPID|1||4711||DOE^JANE|ROE^ANN|19500101|F|POE^JAN||||(555)555-0123\r")
    assert document.text.splitlines()[1:] == [
        "patient name: JANE DOE",
        "medical record number: 4711",
        "date of birth: 1950-01-01",
        "sex: F",
        "home phone: (555)555-0123",
        "mother's maiden name: ANN ROE",
        "alias: JAN POE",
    ]


def test_other_separators_and_line_ends(examined: Examine) -> None:
    (document,) = examined(b"MSH$%~\\&$A$B\r\nPID$1$$$$DOE%JANE$$19500101\r\n")
    assert "patient name: JANE DOE" in document.text
    assert "date of birth: 1950-01-01" in document.text


PATIENT = {
    "resourceType": "Patient",
    "text": {
        "status": "generated",
        "div": "<div xmlns='http://www.w3.org/1999/xhtml'><p>Seen <b>in</b> ward 7</p></div>",
    },
    "identifier": [
        {"system": "http://hl7.org/fhir/sid/us-ssn", "value": "078-05-1120"},
        {"type": {"coding": [{"code": "MR", "display": "Medical Record Number"}]}, "value": "4711"},
    ],
    "name": [{"use": "official", "family": "Example", "given": ["Ann", "B."]}],
    "telecom": [{"system": "phone", "value": "(03) 5555 6473", "use": "work"}],
    "birthDate": "1974-12-25",
    "deceasedBoolean": False,
    "address": [{"line": ["12 Invented Road"], "city": "Springfield", "state": "OR", "postalCode": "97477"}],
    "contained": [
        {
            "resourceType": "Condition",
            "code": {"coding": [{"system": "http://x", "code": "195967001", "display": "Asthma"}]},
        }
    ],
    "photo": [{"contentType": "text/plain", "data": base64.b64encode(b"Carried note").decode()}],
}
LINES = (
    "SSN: 078-05-1120",
    "medical record number: 4711",
    "patient name: Ann B. Example",
    "phone: (03) 5555 6473",
    "date of birth: 1974-12-25",
    "address: 12 Invented Road, Springfield, OR 97477",
    "condition: Asthma",
    "Seen in ward 7",
)


@pytest.mark.parametrize(
    "text", [json.dumps(PATIENT, indent=2), json.dumps({"resourceType": "Bundle", "entry": [{"resource": PATIENT}]})]
)
def test_fhir_reads_like_a_form(examined: Examine, text: str) -> None:
    attached, document = examined(text.encode(), "p.json")
    assert (document.status, document.media_type) == (Status.COMPLETE, "application/fhir+json")
    assert set(LINES) <= set(document.text.splitlines())
    assert "195967001" not in document.text
    assert attached.text == "Carried note"


def test_the_patient_is_named_beside_each_resource(examined: Examine) -> None:
    bundle = {
        "resourceType": "Bundle",
        "entry": [
            {
                "fullUrl": "urn:uuid:1",
                "resource": {
                    "id": "p1",
                    "resourceType": "Patient",
                    "name": [{"family": "Example", "given": ["Ann"], "text": "Ann Example"}],
                    "contact": [{"name": {"family": "Example", "given": ["Bob"]}}],
                },
            },
            {
                "resource": {
                    "resourceType": "Condition",
                    "subject": {"reference": "urn:uuid:1"},
                    "code": {
                        "coding": [
                            {"system": "http://hl7.org/fhir/sid/icd-10-cm", "code": "B20", "display": "HIV disease"}
                        ],
                        "text": "HIV disease",
                    },
                }
            },
            {
                "resource": {
                    "resourceType": "Observation",
                    "subject": {"reference": "Patient/p1"},
                    "performer": [{"display": "Helen Healer"}],
                    "valueQuantity": {"value": 9.1, "unit": "%", "code": "%"},
                    "note": [{"text": "fasting"}],
                }
            },
            {
                "resource": {
                    "resourceType": "MedicationRequest",
                    "subject": {"display": "Ann Example"},
                    "medicationCodeableConcept": {"text": "Biktarvy"},
                }
            },
        ],
    }
    (document,) = examined(json.dumps(bundle).encode())
    assert document.text.split("\n\n") == [
        "bundle",
        "patient\nid: p1\npatient name: Ann Example\ncontact: Bob Example",
        "condition\npatient: Ann Example\ncondition: HIV disease (ICD B20)\ncondition: HIV disease",
        "observation\npatient: Ann Example\nperformer: Helen Healer\nvalue: 9.1 %\nnote: fasting",
        "medication request\npatient: Ann Example\nmedication: Biktarvy",
    ]


def test_fhir_one_resource_a_line(examined: Examine) -> None:
    documents = examined((json.dumps(PATIENT) + "\n" + json.dumps(PATIENT) + "\n").encode(), "bulk.ndjson")
    assert documents[-1].text.count("patient name: Ann B. Example") == 2
    assert len(documents) == 3


@pytest.mark.parametrize(
    "text", ['{"resourceType": "Patient", "x": ', '{"resourceType": "Patient", "x": ' + "[" * 3000 + "]" * 3000 + "}"]
)
def test_broken_fhir_is_shown_as_it_is(examined: Examine, text: str) -> None:
    (document,) = examined(text.encode())
    assert (document.status, document.text) == (Status.COMPLETE, text)


def test_values_of_other_kinds_than_expected_are_read(examined: Examine) -> None:
    odd = {
        "resourceType": "Patient",
        "telecom": [{"system": {}, "value": "x"}],
        "name": 5,
        "subject": [{"reference": []}],
    }
    (document,) = examined(json.dumps(odd).encode())
    assert (document.status, document.text) == (Status.COMPLETE, "patient\nvalue: x\nname: 5")


def test_fhir_in_xml(examined: Examine) -> None:
    markup = (
        '<?xml version="1.0"?><Patient xmlns="http://hl7.org/fhir"><name><family value="Example"/>'
        '<given value="Ann"/></name>'
        '<telecom><system value="phone"/><value value="555 0123"/></telecom><birthDate value="1974-12-25"/>'
        '<address><line value="12 Invented Road"/><city value="Springfield"/></address></Patient>'
    )
    (document,) = examined(markup.encode())
    assert {
        "patient name: Ann Example",
        "date of birth: 1974-12-25",
        "address: 12 Invented Road, Springfield",
        "value: 555 0123",
    } <= set(document.text.splitlines())


def test_plain_json_keeps_every_character(examined: Examine) -> None:
    (document,) = examined(b'{"name": "Ann",\r\n "x": [1, 2]}')
    assert (document.media_type, document.text) == ("application/json", '{"name": "Ann",\r\n "x": [1, 2]}')


CARD = (
    "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Ex=C3=A4mple;Ann;B.;Dr.;\r\n"
    "item1.TEL;HOME:+1 555\r\n"
    "  555 0123\r\nADR;WORK:;;12 Invented Road;Springfield;OR;97477;USA\r\nBDAY:19741225\r\nEMAIL:ann@example.org\r\n"
    "NOTE:first\\, second\\nthird\r\nPHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQ\r\n AAAQABAAD\r\nEND:VCARD\r\n"
)


def test_a_card(examined: Examine) -> None:
    (document,) = examined(CARD.encode(), "ann.vcf")
    assert (document.status, document.media_type) == (Status.COMPLETE, "text/vcard")
    assert document.text.splitlines() == [
        "name: Dr. Ann B. Exämple",
        "phone: +1 555 555 0123",
        "address: 12 Invented Road, Springfield, OR 97477, USA",
        "date of birth: 1974-12-25",
        "email: ann@example.org",
        "note: first, second",
        "third",
    ]


def test_a_calendar(examined: Examine) -> None:
    text = (
        "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Follow-up with\r\n  Ann\r\n"
        'ATTENDEE;CN="Example, Ann";RSVP=TRUE:mailto:ann@example.org\r\n'
        f"ATTACH;ENCODING=BASE64;VALUE=BINARY:{base64.b64encode(b'Carried note').decode()}\r\nEND:VEVENT\r\n"
        "END:VCALENDAR\r\n"
    )
    attached, document = examined(text.encode(), "a.ics")
    assert document.media_type == "text/calendar"
    assert document.text.splitlines() == ["summary: Follow-up with Ann", "attendee: Example, Ann ann@example.org"]
    assert attached.text == "Carried note"


def test_each_event_and_each_card_is_a_block(examined: Examine) -> None:
    event = (
        "BEGIN:VEVENT\r\nUID:{0}@x\r\nDTSTAMP:20250101T000000Z\r\nDTSTART;TZID=Europe/Paris:20250115T110000\r\n"
        "DTEND;VALUE=DATE:20250116\r\nSUMMARY:Intake {0}\r\nBEGIN:VALARM\r\nDESCRIPTION:soon\r\nEND:VALARM\r\n"
        "LOCATION:Ward {0}\r\nEND:VEVENT\r\n"
    )
    text = "BEGIN:VCALENDAR\r\nX-WR-CALNAME:Clinic\r\n" + event.format(1) + event.format(2) + "END:VCALENDAR\r\n"
    (document,) = examined(text.encode(), "a.ics")
    block = "start: 2025-01-15 11:00\nend: 2025-01-16\nsummary: Intake {0}\ndescription: soon\nlocation: Ward {0}"
    assert document.text.split("\n\n") == ["x wr calname: Clinic", block.format(1), block.format(2)]
    (document,) = examined((CARD + CARD).encode(), "all.vcf")
    first, second = document.text.split("\n\n")
    assert first == second
