"""Files -> how many letters other extractors find in them, if these are installed."""

import multiprocessing
import re
import resource
import shutil
import signal
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

SECONDS = 20
_MEMORY = 4_000_000_000
_TIKA_SECONDS = 3 * 3600
_PDFS = (".pdf", ".ai")
_WRITER = (
    ".doc",
    ".docx",
    ".docm",
    ".dot",
    ".dotx",
    ".rtf",
    ".odt",
    ".ott",
    ".fodt",
    ".sxw",
    ".wpd",
    ".wps",
    ".lwp",
    ".abw",
    ".hwp",
)
_WRITER_BATCH = 20

Opinions = dict[Path, dict[str, int]]


@dataclass(frozen=True, slots=True)
class TikaRun:
    letters: dict[Path, int]
    seconds: float  # of processor time, the start of its process included


def letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def ask_programs(paths: list[Path]) -> Opinions:
    """Every reader that takes a file of such a name, two files at a time, each within its time."""
    with multiprocessing.get_context("fork").Pool(2, _limit_memory, maxtasksperchild=100) as pool:
        return dict(pool.imap_unordered(_ask_each, paths, chunksize=4))


def _limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _ask_each(path: Path) -> tuple[Path, dict[str, int]]:
    ending = path.suffix.lower()
    letter_counts = {
        name: letters(_run(command, path))
        for name, command in _PROGRAMS.get(ending, {}).items()
        if shutil.which(command[0])
    }
    if ending in _PDFS:
        letter_counts["pdfminer.six"] = _within_time(_pdfminer, path)
    expected = [*_expected(path)]
    if expected:
        letter_counts["expected"] = max(expected)
    return path, letter_counts


_PROGRAMS: dict[str, dict[str, list[str]]] = {
    ".pdf": {"pdftotext": ["pdftotext", "-q", "{}", "-"]},
    ".ai": {"pdftotext": ["pdftotext", "-q", "{}", "-"]},
    ".doc": {"catdoc": ["catdoc", "-w", "{}"], "antiword": ["antiword", "{}"]},
    ".rtf": {"unrtf": ["unrtf", "--text", "{}"]},
    ".xls": {"xls2csv": ["xls2csv", "{}"]},
    ".ppt": {"catppt": ["catppt", "{}"]},
}


def _run(command: list[str], path: Path) -> str:
    filled = [part.replace("{}", str(path.absolute())) for part in command]
    with tempfile.TemporaryDirectory() as leavings:  # unrtf leaves the pictures of a text where it runs
        try:
            done = subprocess.run(filled, capture_output=True, timeout=SECONDS, check=False, cwd=leavings)
        except subprocess.TimeoutExpired:
            return ""
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    return "\n".join(line for line in lines if not line.startswith("###"))  # what unrtf tells about itself


def _within_time(read: Callable[[Path], int], path: Path) -> int:
    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        return read(path)
    except Exception:
        return 0
    finally:
        signal.alarm(0)


def _pdfminer(path: Path) -> int:
    import logging

    from pdfminer.high_level import extract_text

    logging.disable()
    return letters(re.sub(r"\(cid:\d+\)", "", extract_text(path)))  # what it writes for glyphs that it cannot spell


def _expected(path: Path) -> Iterator[int]:
    """A text of the same name beside a file is what it must yield, as in the test sets of extractors."""
    for candidate in {path.with_suffix(".txt"), *path.parent.glob(f"{_escaped(path.stem)}-m=*.txt")}:
        if path.suffix != ".txt" and candidate.is_file():
            yield letters(candidate.read_text(encoding="utf-8", errors="replace"))


def _escaped(name: str) -> str:
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in name)


def ask_libreoffice(paths: list[Path]) -> dict[Path, int]:
    """Written documents only: of a spreadsheet it gives the first sheet, of slides nothing."""
    documents = [path for path in paths if path.suffix.lower() in _WRITER]
    letter_counts: dict[Path, int] = {}
    for start in range(0, len(documents), _WRITER_BATCH):
        letter_counts |= _converted(documents[start : start + _WRITER_BATCH])
    return letter_counts


def _converted(documents: list[Path]) -> dict[Path, int]:
    """One after the other where a batch takes too long, so that one document does not cost the others their opinion."""
    with tempfile.TemporaryDirectory() as folder:
        named = {f"{number}{path.suffix.lower()}": path for number, path in enumerate(documents)}
        for name, path in named.items():
            shutil.copyfile(path, Path(folder, name))
        command = [
            "soffice",
            f"-env:UserInstallation=file://{folder}/profile",
            "--headless",
            "--convert-to",
            "txt:Text (encoded):UTF8",
        ]
        command += ["--outdir", f"{folder}/out", *(f"{folder}/{name}" for name in named)]
        try:
            subprocess.run(command, capture_output=True, timeout=SECONDS * max(3, len(documents) // 2), check=False)
        except subprocess.TimeoutExpired:
            if len(documents) > 1:
                return {path: count for document in documents for path, count in _converted([document]).items()}
        texts = {path: Path(folder, "out", Path(name).stem + ".txt") for name, path in named.items()}
        return {
            path: letters(text.read_text(encoding="utf-8", errors="replace"))
            for path, text in texts.items()
            if text.is_file()
        }


def ask_tika(jar: Path, paths: list[Path]) -> TikaRun:
    """One Java process: its batch mode would end at the first stack overflow; a new one after a file that hangs."""
    source = Path(__file__).with_name("TikaLetters.java")
    waiting = [path for path in paths if "\n" not in str(path)]
    letter_counts: dict[Path, int] = {}
    with tempfile.TemporaryDirectory() as classes:
        subprocess.run(["javac", "-cp", str(jar), "-d", classes, str(source)], check=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        while waiting:
            answers = _tika_answers(["java", "-Xmx2g", "-cp", f"{jar}:{classes}", source.stem], waiting)
            letter_counts |= dict(zip(waiting, answers, strict=False))
            waiting = waiting[max(1, len(answers)) :]
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return TikaRun(letter_counts, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _tika_answers(command: list[str], paths: list[Path]) -> list[int]:
    request = "".join(f"{path}\n" for path in paths).encode()
    done = subprocess.run(
        command, input=request, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=_TIKA_SECONDS, check=False
    )
    return [int(line.partition("\t")[0]) for line in done.stdout.decode().splitlines()]


def joined(programs: Opinions, further: dict[str, dict[Path, int]]) -> Opinions:
    together: Opinions = defaultdict(dict)
    for path, letter_counts in programs.items():
        together[path] |= letter_counts
    for name, counts in further.items():
        for path, count in counts.items():
            together[path][name] = count
    return dict(together)
