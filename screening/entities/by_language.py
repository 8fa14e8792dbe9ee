"""Texts -> spans of names, each text found by the model of its own language, or by the English one."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from core.detect_language import language_of
from core.records import Span
from screening.entities.finder import EntityFinder
from screening.entities.model import EntityModel

# Prose in a language with a model of its own has one of these; most other texts need no further look.
_SMALL_WORDS = (" de ", " la ", " en ", " que ", " et ", " el ", " les ", " un ")
_LOOKED_THROUGH = 6_000  # characters of a text
_SAMPLE = 1_800  # of which its language is recognised, if any of those words is there


class Found(NamedTuple):
    spans: list[Span]
    language: str  # whose model read the text
    lists: Mapping[str, int]  # of that model


class FinderByLanguage:
    """The English model reads whatever has no other; models of other languages are loaded by their first text."""

    def __init__(self, model: EntityModel, legal: EntityModel, model_of: Callable[[str], EntityModel | None]) -> None:
        self._english = EntityFinder(model, legal)
        self._legal = legal
        self._model_of = model_of
        self._finders: dict[str, EntityFinder] = {}
        self.means_little_else = self._english.means_little_else
        self.could_be_name = self._english.could_be_name

    def find_each(self, texts: Sequence[str], threshold: float) -> list[Found]:
        """What each text holds: the same as if it were alone, but many small texts take less time together."""
        numbers: dict[EntityFinder, list[int]] = {}
        for number, text in enumerate(texts):
            numbers.setdefault(self._finder_of(text), []).append(number)
        found: dict[int, Found] = {}
        for finder, own in numbers.items():
            for number, spans in zip(own, finder.find_each([texts[number] for number in own], threshold), strict=True):
                found[number] = Found(spans, finder.language, finder.lists)
        return [found[number] for number in range(len(texts))]

    def _finder_of(self, text: str) -> EntityFinder:
        beginning = text[:_LOOKED_THROUGH].lower()
        if not any(word in beginning for word in _SMALL_WORDS):
            return self._english
        language = language_of([text], _SAMPLE) or ""
        if language not in self._finders:
            model = self._model_of(language)
            self._finders[language] = self._english if model is None else EntityFinder(model, self._legal)
        return self._finders[language]
