"""Texts on standard input (a JSON list) -> CPU seconds of Presidio and its spaCy model; runs in its environment."""

import json
import sys
import time

from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import NlpEngineProvider


def main() -> None:
    models = [{"lang_code": "en", "model_name": sys.argv[1]}]
    engine = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": models}).create_engine()
    analyzer = AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])
    analyzer.analyze("Warm up, John Smith, 613-555-0142.", language="en")
    texts = json.load(sys.stdin)
    started = time.process_time()
    spans = sum(len(analyzer.analyze(text, language="en")) for text in texts)
    print(json.dumps({"seconds": time.process_time() - started, "spans": spans}))


if __name__ == "__main__":
    main()
