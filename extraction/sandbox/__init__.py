"""Files -> Documents, parsed in confined child processes that may hang, crash or be hijacked."""

from extraction.confinement.protection import Protection, probe
from extraction.sandbox.sandbox import Question, Sandbox, require_protection

__all__ = ["Protection", "Question", "Sandbox", "probe", "require_protection"]
