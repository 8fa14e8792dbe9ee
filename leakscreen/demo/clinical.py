"""A person and an illness -> health information about that person: the documents that a scan must find."""

from collections.abc import Callable
from datetime import date, timedelta
from random import Random

from leakscreen.demo.conditions import ALLERGIES, CONDITIONS, HOSPITALS, PAST_HISTORY, SOCIAL_HISTORY, Condition
from leakscreen.demo.draft import Draft, Heading, Paragraph, Part, Table
from leakscreen.demo.people import Person
from leakscreen.demo.phrases import aged, illness, lab_sentence, lab_table, listed, medicines, sentences, story, vitals

_FIRST_VISIT = date(2018, 1, 8)
_DAYS_OF_VISITS = 2_500
WRITTEN = ("docx", "pdf", "txt", "html")


def visit_note(dice: Random, people: tuple[Person, ...]) -> Draft:
    patient, doctor = dice.sample(people, 2)
    seen = _day(dice)
    condition = illness(dice, patient, seen)
    parts: tuple[Part, ...] = (
        *_header(dice, patient, condition, seen),
        Heading("Chief complaint"),
        Paragraph(f"{condition.complaint.capitalize()}."),
        Heading("History of present illness"),
        Paragraph(story(dice, patient, condition, seen)),
        Heading("Past medical history"),
        Paragraph("; ".join(dice.sample(PAST_HISTORY, 3)).capitalize() + "."),
        Heading("Medications"),
        *(Paragraph(f"{number}. {medicine}") for number, medicine in enumerate(medicines(dice, condition), 1)),
        Heading("Allergies"),
        Paragraph(dice.choice(ALLERGIES).capitalize() + "."),
        Heading("Social history"),
        Paragraph(dice.choice(SOCIAL_HISTORY).capitalize() + "."),
        Heading("Physical examination"),
        Paragraph(f"{vitals(dice)} {sentences(condition.exam)}"),
        Heading("Investigations"),
        lab_table(dice, condition.labs),
        Heading("Assessment and plan"),
        Paragraph(
            f"{patient.age(seen)}-year-old with {condition.name} ({condition.code}). {sentences(condition.plan)}"
        ),
        Paragraph(f"Dictated by Dr. {doctor.name}, {condition.specialty}. Tel. {doctor.phone}."),
    )
    stem = dice.choice(
        (
            f"{patient.last}_{patient.first[0]}_consult",
            f"clinic note {seen:%Y-%m-%d}",
            f"{condition.specialty}_{seen:%d%m%y}",
        )
    )
    return Draft("phi", "visit-note", stem, f"{condition.specialty} consultation", parts, WRITTEN, (patient,))


def discharge_letter(dice: Random, people: tuple[Person, ...]) -> Draft:
    patient, doctor, family_doctor = dice.sample(people, 3)
    home = _day(dice)
    condition = illness(dice, patient, home)
    came = home - timedelta(days=dice.randint(2, 19))
    parts: tuple[Part, ...] = (
        Paragraph(f"{dice.choice(HOSPITALS)}, Department of {condition.specialty}"),
        Paragraph(f"To: Dr. {family_doctor.name}, {family_doctor.address}"),
        Paragraph(f"Re: {patient.name}, born {patient.born:%d %B %Y}, {patient.address}. {patient.health_card}"),
        Paragraph(f"Dear Dr. {family_doctor.last},"),
        Paragraph(
            f"{patient.formal} was admitted on {came:%d %B %Y} with {condition.complaint} and went home on "
            f"{home:%d %B %Y}. "
            f"The principal diagnosis was {condition.name}. {story(dice, patient, condition, came)}"
        ),
        Heading("Hospital course"),
        Paragraph(f"On examination there was {listed(condition.exam)}. {lab_sentence(dice, condition)}"),
        Heading("Discharge medications"),
        *(Paragraph(f"- {medicine}") for medicine in medicines(dice, condition)),
        Heading("Follow-up"),
        Paragraph(f"{sentences(condition.plan)} {patient.formal} can be reached at {patient.phone}."),
        Paragraph(f"Yours sincerely, Dr. {doctor.name}, {condition.specialty}"),
    )
    return Draft(
        "phi",
        "discharge-letter",
        dice.choice((f"Discharge {patient.last}", f"dc_summary_{home:%Y%m%d}")),
        "Discharge summary",
        parts,
        WRITTEN,
        (patient,),
    )


def referral_letter(dice: Random, people: tuple[Person, ...]) -> Draft:
    patient, doctor, specialist = dice.sample(people, 3)
    seen = _day(dice)
    condition = illness(dice, patient, seen)
    text = (
        f"Thank you for seeing {patient.name}, {aged(patient, seen)} {'female' if patient.female else 'male'} "
        f"with {condition.complaint}. {story(dice, patient, condition, seen)} {patient.possessive.capitalize()} past "
        "history "
        f"includes {listed(dice.sample(PAST_HISTORY, 2))}. "
        f"Current treatment is {listed(medicines(dice, condition))}. {lab_sentence(dice, condition)}"
    )
    parts: tuple[Part, ...] = (
        Paragraph(f"{dice.choice(HOSPITALS)} - {seen:%B %d, %Y}"),
        Paragraph(f"Dr. {specialist.name}, {condition.specialty}, {specialist.address}"),
        Paragraph(
            f"RE: {patient.last.upper()}, {patient.first}   DOB: {patient.born:%Y-%m-%d}   {patient.health_card}"
        ),
        Paragraph(f"Phone {patient.phone}; {patient.address}"),
        Paragraph(f"Dear Dr. {specialist.last},"),
        Paragraph(text),
        Paragraph(
            f"I wonder about {condition.name} and would value your opinion, in particular on: "
            f"{'; '.join(condition.plan)}."
        ),
        Paragraph(f"With kind regards, Dr. {doctor.name}, {doctor.phone}, {doctor.email}"),
    )
    return Draft(
        "phi",
        "referral-letter",
        dice.choice((f"referral {patient.last}", f"Ref_{condition.specialty}_{seen:%y%m}")),
        "Referral",
        parts,
        WRITTEN,
        (patient,),
    )


def lab_report(dice: Random, people: tuple[Person, ...]) -> Draft:
    patient, doctor = dice.sample(people, 2)
    taken = _day(dice)
    condition = illness(dice, patient, taken)
    others = [lab for other in dice.sample(CONDITIONS, 3) for lab in other.labs if lab not in condition.labs]
    parts: tuple[Part, ...] = (
        *_header(dice, patient, condition, taken),
        Paragraph(f"Ordered by Dr. {doctor.name}. Clinical information: {condition.name}, {condition.complaint}."),
        Heading("Results"),
        lab_table(dice, (*condition.labs, *dict.fromkeys(others))),
        Heading("Comment"),
        Paragraph(f"The abnormal values are consistent with {condition.name}. Suggest: {condition.plan[0]}."),
    )
    return Draft(
        "phi",
        "lab-report",
        dice.choice((f"lab_{patient.record.replace(' ', '')}", f"results {taken:%b %Y}")),
        "Laboratory report",
        parts,
        WRITTEN,
        (patient,),
    )


def appointment_sheet(dice: Random, people: tuple[Person, ...]) -> Draft:
    day = _day(dice)
    rows = [
        (
            "Time",
            "Patient",
            "Date of birth",
            "Health number",
            "Phone",
            "Address",
            "Diagnosis",
            "Reason for visit",
            "Medication",
        )
    ]
    patients = dice.sample(people, dice.randint(8, 18))
    for slot, patient in enumerate(patients):
        condition = illness(dice, patient, day)
        card, time = patient.health_card.partition(": ")[2], f"{8 + slot // 3:02}:{slot % 3 * 20:02}"
        about = (f"{condition.name} ({condition.code})", condition.complaint, dice.choice(condition.medicines))
        rows.append((time, patient.name, f"{patient.born:%Y-%m-%d}", card, patient.phone, patient.address, *about))
    stem = dice.choice((f"clinic list {day:%d %b %Y}", f"appointments_{day:%Y_%m_%d}", "Tuesday clinic"))
    title = f"Clinic list {day:%A %d %B %Y}"
    return Draft("phi", "appointment-sheet", stem, title, (Table(tuple(rows)),), ("xlsx", "csv"), tuple(patients))


def colleague_mail(dice: Random, people: tuple[Person, ...]) -> Draft:
    patient, writer, reader = dice.sample(people, 3)
    seen = _day(dice)
    condition = illness(dice, patient, seen)
    opening = dice.choice(
        ("quick question about a patient of ours", "can you look at this one before rounds", "I need your advice")
    )
    text = (
        f"{opening}: {patient.name} ({patient.record}, born {patient.born:%d/%m/%Y}), {patient.age(seen)}, "
        f"came in with {condition.complaint}. "
        f"{story(dice, patient, condition, seen)} I found {listed(condition.exam)}. {lab_sentence(dice, condition)} "
        f"I think it is {condition.name} and started {listed(medicines(dice, condition)[:2])}."
    )
    parts: tuple[Part, ...] = (
        Paragraph(f"Hi {reader.first},"),
        Paragraph(text[0].upper() + text[1:]),
        Paragraph(
            f"Next steps from my side: {'; '.join(condition.plan)}. "
            f"{patient.possessive.capitalize()} number is {patient.phone}, {patient.address}."
        ),
        Paragraph(f"Thanks, {writer.first}"),
        Paragraph(f"{writer.name}, {condition.specialty}, {dice.choice(HOSPITALS)}, {writer.phone}, {writer.email}"),
    )
    return Draft(
        "phi", "colleague-mail", f"FW patient {patient.last}", f"Patient {patient.formal}", parts, ("eml",), (patient,)
    )


def intake_form(dice: Random, people: tuple[Person, ...]) -> Draft:
    patient, contact = dice.sample(people, 2)
    seen = _day(dice)
    condition = illness(dice, patient, seen)
    rows = (
        ("Field", "Answer"),
        ("Full name", patient.name),
        ("Date of birth", f"{patient.born:%d %B %Y}"),
        ("Address", patient.address),
        ("Telephone", patient.phone),
        ("E-mail", patient.email),
        ("Health coverage", patient.health_card),
        ("Identity", patient.national_id),
        ("Emergency contact", f"{contact.name}, {contact.phone}"),
        ("Why are you here today?", condition.complaint),
        ("Current illnesses", f"{condition.name}, {listed(dice.sample(PAST_HISTORY, 2))}"),
        ("Medicines and doses", listed(medicines(dice, condition))),
        ("Allergies", dice.choice(ALLERGIES)),
    )
    parts: tuple[Part, ...] = (
        Paragraph(f"{dice.choice(HOSPITALS)}. Filled in on {seen:%d %B %Y}."),
        Table(rows),
        Paragraph(f"Nurse's note: {listed(condition.exam)}."),
    )
    return Draft(
        "phi",
        "intake-form",
        dice.choice((f"intake {patient.last}", "New patient form")),
        "New patient form",
        parts,
        ("pdf", "docx", "xlsx"),
        (patient,),
    )


def case_slides(dice: Random, people: tuple[Person, ...]) -> Draft:
    patient, doctor = dice.sample(people, 2)
    seen = _day(dice)
    condition = illness(dice, patient, seen)
    parts: tuple[Part, ...] = (
        Heading("Case"),
        Paragraph(f"{patient.name}, born {patient.born:%Y-%m-%d}, {patient.health_card}, {patient.city}"),
        Paragraph(story(dice, patient, condition, seen)),
        Heading("Findings"),
        Paragraph(f"{vitals(dice)} {sentences(condition.exam)}"),
        Paragraph(lab_sentence(dice, condition)),
        Heading("Treatment"),
        *(Paragraph(medicine) for medicine in medicines(dice, condition)),
        Heading("Discussion"),
        Paragraph(
            f"{condition.name.capitalize()}: {'; '.join(condition.plan)}. Presented by Dr. {doctor.name}, "
            f"{doctor.email}, {doctor.phone}"
        ),
    )
    return Draft(
        "phi", "case-slides", f"case rounds {seen:%b %Y}", f"{condition.specialty} rounds", parts, ("pptx",), (patient,)
    )


TEMPLATES: tuple[Callable[[Random, tuple[Person, ...]], Draft], ...] = (
    visit_note,
    discharge_letter,
    colleague_mail,
    appointment_sheet,
    referral_letter,
    lab_report,
    intake_form,
    case_slides,
)


def _day(dice: Random) -> date:
    return _FIRST_VISIT + timedelta(days=dice.randrange(_DAYS_OF_VISITS))


def _header(dice: Random, patient: Person, condition: Condition, seen: date) -> tuple[Part, ...]:
    return (
        Paragraph(f"{dice.choice(HOSPITALS)}, {condition.specialty}"),
        Paragraph(f"Patient: {dice.choice((patient.name, f'{patient.last.upper()}, {patient.first}'))}"),
        Paragraph(f"Date of birth: {patient.born:%Y-%m-%d}   Date of visit: {seen:%Y-%m-%d}   {patient.record}"),
        Paragraph(f"{patient.health_card}   Phone: {patient.phone}"),
        Paragraph(f"Address: {patient.address}"),
    )
