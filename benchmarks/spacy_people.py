"""JSON lines with texts on standard input -> the people that a spaCy model finds; runs in spaCy's environment."""

import json
import sys
import time


def main() -> None:
    import spacy

    model = spacy.load(sys.argv[1])
    seconds = 0.0
    for line in sys.stdin:
        text = json.loads(line)
        start = time.process_time()
        found = model(text).ents
        seconds += time.process_time() - start
        people = [entity for entity in found if entity.label_ in ("PER", "PERSON")]
        print(json.dumps([[person.start_char, person.end_char] for person in people]), flush=True)
    print(json.dumps(seconds))


if __name__ == "__main__":
    main()
