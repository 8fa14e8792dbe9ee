"""The project's own short texts (TOML) -> examples of each class, with their blanks filled by a fixed seed."""

import random
import re
import tomllib
from pathlib import Path

from classifiers.training.corpus import EVERYDAY, GENERAL, NOTE, TALK, Example, held_out

OWN_EXAMPLES_FILE = Path(__file__).parent / "data" / "own_examples.toml"
SOURCE = "own_examples"
_KINDS = {"record": NOTE, "talk": TALK, "general": GENERAL, "everyday": EVERYDAY}
_BLANK = re.compile(r"\{(\w+)\}")


def own_examples() -> list[Example]:
    """Every template a few times with other words; all drafts of one template stay on the same side of the split."""
    document = tomllib.loads(OWN_EXAMPLES_FILE.read_text(encoding="utf-8"))
    words = document["draw"]
    rng = random.Random(0)  # noqa: S311  not for secrets: the same texts every time
    examples = []
    for name, kind in _KINDS.items():
        for number, template in enumerate(document[name]):
            side = held_out(f"{SOURCE}:{name}:{number}")
            for _ in range(words["times"] if _BLANK.search(template) else 1):
                drawn = {blank: rng.choice(words[blank]) for blank in sorted(set(_BLANK.findall(template)))}
                examples.append(Example(template.format_map(drawn), kind, SOURCE, side))
    return examples
