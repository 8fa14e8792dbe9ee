"""Patients who have the title of a doctor, and doctors beside patients."""

import pytest

from screening.screen import Screen

GERMAN = (
    " Der Patient befand sich mit akuter Pankreatitis in unserer Behandlung. Diagnosen: Diabetes mellitus Typ 2,"
    " arterielle Hypertonie. Mit freundlichen Grüßen, Dr. med. Karl Ostermann"
)
ENGLISH = " He has acute pancreatitis, type 2 diabetes and hypertension. Signed, Dr. Karl Ostermann"


def names_of(screen: Screen, text: str) -> dict[str, str]:
    return {text[span.start : span.end]: span.characteristic for span in screen.spans(text)}


@pytest.mark.parametrize(
    "text",
    [
        "Wir berichten über Ihren Patienten Herrn Dr. Hans Lindemann." + GERMAN,
        "Wir berichten über Frau Dr. Lindemann, die sich am 3. Mai bei uns vorstellte." + GERMAN,
        "Betrifft: Herrn Dr. Hans Lindemann, geb. am 03.04.1950." + GERMAN,
        "Herr Prof. Dr. Lindemann wurde am 3. Mai bei uns stationär aufgenommen." + GERMAN,
        "Patient: Dr. John Lindemann, DOB 03/04/1950." + ENGLISH,
        "Dr. Lindemann was admitted with abdominal pain." + ENGLISH,
        "Paciente: Dr. Juan Lindemann. Presenta una pancreatitis aguda y diabetes desde hace años, y la fiebre es.",
        "Le docteur Jean Lindemann a été hospitalisé le 3 mai pour une pancréatite aiguë, et son état est stable.",
    ],
)
def test_a_patient_with_a_title_is_a_patient(screen: Screen, text: str) -> None:
    assert names_of(screen, text)["Lindemann"] == "last_name"
    assert len(screen.passages_of_each([text])[0]) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Vielen Dank für die Überweisung, Herr Dr. Lindemann." + GERMAN,
        "Re: Dr. Lindemann." + ENGLISH,
        "Thank you for referring your patient, Dr. Lindemann." + ENGLISH,
        "Attending: Dr. Lindemann, DOB: 03/04/1950." + ENGLISH,
        "Dr. Lindemann admitted him on May 3." + ENGLISH,
    ],
)
def test_a_doctor_beside_a_patient_is_a_doctor(screen: Screen, text: str) -> None:
    assert names_of(screen, text)["Lindemann"] == "health_professional_name"


def test_further_mentions_with_the_title_are_the_patient(screen: Screen) -> None:
    text = "Patient: Dr. Hans Lindemann, geb. 03.04.1950. Heute ist Herr Dr. Lindemann wieder schmerzfrei." + GERMAN
    found = [text[span.start : span.end] for span in screen.spans(text) if "professional" in span.characteristic]
    assert found == ["Karl Ostermann"]
