"""Transactions that write -> one after the other, by a lock on a file beside the database.

SQLite waits by polling with growing pauses: of fifty simultaneous writers some did not get through within a minute. The
kernel lets waiters for a file lock sleep until it is free, and releases the lock of a process that is killed.
"""

import fcntl
import os
from typing import Any

from django.db.backends.sqlite3 import base


class DatabaseWrapper(base.DatabaseWrapper):
    _turn: int | None = None

    def _start_transaction_under_autocommit(self) -> None:
        self._take_turn()
        try:
            super()._start_transaction_under_autocommit()
        except BaseException:
            self._give_turn()
            raise

    def _commit(self) -> Any:
        try:
            return super()._commit()
        finally:
            self._give_turn()

    def _rollback(self) -> Any:
        try:
            return super()._rollback()
        finally:
            self._give_turn()

    def _close(self) -> Any:
        try:
            return super()._close()
        finally:
            self._end_turn()

    def _take_turn(self) -> None:
        if self._turn is None:
            path = f"{self.settings_dict['NAME']}-turn"
            self._turn = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._turn, fcntl.LOCK_EX)

    def _give_turn(self) -> None:
        """After a failed commit the turn lasts until the rollback."""
        if self.connection is None or not self.connection.in_transaction:
            self._end_turn()

    def _end_turn(self) -> None:
        if self._turn is not None:
            os.close(self._turn)
            self._turn = None
