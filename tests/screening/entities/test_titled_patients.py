"""Patients who have the title of a doctor are recognised by the words next to them."""

import pytest

from screening.screen import Screen

LETTER = "Anamnese: seit Wochen Atemnot und Husten. Befund: Rasselgeräusche. Diagnose: Pneumonie.\n\nDr. Berger"


def kinds(screen: Screen, text: str, name: str) -> set[str]:
    return {span.characteristic for span in screen.spans(text) if text[span.start : span.end] == name}


@pytest.mark.parametrize(
    "beginning",
    [
        "Herr Dr. Ahrens, 54 Jahre, kommt wegen Husten zur Aufnahme.",
        "Arztbrief über Prof. Dr. Ahrens",
        "Dr. Ahrens\ngeb. 12.03.1950",
        "Bei Herrn Dr. Ahrens besteht eine Pneumonie.",
        "Herr Prof. Ahrens war vom 3. bis 12. Mai in unserer stationären Behandlung.",
        "Prof. Ahrens ist 71 Jahre alt und kommt erstmals.",
        "Frau Dr. Ahrens gibt an, seit Tagen zu fiebern.",
        "Wir entlassen Herrn Dr. Ahrens in Ihre Betreuung.",
    ],
)
def test_a_patient_with_a_title_is_no_professional(screen: Screen, beginning: str) -> None:
    text = f"{beginning}\n{LETTER}"
    assert kinds(screen, text, "Ahrens") == {"last_name"}
    assert kinds(screen, text, "Berger") == {"health_professional_name"}


@pytest.mark.parametrize(
    "beginning",
    [
        "Die Patientin ist in Behandlung bei Herrn Dr. Ahrens.",
        "Überweisung von Dr. Ahrens vom 3. Mai.",
        "Wir danken Frau Dr. Ahrens für die Zuweisung.",
        "Die Operation wurde von Dr. Ahrens durchgeführt.",
    ],
)
def test_a_doctor_stays_one(screen: Screen, beginning: str) -> None:
    assert kinds(screen, f"{beginning}\n{LETTER}", "Ahrens") == {"health_professional_name"}
