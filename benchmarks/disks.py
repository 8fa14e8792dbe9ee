"""Disks that were used up in several ways -> how many deleted files leakscreen and forensic tools get back whole.

    python -m benchmarks.disks [--of-each 8] [--seed 21]

A file counts as found if a recovered file has the same SHA-256; in brackets those of them that lie on the disk in
pieces. Files that other files overwrote are not counted. Needs
the tools of the tests, and for the comparison Debian's sleuthkit, foremost and testdisk (photorec); a missing one is
left out.
"""

import argparse
import hashlib
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from core.records import FileRef
from core.settings import LimitSettings
from extraction.examine import examine
from extraction.sandbox import Sandbox
from tests.extraction.used_disks import (
    KINDS,
    TOOLS,
    aged_ext,
    aged_fat,
    exfat,
    ext,
    ext_delete,
    fat,
    fat_delete,
    make_files,
    ntfs,
    ntfs_delete,
    run,
)

Recovered = tuple[set[str], str]  # hashes of files, and all text
_PIECES, _LINES = "in pieces", "lines of mails and texts"
_OPTIONS = "fileopt,everything,disable,pdf,enable,zip,enable,jpg,enable,txt,enable,search"


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _half(files: Iterable[str]) -> list[str]:
    return sorted(files)[::2]


def scenarios(folder: Path, files: dict[str, bytes], made: Path) -> dict[str, tuple[Path, list[str]]]:
    """Images, each with the names of what was deleted from it and is still there."""
    gone = _half(files)
    images = {}

    def image(name: str) -> Path:
        return made / name.replace(" ", "-")

    for bits in ("16", "32"):
        fat(path := image(f"fat{bits}"), folder, files, bits, 80 if bits == "32" else 32)
        fat_delete(path, gone)
        images[f"FAT{bits}, deleted"] = (path, gone)
    ext(path := image("ext2"), folder, "ext2", 32)
    ext_delete(path, gone, wipe_inodes=False)
    images["ext2, deleted"] = (path, gone)
    ext(path := image("ext4"), folder, "ext4", 32)
    ext_delete(path, gone)
    images["ext4, deleted, inodes emptied"] = (path, gone)
    ntfs(path := image("ntfs"), folder, files, 32)
    ntfs_delete(path, gone)
    images["NTFS, deleted"] = (path, gone)
    exfat(path := image("exfat"), files, gone, 32)
    images["exFAT, deleted"] = (path, gone)
    fat(path := image("formatted"), folder, files, "16", 32)
    run("mkfs.fat", "-F", "16", path)
    images["FAT16, formatted"] = (path, sorted(files))
    images["FAT16, all deleted, then written to"] = _overwritten(image("overwritten"), folder, files)
    scratch = made / "scratch"
    scratch.mkdir()
    aged_fat(path := image("aged-fat"), folder, files, scratch)
    fat_delete(path, gone)
    images["FAT16, aged, deleted"] = (path, gone)
    shutil.copy(path, formatted := image("aged-formatted"))
    run("mkfs.fat", "-F", "16", "-s", "4", formatted)
    images["FAT16, aged, formatted"] = (formatted, sorted(files))
    for title, wipe in (("inodes kept", False), ("inodes emptied", True)):
        aged_ext(path := image(f"aged-ext-{wipe}"), folder, files, scratch)
        ext_delete(path, gone, wipe_inodes=wipe)
        images[f"ext4, aged, deleted, {title}"] = (path, gone)
    return images


def _overwritten(path: Path, folder: Path, files: dict[str, bytes]) -> tuple[Path, list[str]]:
    fat(path, folder, files, "16", 32)
    fat_delete(path, list(files))
    later = path.with_suffix(".later")
    later.write_bytes(b"x = 1\n" * 40_000)
    run("mcopy", "-i", path, later, "::")
    image = path.read_bytes()
    return path, [name for name, data in files.items() if data in image]


def by_leakscreen(image: Path, out: Path) -> Recovered:
    ref = FileRef(uri=str(image), path=bytes(image), size=0, mtime_ns=0, source=str(image))
    with Sandbox(LimitSettings()) as sandbox:
        documents = list(examine(ref, sandbox))
    deleted = [document for document in documents if document.origin.deleted]
    return {document.sha256 or "" for document in deleted}, "\n".join(document.text for document in deleted)


def _below(folder: Path) -> Recovered:
    found = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    return {digest(data) for data in found}, b"\n".join(found).decode("latin-1")


def _lines(names: Iterable[str], files: dict[str, bytes]) -> set[str]:
    """Of deleted mails and texts, without headers and encoded lines; no two files share one, as words are random."""
    texts = (files[name].decode() for name in names if name.endswith((".eml", ".txt")))
    return {line for text in texts for line in text.splitlines() if len(line) > 40 and not set(line) & set(":=")}


def _quietly(*command: str | Path) -> None:
    subprocess.run(command, env=TOOLS, stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False)


def by_tsk_recover(image: Path, out: Path) -> Recovered:
    _quietly("tsk_recover", image, out)
    return _below(out)


def by_foremost(image: Path, out: Path) -> Recovered:
    _quietly("foremost", "-Q", "-i", image, "-o", out / "found")
    return _below(out)


def by_photorec(image: Path, out: Path) -> Recovered:
    _quietly("photorec", "/d", f"{out}/found", "/cmd", image, _OPTIONS)
    return _below(out)


SYSTEMS: dict[str, tuple[str, Callable[[Path, Path], Recovered]]] = {
    "leakscreen": ("", by_leakscreen),
    "tsk_recover": ("tsk_recover", by_tsk_recover),
    "foremost": ("foremost", by_foremost),
    "photorec": ("photorec", by_photorec),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--of-each", type=int, default=8)
    parser.add_argument("--seed", type=int, default=21)
    words = parser.parse_args()
    systems = {name: use for name, (tool, use) in SYSTEMS.items() if not tool or shutil.which(tool, path=TOOLS["PATH"])}
    by_kind: dict[str, Counter[str]] = {name: Counter() for name in systems}
    wanted_of: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        folder, made = Path(place, "files"), Path(place, "images")
        folder.mkdir()
        made.mkdir()
        files = make_files(folder, words.of_each, words.seed)
        print(f"{'disk':38} {'files':>6}", *(f"{name:>20}" for name in systems))
        for title, (image, gone) in scenarios(folder, files, made).items():
            wanted_of.update(name.rpartition(".")[2] for name in gone)
            data = image.read_bytes()
            pieces = {name for name in gone if files[name] not in data}
            wanted_of[_PIECES] += len(pieces)
            lines = _lines(gone, files)
            wanted_of[_LINES] += len(lines)
            read = []
            cells = []
            for system, recover in systems.items():
                with tempfile.TemporaryDirectory() as out:
                    began = time.perf_counter()
                    found, text = recover(image, Path(out))
                    seconds = time.perf_counter() - began
                whole = [name for name in gone if digest(files[name]) in found]
                by_kind[system].update(name.rpartition(".")[2] for name in whole)
                found_pieces = len(pieces & set(whole))
                by_kind[system][_PIECES] += found_pieces
                read.append(sum(line in text for line in lines))
                by_kind[system][_LINES] += read[-1]
                shown = f" ({found_pieces} of {len(pieces)})" if pieces else ""
                cells.append(f"{len(whole)}{shown} {seconds:.1f} s")
            print(f"{title:38} {len(gone):6}", *(f"{cell:>20}" for cell in cells), flush=True)
            print(f"{'  ' + _LINES:38} {len(lines):6}", *(f"{count:>20}" for count in read), flush=True)
        for kind in (*KINDS, _PIECES, _LINES):
            counts = (f"{by_kind[system][kind]:>20}" for system in systems)
            print(f"{'all disks, ' + kind:38} {wanted_of[kind]:6}", *counts)


if __name__ == "__main__":
    main()
