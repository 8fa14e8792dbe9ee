"""Files whose names show their type -> the share identified correctly, and files per CPU second, beside libmagic."""

import argparse
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from extraction.identify.identify import identify
from extraction.identify.libmagic import libmagic_media_type

OPENDOCUMENT = "application/vnd.oasis.opendocument."
OOXML = "application/vnd.openxmlformats-officedocument."

# Coarse classes: two types are one class where the same extractor is right for both.
BY_EXTENSION = {
    "text": "txt md rst org log yml yaml py csv tsv psv ini cfg toml mtree",
    "json": "json ndjson",
    "xml": "xml xsl xsd rss svg",
    "html": "html htm xhtml hocr",
    "mail": "eml",
    "mbox": "mbox",
    "pdf": "pdf",
    "rtf": "rtf",
    "docx": "docx docm dotx",
    "xlsx": "xlsx xlsm",
    "xlsb": "xlsb",
    "pptx": "pptx pptm",
    "doc": "doc dot",
    "xls": "xls",
    "ppt": "ppt",
    "msg": "msg",
    "opendocument": "odt ods odp odg",
    "epub": "epub",
    "picture": "png jpg jpeg gif tif tiff bmp webp heic pbm pgm ppm xbm sgi ras exr psd ico",
    "sound": "wav mp3 ogg flac au aif aiff",
    "zip": "zip jar zipx",
    "tar": "tar",
    "gzip": "gz tgz",
    "bzip2": "bz2 tbz",
    "xz": "xz txz",
    "zstd": "zst",
    "7z": "7z",
    "rar": "rar",
    "postscript": "ps eps",
    "sqlite": "sqlite db",
    "dicom": "dcm",
}
BY_MEDIA_TYPE = {
    "application/json": "json",
    "application/x-ndjson": "json",
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/xml": "xml",
    "application/xml": "xml",
    "image/svg+xml": "xml",
    "message/rfc822": "mail",
    "application/mbox": "mbox",
    "application/pdf": "pdf",
    "text/rtf": "rtf",
    "application/rtf": "rtf",
    f"{OOXML}wordprocessingml.document": "docx",
    f"{OOXML}spreadsheetml.sheet": "xlsx",
    "application/vnd.ms-excel.sheet.binary.macroenabled.12": "xlsb",
    f"{OOXML}presentationml.presentation": "pptx",
    "application/msword": "doc",
    "application/vnd.ms-excel": "xls",
    "application/vnd.ms-powerpoint": "ppt",
    "application/vnd.ms-outlook": "msg",
    "application/epub+zip": "epub",
    "application/zip": "zip",
    "application/java-archive": "zip",
    "application/x-tar": "tar",
    "application/gzip": "gzip",
    "application/x-gzip": "gzip",
    "application/x-bzip2": "bzip2",
    "application/x-xz": "xz",
    "application/zstd": "zstd",
    "application/x-7z-compressed": "7z",
    "application/vnd.rar": "rar",
    "application/x-rar": "rar",
    "application/postscript": "postscript",
    "application/vnd.sqlite3": "sqlite",
    "application/x-sqlite3": "sqlite",
    "application/dicom": "dicom",
    "application/ogg": "sound",
    "application/x-ole-encrypted-package": "encrypted",
    "application/encrypted": "encrypted",
}
BY_BEGINNING = (
    ("image/", "picture"),
    ("audio/", "sound"),
    (OPENDOCUMENT, "opendocument"),
    ("text/", "text"),
    ("application/javascript", "text"),
)
# Other types that a name may truly stand for: .txt only means text, and Office keeps its extensions whatever is inside.
ALSO_RIGHT = {
    "text": {"mail", "mbox", "json", "xml", "html"},
    "mail": {"mbox"},
    "doc": {"docx", "rtf", "encrypted"},
    "xls": {"xlsx", "encrypted"},
    "ppt": {"pptx", "encrypted"},
    "docx": {"encrypted"},
    "xlsx": {"encrypted"},
    "xlsb": {"encrypted"},
    "pptx": {"encrypted"},
}
CLASS_OF_EXTENSION = {extension: name for name, extensions in BY_EXTENSION.items() for extension in extensions.split()}


def class_of(media_type: str) -> str:
    family = BY_MEDIA_TYPE.get(media_type)
    return family or next((name for beginning, name in BY_BEGINNING if media_type.startswith(beginning)), media_type)


def measured(
    identified: Callable[[bytes], str], files: list[tuple[Path, str, bytes]]
) -> tuple[Counter[tuple[str, str]], list[str], float]:
    wrong: Counter[tuple[str, str]] = Counter()
    names: list[str] = []
    started = time.process_time()
    answers = [identified(data) for _, _, data in files]
    seconds = time.process_time() - started
    for (path, expected, _), answer in zip(files, answers, strict=True):
        if class_of(answer) not in {expected, *ALSO_RIGHT.get(expected, ())}:
            wrong[expected, answer] += 1
            names.append(f"{path.name}: {expected} taken for {answer}")
    return wrong, names, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with files whose extensions can be trusted")
    parser.add_argument("--list", action="store_true", help="name the files that were told wrongly")
    arguments = parser.parse_args()
    paths = sorted(path for path in arguments.data.rglob("*") if path.is_file() and not path.is_symlink())
    known = [
        (path, CLASS_OF_EXTENSION[path.suffix.lower()[1:]])
        for path in paths
        if path.suffix.lower()[1:] in CLASS_OF_EXTENSION
    ]
    files = [(path, expected, data) for path, expected in known if (data := path.read_bytes())]
    libmagic_media_type(b"warm")
    print(
        f"{len(files)} files of {len({expected for _, expected, _ in files})} classes; {len(paths) - len(files)} "
        "more have no telling name"
    )
    for name, identified in (("leakscreen", identify), ("libmagic", libmagic_media_type)):
        wrong, names, seconds = measured(identified, files)
        right = len(files) - wrong.total()
        print(
            f"{name:10} {right / len(files):.1%} right ({wrong.total()} wrong), {len(files) / seconds:,.0f} files a "
            "CPU second"
        )
        for (expected, answer), count in wrong.most_common(8):
            print(f"    {count} {expected} taken for {answer}")
        if arguments.list and name == "leakscreen":
            print("\n".join(f"    {line}" for line in names))


if __name__ == "__main__":
    main()
