"""Word counts and census counts -> data/ordinary_names.tsv: the census names that mostly are ordinary words.

A tool for maintainers, run as `python -m screening.training.distil_ordinary_names`; needs the `train` packages.
"""

import math
from pathlib import Path

from screening.training.census import FIRST_FILES, LAST_FILE, ORDINARY_FILE, census_shares

# How far the frequency of a word may exceed what its share of bearers explains, on a logarithmic scale to base 10.
FIRST_LIMIT = 6.3
LAST_LIMIT = 5.7
RAREST_WORD = 3.0
SMALLEST_SHARE = 0.0005


def ordinary(shares: dict[str, float], limit: float) -> set[str]:
    from wordfreq import zipf_frequency

    names = set()
    for name, share in shares.items():
        frequency = zipf_frequency(name, "en")
        if frequency >= RAREST_WORD and frequency - math.log10(max(share, SMALLEST_SHARE)) >= limit:
            names.add(name)
    return names


def main() -> None:
    shares: dict[str, float] = {}
    for file in FIRST_FILES:
        for name, share in census_shares(file).items():
            shares[name] = max(share, shares.get(name, 0.0))
    first = ordinary(shares, FIRST_LIMIT)
    last = ordinary(census_shares(LAST_FILE), LAST_LIMIT)
    lines = [f"{name}\t{'f' * (name in first)}{'l' * (name in last)}" for name in sorted(first | last)]
    Path(str(ORDINARY_FILE)).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
