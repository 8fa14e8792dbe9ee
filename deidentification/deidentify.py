"""The bytes of a file -> a copy that was read again and found to be free of what the original held, or why not."""

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from core.detect_language import language_of
from core.records import Document, Span
from core.settings import Settings
from deidentification.confined.rewriter import NotRewrittenError, OpenFile, Rewriter
from deidentification.finding import Finder
from deidentification.people import INITIALS, People
from deidentification.replace import BORN, Folder, Replacer, births_of, own_spans, values_of
from deidentification.surrogates.dates import days_first
from deidentification.surrogates.dice import Dice
from deidentification.surrogates.numbers import Validator
from deidentification.values import Value, Values, is_filler
from deidentification.verify import Ours, Reader, Remaining, UnreadableError, remaining
from deidentification.view import Run, View
from deidentification.ways import read_ways
from extraction.sandbox import Sandbox
from screening.entities.model import shipped_model
from screening.patterns.validators import validator_of
from screening.privacy.key import load_key
from screening.ruleset.ruleset import RuleSet, rules_of
from screening.same_person import SamePerson
from screening.screen import Screen

WRITTEN, REFUSED, FAILED, UNREADABLE = "written", "refused", "failed", "unreadable"
_ROUNDS = 4  # what one round uncovers, the next replaces
_NOT_IN_NAMES = re.compile(r"[/\0\\]")
_WORD = re.compile(r"[^\W_]+")
_MOST_PLACES = 5  # of values that remain, named in a message


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file; it names places and counts, never a value."""

    status: str
    reason: str = ""
    media_type: str = ""
    replaced: tuple[tuple[str, int], ...] = ()
    characters: int = 0
    kept: int = 0  # characters of the original's text that are in the copy


class Deidentifier:
    """All files of one run: they share people, surrogates and numbers of tags."""

    def __init__(self, settings: Settings, *, mapping: bool = False) -> None:
        rules = rules_of(settings.rules)
        known = frozenset(each.id for each in rules.characteristics)
        chosen = settings.deidentify
        self._ways = read_ways(chosen.way, chosen.ways_file, known)
        key = os.urandom(32) if chosen.key == "fresh" else load_key(settings.privacy.key_file)
        self._finder = Finder(Screen(rules, key, evidence=0), rules, self._ways)
        self._limits = settings.limits
        self._folder = Folder(
            ways=self._ways,
            dice=Dice(key),
            people=People(),
            same_person=SamePerson(rules.nearness, rules.names.particles if rules.names else ()),
            validators=_validators(rules),
            most_days=chosen.date_shift_days,
            mapping={} if mapping else None,
        )
        self._lists = shipped_model().gazetteer
        required = settings.privacy.sandbox == "require"
        self._sandbox = Sandbox(settings.limits, ocr=settings.ocr, require=required)
        try:
            self._rewriter = Rewriter(settings.limits, settings.ocr, require=required)
        except BaseException:
            self._sandbox.close()
            raise
        self._reader = Reader(self._sandbox)
        self._known: set[Value] = set()  # all values of the folder so far, for the names of files

    def close(self) -> None:
        self._sandbox.close()
        self._rewriter.close()

    @property
    def most_bytes(self) -> int:
        """Of a file that has a copy."""
        return self._limits.read_bytes

    @property
    def mapping(self) -> dict[tuple[str, str], str]:
        return self._folder.mapping or {}

    def learn(self, data: bytes, name: str) -> None:
        """The people of a file, before the first file of its folder is rewritten."""
        for document in self._reader.documents(data, name):
            self._learn(document)

    def _learn(self, document: Document) -> list[Value]:
        text = document.text
        spans = self._finder.spans(text, document.media_type)
        self._folder.people.learn(text, spans)
        dates = [text[span.start : span.end] for span in spans if span.characteristic == BORN]
        self._folder.births |= births_of(text, spans, days_first(dates, otherwise=False))
        values = values_of(text, spans, self._ways)
        self._known.update(values)
        return values

    def copy(self, data: bytes, name: str) -> tuple[Outcome, bytes]:
        """Empty unless the outcome says that it is to be written."""
        if len(data) > self._limits.read_bytes:
            return Outcome(REFUSED, f"larger than the read limit ({self._limits.read_bytes:,} bytes)"), b""
        try:
            originals = self._reader.examined(data, name, whole=False)
        except UnreadableError as unreadable:
            return Outcome(UNREADABLE, str(unreadable)), b""
        try:
            with self._rewriter.opened(data) as opened:
                return self._copy(opened, originals, name)
        except NotRewrittenError as refused:
            return Outcome(REFUSED, str(refused)), b""

    def name(self, name: str) -> str:
        """A name of a file or folder without the people of the folder in it."""
        view = View([Run(name.replace("_", " "))])
        known = Values(self._lists)
        known.update(self._known)
        edits = Replacer(self._folder, "en").edits(view, self._finder.spans(view.text), known)
        return _NOT_IN_NAMES.sub("-", view.edited(edits).text) if edits else name

    def _copy(self, opened: OpenFile, originals: Sequence[Document], name: str) -> tuple[Outcome, bytes]:
        values = Values(self._lists)
        language = language_of([document.text for document in originals]) or "en"
        for document in originals:
            values.update(self._learn(document))
        replacer = Replacer(self._folder, language)
        view = View(opened.runs)
        left: list[Remaining] = []
        initials: set[str] = set()  # that only the reading of a copy shows
        for attempt in range(_ROUNDS):
            replacer.only_tags = attempt >= _ROUNDS // 2
            view = self._replaced(view, replacer, values, initials, screened=opened.is_prose)
            outputs = opened.rewritten(view.changes_from(opened.runs))
            try:
                left = [
                    one
                    for at, output in enumerate(outputs)
                    for one in self._left(output, name, values, replacer, from_picture=at > 0 or opened.is_picture)
                ]
            except UnreadableError as unreadable:
                return self._outcome(FAILED, opened, replacer, view, f"the copy cannot be checked: {unreadable}"), b""
            if not left:
                return self._outcome(WRITTEN, opened, replacer, view), outputs[0]
            parts = [word for one in left if not _is_in(view, one.value) for word in _words(one.value, self._lists)]
            known = values.update(one.value for one in left)
            letters = {one.value.text for one in left if one.value.characteristic == INITIALS}
            if not values.update(replacer.not_ours(parts)) and not known and letters <= initials:
                break
            initials |= letters
        return self._outcome(FAILED, opened, replacer, view, _still_there(left)), b""

    def _replaced(self, view: View, replacer: Replacer, values: Values, initials: Set[str], *, screened: bool) -> View:
        """Replaces until the screen finds nothing more; each round sees less of the original."""
        for _ in range(_ROUNDS):
            spans = self._finder.spans(view.text) if screened else []
            self._folder.people.learn(view.text, [span for span in spans if not view.is_ours(*span[:2])])
            own = [part for span in spans for part in own_spans(view, span, self._lists)]
            own += [Span(start, end, INITIALS, 1.0) for start, end in view.whole_runs(initials)]
            values.update(values_of(view.text, own, self._ways))
            edits = replacer.edits(view, own, values)
            if not edits:
                break
            view = view.edited(edits)
        return view

    def _left(
        self, output: bytes, name: str, values: Values, replacer: Replacer, *, from_picture: bool
    ) -> list[Remaining]:
        ours = Ours(replacer.replacements, self._lists)
        documents = self._reader.examined(output, name, whole=True)
        return list(remaining(documents, values, ours, self._finder, self._ways, from_picture=from_picture))

    def _outcome(self, status: str, opened: OpenFile, replacer: Replacer, view: View, reason: str = "") -> Outcome:
        characters = sum(len(run.text) for run in opened.runs)
        return Outcome(
            status, reason, opened.media_type, tuple(sorted(replacer.replaced.items())), characters, view.kept
        )


def _is_in(view: View, value: Value) -> bool:
    """Whether it is there as one stretch; the reader of a copy may join what are several attributes in the file."""
    alone = Values({})
    alone.add(value)
    return any(True for _ in alone.places(view.text))


def _words(value: Value, lists: Mapping[str, int]) -> list[Value]:
    """`Mary Thompson` may be there as two fields in another order."""
    words = [match.group() for match in _WORD.finditer(value.text)]
    return [value._replace(text=word) for word in words if len(words) > 1 and not is_filler(word, lists)]


def _still_there(left: Sequence[Remaining]) -> str:
    counts = Counter((one.value.characteristic, one.place) for one in left)
    named = [f"{characteristic} at {place}" for characteristic, place in list(counts)[:_MOST_PLACES]]
    more = f" and {len(counts) - _MOST_PLACES:,} more places" if len(counts) > _MOST_PLACES else ""
    return f"still in the copy: {'; '.join(named)}{more}"


def _validators(rules: RuleSet) -> Callable[[str], Sequence[Validator]]:
    by_characteristic: dict[str, list[Validator]] = {}
    for detector in rules.detectors:
        check = validator_of(detector.validator) if detector.validator else None
        if check is not None:
            by_characteristic.setdefault(detector.characteristic, []).append(check)
    return lambda characteristic: by_characteristic.get(characteristic, [])
