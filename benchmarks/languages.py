"""Clinical texts and names in other languages -> what is touched and referred: `python -m benchmarks.languages`.

Counted for the clinical sets: the share of marked values that a span touches, by kind, the worst first; patients'
names; the share of the letters that spans cover; documents that a scan refers. For the sets of names (`--sets DIR`,
files named `es_....conll` or `es_....jsonl`): precision and recall of the words of people's names, beside a spaCy model
of the language (`--peer PYTHON es=es_core_news_sm`). The part `judge` is never looked at for causes; `find` is.
`--speed en=DIR fr=DIR` counts the CPU of the whole screen on texts of the same kinds in several languages instead.
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.language_sets import (
    PARTS,
    Annotated,
    french_sentences,
    german_letters,
    marked_pages,
    named_pages,
    spanish_cases,
)
from benchmarks.names_by_kind import PEOPLE, Score, peer_people
from benchmarks.real_share import scanned
from core.records import Span
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

_CLINICAL = {
    "MEDDOCAN (es)": spanish_cases,
    "GraSCCo (de)": german_letters,
    "eds-pseudo (fr)": french_sentences,
}
_TREEBANKS = {
    "da": "uner/Danish-DDT/da_ddt-ud-dev.iob2",
    "sv": "uner/Swedish-Talbanken/sv_talbanken-ud-dev.iob2",
    "pt": "uner/Portuguese-Bosque/pt_bosque-ud-dev.iob2",
}
_READERS = {".conll": named_pages, ".jsonl": marked_pages}
_SHOWN_AROUND = 40
_ROUNDS = 3


def main() -> None:
    arguments = _parser().parse_args()
    screen = Screen(load_rules(), b"k" * 32)
    if arguments.speed:
        _print_speed(screen, dict(pair.split("=", 1) for pair in arguments.speed))
        return
    peers = dict(pair.split("=", 1) for pair in arguments.peer[1:]) if arguments.peer else {}
    python = arguments.peer[0] if arguments.peer else ""
    for name, read in _CLINICAL.items():
        texts = list(read(arguments.data, arguments.part))
        spans, seconds = _timed(screen, texts)
        _print_values(name, texts, spans)
        if not arguments.no_scan and read is not french_sentences:  # sentences of nobody in particular
            print(f"  referred {_referred(texts):>4} of {len(texts)} documents")
        _print_names(name, texts, spans, seconds, python, peers)
        if arguments.mistakes:
            _print_mistakes(texts, spans, arguments.mistakes, arguments.part)
    for name, texts in _sets_of_names(arguments):
        spans, seconds = _timed(screen, texts)
        _print_names(name, texts, spans, seconds, python, peers)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(), help="folder with languages/")
    parser.add_argument("--speed", nargs="+", metavar="en=DIR", help="folders of text files, one a language")
    parser.add_argument("--part", choices=PARTS, default="judge")
    parser.add_argument("--sets", type=Path, help="folder with pages of marked names, such as es_news.conll")
    parser.add_argument("--peer", nargs="+", metavar=("PYTHON", "es=MODEL"), help="spaCy's Python and its models")
    parser.add_argument("--no-scan", action="store_true", help="leave out what a scan refers")
    parser.add_argument(
        "--mistakes", default="", metavar="KIND", help="values of this kind that nothing touched (find)"
    )
    return parser


def _print_speed(screen: Screen, folders: dict[str, str]) -> None:
    """Spans and passages, the best of some rounds; the languages take turns, as the machine may be busy."""
    texts = {
        name: [path.read_text(encoding="utf-8") for path in Path(folder).iterdir()] for name, folder in folders.items()
    }
    best = dict.fromkeys(texts, float("inf"))
    for _ in range(_ROUNDS):
        for name, own in texts.items():
            start = time.process_time()
            screen.passages_of_each(own)
            best[name] = min(best[name], time.process_time() - start)
    for name, own in texts.items():
        print(f"{name}: {sum(map(len, own)) / best[name] / 1e6:.2f} MB/s of {sum(map(len, own)):,} characters")


def _timed(screen: Screen, texts: Sequence[Annotated]) -> tuple[list[list[Span]], float]:
    start = time.process_time()
    spans = [screen.spans(one.text) for one in texts]
    return spans, time.process_time() - start


def _print_values(title: str, texts: Sequence[Annotated], spans: Sequence[Sequence[Span]]) -> None:
    marked: Counter[str] = Counter()
    touched: Counter[str] = Counter()
    letters = masked = patients = patients_touched = 0
    for one, own in zip(texts, spans, strict=True):
        covered = _covered(one.text, own)
        letters += len(one.text)
        masked += sum(covered)
        for value in one.values:
            hit = any(covered[value.start : value.end])
            marked[value.kind] += 1
            touched[value.kind] += hit
            patients += value.kind in one.patients
            patients_touched += hit and value.kind in one.patients
    print(f"\n{title}: {len(texts)} documents")
    for kind, number in sorted(marked.items(), key=lambda item: (touched[item[0]] / item[1], item[0])):
        print(f"  {kind:<34}{touched[kind]:>6} of {number:<6}{touched[kind] / number:.3f}")
    total = sum(marked.values())
    print(f"  values touched  {sum(touched.values())} of {total}  {sum(touched.values()) / total:.3f}")
    print(f"  patients' names {patients_touched} of {patients}  {patients_touched / patients:.3f}")
    print(f"  masked share of the text {masked / letters:.3f}")


def _covered(text: str, spans: Sequence[Span]) -> bytearray:
    covered = bytearray(len(text))
    for span in spans:
        covered[span.start : span.end] = b"\1" * (span.end - span.start)
    return covered


def _referred(texts: Sequence[Annotated]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        for one in texts:
            Path(folder, f"{one.name}.txt").write_text(one.text, encoding="utf-8")
        return sum(outcome.referred for outcome in scanned([Path(folder)], 1).values())


def _print_names(
    title: str,
    texts: Sequence[Annotated],
    spans: Sequence[Sequence[Span]],
    seconds: float,
    python: str,
    peers: dict[str, str],
) -> None:
    """Words of people's names, ours and the peer's."""
    own, other = Score(), Score()
    for one, found in zip(texts, spans, strict=True):
        own.add(one.text, one.names(), [(span.start, span.end) for span in found if span.characteristic in PEOPLE])
    letters = sum(len(one.text) for one in texts)
    print(f"  words of names, {title}: {_in_words(own)}; {letters / seconds / 1000:.0f} kB/s")
    language = texts[0].language
    if language in peers:
        theirs, peer_seconds = peer_people(python, "spacy_people.py", peers[language], [one.text for one in texts])
        for one, people in zip(texts, theirs, strict=True):
            other.add(one.text, one.names(), people)
        print(f"    {peers[language]}: {_in_words(other)}; {letters / peer_seconds / 1000:.0f} kB/s")


def _in_words(score: Score) -> str:
    return (
        f"precision {score.precision:.3f} ({score.right} of {score.found}), "
        f"recall {score.recall:.3f} ({score.right} of {score.names})"
    )


def _sets_of_names(arguments: argparse.Namespace) -> Iterator[tuple[str, list[Annotated]]]:
    for language, path in _TREEBANKS.items():
        yield path.rpartition("/")[2], list(named_pages(arguments.data / "languages" / path, arguments.part, language))
    for path in sorted(arguments.sets.iterdir()) if arguments.sets else ():
        read = _READERS.get(path.suffix)
        if read is not None:
            yield path.stem, list(read(path, arguments.part, path.stem[:2]))


def _print_mistakes(texts: Sequence[Annotated], spans: Sequence[Sequence[Span]], kind: str, part: str) -> None:
    if part == "judge":
        raise SystemExit("mistakes of the part judge are not looked at; use --part find")
    for one, own in zip(texts, spans, strict=True):
        covered = _covered(one.text, own)
        for value in one.values:
            if value.kind.startswith(kind) and not any(covered[value.start : value.end]):
                around = one.text[max(0, value.start - _SHOWN_AROUND) : value.end + _SHOWN_AROUND]
                print(f"    {one.text[value.start : value.end]!r} in {around!r}")


if __name__ == "__main__":
    main()
