"""The annotated texts of a data folder in other languages -> labelled texts: names of people, organizations, places."""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from screening.entities.runs import PERSON
from screening.training.corpora import concatenated, joined
from screening.training.labelled import ADDRESS, ORGANIZATION, PLACE, Labelled, Marked

FOLDER = "languages"
_TEMPLATE = re.compile(r"\[([^\][]*)\]\(([A-Z_]+)\)")
_TEMPLATE_LABELS = {"NOM": PERSON, "PRENOM": PERSON, "VILLE": PLACE, "ADRESSE": ADDRESS, "HOPITAL": ORGANIZATION}
_BRAT_LABELS = {
    "NOMBRE_SUJETO_ASISTENCIA": PERSON,
    "NOMBRE_PERSONAL_SANITARIO": PERSON,
    "TERRITORIO": PLACE,
    "PAIS": PLACE,
    "CALLE": ADDRESS,
    "HOSPITAL": ORGANIZATION,
    "INSTITUCION": ORGANIZATION,
    "CENTRO_SALUD": ORGANIZATION,
}
_TAGS = {
    "PER": PERSON,
    "RR": PERSON,
    "AN": PERSON,
    "ORG": ORGANIZATION,
    "UN": ORGANIZATION,
    "INN": ORGANIZATION,
    "GRT": ORGANIZATION,
    "LOC": PLACE,
    "LD": PLACE,
    "ST": PLACE,
    "LDS": PLACE,
}
_NAMELESS_TAGS = ("LIT", "PERpart", "PERderiv")  # authors in titles of books, and parts of words, are not marked
_TREEBANKS = (
    "uner/Danish-DDT/da_ddt-ud",
    "uner/Swedish-Talbanken/sv_talbanken-ud",
    "uner/Portuguese-Bosque/pt_bosque-ud",
)
_A_PAGE = 15  # sentences
_SENTENCES = 1_500  # of one source
_CASES = 120
_TERMS = 1_500

Tagged = list[tuple[str, str]]


def foreign_texts(data: Path, *, held_back: bool = False) -> Iterator[Labelled]:
    """Spanish cases, French hospital sentences, German news and decisions, Nordic and Portuguese treebanks.

    Held back are other files or other sentences of the same sources.
    """
    folder = data / FOLDER
    yield from _cases(folder / "es_meddocan" / ("dev" if held_back else "train") / "brat")
    yield from _templates(folder / "eds_pseudo_templates_fr.txt", held_back=held_back)
    yield from _terms(folder / "terms" / "hp-de.babelon.tsv", held_back=held_back)
    german = [
        (folder / "de_germeval14" / "NER-de-dev.tsv", "\t", 1, 2),
        (folder / "de_legal" / "ler_dev.conll", " ", 0, 1),
    ]
    for path, between, word, tag in german:
        yield from _pages(_half(_sentences(path, between, word, tag), held_back=held_back), path.stem)
    for bank in _TREEBANKS:
        path = folder / f"{bank}-{'dev' if held_back else 'train'}.iob2"
        yield from _pages(_sentences(path, "\t", 1, 2), path.stem)


def foreign_texts_of(language: str, data: Path) -> Iterator[Labelled]:
    """Of the texts to learn from, those of one language."""
    folder = data / FOLDER
    if language == "es":
        yield from _cases(folder / "es_meddocan" / "train" / "brat")
    elif language == "fr":
        yield from _templates(folder / "eds_pseudo_templates_fr.txt", held_back=False)


def _half(sentences: Iterable[Tagged], *, held_back: bool) -> Iterator[Tagged]:
    """Every fourth block of sentences is held back."""
    for number, sentence in enumerate(sentences):
        if (number // 50 % 4 == 0) == held_back:
            yield sentence


def _pages(sentences: Iterable[Tagged], source: str) -> Iterator[Labelled]:
    usable = [each for each in sentences if not any(tag.endswith(_NAMELESS_TAGS) for _, tag in each)]
    random.Random(3).shuffle(usable)  # noqa: S311 - training data, no secret
    labelled = [joined(each, _TAGS, "other languages", source) for each in usable[:_SENTENCES]]
    for at in range(0, len(labelled), _A_PAGE):
        yield concatenated(labelled[at : at + _A_PAGE], " ")


def _sentences(path: Path, between: str, word: int, tag: int) -> Iterator[Tagged]:
    sentence: Tagged = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        fields = line.split(between)
        if not line.strip():
            if sentence:
                yield sentence
            sentence = []
        elif not line.startswith("#") and len(fields) > tag:
            sentence.append((fields[word], fields[tag]))
    if sentence:
        yield sentence


def _cases(folder: Path) -> Iterator[Labelled]:
    for path in sorted(folder.glob("*.txt"))[:_CASES]:
        marked = []
        for line in path.with_suffix(".ann").read_text(encoding="utf-8").split("\n"):
            fields = line.split("\t")
            kind, *places = fields[1].split() if len(fields) > 1 else ("",)
            if kind in _BRAT_LABELS and len(places) == 2:
                marked.append(Marked(int(places[0]), int(places[1]), _BRAT_LABELS[kind]))
        text = path.read_text(encoding="utf-8")
        marked = [mark for mark in marked if not text[mark.start : mark.end].replace(" ", "").isdecimal()]  # postcodes
        yield Labelled("other languages", path.stem, text, tuple(marked))


def _templates(path: Path, *, held_back: bool) -> Iterator[Labelled]:
    lines = [line for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    chosen: Sequence[str] = [line for number, line in enumerate(lines) if (number // 8 % 4 == 0) == held_back]
    for at in range(0, len(chosen), _A_PAGE):
        yield concatenated([_template(line) for line in chosen[at : at + _A_PAGE]], "\n")


def _terms(path: Path, *, held_back: bool) -> Iterator[Labelled]:
    """German words for findings, which have capitals as names do."""
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").split("\n")[1:]]
    terms = sorted({fields[5] for fields in lines if len(fields) > 5 and fields[5]})
    random.Random(4).shuffle(terms)  # noqa: S311 - training data, no secret
    chosen = terms[_TERMS : 2 * _TERMS] if held_back else terms[:_TERMS]
    for at in range(0, len(chosen), _A_PAGE):
        between = (", ", "\n", ". ", "\n- ")[at // _A_PAGE % 4]
        yield Labelled("other languages", path.stem, between.join(chosen[at : at + _A_PAGE]), ())


def _template(line: str) -> Labelled:
    text, at, marked = "", 0, []
    for match in _TEMPLATE.finditer(line):
        text += line[at : match.start()]
        if match[2] in _TEMPLATE_LABELS:
            marked.append(Marked(len(text), len(text) + len(match[1]), _TEMPLATE_LABELS[match[2]]))
        text += match[1]
        at = match.end()
    return Labelled("other languages", "templates", text + line[at:], tuple(marked))
