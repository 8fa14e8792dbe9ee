"""Results of scans and the service's decisions -> the breach report for the browser, counted after every change."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from typing import Any

from core.errors import LeakscreenError
from leakscreen.breach.counting import CountInBackground, ask_of_reviews
from leakscreen.breach.duties import duties_for
from leakscreen.breach.render import FORMS
from review.breach.reporting import BeingCountedError


class BrowserBreach:
    def __init__(self) -> None:
        self._counting = CountInBackground()

    def facts(self, discovered: date | None) -> dict[str, Any]:
        from leakscreen.breach.reviewed import state_of_reviews

        try:
            return _with_duties(self._counting.newest(state_of_reviews(), ask_of_reviews), discovered)
        except BeingCountedError as error:
            raise BeingCountedError(_with_duties(error.before, discovered) if error.before else None) from None

    def begin(self) -> None:
        """Counts already while the service starts; what is wrong is said on the page."""
        with suppress(LeakscreenError):
            self.facts(None)

    def written(self, facts: Mapping[str, Any], form: str) -> bytes:
        return FORMS[form](facts)


def _with_duties(facts: Mapping[str, Any], discovered: date | None) -> dict[str, Any]:
    duties = duties_for(facts["verified"]["people"]["by_jurisdiction"], discovered)
    return {**facts, "discovered": discovered.isoformat() if discovered else None, "duties": duties}
