"""Limits -> what one file, all its members together, may still expand to, hold and say."""

from core.settings import LimitSettings


class LimitError(Exception):
    """A limit of the whole file; the message names it and is fit for a record's reason."""


class Budget:
    """Counts down over all depths of one file, so that no nesting multiplies a limit."""

    def __init__(self, limits: LimitSettings) -> None:
        self.limits = limits
        self.expanded_left = limits.expanded_bytes
        self.text_left = limits.expanded_bytes
        self.members_left = limits.members

    def expand(self, count: int) -> None:
        self.expanded_left -= count
        if self.expanded_left < 0:
            raise LimitError(self.expanded_reason)

    def add_member(self) -> None:
        if self.expanded_left < 0:
            raise LimitError(self.expanded_reason)
        if self.text_left <= 0:
            raise LimitError(self.text_reason)
        if self.members_left <= 0:
            raise LimitError(f"member limit ({self.limits.members:,})")
        self.members_left -= 1

    @property
    def expanded_reason(self) -> str:
        return f"expanded size limit ({self.limits.expanded_bytes:,} bytes)"

    @property
    def text_reason(self) -> str:
        return f"text limit ({self.limits.expanded_bytes:,} bytes)"

    @property
    def member_reason(self) -> str:
        return f"member size limit ({self.limits.member_bytes:,} bytes)"

    @property
    def depth_reason(self) -> str:
        return f"depth limit ({self.limits.depth:,})"
