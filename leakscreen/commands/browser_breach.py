"""Results of scans and the service's decisions -> the breach report for the browser, made anew after every change."""

import threading
from collections.abc import Mapping
from datetime import date
from typing import Any

from leakscreen.breach.duties import duties_for
from leakscreen.breach.languages import spoken_facts
from leakscreen.breach.render import FORMS


class BrowserBreach:
    """Counting people takes seconds to minutes: one request counts, others wait for it, and the result is kept."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._state: Any = None
        self._facts: dict[str, Any] = {}

    def facts(self, discovered: date | None, language: str = "en") -> dict[str, Any]:
        from leakscreen.breach.reviewed import reviewed_facts, state_of_reviews

        with self._turn:
            state = state_of_reviews()
            if state != self._state:
                self._facts, self._state = reviewed_facts(None), state
            counted = self._facts["verified"]["people"]["by_jurisdiction"]
            duties = duties_for(counted, discovered)
            facts = {**self._facts, "discovered": discovered.isoformat() if discovered else None, "duties": duties}
        return spoken_facts(facts, language)

    def written(self, facts: Mapping[str, Any], form: str) -> bytes:
        return FORMS[form](facts)
