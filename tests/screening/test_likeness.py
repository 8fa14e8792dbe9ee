"""Layouts of texts: filled-in copies of one form have much in common, other texts little, and nothing can be read."""

from screening.likeness import PLACES, likeness, share_in_common

KEY, OTHER_KEY = b"k" * 32, b"o" * 32
FORM = """Intake form of the practice
Name: {name}
Date of birth: {born}
Health card number: {card}
Reason for the visit: {reason}
Known allergies: {allergy}
Medication taken regularly: {drug}
The undersigned agrees that the data may be passed on to the treating physician and to the health insurance
where this is needed for billing, and that reminders of appointments may be sent by telephone or by letter.
Place, date, signature of the patient
"""
PATIENTS = (
    ("Margaret Okafor", "1971-02-03", "1234 567 897", "blood pressure check", "penicillin", "metformin 500 mg"),
    ("Jean-Luc van der Berg", "3 March 1988", "9876-543-217", "pain in the left knee since a fall", "none", "none"),
    ("Wu Li", "12.11.1950", "5584 486 674", "renewal of pills", "nuts and wasps", "ramipril, simvastatin"),
)
LETTER = """Dear colleague,
thank you for referring the patient, who came to our clinic in May with pain of the chest. The ECG showed no changes,
and laboratory values were normal. We started him on aspirin and will see him again in two weeks. With kind regards
"""


def filled(patient: tuple[str, ...]) -> str:
    return FORM.format(**dict(zip(("name", "born", "card", "reason", "allergy", "drug"), patient, strict=True)))


def test_forms_are_alike_and_letters_are_not() -> None:
    forms = [likeness(filled(patient), [patient[-1]], KEY) for patient in PATIENTS]
    letter = likeness(LETTER, ["chest pain"], KEY)
    assert all(share_in_common(forms[0], forms[1:]) >= 0.5)
    assert all(share_in_common(letter, forms) < 0.15)


def test_a_copy_with_a_small_change_is_nearly_the_same() -> None:
    (share,) = share_in_common(likeness(LETTER, (), KEY), [likeness(LETTER.replace("two weeks", "a month"), (), KEY)])
    assert 0.7 < share < 1.0


def test_what_is_filled_in_leaves_no_trace_where_it_is_a_name_or_a_number() -> None:
    one, other = FORM.replace("{name}", "Ann Smith"), FORM.replace("{name}", "Bob van Dyke Jones")
    assert likeness(one.replace("van ", ""), (), KEY) == likeness(other.replace("van ", ""), (), KEY)


def test_signatures_of_another_key_have_nothing_in_common() -> None:
    (share,) = share_in_common(likeness(LETTER, (), KEY), [likeness(LETTER, (), OTHER_KEY)])
    assert share == 0.0 and len(likeness(LETTER, (), KEY)) == 4 * PLACES


def test_a_short_text_has_none() -> None:
    assert likeness("Patient: Margaret Okafor, diabetes", (), KEY) == likeness("", (), KEY) == b""
