"""Annotated texts -> how well de-identified copies hide people and keep the rest, beside Presidio's anonymizer."""

import argparse
import json
import random
import re
import subprocess
import time
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any

from classifiers.health import HealthModel
from classifiers.model_file import shipped_model
from core.settings import load_settings
from deidentification.deidentify import WRITTEN, Deidentifier
from deidentification.view import Edit, View
from evaluation.benchmark import measure
from evaluation.corpus import read_corpus
from evaluation.formats.document import CorpusDocument
from evaluation.information import word_weights
from evaluation.spans import Marked
from screening.people.health_words import is_medical

_PEER = Path(__file__).with_name("presidio_anonymized.py")
_WORD = re.compile(r"[^\W\d_]{3,}")
_PARTS = ("trial", "cases", "more-cases", "sentences", "notes")
_LEAST = 4  # characters of a value that is looked for in the copy
_PEOPLE = 400
_SHUFFLES = 1_000
# Men and women in turn, the first ones much more frequent than the last.
_GIVEN = ("James", "Mary", "Robert", "Linda", "David", "Susan", "Daniel", "Karen", "Kevin", "Laura")
_NAMES = files("deidentification") / "data" / "names.toml"


@dataclass(slots=True)
class Copies:
    """What a system made of each text: the copy, or None where it gave none, and the places that it replaced."""

    system: str
    texts: list[str | None]
    places: list[list[tuple[int, int]]]
    seconds: float


class Traced:
    """Follows each character of an original through all rounds of replacing."""

    def __init__(self) -> None:
        self.kept: list[int] = []
        self._plain = View.edited

    def __enter__(self) -> "Traced":
        plain = self._plain

        def edited(view: View, edits: Sequence[Edit]) -> View:
            kept: list[int] = getattr(view, "kept_places", None) or list(range(len(view.text)))
            pieces: list[int] = []
            last = 0
            for edit in sorted(edits):
                pieces += [*kept[last : edit.start], *([-1] * len(edit.text))]
                last = edit.end
            made = plain(view, edits)
            self.kept = [*pieces, *kept[last:]]
            setattr(made, "kept_places", self.kept)  # noqa: B010 - View knows nothing of it
            return made

        View.edited = edited  # type: ignore[method-assign, assignment]
        return self

    def __exit__(self, *_: object) -> None:
        View.edited = self._plain  # type: ignore[method-assign]

    def replaced(self, length: int) -> list[tuple[int, int]]:
        there = {place for place in self.kept if place >= 0}
        places: list[tuple[int, int]] = []
        for at in range(length):
            if at not in there:
                if places and places[-1][1] == at:
                    places[-1] = places[-1][0], at + 1
                else:
                    places.append((at, at + 1))
        return places


def by_leakscreen(texts: Sequence[str], way: str) -> Copies:
    copies = Copies(f"leakscreen, {way}", [], [], 0.0)
    deidentifier = Deidentifier(load_settings({"deidentify.way": way}, environ={}))
    before = time.process_time()
    for text in texts:
        with Traced() as traced:
            traced.kept = list(range(len(text)))
            outcome, output = deidentifier.copy(text.encode(), "text")
        is_written = outcome.status == WRITTEN
        copies.texts.append(output.decode() if is_written else None)
        copies.places.append(traced.replaced(len(text)) if is_written else [(0, len(text))])
    copies.seconds = time.process_time() - before
    deidentifier.close()
    return copies


def by_presidio(texts: Sequence[str], python: str, model: str) -> Copies:
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    done = subprocess.run([python, str(_PEER), model], input=lines, capture_output=True, text=True, check=True)
    *answers, seconds = [json.loads(line) for line in done.stdout.splitlines()]
    return Copies(
        "Presidio",
        [answer[0] for answer in answers],
        [[tuple(one) for one in answer[1]] for answer in answers],
        seconds,
    )


def share(part: float, whole: float) -> str:
    return f"{part / whole:.3f} ({part:,.0f} of {whole:,.0f})" if whole else "-"


def left_readable(documents: Sequence[CorpusDocument], copies: Copies) -> tuple[int, int]:
    """Annotated values that a reader finds in the copy, word by word as they were; and all values."""
    left = total = 0
    for document, copy in zip(documents, copies.texts, strict=True):
        for value in {document.text[span.start : span.end] for span in document.spans}:
            if len(value) >= _LEAST:
                total += 1
                left += copy is not None and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", copy) is not None
    return left, total


def show_hiding(name: str, documents: Sequence[CorpusDocument], systems: Sequence[Copies]) -> None:
    print(f"\n{name}: {len(documents)} documents")
    weights = word_weights([document.text for document in documents])
    nothing = Copies("before", [document.text for document in documents], [[] for _ in documents], 0.0)
    for copies in (nothing, *systems):
        found = [[Marked(start, end, "person") for start, end in places] for places in copies.places]
        figures: dict[str, Any] = measure(documents, found, weights=weights).figures
        scores = figures["documents"]
        refused = sum(copy is None for copy in copies.texts)
        kept = sum(len(document.text) for document in documents) - sum(
            end - start for places in copies.places for start, end in _joined(places)
        )
        print(f"  {copies.system}: {refused} without a copy, {copies.seconds:.1f} s of CPU without parsers")
        if "tab" in figures:
            scored = {key: value for key, value in figures["tab"].items() if isinstance(value, float)}
            print("    " + "  ".join(f"{key} {value:.3f}" for key, value in scored.items()))
            print(f"    {figures['tab']['counts']}")
        print(f"    values left readable {share(*left_readable(documents, copies))}")
        print(
            f"    EMR {scores['emr']}  LF {scores['lf']}  HL {scores['hl']}  OE {scores['oe']}  risk {scores['risk']}"
        )
        print(f"    text kept {share(kept, sum(len(document.text) for document in documents))}")


def _joined(places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def show_utility(texts: Sequence[str], systems: Sequence[Copies]) -> None:
    model = HealthModel.from_bytes(shipped_model())
    before = [verdict.positive for verdict in model.classify(texts)]
    print(f"\nutility: {len(texts)} notes of visits, {sum(before)} of them health information")
    for copies in systems:
        pairs = [(at, copy) for at, copy in enumerate(copies.texts) if copy is not None]
        after = [verdict.positive for verdict in model.classify([copy for _, copy in pairs])]
        same = sum(before[at] == now for (at, _), now in zip(pairs, after, strict=True))
        terms = kept = 0
        for at, _ in pairs:
            gone = _joined(copies.places[at])
            for match in _WORD.finditer(texts[at]):
                if is_medical(match.group().casefold()):
                    terms += 1
                    kept += not any(low < match.end() and match.start() < high for low, high in gone)
        print(f"  {copies.system}: copies {len(pairs)}, verdict unchanged {share(same, len(pairs))},")
        print(f"    medical words kept {share(kept, terms)}")


def show_trial(seed: int) -> None:
    """Somebody who has the copy and a list of the real people tries to match them, by counts of names and by dates."""
    dice = random.Random(seed)
    weights = [2.0**-at for at in range(len(_GIVEN))]
    lists = tomllib.loads(_NAMES.read_text("utf-8"))
    surnames = dice.sample(lists["en"]["surnames"].split(), _PEOPLE)
    rows = []
    for number in range(_PEOPLE):
        given, surname = dice.choices(_GIVEN, weights)[0], surnames[number]
        born = date(1930, 1, 1) + timedelta(days=dice.randrange(29_000))
        seen = date(2020, 1, 1) + timedelta(days=dice.randrange(700))
        again = seen + timedelta(days=dice.randrange(1, 366))
        rows.append((given, surname, born, seen, again, 100_000 + number))
    header = "First name,Last name,Date of birth,Visit date,Next visit,Row\n"
    table = header + "".join(f"{g},{s},{b},{v},{a},r{n}\n" for g, s, b, v, a, n in rows)
    deidentifier = Deidentifier(load_settings({"deidentify.way": "surrogate"}, environ={}))
    outcome, output = deidentifier.copy(table.encode(), "table")
    deidentifier.close()
    print(f"\nre-identification: {_PEOPLE} people in a table, {outcome.status} {outcome.reason}")
    if outcome.status != WRITTEN:
        return
    made = [line.split(",") for line in output.decode().splitlines()[1:]]
    _by_counts([row[0] for row in rows], [row[0] for row in made], dice)
    real: list[list[Any]] = [[row[column] for row in rows] for column in (2, 3, 4)]
    try:
        copied = [[date.fromisoformat(row[column]) for row in made] for column in (2, 3, 4)]
    except ValueError:
        print("  not all dates of the copy can be read")
        return
    (births, visits, nexts), (births_made, visits_made, nexts_made) = real, copied
    _by_nearness("dates of birth", _days(births), _days(births_made))
    _by_nearness("dates of visits", _days(visits), _days(visits_made))
    from_birth = _gaps(births, visits), _gaps(births_made, visits_made)
    _by_nearness("days from birth to visit", from_birth[0], from_birth[1])
    between = _gaps(visits, nexts), _gaps(visits_made, nexts_made)
    _by_nearness("days between two visits, which are kept on purpose", between[0], between[1])


def _by_counts(real: Sequence[str], made: Sequence[str], dice: random.Random) -> None:
    """The commonest name of the copy is taken for the commonest real one, and so on.

    Surrogates have the sex of the name, so chance is what the guess reaches when they are shuffled within a sex.
    """
    right = _guessed(real, made)
    chances = []
    for _ in range(_SHUFFLES):
        shuffled = list(made)
        for sex in (0, 1):
            places = [at for at, name in enumerate(real) if _GIVEN.index(name) % 2 == sex]
            for at, other in zip(places, dice.sample(places, len(places)), strict=True):
                shuffled[at] = made[other]
        chances.append(_guessed(real, shuffled))
    as_many = sum(chance >= right for chance in chances)
    mean = sum(chances) / _SHUFFLES
    print(f"  names by how often they occur: {right} of {len(real)} right, {mean:.1f} by chance;")
    print(f"    {as_many} of {_SHUFFLES:,} shuffles do as well")


def _guessed(real: Sequence[str], made: Sequence[str]) -> int:
    ranked = [name for name, _ in Counter(real).most_common()]
    guesses = dict(zip([name for name, _ in Counter(made).most_common()], ranked, strict=False))
    return sum(guesses.get(copy) == name for name, copy in zip(real, made, strict=True))


def _days(dates: Sequence[date]) -> list[int]:
    return [day.toordinal() for day in dates]


def _gaps(first: Sequence[date], second: Sequence[date]) -> list[int]:
    return [(later - earlier).days for earlier, later in zip(first, second, strict=True)]


def _by_nearness(name: str, real: Sequence[int], made: Sequence[int]) -> None:
    """Each row of the copy is matched with the real person whose number is nearest."""
    right = 0.0
    for at, number in enumerate(made):
        gaps = [abs(number - other) for other in real]
        nearest = [place for place, gap in enumerate(gaps) if gap == min(gaps)]
        right += (at in nearest) / len(nearest)
    print(f"  {name} by nearness: {right:.1f} of {len(real)} right, 1 by chance")


def other_cases(data: Path) -> list[CorpusDocument]:
    """Those court cases of TAB's dev that taught the screen nothing: the half that most people annotated.

    Their annotators are joined, so that a mention is masked if anybody masked it, and nothing says which are direct.
    """
    rows = [json.loads(line) for line in (data / "tab_dev106_rebuilt.jsonl").read_text("utf-8").splitlines()]
    rows.sort(key=lambda row: (row["annotators_joined"], row["doc_id"]))
    return [
        CorpusDocument(
            row["doc_id"],
            row["text"],
            tuple(
                sorted(
                    Marked(one["start_offset"], one["end_offset"], one["entity_type"])
                    for one in row["mentions"]
                    if one["masked_by_any"]
                )
            ),
        )
        for row in rows[len(rows) // 2 :]
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with the corpora")
    parser.add_argument("--most", type=int, default=150, help="generated sentences, and a third as many notes")
    parser.add_argument("--ways", nargs="+", default=["tag", "surrogate"])
    parser.add_argument("--parts", nargs="+", default=_PARTS, choices=_PARTS)
    parser.add_argument("--presidio", help="python of an environment with presidio-analyzer and presidio-anonymizer")
    parser.add_argument("--spacy-model", default="en_core_web_lg")
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    cases = [one for one in read_corpus(arguments.data / "tab_train92_dev21.jsonl") if one.split == "dev"]
    made = read_corpus(arguments.data / "pii_presidio_generated_large.jsonl")
    sentences = random.Random(arguments.seed).sample(made, arguments.most)
    lines = (arguments.data / "health_aci_bench.jsonl").read_text("utf-8").splitlines()
    notes = [json.loads(line)["text"] for line in random.Random(arguments.seed).sample(lines, arguments.most // 3)]

    def systems(texts: Sequence[str]) -> list[Copies]:
        copies = [by_leakscreen(texts, way) for way in arguments.ways]
        if arguments.presidio:
            copies.append(by_presidio(texts, arguments.presidio, arguments.spacy_model))
        return copies

    if "trial" in arguments.parts:
        show_trial(arguments.seed)
    if "cases" in arguments.parts:
        show_hiding("court cases (TAB, dev, tuned on them)", cases, systems([case.text for case in cases]))
    if "more-cases" in arguments.parts:
        others = other_cases(arguments.data)
        show_hiding("court cases (TAB, dev, taught nothing)", others, systems([case.text for case in others]))
    if "sentences" in arguments.parts:
        show_hiding("generated sentences", sentences, systems([one.text for one in sentences]))
    if "notes" in arguments.parts:
        show_utility(notes, systems(notes))


if __name__ == "__main__":
    main()
