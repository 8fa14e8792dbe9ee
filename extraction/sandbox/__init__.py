"""Parsing in confined child processes: what may hang, crash or be taken over does so there."""

from extraction.confinement.protection import Protection, probe
from extraction.sandbox.sandbox import Question, Sandbox, require_protection

__all__ = ["Protection", "Question", "Sandbox", "probe", "require_protection"]
