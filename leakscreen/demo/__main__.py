"""`python -m leakscreen.demo FOLDER`: makes the sample share and writes its truth beside it, in the form of labels."""

import argparse
import sys
from pathlib import Path

from core.errors import OutputError
from leakscreen.demo import make_share, make_small_files, write_truth


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m leakscreen.demo", description="Generate a synthetic share with known truth."
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument(
        "--prevalence",
        type=float,
        default=0.01,
        help="share of files with planted PHI, such as 0.0044, 0.0098 or 0.165",
    )
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument(
        "--small", action="store_true", help="only small txt, csv, html and eml files: quick to make in any number"
    )
    arguments = parser.parse_args()
    if arguments.files < 1 or not 0 <= arguments.prevalence <= 1:
        parser.error("--files is at least 1, and --prevalence between 0 and 1")
    make = make_small_files if arguments.small else make_share
    try:
        planted = make(arguments.folder, files=arguments.files, seed=arguments.seed, phi_share=arguments.prevalence)
    except OutputError as error:
        sys.exit(str(error))
    truth = arguments.folder.with_name(f"{arguments.folder.name}-truth.csv")
    write_truth(planted, truth)
    phi = sum(document.phi for document in planted)
    print(f"{arguments.folder}: {len(planted)} documents, {phi} of them with planted PHI; the truth is in {truth}")


if __name__ == "__main__":
    main()
