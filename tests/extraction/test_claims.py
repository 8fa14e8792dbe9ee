"""Claims, payments, benefits, enrolments and prescriptions read like forms, one block a person or claim."""

import random
import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import Document, Segment, Status
from extraction.readers.records.codes import icd_text, procedure_text
from extraction.readers.records.script import script_segments
from extraction.readers.records.x12 import Marks, marks_of, x12_segments

Examine = Callable[..., list[Document]]

ISA = "ISA*00*          *00*          *ZZ*CLINIC         *ZZ*PAYER          *251014*1200*^*00501*000000902*0*P*:~"
CLAIMS = (
    ISA
    + """
GS*HC*CLINIC*PAYER*20251014*1200*1*X*005010X222A1~
ST*837*0001*005010X222A1~
HL*1**20*1~
NM1*85*2*INVENTED SURGICAL GROUP*****XX*1234567893~
N3*1 CLINIC WAY~
N4*SPRINGFIELD*OR*97477~
HL*2*1*22*0~
SBR*P*18*G77******CI~
NM1*IL*1*EXAMPLE*ANN*B**JR*MI*XJH883202~
N3*12 INVENTED ROAD*APT 3~
N4*SPRINGFIELD*OR*97477~
DMG*D8*19571218*F~
NM1*PR*2*GOOD HEALTH PLAN*****PI*54321~
CLM*A277*210***11:B:1*Y*A*Y*Y~
REF*EA*MRN4711~
HI*ABK:C50911*ABF:Z853~
NM1*82*1*HEALER*HELEN****XX*1987654321~
LX*1~
SV1*HC:99214:25*210*UN*1***1~
DTP*472*RD8*20251001-20251003~
LIN**N4*00093721410~
CTP****30*UN~
CLM*A278*95***11:B:1*Y*A*Y*Y~
HI*BK:25000~
SV1*HC:J1100*95*UN*1***1~
HL*3*1*22*1~
SBR*P********CI~
NM1*IL*1*OTHER*PAUL****MI*YY1~
HL*4*3*23*0~
PAT*19~
NM1*QC*1*OTHER*LITTLE~
DMG*D8*20150102*M~
CLM*A279*50***11:B:1*Y*A*Y*Y~
HI*ABK:J450~
SV3*AD:D2391*50~
SE*14*0001~
"""
)
PAYMENT = (
    ISA
    + "GS*HP*A*B*20251014*1200*1*X*005010X221A1~ST*835*1~BPR*I*100*C*CHK~N1*PR*GOOD HEALTH PLAN~N1*PE*CLINIC*XX*1~LX*1~"
    "CLP*A277*1*210*150*60*12*PCN9~NM1*QC*1*EXAMPLE*ANN****MI*XJH883202~NM1*74*1*EXAMPEL*ANNE~DTM*232*20251001~"
    "SVC*HC:99214*210*150~DTM*472*20251001~CLP*A300*4*80*0~NM1*QC*1*OTHER*PAUL~SE*1*1~"
)
BENEFITS = (
    ISA + "ST*271*1~HL*1**20*1~NM1*PR*2*GOOD HEALTH PLAN~HL*2*1*21*1~NM1*1P*1*HEALER*HELEN~HL*3*2*22*0~"
    "NM1*IL*1*EXAMPLE*ANN****MI*X1~DMG*D8*19571218*F~EB*1*IND*30^MH**GOLD PLAN~EB*C*IND*30***23*500~"
    "MSG*REQUIRES REFERRAL~SE*1*1~"
)
ENROLMENT = (
    ISA + "ST*834*1~INS*Y*18*030*XN*A*E**FT~REF*0F*S99~REF*SY*078051120~NM1*IL*1*EXAMPLE*ANN****34*078051120~"
    "PER*IP**HP*5555550123*EM*ann@example.org~N3*12 INVENTED ROAD~N4*SPRINGFIELD*OR*97477~DMG*D8*19571218*F~"
    "DSB*2****6**DX*F321~HD*021**HLT*PPO GOLD*FAM~DTP*348*D8*20250101~"
    "INS*N*19*030~NM1*IL*1*EXAMPLE*LITTLE~SE*1*1~"
)
REVIEW = (
    ISA + "ST*278*1~HL*1**20*1~NM1*X3*2*GOOD HEALTH PLAN~HL*2*1*21*1~NM1*1P*1*HEALER*HELEN~HL*3*2*22*1~"
    "NM1*IL*1*EXAMPLE*ANN****MI*X1~HL*4*3*EV*0~UM*HS*I*1~HI*ABF:M170~DTP*472*D8*20251101~SV1*HC:27447*1~SE*1*1~"
)


@pytest.mark.parametrize(
    ("text", "block"),
    [
        (
            CLAIMS,
            "billing provider: INVENTED SURGICAL GROUP, NPI 1234567893\n"
            "billing provider address: 1 CLINIC WAY, SPRINGFIELD, OR 97477",
        ),
        (
            CLAIMS,
            "group number: G77\npatient name: ANN B EXAMPLE JR\nmember id: XJH883202\n"
            "address: 12 INVENTED ROAD, APT 3, SPRINGFIELD, OR 97477\ndate of birth: 1957-12-18\nsex: F\n"
            "payer: GOOD HEALTH PLAN, payer id 54321\nclaim: A277\ncharge: 210\nmedical record number: MRN4711\n"
            "diagnosis: ICD C50.911\ndiagnosis: ICD Z85.3\nrendering provider: HELEN HEALER, NPI 1987654321\n"
            "procedure: CPT 99214 25\nservice date: 2025-10-01 to 2025-10-03\ndrug: NDC 00093721410\nquantity: 30 UN",
        ),
        (
            CLAIMS,
            "patient name: ANN B EXAMPLE JR\nmember id: XJH883202\ndate of birth: 1957-12-18\nsex: F\nclaim: A278\n"
            "charge: 95\ndiagnosis: ICD 250.00\nprocedure: HCPCS J1100",
        ),
        (CLAIMS, "subscriber: PAUL OTHER\nmember id: YY1"),
        (
            CLAIMS,
            "relationship: child\npatient name: LITTLE OTHER\ndate of birth: 2015-01-02\nsex: M\nclaim: A279\n"
            "charge: 50\ndiagnosis: ICD J45.0\nprocedure: CDT D2391",
        ),
        (
            PAYMENT,
            "claim: A277\ncharge: 210\npaid: 150\npatient responsibility: 60\npayer claim number: PCN9\n"
            "patient name: ANN EXAMPLE\nmember id: XJH883202\ncorrected insured: ANNE EXAMPEL\n"
            "service date: 2025-10-01\nprocedure: CPT 99214",
        ),
        (PAYMENT, "claim: A300\ncharge: 80\npaid: 0\npatient name: PAUL OTHER"),
        (
            BENEFITS,
            "patient name: ANN EXAMPLE\nmember id: X1\ndate of birth: 1957-12-18\nsex: F\n"
            "benefit: active coverage, health benefit plan coverage, mental health, GOLD PLAN\n"
            "benefit: deductible, health benefit plan coverage, 500\nnote: REQUIRES REFERRAL",
        ),
        (
            ENROLMENT,
            "relationship: self\nsubscriber number: S99\nSSN: 078051120\npatient name: ANN EXAMPLE\n"
            "contact: home phone 5555550123, email ann@example.org\naddress: 12 INVENTED ROAD, SPRINGFIELD, OR 97477\n"
            "date of birth: 1957-12-18\nsex: F\ndiagnosis: ICD F32.1\ncoverage: health, PPO GOLD, FAM\n"
            "benefit begin: 2025-01-01",
        ),
        (ENROLMENT, "relationship: child\npatient name: LITTLE EXAMPLE"),
        (
            REVIEW,
            "patient name: ANN EXAMPLE\nmember id: X1\ndiagnosis: ICD M17.0\nservice date: 2025-11-01\n"
            "procedure: CPT 27447\ncharge: 1",
        ),
    ],
)
def test_a_person_or_claim_is_one_block(examined: Examine, text: str, block: str) -> None:
    (document,) = examined(text.encode(), "claims.edi")
    assert (document.status, document.media_type) == (Status.COMPLETE, "application/edi-x12")
    assert block in document.text.split("\n\n")


def test_segments_that_are_not_understood_are_kept_at_the_end(examined: Examine) -> None:
    (document,) = examined((ISA + "ST*837*1~ZZZ*ODD*WORDS~NM1*QC*1*EXAMPLE*ANN~").encode())
    assert document.text.split("\n\n") == ["patient name: ANN EXAMPLE", f"{ISA[:-1]}\nZZZ*ODD*WORDS"]


def test_an_order_of_goods_is_about_no_person() -> None:
    (segment,) = x12_segments(ISA + "ST*850*1~N1*BY*ACME CORP*92*001~N3*1 MAIN ST~PO1*1*10*EA*9.95~PID*F****WIDGET~")
    assert segment.text.split("\n\n") == [
        "organization: ACME CORP, id 001\naddress: 1 MAIN ST",
        f"{ISA[:-1]}\nPO1*1*10*EA*9.95\nPID*F****WIDGET",
    ]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        (ISA, Marks("*", ":", "^", "~")),
        ("ISA|00||00||ZZ|A|ZZ|B|251014|1200|U|00401|9|0|P|>\nGS|HC", Marks("|", ">", "^", "\n")),
        ("ISA*00*broken", Marks()),
        ("ST*837*1", Marks()),
        ("GS|HC|A", Marks("|")),
        ("ISA*", Marks()),
    ],
)
def test_separators(text: str, marks: Marks) -> None:
    assert marks_of(text) == marks


def test_other_separators_are_read() -> None:
    text = "ISA|00||00||ZZ|A|ZZ|B|251014|1200|U|00401|9|0|P|>\nST|837|1\nNM1|QC|1|DOE|JANE\nHI|BK>4019\n"
    (segment,) = x12_segments(text)
    assert segment.text.startswith("patient name: JANE DOE\ndiagnosis: ICD 401.9\n")


@pytest.mark.parametrize(
    "text", [ISA + "A*" * 500_000, ISA + "~" * 2_000_000, ISA + "N3*X~" * 200_000, ISA + "HI*ABK:A1^" * 90_000]
)
def test_odd_interchanges_are_read_in_time(text: str) -> None:
    started = time.process_time()
    assert sum(len(segment.text) for segment in x12_segments(text)) < 3 * len(text)
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    ("code", "ninth", "shown"),
    [
        ("C50911", False, "ICD C50.911"),
        ("I10", False, "ICD I10"),
        ("E11.9", False, "ICD E11.9"),
        ("25000", True, "ICD 250.00"),
        ("V5869", True, "ICD V58.69"),
        ("E8490", True, "ICD E849.0"),
    ],
)
def test_a_diagnosis_has_its_dot(code: str, ninth: bool, shown: str) -> None:
    assert icd_text(code, ninth=ninth) == shown


@pytest.mark.parametrize(("code", "shown"), [("99214", "CPT 99214"), ("J1100", "HCPCS J1100"), ("D2391", "CDT D2391")])
def test_a_procedure_names_its_code_system(code: str, shown: str) -> None:
    assert procedure_text(code) == shown


PRESCRIPTION = (
    "UNA:+./*'UIB+UNOA:0++12345+++77777777:C:PASSWORDQ+7701630:P+19971001:081522'"
    "UIH+SCRIPT:010:006:NEWRX+110072+++19971001:081522'"
    "PVD+P1+7701630:D3+++++MAIN STREET PHARMACY++6152205656:TE'"
    "PVD+PC+6666666:0B*AB1234567:DH+++HEALER:HELEN+++1 CLINIC WAY:SPRINGFIELD:OR:97477+6152219800:TE'"
    "PTT++19541225+EXAMPLE:ANN+F+333445555:SY+12 INVENTED RD:SPRINGFIELD:OR:97477+5555550123:TE'"
    "DRU+P:CALAN SR 240MG::::240+:60:38+:1 TID /+ TAKE WITH FOOD+85:19971001:102*ZDS:30:804+0+R:1+1:I10:ABF'"
    "UIT+110072+6'UIZ++1'"
)


@pytest.mark.parametrize("marks", [None, ("\x1c", "\x1d", "\x1f", "\x1e")])
def test_a_prescription_message_is_one_block(examined: Examine, marks: tuple[str, ...] | None) -> None:
    text = PRESCRIPTION
    if marks:
        text = text[9:].replace("/+", "and")
        for old, new in zip(":+*'", marks, strict=True):
            text = text.replace(old, new)
    (document,) = examined(text.encode(), "rx.txt")
    assert (document.status, document.media_type) == (Status.COMPLETE, "application/edifact-script")
    block = document.text.split("\n\n")[0].splitlines()
    for line in (
        "prescription message: NEWRX",
        "pharmacy: MAIN STREET PHARMACY, NCPDP 7701630",
        "prescriber: HELEN HEALER, license 6666666, DEA AB1234567",
        "prescriber address: 1 CLINIC WAY, SPRINGFIELD, OR 97477",
        "patient name: ANN EXAMPLE",
        "date of birth: 1954-12-25",
        "sex: F",
        "SSN: 333445555",
        "address: 12 INVENTED RD, SPRINGFIELD, OR 97477",
        "phone: 5555550123",
        "drug: CALAN SR 240MG",
        "quantity: 60 38",
        "sig: 1 TID and TAKE WITH FOOD" if marks else "sig: 1 TID + TAKE WITH FOOD",
        "date written: 1997-10-01",
        "days supply: 30",
        "refills: R 1",
        "diagnosis: ICD I10",
    ):
        assert line in block


def test_an_odd_prescription_is_read_in_time() -> None:
    started = time.process_time()
    for text in ("UNA:+./*'" + "DRU+" * 200_000, "UIB+UNOA:0'" + "'" * 1_000_000, "UNA'''''''UIB'''''"):
        list(script_segments(text))
    assert time.process_time() - started < 10


@pytest.mark.parametrize("read", [x12_segments, script_segments])
@given(seed=st.randoms(use_true_random=False), cuts=st.integers(1, 10))
def test_damaged_messages_are_read(read: Callable[[str], Iterator[Segment]], seed: random.Random, cuts: int) -> None:
    """Cut, doubled and altered: what is left is read."""
    text = (CLAIMS if read is x12_segments else PRESCRIPTION) + "\n"
    for _ in range(cuts):
        place, other = seed.randrange(len(text)), seed.randrange(len(text))
        text = (
            text[:place]
            + seed.choice(["", "*", "+", "'", "~", ":", "\x1d", text[other : other + 50]])
            + text[place + 1 :]
        )
    assert "".join(segment.text for segment in read(text))
