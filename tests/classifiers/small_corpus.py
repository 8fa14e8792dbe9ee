"""A small made-up corpus in the layout of the training data."""

import json
import random
from pathlib import Path
from typing import Any

COMPLAINTS = [
    "chest pain",
    "shortness of breath",
    "abdominal pain",
    "low back pain",
    "headache",
    "dizziness",
    "nausea and vomiting",
]
HISTORY = [
    "hypertension",
    "type 2 diabetes",
    "asthma",
    "hypothyroidism",
    "coronary artery disease",
    "osteoarthritis",
    "atrial fibrillation",
]
DRUGS = [
    "metformin 500 mg",
    "lisinopril 10 mg",
    "albuterol inhaler",
    "levothyroxine 50 mcg",
    "aspirin 81 mg",
    "warfarin 5 mg",
]
FINDINGS = [
    "lungs clear to auscultation",
    "abdomen soft and nontender",
    "regular rate and rhythm",
    "no edema",
    "cranial nerves intact",
]
EVERYDAY = [
    "train",
    "garden",
    "football",
    "budget",
    "music",
    "weather",
    "holiday",
    "invoice",
    "computer",
    "teacher",
    "window",
    "recipe",
    "city",
]
GENERAL = ["asthma", "diabetes", "arthritis", "anemia", "migraine", "eczema", "gout", "epilepsy"]


def note(rng: random.Random) -> str:
    return (
        f"CHIEF COMPLAINT: {rng.choice(COMPLAINTS)}. HISTORY OF PRESENT ILLNESS: The patient is a "
        f"{rng.randint(20, 90)}-year-old "
        f"{rng.choice(['male', 'female'])} who presents with {rng.choice(COMPLAINTS)}. "
        f"PAST MEDICAL HISTORY: {', '.join(rng.sample(HISTORY, 2))}. "
        f"MEDICATIONS: {', '.join(rng.sample(DRUGS, 2))} p.o. daily. PHYSICAL EXAMINATION: Blood pressure "
        f"{rng.randint(100, 160)}/80. "
        f"{'; '.join(rng.sample(FINDINGS, 3))}. ASSESSMENT AND PLAN: follow up in {rng.randint(1, 9)} weeks."
    )


def everyday(rng: random.Random) -> str:
    return " ".join(
        f"We talked about the {rng.choice(EVERYDAY)} and the {rng.choice(EVERYDAY)} with a doctor from the city."
        for _ in range(6)
    )


def general(rng: random.Random) -> str:
    illness = rng.choice(GENERAL)
    return (
        f"What is {illness}? {illness.title()} is a disease that affects many people. Symptoms of {illness} "
        f"can vary. Ask your doctor." * 2
    )


def write_small_corpus(folder: Path, size: int = 24) -> None:
    rng = random.Random(3)
    made: dict[str, list[dict[str, Any]]] = {
        "health_mtsamples": [{"id": f"mt-{i}", "text": note(rng)} for i in range(size)],
        "health_aci_bench": [
            {"id": f"aci-{i}-{kind}", "kind": kind, "text": f"{note(rng)} visit{i}"}
            for i in range(size // 2)
            for kind in ("note", "dialogue")
        ],
        "healthgeneral_medquad": [{"id": f"mq-{i}", "text": general(rng)} for i in range(size)],
        "pii_presidio_generated_large": [{"template_id": i % 7, "text": everyday(rng)} for i in range(size)],
        "tab_train92_dev21": [{"doc_id": i, "text": everyday(rng)} for i in range(size)],
    }
    for name in ("grey_20news_scimed", "nonhealth_20news", "nonhealth_moviereviews", "nonhealth_speeches"):
        made[name] = [{"id": f"{name}-{i}", "text": everyday(rng)} for i in range(size)]
    for name, rows in made.items():
        _write_rows(folder / f"{name}.jsonl", rows)
    structured = folder / "health_files"
    structured.mkdir()
    for i in range(size // 2):
        (structured / f"record{i}.xml").write_text(
            f"<ClinicalDocument><text>{note(rng)} {note(rng)}</text></ClinicalDocument>", encoding="utf-8"
        )


def _write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
