"""Leaks in English forms as users meet them are referred, and texts of kinds that tell of nobody's health are not."""

from pathlib import Path

from tests.end_to_end.conftest import Run, rows_of

LEAKS = {
    "export.csv": (
        '"Date","From","To","Subject","Body"\n'
        '"2021-03-11 08:15","hr@example.com","a.bello@example.com","RTW","Hi Okoro, Svetlana Demchuk\'s '
        'return is Mon. She had COVID pneumonia, still breathless on stairs, 50% for 4 wks"\n'
        '"2021-03-11 09:02","a.bello@example.com","hr@example.com","RE: RTW","ok"\n'
    ),
    "family.txt": (
        "Hello Mr. Ossian Lindqvist's family! The wound-vac goes on the diabetic ulcer on his heel on "
        "the 6th. Two toes are black, Dr. Uzun will look at them. Best, Priscila Quaresma, home nursing\n"
    ),
    "pended.txt": (
        "Re: Krystle Dombrowska, ID 41-7703. Humira request pended. Please document failure of "
        "methotrexate. Records show RA seropositive, MTX 20mg since 2020 only.\n"
    ),
    "claim.edi": (
        "ST*837*0021~NM1*85*2*LAKESIDE "
        "CLINIC*****XX*1992000000~NM1*IL*1*OYELARAN*BOLAJI*T***MI*GH4490771~DMG*D8*19810919*F~CLM*KA-01*150***11:B:1~HI*ABK:F3181*ABF:F1020~SV1*HC:90834*150*UN*1***1:2~SE*18*0001~\n"
    ),
    "query.txt": (
        "ivf nurse: Mrs Chen Xiaolan d8 stims 225 gonal-f, E2 14,800 pmol/L, 26 follicles >11mm. agonist "
        "trigger + freeze all? she's already bloated\n"
    ),
    "sms.txt": (
        "Its Dang Van Hieu, doctor say hepatitis B, liver test high, wife and kid need test also. where can go\n"
    ),
    "bitten.txt": (
        "Pls note our receptionist (Carly Munro) got bitten by a customer's dog tue. She went to ER, 6 "
        "stitches, on augmentin. Form to follow.\n"
    ),
    "dad.txt": (
        "From: Aroha Wharepapa\nDate: Sun, 9 Jun 2024 at 21:03\nSubject: Dad's results\n\n"
        "The specialist rang. It is in the pancreas and there are two spots on the liver. Dad doesn't "
        "want the chemo. Hospice nurse comes Wednesday.\n"
    ),
    "lab.tsv": (
        "Patient\tHALVARSEN INGRID\tColl 07:10\tFasting Y\nTest\tResult\tFlag\tRef\n"
        "Glucose\t7.4\tH\t3.9-5.5\nHbA1c\t52\tH\t<42\nTG\t3.1\tH\t<1.7\nHDL\t0.9\tL\t>1.2\n"
    ),
    "message.txt": (
        "Jules: so the scan was today\nJules: theres no heartbeat. 11 weeks\nTamsin: oh Jules no no no\n"
        "Jules: they're giving me the tablets thursday. pls dont tell mark's mum\n"
    ),
    "chart.txt": (
        "DRUG CHART  WARD: Acacia   NAME: T. MANGALISO   ALLERGY: Penicillin (rash)\n"
        "Rifafour 4 tabs dly\nPred 40\nEfavirenz 600 nocte\nParacet 1g prn x2\n"
    ),
    "texts.csv": (
        "date;direction;contact;body\n"
        "2024-05-02 17:31;in;Nkechi Obiora;Pls did you collect the ARVs from clinic? Mine will finish\n"
        "2024-05-02 17:33;out;Nkechi Obiora;Yes. Nurse says your viral load is undetectable\n"
        "2024-05-02 17:34;in;Nkechi Obiora;Praise God\n"
    ),
    "photos.txt": (
        "IMG_0231.jpg  Halloran, Declan - mole upper back, excise\nIMG_0232.jpg  same, dermoscopy\n"
        "IMG_0233.jpg  Popescu Mihaela - vitiligo hands\nIMG_0234.jpg  Popescu M feet\n"
        "IMG_0240.jpg  baby Owusu nappy rash ?candida\n"
    ),
    "intake.log": (
        "POST /intake HTTP/1.1\nHost: clinic.example.org\n"
        "firstName=Oyunchimeg&lastName=Bat-Erdene&dob=1979-04-04&reason=lump%20in%20left%20breast%20bleeding%20nipple&allergies=none&meds=levothyroxine\n"
    ),
    "vet.txt": (
        "Dear Dr Culpepper\nRe Mr Anders Rosendal, large-animal vet, 52\n"
        "Sweats, big spleen, low back ache for two months. Coxiella phase I IgG 1:4096, TOE small "
        "vegetation on his bicuspid valve. Chronic Q fever endocarditis, doxycycline for 18 months.\n"
    ),
    "tube.txt": ("is Mr. Zhuang still on NG tube? family asking re congee\n"),
}
HARMLESS = {
    "classes.csv": (
        "class,coach,room,cap,booked\nSpin 45,Ilse,1,22,22\nBack Care,Bram,2,14,9\n"
        "Pelvic floor & core,Sunetra,2,12,12\nDiabetes-friendly walk,Bram,park,20,6\n"
    ),
    "attending.csv": (
        "Readmission 30d by attending FY23\nAttending,cases,readm,pct\nBhattacharya,311,31,10.0\n"
        "Lindholm,298,44,14.8\nQuan,405,52,12.8\ndx groups: HF, AMI, COPD, PNA. Excl hospice.\n"
    ),
    "guidance.txt": (
        "Epilepsy in schools - guidance. Signed: Headteacher Mrs Coyle, governor Tim Bates. Each child "
        "w/ epilepsy needs a care plan.\n"
    ),
    "recruiter.txt": (
        "Hi Khanh, I came across your profile and love your background in cath lab nursing! We have a "
        "13-wk contract in Reno, must have IABP and STEMI call experience. Best, Tiffani Rolof, Senior "
        "Recruiter, MedGo Staffing\n"
    ),
    "training.txt": (
        'Module 3: Is it PHI?\nExample A: "John Doe, DOB 01/01/1980, was treated for pneumonia." -> YES\n'
        'Example B: "42% of our patients have hypertension" -> NO\n'
        'Example C: a chart that shows "Jane Smith, diabetes" -> YES.\n'
    ),
    "horse.txt": (
        'Vet cert: "Duchess of Kells" mare, prop. Fergal Tuohy. Vaccinated EHV/flu, Coggins neg. Grade '
        "2/5 lame RF, navicular changes. Not suitable to event.\n"
    ),
    "stars.txt": (
        "Ranked: 10 stars who opened up about anxiety. #4 singer Lexi Monroe told us she takes "
        "medication every day. #3 rapper Big Tino says therapy saved him. Follow us for more!\n"
    ),
    "match.txt": (
        "Striker Danny Ochoa will miss the rest of the season after tearing his ACL in Saturday's 2-1 "
        "win over Rovers. Coach Pete Lamb said Ochoa will have surgery next week. Defender Luis Conti "
        "(hamstring) is doubtful.\n"
    ),
    "pharmacy.txt": (
        "Lloyds Pharmacy: We're open Bank Holiday Mon 10-4. Flu jabs, blood pressure checks & travel "
        "vaccines - no appointment needed. Opt out STOP\n"
    ),
    "case.txt": (
        "A rare cause of recurrent hypoglycaemia in pregnancy: insulin autoimmune syndrome\n"
        "Takeshi Moriguchi, Folake Ogundipe, Anna-Liisa Rautio\nDepartment of Endocrinology\n"
        "A woman in her late twenties presented at 22 weeks. Insulin was above 1000 pmol/L with insulin "
        "antibodies strongly positive. We review 14 published cases. Correspondence: Dr Moriguchi.\n"
    ),
    "providers.txt": (
        "BEHAVIORAL HEALTH PROVIDERS - SOUTH REGION\nAbrams, Judith PhD - anxiety, OCD - accepting new\n"
        "Baptiste, Carl LCSW - substance use, anger\n"
        "Delgado, Inez LMFT - couples, postpartum depression\n"
        "Foley, Sister Bernadine - grief, end of life - sliding scale\n"
    ),
    "trial.txt": (
        "From April 2016 to June 2021, 350 patients were randomized (exenatide, n = 177, standard care, "
        "n = 173). Median age, 71 years (interquartile range, 62-79). Hypoglycemia was rare. Stroke "
        "scale score, 4. No differences in outcomes were observed.\n"
    ),
}


def test_leaks_are_referred_and_what_tells_of_nobodys_health_is_not(leakscreen: Run, tmp_path: Path) -> None:
    folder = tmp_path / "share"
    folder.mkdir()
    for name, text in {**LEAKS, **HARMLESS}.items():
        (folder / name).write_text(text, encoding="utf-8")
    ran = leakscreen("scan", folder, "--out", tmp_path / "out", "--workers", "1")
    assert ran.code == 0, ran.err
    rows = {Path(row["uri"]).name: row for row in rows_of(tmp_path / "out")}
    assert rows.keys() == LEAKS.keys() | HARMLESS.keys()
    assert {name for name, row in rows.items() if row["referred"]} == set(LEAKS)
