"""`python -m leakscreen.share FOLDER`: makes the sample share and writes its truth beside it."""

import sys
from pathlib import Path

from core.errors import OutputError
from leakscreen.share import make_share, write_truth


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: python -m leakscreen.share FOLDER")
    folder = Path(sys.argv[1])
    try:
        planted = make_share(folder)
    except OutputError as error:
        sys.exit(str(error))
    truth = folder.with_name(f"{folder.name}-truth.csv")
    write_truth(planted, truth)
    phi = sum(document.phi for document in planted)
    print(f"{folder}: {len(planted)} documents, of which {phi} hold planted PHI; the truth is in {truth}")


if __name__ == "__main__":
    main()
