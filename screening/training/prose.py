"""Everyday texts -> sentences that name nobody, and pages of them with invented people in the place of pronouns."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from screening.entities.gazetteer import FIRST, FIRST_SURE, Gazetteer, commonness
from screening.entities.runs import PERSON
from screening.entities.words import plain_form
from screening.training.corpora import rows
from screening.training.labelled import Labelled, Marked
from screening.training.people import Crowd, Person

SOURCES = ("nonhealth_20news.jsonl", "grey_20news_scimed.jsonl", "nonhealth_speeches.jsonl")
_HELD_BACK = 4  # every fourth text is left to judge by
_QUOTED = re.compile(r"^\s*(?:[>|:}\])]|\S{1,3}>)")
_SENTENCE_ENDS = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_NO_NAME_IN_IT = re.compile(r"[A-Z][a-z']*(?:[^A-Z@<>]|\bI\b(?!\.))+[.!?]")
_SHORTEST, _LONGEST = 25, 220
_SENTENCES_A_PAGE = (4, 10)
_RELATIONS = (
    "friend|brother|sister|wife|husband|mother|father|mom|dad|son|daughter|boss|neighbou?r|roommate|colleague"
    "|doctor|patient|man|woman|guy|boy|girl|speaker|author|teacher|student|driver"
)
_SUBJECT = re.compile(
    rf"\b(?:[Hh]e|[Ss]he|[Ss]ome(?:one|body)|(?:[Mm]y|[Tt]he|[Oo]ur|[Aa]) (?:{_RELATIONS}))\b"
    r"(?!['’-]| of| who| else| with)|\bhim\b(?!self)"
)
_OWNER = re.compile(r"\b[Hh]is\b(?= [a-z])")
_SPOKEN_TO = re.compile(
    r"(?:Could|Can|Please|If|Did|Do|Would|Are|Have|Is|What|How|When|Where|Why|You|Your|Let|As|I|We|The|This|That|It)\b"
)
_FORMS = ("first",) * 9 + ("full",) * 5 + ("last",) * 4 + ("titled",) * 2
_VOCATIVE = 0.12  # share of sentences in which someone is spoken to by name


def nameless_sentences(data: Path, gazetteer: Gazetteer, *, held_back: bool) -> list[str]:
    """Sentences with no capital but the first, which opens a common word; from held-out texts, or from all others."""
    sentences: dict[str, None] = {}
    for file in SOURCES:
        for number, row in enumerate(rows(data / file)):
            if (number % _HELD_BACK == 0) == held_back:
                sentences.update(
                    dict.fromkeys(each for each in _sentences(row["text"]) if _opens_with_common_word(each, gazetteer))
                )
    return list(sentences)


def _sentences(text: str) -> Iterator[str]:
    """Lines are joined to paragraphs; headers and what others wrote are left out."""
    lines = text.split("\n")
    if text.startswith("From: ") and "" in lines:
        lines = lines[lines.index("") :]
    own = "\n".join("" if _QUOTED.match(line) else line.strip() for line in lines)
    for paragraph in re.split(r"\n{2,}", own):
        for sentence in _SENTENCE_ENDS.split(" ".join(paragraph.split())):
            if _SHORTEST < len(sentence) < _LONGEST and _NO_NAME_IN_IT.fullmatch(sentence):
                yield sentence


def _opens_with_common_word(sentence: str, gazetteer: Gazetteer) -> bool:
    code = gazetteer.get(plain_form(sentence.split(" ", 1)[0].strip(",;:")), 0)
    return commonness(code) >= (6 if code & FIRST else 5) and not code & FIRST_SURE


class _Page:
    """A page of sentences about the same few people."""

    def __init__(self, crowd: Crowd) -> None:
        self.text = ""
        self.marked: list[Marked] = []
        self._crowd = crowd
        self._people = [crowd.person() for _ in range(crowd.random.randint(1, 3))]

    def add(self, sentence: str) -> None:
        self.text += "" if not self.text else "\n" if self._crowd.random.random() < 0.25 else " "
        if self._crowd.random.random() < _VOCATIVE and _SPOKEN_TO.match(sentence):
            self._add_spoken_to(sentence)
            return
        at = 0
        for match in sorted((*_SUBJECT.finditer(sentence), *_OWNER.finditer(sentence)), key=re.Match.start):
            if self._crowd.random.random() < 0.7:
                self.text += sentence[at : match.start()]
                self._name(self._crowd.random.choice(_FORMS))
                self.text += "'s" if match.group().lower() == "his" else ""
                at = match.end()
        self.text += sentence[at:]

    def _add_spoken_to(self, sentence: str) -> None:
        small = sentence if sentence.startswith("I ") else sentence[0].lower() + sentence[1:]
        if self._crowd.random.random() < 0.7:
            self._name("first")
            self.text += self._crowd.random.choice((", ", ", ", " ", " - ")) + self._crowd.random.choice(
                (small, small, sentence)
            )
        else:
            self.text += sentence[:-1] + self._crowd.random.choice((", ", " "))
            self._name("first")
            self.text += sentence[-1]

    def _name(self, form: str) -> None:
        person: Person = self._crowd.random.choice(self._people)
        if form == "titled":
            self.text += self._crowd.random.choice(("Ms. ", "Mrs. ") if person.female else ("Mr. ", "Mr "))
        name = {"first": person.first, "full": f"{person.first} {person.last}"}.get(form, person.last)
        self.marked.append(Marked(len(self.text), len(self.text) + len(name), PERSON))
        self.text += name


def pages_about_people(sentences: Sequence[str], crowd: Crowd, pages: int) -> Iterator[Labelled]:
    """Sentences with pronouns, and some without, in which the people of a page replace the pronouns."""
    about = [each for each in sentences if _SUBJECT.search(each) or _OWNER.search(each)]
    for number in range(pages):
        page = _Page(crowd)
        for _ in range(crowd.random.randint(*_SENTENCES_A_PAGE)):
            page.add(crowd.random.choice(about if crowd.random.random() < 0.6 else sentences))
        yield Labelled("prose", f"page {number}", page.text, tuple(page.marked))
