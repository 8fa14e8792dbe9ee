"""Records in XML: prescriptions, health exports, backups of messages, and repeated elements of any kind."""

import base64
from collections.abc import Callable

import pytest

from core.records import Document, Status
from extraction.readers.xml.lines import xml_lines
from extraction.readers.xml.records import words_of_key

Examine = Callable[..., list[Document]]

PRESCRIPTION = """<?xml version="1.0"?><Message xmlns="http://www.ncpdp.org/schema/SCRIPT" version="010"><Body><NewRx>
<Pharmacy><Identification><NCPDPID>7701630</NCPDPID></Identification><BusinessName>Main Street Pharmacy</BusinessName>
</Pharmacy>
<Prescriber><NonVeterinarian><Name><LastName>Healer</LastName><FirstName>Helen</FirstName></Name></NonVeterinarian>
</Prescriber>
<Patient><HumanPatient><Name><LastName>Example</LastName><FirstName>Ann</FirstName><MiddleName>B</MiddleName></Name>
<Gender>F</Gender><DateOfBirth><Date>1954-12-25</Date></DateOfBirth>
<Address><AddressLine1>12 Invented Road</AddressLine1><City>Springfield</City><StateProvince>OR</StateProvince>
<PostalCode>97477</PostalCode></Address></HumanPatient></Patient>
<MedicationPrescribed><DrugDescription>Calan SR 240MG</DrugDescription><Quantity><Value>60</Value></Quantity>
<WrittenDate><Date>2025-10-01</Date></WrittenDate><Sig><SigText>Take one tablet twice a day</SigText></Sig>
</MedicationPrescribed></NewRx></Body></Message>"""
HEALTH = """<?xml version="1.0"?><HealthData><Me HKCharacteristicTypeIdentifierDateOfBirth="1990-12-05"
 HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>
<Record type="HKQuantityTypeIdentifierBloodGlucose" sourceName="Ann's phone" unit="mmol/L" value="9.1"
 startDate="2025-02-01 08:00:00 +0000"/>
<Record type="HKCategoryTypeIdentifierSleepAnalysis" value="HKCategoryValueSleepAnalysisAsleep"/>
<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="31"/></HealthData>"""
MESSAGES = """<?xml version="1.0"?><smses count="3">
<sms address="+15550123" date="1736068323000" type="1" body="the biopsy&#10;came back" contact_name="Ann Example"
 readable_date="Jan 5, 2025 9:12:03 AM"/>
<sms address="+15550123" type="2" body="call me" contact_name="Ann Example"/>
<sms address="+15550199" type="1" body="hello" contact_name="(Unknown)"/>
<mms address="+15550123"><parts><part ct="text/plain" text="in a picture"/><part ct="text/x" data="{}"/></parts></mms>
</smses>""".format(base64.b64encode(b"Carried note").decode())


@pytest.mark.parametrize(
    ("markup", "lines"),
    [
        (
            PRESCRIPTION,
            [
                "pharmacy: Main Street Pharmacy",
                "prescriber: Helen Healer",
                "patient name: Ann B Example",
                "gender: F",
                "date of birth: 1954-12-25",
                "address: 12 Invented Road, Springfield, OR 97477",
                "drug description: Calan SR 240MG",
                "quantity: 60",
                "written date: 2025-10-01",
                "sig text: Take one tablet twice a day",
            ],
        ),
        (
            HEALTH,
            [
                "date of birth: 1990-12-05",
                "biological sex: sex female",
                "blood glucose: 9.1 mmol/L, 2025-02-01 08:00:00 +0000, Ann's phone",
                "sleep analysis: sleep analysis asleep",
                "running: 31",
            ],
        ),
        (
            MESSAGES,
            [
                "[Jan 5, 2025 9:12:03 AM] Ann Example (+15550123): the biopsy came back",
                "me to Ann Example (+15550123): call me",
                "+15550199: hello",
                "in a picture",
            ],
        ),
    ],
    ids=["prescription", "health export", "messages"],
)
def test_a_record_reads_like_a_form(examined: Examine, markup: str, lines: list[str]) -> None:
    document = examined(markup.encode())[-1]
    assert (document.status, document.media_type) == (Status.COMPLETE, "text/xml")
    assert [line for line in document.text.splitlines() if line in lines] == lines


def test_files_in_messages_are_members(examined: Examine) -> None:
    attached, document = examined(MESSAGES.encode())
    assert attached.text == "Carried note"
    assert base64.b64encode(b"Carried note").decode() not in document.text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (
            "<list><person><name>Ann</name><born>1950</born></person><person><name>Bob</name><born>1960</born></person></list>",
            "name: Ann\nborn: 1950\n\nname: Bob\nborn: 1960",
        ),
        (
            "<list><person name='Ann' born='1950' ward='7'/><person name='Bob' born='1960' ward='8'/></list>",
            "name: Ann\nborn: 1950\nward: 7\n\nname: Bob\nborn: 1960\nward: 8",
        ),
        ("<list><note>one</note><note>two</note></list>", "note: one\nnote: two"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>", "a\tb\nc\td"),
        ("<p>some <b>bold <i>x</i> <i>y</i></b><b>more <i>x</i> <i>y</i></b> text</p>", "some bold x y\nmore x y text"),
        ("<order><physician><name><given>Helen</given></name></physician></order>", "physician: Helen"),
    ],
)
def test_records_have_blank_lines_between(markup: str, text: str) -> None:
    assert xml_lines(markup.encode()).text == text


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("HKQuantityTypeIdentifierBloodGlucose", "blood glucose"),
        ("HKCategoryTypeIdentifierMenstrualFlow", "menstrual flow"),
        ("HKBloodTypeAPositive", "blood type apositive"),
    ],
)
def test_names_of_health_data_are_words(key: str, words: str) -> None:
    assert words_of_key(key) == words
