"""The faults that leakscreen names; each message says what is wrong, where, and what to do."""


class LeakscreenError(Exception):
    """Anything a user can mend; the command line prints its message and exits with 2."""


class SettingsError(LeakscreenError):
    """A setting that does not exist or has a value that cannot be used."""


class SourceError(LeakscreenError):
    """A source that is missing or cannot be listed."""


class OutputError(LeakscreenError):
    """An output place that cannot be used, or a scan that cannot be read."""


class RuleError(LeakscreenError):
    """A rule file that cannot be used; the message names the file and the rule."""


class ModelError(LeakscreenError):
    """A model file that is missing, corrupt or of another version."""


class LabelError(LeakscreenError):
    """Labels that cannot be joined to a scan; the message names them."""


class SandboxError(LeakscreenError):
    """The machine gives no protection for parsing hostile files."""


class ReconciliationError(LeakscreenError):
    """The records of a scan do not add up to the files that were walked."""


class ReviewError(LeakscreenError):
    """A review database, an account or an audit log that cannot be used."""


class RemediationError(LeakscreenError):
    """An action that may not be taken now, or a journal or vault that cannot be used."""
