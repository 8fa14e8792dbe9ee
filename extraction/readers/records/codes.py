"""Codes of diagnoses, procedures and drugs, as claims keep them -> text as people write it."""

import re

_ICD_9 = re.compile(r"(\d{3}|V\d\d|E\d{3})(\d{1,2})")
_ICD_10 = re.compile(r"([A-Z]\d[0-9A-Z])([0-9A-Z]{1,4})")
_CDT = re.compile(r"D\d{4}")


def icd_text(code: str, *, ninth: bool = False) -> str:
    """`C50911` -> `ICD C50.911`; a code with a dot, or in another form, stays as it is."""
    match = (_ICD_9 if ninth else _ICD_10).fullmatch(code.upper())
    return f"ICD {match[1]}.{match[2]}" if match else f"ICD {code}"


def procedure_text(code: str) -> str:
    """`99214` -> `CPT 99214`, `J1100` -> `HCPCS J1100`, `D2391` -> `CDT D2391`."""
    if _CDT.fullmatch(code):
        return f"CDT {code}"
    return f"CPT {code}" if code[:1].isdigit() else f"HCPCS {code}"
