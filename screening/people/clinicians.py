"""A sentence in the first person -> whether a clinician may write it of a patient."""

import re

_OF_WORK = r"(?:side|opinion|view|impression|clinic|practice|patients?|examination|findings|plan|assessment)"
_PATIENT = re.compile(r"\b(?:patients?|pt|patientin|patiente|paciente)\b", re.IGNORECASE)
_CLINICIAN = re.compile(
    r"\b(?:I (?:have |had |also |then |just |now )?(?:found|think|thought|started|saw|seen|examined|reviewed|suggest\w*"
    r"|recommend\w*|prescribed|ordered|discussed|noted|advised|referred|suspect\w*|admitted|discharged|treated|increased"
    rf"|stopped|gave|given|explained|arranged|requested|performed|would|need your)|my {_OF_WORK})\b"
)
# With `me`, `my cough` or `I was` it may be of the writer all the same.
_OWN = re.compile(
    rf"\b(?:my\b(?! {_OF_WORK}\b)|me\b|myself\b"
    r"|I (?:have|had|am|was|feel|felt|got|take|took)\b(?! \w+(?:ed|en|wn|und)\b))",
    re.IGNORECASE,
)


def speaks_of_patient(body: str) -> bool:
    return _PATIENT.search(body) is not None


def is_of_clinician(sentence: str) -> bool:
    """`I found mild oedema`, `next steps from my side: spirometry`."""
    return _CLINICIAN.search(sentence) is not None and _OWN.search(sentence) is None
