"""Visit notes and dialogues -> labelled texts: names from openings and titles, found again throughout the visit."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from screening.entities.gazetteer import FIRST_SURE, LAST_SURE, Gazetteer, commonness
from screening.entities.runs import PERSON
from screening.entities.words import plain_form
from screening.training.corpora import rows
from screening.training.labelled import Labelled, Marked

_WORD = r"[A-Z][a-z]+(?:['’-][A-Z][a-z]+)?"
_OPENINGS = (
    re.compile(rf"^({_WORD}(?: [A-Z]\.)? {_WORD}) (?:is|presents|was|returns)\b", re.MULTILINE),
    re.compile(rf"\b(?:Mr|Mrs|Ms|Miss|Dr|Doctor)\.? ({_WORD}(?: {_WORD})?)"),
    re.compile(rf"\b({_WORD} {_WORD}), (?:PA|MD|NP|RN)\b"),
)
_SPOKEN = re.compile(
    r"\b(?:mr|mrs|ms|miss|dr|doctor|hi|hey|hello)\b ?[.,]? (?:, )?(?=([a-z]+(?: [a-z]+)?))", re.IGNORECASE
)
_ADDRESSED = re.compile(
    r"\b(?:so|morning|afternoon|alright|okay|thanks ,|named|friend|scheduler ,|agree with|talk with) ([a-z]+)\b"
)
_MONTHS = frozenset({"april", "may", "june", "august"})
_SPOKEN_OPENINGS = (
    re.compile(r"^(?:\[\w+\] )?([a-z]+ [a-z]+) is an? \d+", re.MULTILINE),
    re.compile(r"\b(?:by|with|on|to|from|saw|see|pa ,|uh ,|name is) ([a-z]+ [a-z]+)\b"),
)
_TITLE_BEFORE = re.compile(r"\b(?:mr|mrs|ms|miss|dr|doctor)\b ?\.? $", re.IGNORECASE)


def visits(data: Path, gazetteer: Gazetteer) -> Iterator[Labelled]:
    by_visit: dict[str, list[str]] = defaultdict(list)
    for row in rows(data / "health_aci_bench.jsonl"):
        by_visit["-".join(row["id"].split("-")[:2])].append(row["text"])
    for visit, texts in by_visit.items():
        names = _names(texts, gazetteer)
        for text in texts:
            kind = "visit dialogue" if text.lstrip().startswith("[") else "visit note"
            yield Labelled(kind, visit, text, tuple(_marks(text, names, gazetteer)))


def _spoken(text: str) -> Iterator[re.Match[str]]:
    for pattern in _SPOKEN_OPENINGS:
        yield from pattern.finditer(text)


def _names(texts: list[str], gazetteer: Gazetteer) -> set[str]:
    found: set[str] = set()
    for text in texts:
        for pattern in _OPENINGS:
            for match in pattern.finditer(text):
                words = [plain_form(word) for word in match.group(1).split() if len(word) > 2]
                if pattern is not _OPENINGS[0] or gazetteer.get(words[0], 0) & FIRST_SURE:
                    found.update(words)
        found.update(word for word in map(plain_form, _ADDRESSED.findall(text)) if gazetteer.get(word, 0) & FIRST_SURE)
        for match in _spoken(text):
            first, last = map(plain_form, match.group(1).split())
            if gazetteer.get(first, 0) & FIRST_SURE and gazetteer.get(last, 0) & LAST_SURE:
                found.update((first, last))
        for match in _SPOKEN.finditer(text):
            for word in match.group(1).split():
                plain = plain_form(word)
                code = gazetteer.get(plain, 0)
                if code & (FIRST_SURE | LAST_SURE) and (commonness(code) < 6 or code & FIRST_SURE):
                    found.add(plain)
    return found - _MONTHS - {"the", "patient", "doctor", "good", "how"}


def _marks(text: str, names: set[str], gazetteer: Gazetteer) -> Iterator[Marked]:
    """Ordinary words among the names count if they have a capital, or follow a title or another name."""
    last_end = -2
    for match in re.finditer(r"[^\W\d_]+", text):
        plain = plain_form(match.group())
        if plain not in names:
            continue
        code = gazetteer.get(plain, 0)
        sure = code & (FIRST_SURE | LAST_SURE) or commonness(code) < 4
        beside = match.start() - last_end <= 1 or _TITLE_BEFORE.search(text, max(0, match.start() - 12), match.start())
        if match.group()[0].isupper() or sure or beside:
            yield Marked(match.start(), match.end(), PERSON)
            last_end = match.end()
