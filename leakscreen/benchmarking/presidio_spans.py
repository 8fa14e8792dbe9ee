"""Texts as JSON lines on standard input -> the spans that Presidio finds, as JSON lines.

Runs in any Python that has presidio-analyzer; leakscreen need not be installed there. The first argument may name a
spaCy model or its folder.
"""

import json
import sys
import time
from typing import Any

DEFAULT_MODEL = "en_core_web_lg"


def analyzer(model: str) -> Any:
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    configuration = {"nlp_engine_name": "spacy", "models": [{"lang_code": "en", "model_name": model}]}
    return AnalyzerEngine(nlp_engine=NlpEngineProvider(nlp_configuration=configuration).create_engine())


def main() -> None:
    engine = analyzer(sys.argv[1] if len(sys.argv) > 1 else DEFAULT_MODEL)
    before = time.process_time()
    for line in sys.stdin:
        results = engine.analyze(text=json.loads(line), language="en")
        print(json.dumps([[result.start, result.end, result.entity_type] for result in results]))
    print(json.dumps({"cpu_seconds": time.process_time() - before}))


if __name__ == "__main__":
    main()
