"""The roles that people work in."""

from enum import StrEnum


class Role(StrEnum):
    REVIEWER = "reviewer"
    ADJUDICATOR = "adjudicator"
    MANAGER = "manager"
    AUDITOR = "auditor"
