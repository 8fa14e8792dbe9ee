"""Text -> spans of people, organizations, places and what else tells who someone is, each with a score."""

from collections.abc import Iterator, Mapping, Sequence

from core.records import Span
from screening.entities.gazetteer import CITY, CITY_PART, COUNTRY, commonness
from screening.entities.model import EntityModel
from screening.entities.people import FIRST_NAME, LAST_NAME, Part, Piece, parts
from screening.entities.reading import Reading
from screening.entities.repeated import with_repetitions
from screening.entities.runs import Run, Scorer
from screening.entities.words import plain_form

PERSON = "PER"
CHARACTERISTICS = {
    "ORG": "organization_name",
    "ADDR": "street_address",
    "DATE": "time",
    "DEM": "demographic",
    "QUANT": "quantity",
    "MISC": "other_detail",
    "CODE": "other_unique_number",
}
_BLOCK = 400_000  # characters read at a time
_SEEN_AROUND = 4
_COMMON = 4


class EntityFinder:
    """Finds entities in any number of texts; holds nothing of them."""

    def __init__(self, model: EntityModel) -> None:
        self._model = model
        self._scorer = Scorer(model.labels, model.about["points"])

    def find(self, text: str, threshold: float) -> list[Span]:
        found: list[Span] = []
        for start, block in blocks(text):
            found += (
                Span(each.start + start, each.end + start, each.characteristic, each.score) for each in self._in_block(block, threshold)
            )
        return found

    def means_little_else(self, word: str) -> bool:
        """Whether a word with a capital is hardly ever anything but a name."""
        return word[:1].isupper() and commonness(self._model.gazetteer.get(plain_form(word), 0)) < _COMMON

    def _in_block(self, text: str, threshold: float) -> list[Span]:
        reading, chances = self._model.probabilities(text)
        if not len(reading):
            return []
        kinds, scores = self._scorer.scores(reading, chances)
        runs = self._scorer.runs(kinds, scores, threshold, self._model.is_word(reading))
        runs = with_repetitions(runs, reading, scores, self._model.is_name_like(reading))
        return list(self._spans(text, reading, runs))

    def _spans(self, text: str, reading: Reading, runs: Sequence[Run]) -> Iterator[Span]:
        starts, ends = reading.starts.tolist(), reading.ends.tolist()
        pieces = [Piece(text[start:end], start, end) for start, end in zip(starts, ends, strict=True)] if runs else []
        known = self._known_parts(pieces, runs)
        for run in runs:
            if run.kind == PERSON:
                for part in self._parts(pieces, run, known):
                    yield Span(part.start, part.end, part.characteristic, run.score)
            else:
                yield Span(starts[run.first], ends[run.last - 1], self._characteristic(run, pieces), run.score)

    def _parts(self, pieces: Sequence[Piece], run: Run, known: Mapping[str, str]) -> list[Part]:
        before = [piece.text for piece in reversed(pieces[max(0, run.first - _SEEN_AROUND) : run.first])]
        after = [piece.text for piece in pieces[run.last : run.last + _SEEN_AROUND]]
        return parts(pieces[run.first : run.last], before, after, self._model.gazetteer, known)

    def _known_parts(self, pieces: Sequence[Piece], runs: Sequence[Run]) -> dict[str, str]:
        """Which part of a name a word is, where the document has the name in full."""
        known: dict[str, str] = {}
        for run in runs:
            if run.kind == PERSON and run.last - run.first > 1:
                for part in self._parts(pieces, run, {}):
                    if part.characteristic in (FIRST_NAME, LAST_NAME):
                        words = [piece for piece in pieces[run.first : run.last] if part.start <= piece.start < part.end]
                        known.update({plain_form(word.text): part.characteristic for word in words if len(word.text) > 1})
        return known

    def _characteristic(self, run: Run, pieces: Sequence[Piece]) -> str:
        if run.kind != "LOC":
            return CHARACTERISTICS[run.kind]
        codes = [self._model.gazetteer.get(plain_form(piece.text), 0) for piece in pieces[run.first : run.last] if piece.text[0].isalpha()]
        towns = any(code & (CITY | CITY_PART) and not code & COUNTRY for code in codes)
        return "city" if towns and not any(code & COUNTRY for code in codes) else "place"


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """The text in pieces that end with a line, or with a space where lines are endless."""
    start = 0
    while len(text) - start > _BLOCK:
        end = text.rfind("\n", start + _BLOCK // 2, start + _BLOCK) + 1
        end = end or text.rfind(" ", start + _BLOCK // 2, start + _BLOCK) + 1 or start + _BLOCK
        yield start, text[start:end]
        start = end
    yield start, text[start:] if start else text
