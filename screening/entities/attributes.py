"""Which attributes of a word count for it and for its neighbours, and how the trainer sees a place in a text."""

from collections.abc import Iterator, Sequence

from screening.entities.letters import letter_attributes
from screening.entities.reading import MOODS, REACH, Reading
from screening.entities.words import CLASSES

OFFSETS = tuple(range(-REACH, REACH + 1))
_SEEN_NEXT = ("w=", "s=", "c=", "g=", "f=", "x3=", "d=", "year", "day", "x2=")
_SEEN_FAR = ("w=", "s=", "c=", "g=", "year")


def seen_at(attributes: Sequence[str], offset: int) -> list[str]:
    """Of the attributes of a word, those that matter `offset` places away."""
    if offset == 0:
        return list(attributes)
    prefixes = _SEEN_NEXT if abs(offset) == 1 else _SEEN_FAR
    return [attribute for attribute in attributes if attribute.startswith(prefixes)]


def word_attribute(offset: int, attribute: str) -> str:
    return f"{offset}|{attribute}"


# Tables of scores by number: name -> how many numbers there are.
# Each is looked up by a field of a Reading, or by a part of it.
TABLES = {
    "triple": CLASSES**3,
    "left": CLASSES**2,
    "right": CLASSES**2,
    "mood": MOODS * CLASSES,
    "mood_alone": MOODS,
    "trust": 4 * CLASSES,
    "cue": 16 * CLASSES,
    "cue_alone": 16,
}


def table_attribute(table: str, number: int) -> str:
    return f"{table}#{number}"


def described(reading: Reading) -> Iterator[list[str]]:
    """The attributes of each place of a text, as the trainer wants them."""
    cache: dict[tuple[int, int], list[str]] = {}
    numbers = reading.words.tolist()
    tables = zip(
        reading.triples.tolist(), reading.moods.tolist(), reading.trusts.tolist(), reading.cues.tolist(), strict=True
    )
    for place, (triple, mood, trust, cue) in enumerate(tables):
        attributes: list[str] = []
        for offset in OFFSETS:
            key = (offset, numbers[place + REACH + offset])
            if key not in cache:
                form, own = reading.vocabulary.attributes(key[1])
                of_word = form + letter_attributes(own) if form else own
                cache[key] = [word_attribute(offset, attribute) for attribute in seen_at(of_word, offset)]
            attributes += cache[key]
        attributes += (
            table_attribute("triple", triple),
            table_attribute("left", triple // CLASSES),
            table_attribute("right", triple % CLASSES**2),
            table_attribute("mood", mood),
            table_attribute("mood_alone", mood // CLASSES),
            table_attribute("trust", trust),
            table_attribute("cue", cue),
            table_attribute("cue_alone", cue // CLASSES),
        )
        yield attributes
