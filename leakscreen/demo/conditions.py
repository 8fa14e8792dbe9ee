"""The subjects of the health texts: illnesses with complaints, findings, medicines, laboratory values and plans."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lab:
    name: str
    unit: str
    low: float
    high: float  # low to high is the reference range
    usual: float  # the value that the illness drives it to


@dataclass(frozen=True, slots=True)
class Condition:
    name: str
    specialty: str
    code: str  # ICD-10
    complaint: str
    course: tuple[str, ...]
    exam: tuple[str, ...]
    medicines: tuple[str, ...]
    labs: tuple[Lab, ...]
    plan: tuple[str, ...]
    ages: tuple[int, int] = (18, 120)
    women_only: bool = False


_HB = Lab("Haemoglobin", "g/L", 120, 160, 104)
_CREATININE = Lab("Creatinine", "µmol/L", 60, 110, 168)
_CRP = Lab("C-reactive protein", "mg/L", 0, 5, 62)
_WBC = Lab("White cell count", "x10^9/L", 4, 11, 14.2)
_POTASSIUM = Lab("Potassium", "mmol/L", 3.5, 5.1, 4.4)
_SODIUM = Lab("Sodium", "mmol/L", 135, 145, 138)

CONDITIONS = (
    Condition(
        "type 2 diabetes mellitus",
        "Endocrinology",
        "E11.9",
        "increasing thirst and blurred vision",
        (
            "fasting sugars at home between 11 and 14 mmol/L",
            "polyuria at night for three months",
            "no hypoglycaemic episodes",
        ),
        ("reduced monofilament sensation in both feet", "no diabetic foot ulcer", "body mass index 31.4"),
        (
            "metformin 1000 mg twice daily",
            "empagliflozin 10 mg once daily",
            "insulin glargine 18 units at bedtime",
            "atorvastatin 40 mg at night",
        ),
        (Lab("HbA1c", "%", 4.0, 6.0, 9.1), Lab("Fasting glucose", "mmol/L", 3.9, 5.6, 12.3), _CREATININE, _POTASSIUM),
        (
            "dilated retinal examination within a month",
            "repeat HbA1c in twelve weeks",
            "refer to the diabetes nurse for foot care",
        ),
    ),
    Condition(
        "chronic heart failure with reduced ejection fraction",
        "Cardiology",
        "I50.2",
        "shortness of breath on climbing one flight of stairs",
        ("orthopnoea on three pillows", "ankle swelling since the spring", "a weight gain of 4 kg in two weeks"),
        (
            "bibasal crackles",
            "jugular venous pressure raised to 5 cm",
            "pitting oedema to the mid shin",
            "a displaced apex beat",
        ),
        (
            "furosemide 40 mg every morning",
            "bisoprolol 5 mg once daily",
            "ramipril 5 mg once daily",
            "spironolactone 25 mg once daily",
        ),
        (Lab("NT-proBNP", "pg/mL", 0, 125, 3480), _CREATININE, _POTASSIUM, _SODIUM),
        (
            "echocardiogram to reassess the ejection fraction",
            "daily weights and fluid restriction to 1.5 L",
            "review in the heart failure clinic",
        ),
    ),
    Condition(
        "atrial fibrillation",
        "Cardiology",
        "I48.91",
        "palpitations and light-headedness",
        (
            "episodes last about two hours",
            "no syncope and no chest pain",
            "one transient ischaemic attack four years ago",
        ),
        ("an irregularly irregular pulse of 112", "normal heart sounds without a murmur", "blood pressure 138/84"),
        ("apixaban 5 mg twice daily", "metoprolol 50 mg twice daily", "diltiazem 120 mg once daily"),
        (Lab("TSH", "mU/L", 0.4, 4.0, 2.1), _POTASSIUM, _CREATININE, Lab("Magnesium", "mmol/L", 0.7, 1.0, 0.68)),
        ("24-hour Holter monitoring", "continue anticoagulation, CHA2DS2-VASc score 4", "discuss cardioversion"),
    ),
    Condition(
        "chronic obstructive pulmonary disease",
        "Respirology",
        "J44.1",
        "a worsening cough with green sputum",
        (
            "two exacerbations treated with prednisone this year",
            "forty pack-years of smoking, stopped in 2016",
            "wheeze at night",
        ),
        ("prolonged expiration with scattered wheezes", "oxygen saturation 91 % on room air", "a barrel-shaped chest"),
        (
            "tiotropium 18 mcg inhaled once daily",
            "salbutamol inhaler as needed",
            "prednisone 40 mg for five days",
            "amoxicillin 500 mg three times daily",
        ),
        (_WBC, _CRP, Lab("FEV1", "% predicted", 80, 120, 46), Lab("pCO2", "mmHg", 35, 45, 49)),
        ("spirometry after recovery", "pulmonary rehabilitation", "pneumococcal and influenza vaccination"),
    ),
    Condition(
        "major depressive disorder, recurrent",
        "Psychiatry",
        "F33.1",
        "low mood and loss of interest",
        (
            "early morning waking for six weeks",
            "poor appetite with a weight loss of 5 kg",
            "passive death wishes without plan or intent",
        ),
        (
            "psychomotor slowing",
            "affect constricted, speech soft",
            "no hallucinations or delusions",
            "insight preserved",
        ),
        ("sertraline 100 mg every morning", "mirtazapine 15 mg at night", "lorazepam 0.5 mg as needed"),
        (Lab("PHQ-9 score", "points", 0, 4, 19), Lab("TSH", "mU/L", 0.4, 4.0, 1.8), _SODIUM),
        ("weekly cognitive behavioural therapy", "safety plan reviewed and signed", "titrate sertraline to 150 mg"),
    ),
    Condition(
        "invasive ductal carcinoma of the left breast",
        "Oncology",
        "C50.912",
        "a lump felt in the left breast",
        (
            "a maternal aunt with ovarian cancer",
            "no nipple discharge",
            "biopsy was oestrogen receptor positive, HER2 negative",
        ),
        ("a firm mass of 2 cm at two o'clock", "no palpable axillary nodes", "no skin dimpling"),
        (
            "letrozole 2.5 mg once daily",
            "docetaxel 75 mg/m2 every three weeks",
            "ondansetron 8 mg before chemotherapy",
            "filgrastim 300 mcg",
        ),
        (_HB, _WBC, Lab("Platelets", "x10^9/L", 150, 400, 178), Lab("CA 15-3", "U/mL", 0, 30, 41)),
        ("lumpectomy with sentinel node biopsy", "tumour board discussion", "bone scan and staging CT"),
        (30, 120),
        women_only=True,
    ),
    Condition(
        "rheumatoid arthritis",
        "Rheumatology",
        "M05.79",
        "painful swollen finger joints",
        ("morning stiffness for two hours", "night pain in both wrists", "a partial response to naproxen"),
        (
            "synovitis of the second and third metacarpophalangeal joints",
            "reduced grip strength",
            "a nodule over the right elbow",
        ),
        (
            "methotrexate 15 mg once weekly",
            "folic acid 5 mg once weekly",
            "hydroxychloroquine 200 mg twice daily",
            "adalimumab 40 mg every two weeks",
        ),
        (Lab("Rheumatoid factor", "IU/mL", 0, 14, 88), Lab("Anti-CCP", "U/mL", 0, 17, 154), _CRP, _HB),
        ("X-rays of hands and feet", "screen for tuberculosis before a biologic", "liver enzymes every eight weeks"),
    ),
    Condition(
        "chronic kidney disease stage 4",
        "Nephrology",
        "N18.4",
        "fatigue and itching",
        (
            "a slow decline of the glomerular filtration rate over five years",
            "nocturia three times",
            "hypertension since the age of 40",
        ),
        ("blood pressure 158/92", "no pericardial rub", "mild ankle oedema"),
        (
            "amlodipine 10 mg once daily",
            "sevelamer 800 mg with meals",
            "epoetin alfa 4000 units weekly",
            "calcitriol 0.25 mcg once daily",
        ),
        (_CREATININE, Lab("eGFR", "mL/min", 60, 120, 22), _POTASSIUM, _HB, Lab("Phosphate", "mmol/L", 0.8, 1.5, 1.9)),
        ("vein mapping for a fistula", "dietitian for a low potassium diet", "transplant assessment"),
    ),
    Condition(
        "acute appendicitis",
        "General Surgery",
        "K35.80",
        "pain that moved to the right lower abdomen",
        ("nausea and two episodes of vomiting", "fever of 38.4 since last night", "no previous abdominal operations"),
        ("tenderness and guarding at McBurney's point", "a positive Rovsing sign", "quiet bowel sounds"),
        (
            "cefazolin 2 g intravenously",
            "metronidazole 500 mg intravenously",
            "hydromorphone 0.5 mg as needed",
            "acetaminophen 1 g every six hours",
        ),
        (_WBC, _CRP, _HB, Lab("Lactate", "mmol/L", 0.5, 2.0, 1.6)),
        ("laparoscopic appendectomy", "nothing by mouth", "wound check after ten days"),
        (0, 120),
    ),
    Condition(
        "migraine with aura",
        "Neurology",
        "G43.109",
        "throbbing one-sided headaches",
        (
            "zigzag lights for twenty minutes before the pain",
            "six attacks a month with photophobia",
            "triggered by lack of sleep",
        ),
        ("cranial nerves intact", "no neck stiffness", "fundoscopy without papilloedema"),
        ("sumatriptan 50 mg at the onset", "topiramate 50 mg twice daily", "propranolol 40 mg twice daily"),
        (Lab("ESR", "mm/h", 0, 20, 9), _HB, Lab("TSH", "mU/L", 0.4, 4.0, 1.5)),
        ("MRI of the brain with contrast", "a headache diary", "stop the combined contraceptive pill"),
    ),
    Condition(
        "asthma",
        "Paediatrics",
        "J45.40",
        "cough and wheeze at night",
        (
            "missed eleven school days this term",
            "eczema in infancy and an allergy to cat dander",
            "two emergency visits for nebulisers",
        ),
        ("expiratory wheeze on both sides", "no intercostal recession", "peak flow 68 % of the best"),
        ("fluticasone 125 mcg two puffs twice daily", "montelukast 5 mg at night", "salbutamol inhaler with a spacer"),
        (Lab("Eosinophils", "x10^9/L", 0, 0.4, 0.9), Lab("Total IgE", "kU/L", 0, 100, 412)),
        ("written asthma action plan", "inhaler technique checked", "allergy testing"),
        (0, 17),
    ),
    Condition(
        "human immunodeficiency virus infection",
        "Infectious Diseases",
        "B20",
        "fatigue and night sweats",
        (
            "diagnosed in 2014",
            "adherence to tablets is good",
            "no opportunistic infections",
            "a partner who takes pre-exposure prophylaxis",
        ),
        ("no lymphadenopathy", "clear chest", "no oral thrush"),
        ("bictegravir, emtricitabine and tenofovir alafenamide one tablet daily", "rosuvastatin 10 mg daily"),
        (Lab("CD4 count", "cells/µL", 500, 1500, 612), Lab("HIV viral load", "copies/mL", 0, 40, 38), _CREATININE),
        ("repeat the viral load in six months", "hepatitis B booster", "syphilis serology"),
    ),
    Condition(
        "gestational diabetes",
        "Obstetrics",
        "O24.410",
        "an abnormal glucose tolerance test at 27 weeks",
        ("second pregnancy, one caesarean section", "good fetal movements", "no vaginal bleeding or headache"),
        ("fundal height 29 cm", "fetal heart rate 144", "no proteinuria"),
        ("insulin aspart 6 units before meals", "ferrous sulfate 300 mg daily", "a prenatal vitamin"),
        (Lab("Two-hour glucose", "mmol/L", 0, 8.5, 10.2), _HB, Lab("Ferritin", "µg/L", 15, 150, 9)),
        ("growth ultrasound at 32 weeks", "sugar diary four times a day", "induction discussed for 39 weeks"),
        (18, 45),
        women_only=True,
    ),
    Condition(
        "lumbar disc herniation with sciatica",
        "Orthopaedics",
        "M51.16",
        "back pain shooting down the left leg",
        ("started after lifting boxes at work", "numb outer foot", "no bladder or bowel disturbance"),
        ("straight leg raise positive at 40 degrees", "absent left ankle jerk", "power 4/5 in plantar flexion"),
        ("naproxen 500 mg twice daily", "gabapentin 300 mg three times daily", "cyclobenzaprine 10 mg at night"),
        (_CRP, _WBC, _HB),
        ("MRI of the lumbar spine", "physiotherapy for six weeks", "off work for two weeks"),
    ),
)

ALLERGIES = (
    "penicillin (rash)",
    "no known drug allergies",
    "sulfa drugs (hives)",
    "codeine (nausea)",
    "latex",
    "shellfish and iodine contrast",
)
PAST_HISTORY = (
    "hypertension",
    "hypothyroidism",
    "cholecystectomy in 2011",
    "gout",
    "osteoporosis",
    "obstructive sleep apnoea on CPAP",
    "total knee replacement",
    "gastro-oesophageal reflux",
    "iron deficiency anaemia",
    "a fractured wrist in childhood",
)
SOCIAL_HISTORY = (
    "lives with a spouse and two children",
    "lives alone, walks with a cane",
    "works as a bus driver and smokes ten cigarettes a day",
    "retired teacher, two glasses of wine a week",
    "stopped smoking five years ago",
    "works night shifts in a warehouse",
)
HOSPITALS = (
    "St. Brendan General Hospital",
    "Lakeshore Health Centre",
    "Northfield Memorial Hospital",
    "Riverside Regional Health Centre",
    "Queen's Park Infirmary",
    "Harbourview Community Clinic",
    "Maple Grove Medical Group",
)
