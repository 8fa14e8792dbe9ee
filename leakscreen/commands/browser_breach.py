"""Results of scans and the service's decisions -> the breach report for the browser, counted after every change."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from typing import Any

from core.errors import LeakscreenError
from leakscreen.breach.counting import CountInBackground, ask_of_reviews
from leakscreen.breach.duties import duties_for
from leakscreen.breach.languages import spoken_facts
from leakscreen.breach.render import FORMS
from review.breach.reporting import BeingCountedError


class BrowserBreach:
    def __init__(self) -> None:
        self._counting = CountInBackground()

    def facts(self, discovered: date | None, language: str = "en") -> dict[str, Any]:
        from leakscreen.breach.reviewed import state_of_reviews

        try:
            return _spoken(self._counting.newest(state_of_reviews(), ask_of_reviews), discovered, language)
        except BeingCountedError as error:
            raise BeingCountedError(_spoken(error.before, discovered, language) if error.before else None) from None

    def begin(self) -> None:
        """Counts already while the service starts; what is wrong is said on the page."""
        with suppress(LeakscreenError):
            self.facts(None)

    def written(self, facts: Mapping[str, Any], form: str) -> bytes:
        return FORMS[form](facts)


def _spoken(counted: Mapping[str, Any], discovered: date | None, language: str) -> dict[str, Any]:
    duties = duties_for(counted["verified"]["people"]["by_jurisdiction"], discovered)
    day = discovered.isoformat() if discovered else None
    return spoken_facts({**counted, "discovered": day, "duties": duties}, language)
