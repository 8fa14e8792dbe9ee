"""JSON lines with texts on standard input -> what Presidio's anonymizer makes of them; runs in its environment."""

import json
import sys
import time


def main() -> None:
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider
    from presidio_anonymizer import AnonymizerEngine

    configuration = {"nlp_engine_name": "spacy", "models": [{"lang_code": "en", "model_name": sys.argv[1]}]}
    analyzer = AnalyzerEngine(nlp_engine=NlpEngineProvider(nlp_configuration=configuration).create_engine())
    anonymizer = AnonymizerEngine()
    seconds = 0.0
    for line in sys.stdin:
        text = json.loads(line)
        start = time.process_time()
        results = analyzer.analyze(text=text, language="en")
        made = anonymizer.anonymize(text=text, analyzer_results=results)
        seconds += time.process_time() - start
        print(json.dumps([made.text, [[result.start, result.end] for result in results]]), flush=True)
    print(json.dumps(seconds))


if __name__ == "__main__":
    main()
