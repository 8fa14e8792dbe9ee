"""Limits -> how much one file, all its members together, may still expand, hold and yield."""

from collections.abc import Callable

from core.settings import LimitSettings
from extraction.ocr.reader import Ocr, PictureReader


class LimitError(Exception):
    """A limit of the whole file was reached; the message names it and becomes the record's reason."""


class Budget:
    """Counts down over all depths of one file, so that no nesting multiplies a limit."""

    def __init__(self, limits: LimitSettings, ocr: Ocr | None = None, passwords: tuple[str, ...] = ()) -> None:
        self.limits = limits
        self.passwords = passwords  # for locked files
        self.pictures = PictureReader(ocr or Ocr(None), limits.file_seconds)
        self.expanded_left = limits.expanded_bytes
        self.text_left = limits.expanded_bytes
        self.members_left = limits.members
        self.file_bytes = 0  # of the file on disk
        self.on_expansion: Callable[[Budget], None] | None = None
        self.streamed_left: int | None = None  # of an archive whose members are limited one by one
        self._stopped = False

    def stream(self) -> None:
        """From here on the limits of a file apply to each member of the outermost file."""
        self.streamed_left = self.limits.streamed_bytes

    def next_streamed_member(self) -> None:
        if self.streamed_left is not None:
            self.expanded_left = self.text_left = self.limits.expanded_bytes
            self.members_left = self.limits.members
            self.pictures.renew()

    def unpack(self, count: int) -> None:
        """Charges what a decompressor yields, whether it becomes a member or is skipped."""
        if self.streamed_left is None:
            self.expand(count)
            return
        self.streamed_left -= count
        if self.streamed_left < 0:
            raise LimitError(self.streamed_reason)

    def expand(self, count: int) -> None:
        self.expanded_left -= count
        if self.on_expansion is not None:
            self.on_expansion(self)
            self.on_expansion = None
        if self.expanded_left < 0:
            raise LimitError(self.expanded_reason)

    def hand_over(self, count: int) -> None:
        """Text counts like content that was unpacked: some libraries unpack without asking."""
        self.text_left -= count
        if self.on_expansion is not None and self.limits.expanded_bytes - self.text_left > self.file_bytes:
            self.on_expansion(self)
            self.on_expansion = None

    def check_expansion(self) -> None:
        """Raises LimitError if the file expanded beyond reason; called when its processor time is used up."""
        expanded = self.limits.expanded_bytes - min(self.expanded_left, self.text_left)
        if expanded > self.limits.expansion_ratio * self.file_bytes:
            self._stopped = True
            raise LimitError(self.bomb_reason)

    def add_member(self) -> None:
        if self._stopped:
            raise LimitError(self.bomb_reason)
        if self.expanded_left < 0:
            raise LimitError(self.expanded_reason)
        if self.text_left <= 0:
            raise LimitError(self.text_reason)
        if self.members_left <= 0:
            raise LimitError(f"member limit ({self.limits.members:,})")
        self.members_left -= 1

    def name_member(self, path: str) -> None:
        """Names count as text: a thousand long ones in an archive of a few bytes are more than its members."""
        length = len(path.encode("utf-8", "replace"))
        if length > self.text_left:
            self.text_left = 0
            raise LimitError(self.text_reason)
        self.text_left -= length

    @property
    def streamed_reason(self) -> str:
        return f"streamed size limit ({self.limits.streamed_bytes:,} bytes)"

    @property
    def expanded_reason(self) -> str:
        return f"expanded size limit ({self.limits.expanded_bytes:,} bytes)"

    @property
    def bomb_reason(self) -> str:
        return (
            f"processor time limit ({self.limits.expansion_cpu_seconds:g} s "
            f"beyond {self.limits.expansion_ratio} times its size)"
        )

    @property
    def text_reason(self) -> str:
        return f"text limit ({self.limits.expanded_bytes:,} bytes)"

    @property
    def member_reason(self) -> str:
        return f"member size limit ({self.limits.member_bytes:,} bytes)"

    @property
    def depth_reason(self) -> str:
        return f"depth limit ({self.limits.depth:,})"
