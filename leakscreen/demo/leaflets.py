"""Illnesses and medicines -> health texts that are about nobody: leaflets, protocols, articles, drug information."""

from collections.abc import Callable
from random import Random

from leakscreen.demo.conditions import CONDITIONS, HOSPITALS, Condition
from leakscreen.demo.draft import Draft, Heading, Paragraph, Part, Table

_ADVICE = (
    "Take your medicine at the same time every day, and do not stop it without asking.",
    "Drink enough water unless you were told to restrict fluids.",
    "Bring a list of all medicines to every appointment.",
    "Regular walks of half an hour help most people.",
    "Eat more vegetables and less salt.",
    "Vaccination against influenza is offered every autumn.",
    "Call the emergency number if breathing becomes difficult or chest pain starts.",
)
_STEPS = (
    "Wash hands and check the identity band.",
    "Record blood pressure, pulse, temperature and oxygen saturation.",
    "Draw blood for the panel below and label the tubes at the bedside.",
    "Check allergies before the first dose.",
    "Inform the physician on call when two or more values are out of range.",
    "Document the dose, route and time on the medication chart.",
    "Reassess pain after thirty minutes.",
)
_EFFECTS = (
    "nausea",
    "headache",
    "dizziness",
    "dry mouth",
    "rash",
    "diarrhoea",
    "fatigue",
    "raised liver enzymes",
    "a cough",
    "muscle pain",
    "low blood pressure",
)


def patient_leaflet(dice: Random) -> Draft:
    condition = dice.choice(CONDITIONS)
    parts: tuple[Part, ...] = (
        Heading(f"What is {condition.name}?"),
        Paragraph(
            f"Many people live with {condition.name}. A common first sign is {condition.complaint}."
            f" Doctors may also find {condition.exam[0]}."
        ),
        Heading("How is it treated?"),
        Paragraph(
            f"Usual medicines are {', '.join(_substances(condition))}. Your care team may also suggest: "
            f"{'; '.join(condition.plan)}."
        ),
        Heading("What you can do"),
        *(Paragraph(f"- {line}") for line in dice.sample(_ADVICE, 4)),
        Paragraph(
            f"Questions? Call {dice.choice(HOSPITALS)}, {condition.specialty}, 1-800-555-{dice.randint(100, 199):04}."
        ),
    )
    return _health("patient-leaflet", f"leaflet {condition.name.split(',')[0]}", f"Living with {condition.name}", parts)


def ward_protocol(dice: Random) -> Draft:
    condition = dice.choice(CONDITIONS)
    rows = [("Test", "Unit", "Reference range")]
    rows += [(lab.name, lab.unit, f"{lab.low:g} - {lab.high:g}") for lab in condition.labs]
    parts: tuple[Part, ...] = (
        Paragraph(f"Applies to adults admitted with suspected {condition.name} ({condition.code})."),
        Heading("Steps"),
        *(Paragraph(f"{number}. {step}") for number, step in enumerate(dice.sample(_STEPS, 5), 1)),
        Heading("Laboratory panel"),
        Table(tuple(rows)),
        Heading("First-line treatment"),
        *(Paragraph(f"- {medicine}") for medicine in condition.medicines),
    )
    return _health(
        "ward-protocol", f"protocol {condition.specialty} v{dice.randint(1, 9)}", f"Protocol: {condition.name}", parts
    )


def article(dice: Random) -> Draft:
    condition = dice.choice(CONDITIONS)
    related = ", ".join(other.name for other in dice.sample(CONDITIONS, 2))
    parts: tuple[Part, ...] = (
        Paragraph(
            f"{condition.name[0].upper()}{condition.name[1:]} is a disease treated in {condition.specialty.lower()}. "
            f"It is coded {condition.code} in ICD-10. "
            f"Typical features are {condition.complaint}, {condition.course[0]} and {condition.exam[0]}."
        ),
        Heading("Epidemiology"),
        Paragraph(
            f"About {dice.randint(2, 140)} in 10,000 adults are affected; prevalence rises with age. Related "
            f"conditions are {related}."
        ),
        Heading("Diagnosis"),
        Paragraph(f"Diagnosis rests on history, examination and {', '.join(lab.name for lab in condition.labs)}."),
        Heading("Treatment"),
        Paragraph(
            f"Randomised trials support {', '.join(_substances(condition))}. Guidelines recommend "
            f"{'; '.join(condition.plan)}."
        ),
    )
    return _health("article", condition.name.split(",")[0].replace(" ", "_"), condition.name.capitalize(), parts)


def drug_information(dice: Random) -> Draft:
    condition = dice.choice(CONDITIONS)
    medicine = dice.choice(condition.medicines)
    substance = medicine.split()[0].rstrip(",")
    parts: tuple[Part, ...] = (
        Heading("Indications"),
        Paragraph(f"{substance.capitalize()} is used in {condition.name}. The usual adult dose is {medicine}."),
        Heading("Contraindications"),
        Paragraph(
            f"Known hypersensitivity to {substance}; severe renal or hepatic impairment; pregnancy unless clearly "
            "needed."
        ),
        Heading("Side effects"),
        Paragraph(f"Common: {', '.join(dice.sample(_EFFECTS, 4))}. Rare: {', '.join(dice.sample(_EFFECTS, 2))}."),
        Heading("Monitoring"),
        Paragraph(
            f"Check {' and '.join(lab.name for lab in condition.labs[:2])} before treatment and every three months."
        ),
    )
    return _health("drug-information", f"{substance} monograph", f"{substance.capitalize()}: drug information", parts)


def teaching_slides(dice: Random) -> Draft:
    condition = dice.choice(CONDITIONS)
    parts: tuple[Part, ...] = (
        Heading("Why it matters"),
        Paragraph(f"{condition.name.capitalize()} is common in {condition.specialty.lower()}"),
        Heading("Recognise"),
        *(Paragraph(sign) for sign in (condition.complaint, *condition.exam)),
        Heading("Treat"),
        *(Paragraph(medicine) for medicine in condition.medicines),
        Heading("Follow up"),
        *(Paragraph(step) for step in condition.plan),
    )
    return Draft(
        "health", "teaching-slides", f"teaching {condition.specialty}", f"Teaching: {condition.name}", parts, ("pptx",)
    )


TEMPLATES: tuple[Callable[[Random], Draft], ...] = (
    patient_leaflet,
    ward_protocol,
    article,
    drug_information,
    teaching_slides,
)


def _health(template: str, stem: str, title: str, parts: tuple[Part, ...]) -> Draft:
    return Draft("health", template, stem, title, parts, ("pdf", "html", "docx", "txt"))


def _substances(condition: Condition) -> list[str]:
    return [medicine.split()[0].rstrip(",") for medicine in condition.medicines]
