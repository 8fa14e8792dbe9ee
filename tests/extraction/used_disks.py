"""Disks as they are sold second-hand: files written, deleted, overwritten in part, or formatted; nothing is mounted."""

import io
import os
import random
import struct
import subprocess
import zipfile
from collections.abc import Callable, Iterable, Mapping
from email.message import EmailMessage
from pathlib import Path

import docx
from PIL import Image
from reportlab.pdfgen import canvas

TOOLS = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin", "MTOOLS_SKIP_CHECK": "1"}
MIB = 1 << 20
_WORDS = "ward clinic letter visit result dose plan history patient report number Monday street of the and with for"


def run(*command: str | Path, text: str = "") -> None:
    done = subprocess.run(command, env=TOOLS, input=text, text=True, capture_output=True)
    assert done.returncode == 0, (command, done.stderr)


def prose(dice: random.Random, words: int) -> str:
    return " ".join(dice.choices(_WORDS.split(), k=words))


def a_pdf(dice: random.Random) -> bytes:
    sink = io.BytesIO()
    page = canvas.Canvas(sink)
    for line in range(30):
        page.drawString(50, 800 - 20 * line, prose(dice, 10))
    page.save()
    return sink.getvalue()


def a_docx(dice: random.Random) -> bytes:
    sink, document = io.BytesIO(), docx.Document()
    document.add_paragraph(prose(dice, 400))
    document.save(sink)
    return sink.getvalue()


def a_zip(dice: random.Random) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("notes.txt", prose(dice, 2000))
        archive.writestr("noise.bin", dice.randbytes(9000))
    return sink.getvalue()


def a_jpg(dice: random.Random) -> bytes:
    sink = io.BytesIO()
    Image.frombytes("RGB", (120, 90), dice.randbytes(120 * 90 * 3)).save(sink, "JPEG", quality=90)
    return sink.getvalue()


def an_eml(dice: random.Random) -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ann@example.org", "bob@example.org", prose(dice, 5)
    message["Message-ID"] = f"<{dice.random()}@example.org>"
    message.set_content("\n".join(prose(dice, 12) for _ in range(90)))
    return message.as_bytes()


def a_txt(dice: random.Random) -> bytes:
    return "\n".join(prose(dice, 12) for _ in range(dice.randint(20, 300))).encode()


KINDS: Mapping[str, Callable[[random.Random], bytes]] = {
    "pdf": a_pdf,
    "docx": a_docx,
    "zip": a_zip,
    "jpg": a_jpg,
    "eml": an_eml,
    "txt": a_txt,
}


def make_files(folder: Path, of_each: int, seed: int) -> dict[str, bytes]:
    dice = random.Random(seed)
    names = [f"{kind}{number}.{kind}" for kind in KINDS for number in range(of_each)]
    dice.shuffle(names)
    made = {}
    for name in names:
        made[name] = KINDS[name.rpartition(".")[2]](dice)
        (folder / name).write_bytes(made[name])
    return made


def fat(image: Path, folder: Path, names: Iterable[str], bits: str = "16", mebibytes: int = 16) -> None:
    run("mkfs.fat", "-F", bits, "-C", image, str(mebibytes * 1024))
    for name in names:
        run("mcopy", "-i", image, folder / name, "::")


def fat_delete(image: Path, names: Iterable[str]) -> None:
    run("mdel", "-i", image, *(f"::{name}" for name in names))


def ext(image: Path, folder: Path, kind: str, mebibytes: int = 16) -> None:
    run("mke2fs", "-q", "-t", kind, "-d", folder, image, f"{mebibytes}M")


def ext_delete(image: Path, names: Iterable[str], wipe_inodes: bool = True) -> None:
    """The kernel empties the inode of a deleted file on ext3 and ext4; debugfs does only when it is asked to."""
    commands = []
    for name in names:
        if wipe_inodes:
            commands += [f"sif {name} size 0", *(f"sif {name} block[{number}] 0" for number in range(15))]
        commands.append(f"unlink {name}" if wipe_inodes else f"rm {name}")
    if wipe_inodes:  # free the blocks while the inode still knows them
        commands = [line for name in names for line in _freed(image, name)] + commands
    run("debugfs", "-w", "-f", "-", image, text="\n".join(commands) + "\n")


def _freed(image: Path, name: str) -> list[str]:
    listed = subprocess.run(["debugfs", "-R", f"blocks {name}", image], env=TOOLS, capture_output=True, text=True)
    return [f"freeb {block}" for block in listed.stdout.split()]


def ntfs(image: Path, folder: Path, names: Iterable[str], mebibytes: int = 16) -> None:
    image.write_bytes(bytes(mebibytes * MIB))
    run("mkntfs", "-F", "-Q", image)
    for name in names:
        run("ntfscp", image, folder / name, name)


def ntfs_delete(image: Path, names: Iterable[str]) -> None:
    """As Windows does: the file's record is no longer in use, and the folder's index no longer has its name."""
    data = bytearray(image.read_bytes())
    for name in names:
        wanted = name.encode("utf-16-le")
        for at in _places(data, b"FILE0", 1024):
            if wanted in data[at : at + 1024] and struct.unpack_from("<H", data, at + 22)[0] & 1:
                struct.pack_into("<H", data, at + 16, struct.unpack_from("<H", data, at + 16)[0] + 1)
                struct.pack_into("<H", data, at + 22, 0)
        for at in _places(data, b"INDX(", 4096):
            data[at : at + 4096] = _without_entry(data[at : at + 4096], wanted)
    image.write_bytes(data)


def _places(data: bytearray, mark: bytes, step: int) -> list[int]:
    places = []
    at = data.find(mark)
    while at >= 0:
        places.append(at)
        at = data.find(mark, at + step)
    return places


def _without_entry(block: bytearray, wanted: bytes) -> bytearray:
    """An index block; the last two bytes of each sector are kept elsewhere, and a number is in their place."""
    array, count = struct.unpack_from("<HH", block, 4)
    number = block[array : array + 2]
    for sector in range(1, count):
        block[512 * sector - 2 : 512 * sector] = block[array + 2 * sector : array + 2 * sector + 2]
    first, used = struct.unpack_from("<II", block, 24)
    at, end = 24 + first, 24 + used
    while at < end:
        (length,) = struct.unpack_from("<H", block, at + 8)
        if wanted in block[at : at + length] and not struct.unpack_from("<H", block, at + 12)[0] & 2:
            block[at:end] = block[at + length : end] + bytes(length)
            end -= length
        else:
            at += length
    struct.pack_into("<I", block, 28, end - 24)
    for sector in range(1, count):
        block[array + 2 * sector : array + 2 * sector + 2] = block[512 * sector - 2 : 512 * sector]
        block[512 * sector - 2 : 512 * sector] = number
    return block


def exfat(image: Path, files: Mapping[str, bytes], deleted: Iterable[str], mebibytes: int = 16) -> None:
    """A volume of mkfs.exfat into whose root folder entries are written by hand: no tool does it without a mount."""
    gone = set(deleted)
    image.write_bytes(bytes(mebibytes * MIB))
    run("mkfs.exfat", image)
    data = bytearray(image.read_bytes())
    sector, cluster = 1 << data[108], 1 << (data[108] + data[109])
    heap, root = struct.unpack_from("<I", data, 88)[0] * sector, struct.unpack_from("<I", data, 96)[0]
    place = heap + (root - 2) * cluster
    at = next(offset for offset in range(place, place + cluster, 32) if data[offset] == 0)
    following = root + 40
    for name, content in files.items():
        start = heap + (following - 2) * cluster
        data[start : start + len(content)] = content
        for entry in _exfat_entries(name, following, len(content), in_use=name not in gone):
            data[at : at + 32] = entry
            at += 32
        following += -(-len(content) // cluster)
    image.write_bytes(data)


def _exfat_entries(name: str, cluster: int, size: int, *, in_use: bool) -> list[bytes]:
    text = name.encode("utf-16-le")
    parts = [text[start : start + 30] for start in range(0, len(text), 30)]
    then = (2024 - 1980) << 25 | 5 << 21 | 12 << 16 | 10 << 11
    first = bytearray(struct.pack("<BBHHHIII", 0x85, 1 + len(parts), 0, 0x20, 0, then, then, then).ljust(32, b"\0"))
    second = struct.pack("<BBBBHHQIIQ", 0xC0, 3, 0, len(name), 0, 0, size, 0, cluster, size)
    entries = [first, bytearray(second), *(bytearray(b"\xc1\0" + part.ljust(30, b"\0")) for part in parts)]
    checksum = 0
    for at, byte in enumerate(b"".join(entries)):
        if at not in (2, 3):
            checksum = ((checksum << 15 | checksum >> 1) + byte) & 0xFFFF
    struct.pack_into("<H", first, 2, checksum)
    if not in_use:
        for entry in entries:
            entry[0] &= 0x7F
    return [bytes(entry) for entry in entries]


def age(image: Path, folder: Path, write: Callable[[list[Path]], None], delete: Callable[[list[str]], None]) -> None:
    """A disk after years: files of other people were written to it and deleted again, and many are still there.

    What is written now fills the gaps between them, in pieces.
    """
    dice = random.Random(8)
    kept: list[str] = []
    for year in range(4):
        fillers = []
        for number in range(200):
            path = folder / f"y{year}n{number}.dat"
            path.write_bytes(
                dice.randbytes(dice.randint(300, 9_000)) if number % 2 else prose(dice, dice.randint(50, 1500)).encode()
            )
            fillers.append(path)
        write(fillers)
        kept += [path.name for path in fillers]
        dice.shuffle(kept)
        gone, kept = kept[: len(kept) // 2], kept[len(kept) // 2 :]
        delete(gone)


def aged_fat(image: Path, folder: Path, files: Iterable[str], scratch: Path, mebibytes: int = 16) -> None:
    run("mkfs.fat", "-F", "16", "-s", "4", "-C", image, str(mebibytes * 1024))
    age(image, scratch, lambda paths: run("mcopy", "-i", image, *paths, "::"), lambda names: fat_delete(image, names))
    for name in files:
        run("mcopy", "-i", image, folder / name, "::")


def aged_ext(image: Path, folder: Path, files: Iterable[str], scratch: Path, mebibytes: int = 16) -> None:
    run("mke2fs", "-q", "-t", "ext4", "-b", "1024", image, f"{mebibytes}M")

    def write(paths: list[Path]) -> None:
        run("debugfs", "-w", "-f", "-", image, text="".join(f"write {path} {path.name}\n" for path in paths))

    age(image, scratch, write, lambda names: ext_delete(image, names, wipe_inodes=False))
    write([folder / name for name in files])
