"""Text -> the same text in which codes of medical code systems stand as one word each, so that they are found like any other term."""

import re

# Bare numbers are looked at only where a text names the code system: elsewhere they are prices, dates and part numbers.
_SYSTEMS = (
    (re.compile(r"\b\d{1,5}-\d\b"), " loinccode ", ("LOINC", "loinc", "^LN")),
    (re.compile(r"\b\d{6,18}\b"), " snomedcode ", ("SNOMED", "snomed", "^SCT")),
    (re.compile(r"\b(?:\d{4}[0-9FTU]|[A-V]\d{4})\b"), " cptcode ", ("CPT", "HCPCS", "Procedure code", "procedure code", "PROCEDURE CODE")),
    (re.compile(r"\b[A-TV-Z]\d[0-9AB]\.[0-9A-Z]{1,4}\b"), " icdcode ", ("ICD", "iagnos", "DIAGNOS", "Dx", "DG1")),
)


def with_code_words(text: str) -> str:
    """Most texts name no code system and come back as they are."""
    for pattern, word, names in _SYSTEMS:
        if any(name in text for name in names):
            text = pattern.sub(word, text)
    return text
