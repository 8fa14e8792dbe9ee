"""JSON lines with texts on standard input -> the people that Presidio finds; runs in Presidio's environment."""

import json
import sys
import time


def main() -> None:
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    configuration = {"nlp_engine_name": "spacy", "models": [{"lang_code": "en", "model_name": sys.argv[1]}]}
    engine = AnalyzerEngine(nlp_engine=NlpEngineProvider(nlp_configuration=configuration).create_engine())
    seconds = 0.0
    for line in sys.stdin:
        text = json.loads(line)
        start = time.process_time()
        people = engine.analyze(text=text, language="en", entities=["PERSON"])
        seconds += time.process_time() - start
        print(json.dumps([[person.start, person.end] for person in people]), flush=True)
    print(json.dumps(seconds))


if __name__ == "__main__":
    main()
