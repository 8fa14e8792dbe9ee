"""A folder of pictures with faces and one without -> how many are told apart, and milliseconds a picture.

`python -m benchmarks.faces WITH WITHOUT` counts a picture as one with a face as `ocr.faces` does. Needs dlib.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from extraction.ocr.faces import Faces


def pictures(folder: Path) -> Iterator[tuple[Path, Image.Image]]:
    """In grey, as their cameras were held, transparent ones on white."""
    for path in sorted(folder.rglob("*")):
        try:
            with Image.open(path) as opened:
                layered = ImageOps.exif_transpose(opened).convert("RGBA")
        except (UnidentifiedImageError, OSError, ValueError, SyntaxError):
            continue
        ground = Image.new("RGBA", layered.size, "white")
        ground.alpha_composite(layered)
        yield path, ground.convert("L")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs=2, type=Path, metavar="FOLDER")
    parser.add_argument("--verbose", action="store_true", help="name the pictures that are taken for the other kind")
    chosen = parser.parse_args()
    faces = Faces(wanted=True)
    for folder, wanted in zip(chosen.folders, (True, False), strict=True):
        seconds, count, seen = 0.0, 0, 0
        for path, grey in pictures(folder):
            count += 1
            started = time.process_time()
            is_seen = faces.are_seen(grey)
            seconds += time.process_time() - started
            seen += is_seen
            if chosen.verbose and is_seen is not wanted:
                print(f"  {path}")
        print(f"{folder}: {seen:,} of {count:,} with a face, {1000 * seconds / max(1, count):.1f} ms a picture")


if __name__ == "__main__":
    main()
