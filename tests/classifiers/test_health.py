import hashlib
import random
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from classifiers.container import ModelContent, pack, unpack
from classifiers.distances import squares
from classifiers.health import SHOWN_TERMS, HealthModel
from classifiers.model_content import write_content
from classifiers.model_file import SHIPPED_MODEL, learned_models, load_model_bytes, model_in_use, shipped_model
from core.errors import ModelError
from core.records import HealthClass, HealthVerdict
from core.settings import HealthSettings
from tests.classifiers.small_corpus import everyday, general, note

MODEL = HealthModel.from_bytes(shipped_model())
ONE_PATIENT = (
    "The patient is a woman who denies chest pain and headache. She takes metformin 500 mg daily for type 2 diabetes."
)
NOTHING = HealthVerdict(distance=None, positive=False, terms=())

RECORDS = {
    "triage note": "Pt c/o chest pain x 2 days, SOB. Hx of HTN, DM2, s/p CABG. BP 150/90, HR 88. Plan: EKG, "
    "troponin, admit to telemetry.",
    "prescription": "Rx for Jane Roe: metformin 500 mg tablets, take one tablet twice daily with food. Dispense 60. "
    "Refills: 3. Lisinopril 10mg po daily.",
    "laboratory report": "Patient name: John Doe. Reference range. Hemoglobin 13.2 g/dL, WBC 11.4, "
    "platelets 210, creatinine 1.4 mg/dL, glucose 188 mg/dL, HbA1c 8.1",
    "referral letter": "Thank you for referring Mrs. Green, a 67-year-old woman with a history of breast cancer, "
    "treated with lumpectomy and radiation. "
    "She complains of shortness of breath and chest pain. I have arranged a CT scan and will see her again "
    "in two weeks.",
    "psychiatric follow-up": "Patient seen today for follow up. Mood depressed, affect flat. Denies suicidal ideation. "
    "Continues sertraline 100 mg daily. "
    "Diagnosis: major depressive disorder, recurrent. Will follow up in 4 weeks.",
    "british spelling": "The patient is a 54-year-old man with anaemia, ankle oedema and dyspnoea. Haemoglobin 9 g/dL. "
    "Past medical history: ischaemic heart "
    "disease. Current medications: salbutamol inhaler, paracetamol 500 mg as needed. Physical examination: "
    "chest clear to auscultation.",
}
EVERYDAY = {
    "job offer": "Dear Ms. Carter, we are pleased to offer you the position of accountant at Hill & "
    "Partners, 12 King Street. "
    "Your salary will be 62,000 a "
    "year with health care benefits, dental plan and three weeks of vacation. Please sign and return by May "
    "3. Phone 613-555-0192.",
    "sick leave": "Hi team, John is off sick today with a cold, so please send the invoices to Mary instead. "
    "He hopes to be back on Monday.",
    "invoice": "Invoice 2231. Bill to: Jane Roe, 44 Elm Street. 3 x printer cartridge 44.00, 1 x chair 120.00. "
    "Total 164.00. Payment within 30 days.",
    "pet": "The dog ate a whole box of chocolate and was fine. We took her to the vet on Sunday, who said "
    "to keep an eye on her.",
}


TALK = {
    "mail to a friend": "Hi Kate, I was at the doctor again on Monday. They did a biopsy of my breast and I "
    "am so scared. "
    "I have had night sweats and I lost weight since March. My doctor wants to start chemotherapy next week "
    "and I take morphine "
    "for the pain. Please don't tell my son.",
    "question to a doctor": "Hello doctor, I am 45 years old and I have had severe headaches and nausea for two weeks. "
    "I take ibuprofen but my head still hurts and my vision is blurred. My mother had a stroke. Should I get an MRI?",
}
GENERAL = {
    "leaflet": "Asthma is a disease that affects the lungs. Symptoms include wheezing, coughing and "
    "shortness of breath. "
    "People with asthma may need an inhaler. Talk to your doctor about treatment. Risk factors include "
    "allergies, obesity and smoking.",
    "abstract": "Background: Heart failure is common in older adults. Methods: We randomized 512 patients "
    "with heart failure to "
    "spironolactone or placebo. Results: Mortality was lower in the treatment group (p < 0.01). "
    "Conclusions: Spironolactone reduces "
    "mortality in patients with heart failure. Further studies are needed in patients with chronic kidney disease.",
}


@pytest.mark.parametrize("name", TALK)
def test_talk_about_someones_health_is_personal(name: str) -> None:
    (verdict,) = MODEL.classify([TALK[name]])
    assert verdict.positive
    assert verdict.label in (HealthClass.TALK, HealthClass.RECORD)


@pytest.mark.parametrize("name", GENERAL)
def test_health_text_about_no_person_is_not_referred(name: str) -> None:
    (verdict,) = MODEL.classify([GENERAL[name]])
    assert not verdict.positive
    assert verdict.label is HealthClass.GENERAL


def test_a_verdict_says_why() -> None:
    (verdict,) = MODEL.classify([RECORDS["triage note"]])
    assert verdict.label is HealthClass.RECORD
    assert verdict.distance is not None
    assert verdict.threshold is not None
    assert verdict.distance < verdict.threshold <= MODEL.threshold
    assert {"chest pain", "hypertension"} & set(verdict.terms)
    assert [one.distance for one in verdict.nearest] == sorted(one.distance for one in verdict.nearest)
    assert {one.prototype for one in verdict.nearest} <= set(MODEL.content.names)


def test_everyday_words_are_not_shown_as_medical_terms() -> None:
    (verdict,) = MODEL.classify_passages(["subjecttoken wants to be given the results of her mammogram: breast cancer"])
    assert "breast cancer" in verdict.terms
    assert not {"of", "wants", "given", "right"} & set(verdict.terms)


@pytest.mark.parametrize("name", RECORDS)
def test_records_are_health_information(name: str) -> None:
    (verdict,) = MODEL.classify([RECORDS[name]])
    assert verdict.positive
    assert verdict.terms


@pytest.mark.parametrize("name", EVERYDAY)
def test_everyday_text_is_not(name: str) -> None:
    (verdict,) = MODEL.classify([EVERYDAY[name]])
    assert not verdict.positive
    assert verdict.label is HealthClass.NONE


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t ",
        "\x00" * 1000,
        "\ud800\udfff",
        "Пациент жалуется на боль в груди",
        "患者は胸の痛みを訴える",
        "12345",
        "=+-@",
        "lorem ipsum amet",
    ],
)
def test_a_text_without_a_medical_term_has_no_distance(text: str) -> None:
    assert MODEL.classify([text]) == [NOTHING]


@pytest.mark.parametrize("text", ["fever", "hypertension", "Rx", "tachycardia " * 10_000])
def test_one_term_is_not_enough(text: str) -> None:
    (verdict,) = MODEL.classify([text])
    assert verdict.distance is not None
    assert not verdict.positive
    assert len(verdict.terms) == 1


def test_a_letter_inside_a_very_long_file_is_found() -> None:
    filler = "The committee met again and talked about the budget for the roads. "
    text = filler * 10_000 + RECORDS["referral letter"] + RECORDS["psychiatric follow-up"] + filler * 10_000
    assert len(text) > 1_000_000
    long, plain = MODEL.classify([text, filler * 20_000])
    assert long.positive
    assert not plain.positive


def test_fifty_megabytes_are_judged_in_little_memory() -> None:
    filler = "The committee met again and talked about the budget for the roads. "
    many = filler * (25_000_000 // len(filler))
    text = many + RECORDS["referral letter"] + RECORDS["psychiatric follow-up"] + many
    tracemalloc.start()
    (verdict,) = MODEL.classify([text])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert verdict.positive
    assert peak < 5 * len(text)


@pytest.mark.parametrize(
    "text",
    [
        "Sehr geehrte Frau Roe, Ihr Sohn klagt seit Tagen über Husten und Fieber. Er bekommt ein "
        "Antibiotikum, Kontrolle nächste Woche.",
        "Estimado colega: la paciente refiere dolor torácico desde hace dos días. Se le recetó un "
        "antibiótico y vuelve la semana próxima.",
        "Cher confrère, je vous remercie de m'avoir adressé cette patiente qui souffre de douleurs "
        "abdominales depuis trois semaines.",
        "Пациентка жалуется на боль в груди, назначен metformin 500 мг.",
    ],
)
def test_a_letter_in_another_language_has_a_defined_verdict_and_is_not_referred(text: str) -> None:
    (verdict,) = MODEL.classify([text])
    assert not verdict.positive
    assert (verdict.distance is None) == (not verdict.terms)


def test_verdicts_do_not_depend_on_the_batch() -> None:
    texts = [*RECORDS.values(), "", *EVERYDAY.values()]
    together = MODEL.classify(texts)
    alone = [MODEL.classify([text])[0] for text in texts]
    for one, other in zip(together, alone, strict=True):
        assert one.terms == other.terms
        assert (one.positive, one.label) == (other.positive, other.label)
        assert one.distance == (other.distance if other.distance is None else pytest.approx(other.distance))


def test_an_empty_batch_has_no_verdicts() -> None:
    assert MODEL.classify([]) == []


def test_portions_keep_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [RECORDS["triage note"], "", EVERYDAY["invoice"], RECORDS["prescription"]]
    whole = [verdict.positive for verdict in MODEL.classify(texts)]
    monkeypatch.setattr("classifiers.health.BATCH_CHARACTERS", 50)
    assert [verdict.positive for verdict in MODEL.classify(texts)] == whole


def test_the_distance_is_the_mean_euclidean_distance_to_the_nearest_prototypes() -> None:
    classes = MODEL.content.classes
    for text, verdict in zip(RECORDS.values(), MODEL.classify(list(RECORDS.values())), strict=True):
        used = np.flatnonzero(MODEL.vectors(text)[[0]].toarray()[0])
        inside = np.linalg.norm(
            MODEL.vectors(text)[[0]][:, used].toarray() - MODEL.content.vectors[:, used].toarray(), axis=1
        )
        outside = np.setdiff1d(np.arange(MODEL.weights.columns), used)
        distances = np.hypot(inside, np.sqrt(squares(MODEL.content.vectors[:, outside])))
        means = [np.sort(distances[classes == number])[: MODEL.content.neighbours].mean() for number in range(4)]
        assert verdict.distance == pytest.approx(min(means[:2]))
        assert verdict.threshold == pytest.approx(min(MODEL.threshold, *means[2:]))


def test_a_text_of_many_parts_has_the_verdict_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    words = "The committee met again and talked about the budget for the roads. "
    text = words * (3_000_000 // len(words)) + RECORDS["triage note"] * 3
    whole = MODEL.classify([text])
    monkeypatch.setattr("classifiers.matcher.PART_CHARACTERS", 1_000)
    assert MODEL.classify([text]) == whole
    assert whole[0].positive


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("Dear Anna, the meeting is on Monday.", []),
        ("Anna Roe has ÉPILEPSY? Rather: chest pain, since May.", ["chest pain"]),
        ("Diagnosis: E11.9, metformin 500 mg", ["Diagnosis", "E11.9", "metformin", "500 mg"]),
        ("İİ Haemoglobin low", ["Haemoglobin"]),
    ],
)
def test_terms_are_placed_where_they_stand(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end, _ in MODEL.term_places([text])[0]] == expected


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.text(st.characters(codec=None), max_size=20) | st.sampled_from(["chest pain", "Asthma", "metformin 500 mg"]),
        max_size=8,
    )
)
def test_places_lie_in_the_text_one_after_another(words: list[str]) -> None:
    text = " ".join(words)
    (places,) = MODEL.term_places([text], least_weight=0.0)
    assert all(0 <= start < end <= len(text) for start, end, _ in places)
    assert places == sorted(places)
    assert sum(concept == "asthma" for _, _, concept in places) >= words.count("Asthma")


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(st.characters(codec=None), max_size=60) | st.sampled_from(list(RECORDS.values())), max_size=5))
def test_any_text_has_a_defined_verdict(texts: list[str]) -> None:
    verdicts = MODEL.classify(texts)
    assert len(verdicts) == len(texts)
    known = set(MODEL.concepts)
    for verdict in verdicts:
        assert len(verdict.terms) <= SHOWN_TERMS
        assert set(verdict.terms) <= known
        if verdict.distance is None:
            assert verdict == NOTHING
        else:
            assert verdict.threshold is not None
            assert 0.0 <= verdict.distance <= np.sqrt(2) + 1e-9
            assert not verdict.positive or verdict.distance < verdict.threshold


def test_the_shipped_model_is_small_and_its_card_names_it() -> None:
    raw = shipped_model()
    assert len(raw) < 3_000_000
    assert MODEL.sha256 == hashlib.sha256(raw).hexdigest()
    assert MODEL.sha256 in SHIPPED_MODEL.with_name("health_model.md").read_text(encoding="utf-8")


def test_a_named_model_goes_before_an_adopted_one_and_that_before_the_shipped_one(tmp_path: Path) -> None:
    settings = HealthSettings(adopted_dir=str(tmp_path))
    assert model_in_use(settings) == SHIPPED_MODEL
    adopted = learned_models(settings).adopt(b"learned", "from reviews")
    assert model_in_use(settings) == adopted
    assert model_in_use(HealthSettings(adopted_dir=str(tmp_path), model="own.model")) == Path("own.model")
    learned_models(settings).back()
    assert model_in_use(settings) == SHIPPED_MODEL


def test_a_missing_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"absent\.model: the health model cannot be read: No such file"):
        load_model_bytes(tmp_path / "absent.model")


@pytest.mark.parametrize("lost", ["weight", "class", "prototype_data", "prototype_indices", "prototype_indptr"])
def test_a_model_without_one_of_its_arrays_is_refused(lost: str) -> None:
    content = unpack(shipped_model())
    arrays = {name: array for name, array in content.arrays.items() if name != lost}
    with pytest.raises(ModelError, match="lacks a part"):
        HealthModel.from_bytes(pack(ModelContent(content.settings, content.lines, arrays)))


@pytest.mark.parametrize(
    "change",
    [{"k": 0}, {"k": "many"}, {"shape": {"repeat": 1}}, {"threshold": None}, {"aliases": None}, {"names": []}],
    ids=["no neighbours", "k", "shape", "threshold", "aliases", "names"],
)
def test_a_model_with_unfit_settings_is_refused(change: dict[str, object]) -> None:
    content = unpack(shipped_model())
    with pytest.raises(ModelError, match="lacks a part"):
        HealthModel.from_bytes(pack(ModelContent({**content.settings, **change}, content.lines, content.arrays)))


def test_a_model_whose_indices_point_nowhere_is_refused() -> None:
    content = unpack(shipped_model())
    indices = content.arrays["prototype_indices"].copy()
    indices[0] = 10**8
    with pytest.raises(ModelError, match="lacks a part"):
        HealthModel.from_bytes(
            pack(ModelContent(content.settings, content.lines, {**content.arrays, "prototype_indices": indices}))
        )


WITHOUT_PASSAGES = Path(__file__).parents[1] / "samples" / "health" / "without_passages.model"


def test_a_model_from_before_passages_gives_the_verdicts_that_it_gave_then() -> None:
    rng = random.Random(11)
    texts = [note(rng), everyday(rng), general(rng), ONE_PATIENT]
    model = HealthModel.from_bytes(WITHOUT_PASSAGES.read_bytes())
    assert model.passages is None
    verdicts = model.classify_passages(texts)
    assert [(verdict.positive, verdict.label) for verdict in verdicts] == [
        (True, "personal-record"),
        (False, "no-health"),
        (False, "general-health"),
        (False, "general-health"),
    ]
    distances = [verdict.distance for verdict in verdicts]
    assert distances == pytest.approx([0.265391622, None, 0.775032177, 0.544330877], abs=1e-6)
    assert verdicts[0].nearest[0].prototype == "health_aci_bench/talk-11"


def test_a_model_from_before_passages_is_the_same_after_it_is_written_again() -> None:
    model = HealthModel.from_bytes(WITHOUT_PASSAGES.read_bytes())
    again = HealthModel.from_bytes(pack(write_content(model.content)))
    assert again.classify([ONE_PATIENT]) == model.classify([ONE_PATIENT])


@pytest.mark.parametrize(
    "change",
    [{"kinds": ["disease", "drug"]}, {"kinds": ["no such kind"]}],
    ids=["fewer", "unknown"],
)
def test_passages_that_were_measured_by_other_kinds_of_terms_are_refused(change: dict[str, object]) -> None:
    content = unpack(shipped_model())
    with pytest.raises(ModelError, match="train it again, or return to the model before it with `leakscreen train"):
        HealthModel.from_bytes(pack(ModelContent({**content.settings, **change}, content.lines, content.arrays)))


def test_passages_with_other_features_are_refused() -> None:
    content = unpack(shipped_model())
    count = len(content.arrays["passage_mean"])
    arrays = dict(content.arrays)
    arrays["passage_mean"], arrays["passage_scale"] = (arrays[name][:-1] for name in ("passage_mean", "passage_scale"))
    arrays["passage_prototypes"] = arrays["passage_prototypes"].reshape(-1, count + 2)[:, 1:].ravel()
    arrays["linear_weights"] = arrays["linear_weights"][1:]
    with pytest.raises(ModelError, match="unfit one"):
        HealthModel.from_bytes(pack(ModelContent(content.settings, content.lines, arrays)))


def test_a_model_without_the_linear_column_is_still_read() -> None:
    content = unpack(shipped_model())
    count = len(content.arrays["passage_mean"])
    arrays = {name: values for name, values in content.arrays.items() if name != "linear_weights"}
    arrays["passage_prototypes"] = arrays["passage_prototypes"].reshape(-1, count + 2)[:, :-1].ravel()
    about = {name: value for name, value in content.settings["passages"].items() if not name.startswith("linear")}
    raw = pack(ModelContent({**content.settings, "passages": about}, content.lines, arrays))
    passage = "Patient: subjecttoken birthdatetoken\nDiagnosis: asthma. Salbutamol 100 mcg twice daily, see in 2 weeks."
    (verdict,) = HealthModel.from_bytes(raw).classify_passages([passage])
    assert verdict.positive
